"""What the PIN adds to the walk through all forms, and what it opens; see `functions_of_extras`."""

from collections.abc import Iterator

from support.client_phones import ClientPhone
from support.page_states import ServedStates
from support.remote_phone import RemoteNight, RemotePhone
from support.taken_away import Give, House, Take, Use


def prepared_forms(states: ServedStates) -> Iterator[tuple[ClientPhone, str, str]]:
    page = f"/n/{states.codes['between']}/pin"
    for _ in range(2):  # set, then typed
        states.host.post(page, {"pin": "4711"})
    yield states.host, page, "pin.remove"


def typed_pin(here: House) -> Use:
    """What the PIN opens: the host's phone makes a new code without it being typed again."""
    for _typed_twice in range(2):
        here.anna.post(f"{here.base}/pin", {"pin": "4711"})
    return lambda: here.anna.post(f"{here.base}/new-code").location == f"{here.base}/share"


def secrets_of(night: RemoteNight, _ben: RemotePhone) -> list[str]:
    assert night.host.post(f"{night.base}/pin", {"pin": "7391"}).status == 303
    return ["7391"]


def change_pin(here: House) -> None:
    here.send(here.anna, f"{here.base}/pin/off")
    here.send(here.anna, f"{here.base}/pin", pin="2222")


def given() -> dict[Give, tuple[Take, ...]]:
    return {typed_pin: (change_pin,)}
