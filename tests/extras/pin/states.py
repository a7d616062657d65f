"""What the PIN adds to the walk through all forms; see `functions_of_extras` in tests/support/of_extras.py."""

from collections.abc import Iterator

from support.client_phones import ClientPhone
from support.page_states import ServedStates


def prepared_forms(states: ServedStates) -> Iterator[tuple[ClientPhone, str, str]]:
    page = f"/n/{states.codes['between']}/pin"
    for _ in range(2):  # set, then typed
        states.host.post(page, {"pin": "4711"})
    yield states.host, page, "pin.remove"
