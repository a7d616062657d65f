"""What the tests that walk all pages have of boards in an address."""

from support.client_phones import ClientPhone, Site
from support.page_states import ServedStates

from tracker.extras.editor.codes import preset_to_code
from tracker.formats.built_in import built_in


def add_states(states: ServedStates) -> None:
    states.codes["board"] = preset_to_code(built_in("michigan-rummy"))


def tokens(_site: Site, _host: ClientPhone) -> dict[str, str]:
    """Return the last part of an address of a board, by its view."""
    return {"presets.shared_preset payload": preset_to_code(built_in("michigan-rummy"))}
