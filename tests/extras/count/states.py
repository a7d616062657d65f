"""What counting adds to the walks through all pages and forms (`functions_of_extras` in tests/support/of_extras.py)."""

from collections.abc import Iterator

from support.client_phones import ClientPhone
from support.form_walk import forms_at
from support.page_states import ServedStates

from tracker.extras.count.pages import save_count


def add_states(states: ServedStates) -> None:
    """Let somebody have counted between two hands, and found what the book says: the others are asked."""
    table = states.site.tables.get(states.codes["between"])
    save_count(table, "hanna", table.night.stack("hanna"))


def prepared_forms(states: ServedStates) -> Iterator[tuple[ClientPhone, str, str]]:
    host, page = states.host, f"/n/{states.codes['between']}/count"
    yield host, page, "count.reset"
    while count := next((one for one in forms_at(host, page) if "book" in one.fields), None):
        assert host.post(count.action, count.fields).status_code < 400
    yield host, page, "count.record"
