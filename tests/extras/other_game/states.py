"""What another game in the lobby adds to the walk through all forms; see `functions_of_extras`."""

from collections.abc import Iterator

from support.client_phones import ClientPhone
from support.page_states import ServedStates


def prepared_forms(states: ServedStates) -> Iterator[tuple[ClientPhone, str, str]]:
    yield states.host, f"/n/{states.site.open_night(states.host, 'Ann')}/game", "other_game.change"
