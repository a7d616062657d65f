"""What the extra adds to tests of everything that gives a role at a night."""

import time
from collections.abc import Callable, Iterator
from typing import Protocol

from support.client_phones import ClientPhone, Site
from support.page_states import ServedStates
from support.remote_phone import RemoteNight, RemotePhone
from support.taken_away import Give, House, Take, Use, take_seat_with_another_phone, use_it_up

from tracker.extras._phones import PhoneTransfer
from tracker.extras.hand_over.phone import links
from tracker.extras.hand_over.table import OFFER_SECONDS


class Table(Protocol):
    """A night of tests/web/access/test_admission.py."""

    site: Site
    host: ClientPhone
    ben: ClientPhone

    @property
    def base(self) -> str: ...


def link_for(site: Site, code: str, device: int) -> str:
    """Return the link by which a seat's phone moves to another one."""
    with site.app.app_context():
        return f"/m/{links().mint_for(PhoneTransfer(code, device, 'seat'))}"


def token_on(phone: ClientPhone, base: str) -> str:
    """Return the token in the code that moves a phone's role; empty where it shows none."""
    return phone.post(f"{base}/move").text.partition("/m/")[2][:43]


def moving(table: Table, phone: ClientPhone) -> None:
    """Show the code that moves this phone's role, and scan it with a browser that nobody knows."""
    if token := token_on(phone, table.base):
        assert table.site.phone().post("/m", {"token": token}).status_code == 303


def offering(table: Table, phone: ClientPhone) -> None:
    """Offer the table to Ben, who takes it if it was offered."""
    phone.post(f"{table.base}/hand-over", {"seat": "ben"})
    table.ben.post(f"{table.base}/take-table")


def taking(table: Table, phone: ClientPhone) -> None:
    """Take the table that the host has offered to Ben."""
    table.host.post(f"{table.base}/hand-over", {"seat": "ben"})
    phone.post(f"{table.base}/take-table")


def taking_unasked(table: Table, phone: ClientPhone) -> None:
    """Take the table that was offered to nobody."""
    phone.post(f"{table.base}/take-table", {"seat": "ben"})


def tries() -> dict[str, tuple[Callable[[Table, ClientPhone], None], str, str, str]]:
    return {
        "move an own device": (moving, "OWN_DEVICE", "", "*"),
        "offer the table": (offering, "HOST", "ben", ""),
        "take the table": (taking, "SAME_SEAT", "ben", ""),
        "take the table unasked": (taking_unasked, "SAME_SEAT", "nobody", ""),
    }


def prepared_forms(states: ServedStates) -> Iterator[tuple[ClientPhone, str, str]]:
    code, site = states.codes["poker"], states.site
    ben = states.visitors["poker", "ben"]
    assert ben.get(f"/n/{code}").status_code == 200
    assert states.host.post(f"/n/{code}/hand-over", {"seat": "ben"}).status_code == 303
    yield ben, f"/n/{code}", "hand_over.take_table"
    device = next(row.id for row in site.tables.store.devices.of(code) if row.seat == "ben")
    yield site.phone(), link_for(site, code, device), "phone_transfer.transfer"


def ways_in(site: Site, house: ClientPhone) -> list[str]:
    code = site.open_night(house)
    return [f"/m/{token_on(site.join(code, 'Ben'), f'/n/{code}')}"]


def seats_moving_link(here: House) -> Use:
    token = token_on(here.ben, here.base)
    return lambda: here.site.phone().post("/m", {"token": token}).status_code == 303


def seats_offered_table(here: House) -> Use:
    here.anna.post(f"{here.base}/hand-over", {"seat": "ben"})
    return lambda: (
        here.ben.post(f"{here.base}/take-table").status_code == 303
        and here.site.role(here.ben.cookies, here.code) == "host"
    )


def make_newer_link(here: House) -> None:
    here.ben.post(f"{here.base}/move")


def hand_table_over(here: House) -> None:
    assert seats_offered_table(here)()


def at_an_evening(night: RemoteNight, ben: RemotePhone, tick: Callable[[], None]) -> RemotePhone:
    """Ben goes on with another phone and takes the table that he is offered."""
    link, new = secrets_of(night, ben)[0], RemotePhone(ben.port, "127.0.0.14")
    tick()
    assert new.get(f"/m/{link}").status == 200
    tick()
    assert new.post("/m", {"token": link}).status == 303
    assert [new.get(night.base).status, ben.get(night.base).status] == [200, 403]
    assert night.host.post(f"{night.base}/hand-over", {"seat": "ben"}).status == 303
    tick()
    assert new.post(f"{night.base}/take-table").status == 303
    assert [phone.get(f"{night.base}/settings").status for phone in (new, night.host)] == [200, 403]
    return new


def secrets_of(night: RemoteNight, ben: RemotePhone) -> list[str]:
    return [ben.post(f"{night.base}/move").text.partition("/m/")[2][:43]]


def wait_long(here: House) -> None:
    devices, later = here.site.access.devices, time.time() + OFFER_SECONDS
    devices.clock = lambda: later


def given() -> dict[Give, tuple[Take, ...]]:
    return {
        seats_moving_link: (use_it_up, make_newer_link, hand_table_over),
        seats_offered_table: (take_seat_with_another_phone, wait_long),
    }
