"""Whatever can be given, and each way in which it is taken away: at its next use it is refused, and its stream ends."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.of_extras import needs
from support.polling import wait_until
from support.sample_nights import record
from support.stream_phones import Phone
from support.taken_away import Use, pairs, works_after

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.core import events
from tracker.storage import Store
from tracker.storage.backups import FOLDER, Backups
from tracker.streaming.hub import StreamHub
from tracker.web.access.admission import OFFER_SECONDS
from tracker.web.access.devices import ADMISSION_SECONDS, WAITING_SECONDS

PIN: dict[str, str | list[str]] = {"pin": "4711"}
MOST_SECONDS = max(ADMISSION_SECONDS, OFFER_SECONDS, WAITING_SECONDS)
OTHER_PIN: dict[str, str | list[str]] = {"pin": "2222"}


@dataclass
class House:
    """A house with a table of Anna, at which Ben and Mia sit with their phones, and Zoe watches."""

    site: Site
    anna: ClientPhone
    ben: ClientPhone
    zoe: ClientPhone
    code: str

    @property
    def base(self) -> str:
        return f"/n/{self.code}"

    def device(self, seat: str) -> int:
        return self.site.access.devices.at_seat(self.code, seat)[0].id

    def allows(self, phone: ClientPhone, path: str = "") -> bool:
        return phone.get(self.base + path).status_code < 400

    def asks(self, name: str) -> ClientPhone:
        """Return a phone that asks to be let in."""
        phone = self.site.phone()
        phone.post("/join", {"typed": self.site.typed_code(self.code), "name": name})
        return phone

    def stranger_script(self, token: str) -> Callable[[], bool]:
        return lambda: (
            self.site.phone().get(f"/api/nights/{self.code}", Authorization=f"Bearer {token}").status_code == 200
        )


@pytest.fixture(name="here")
def _here(tmp_path: Path) -> Iterator[House]:
    with closing(Store(tmp_path / "nights.db")) as store, closing(Backups(store, tmp_path / FOLDER)) as backups:
        site = Site(Nights(store, StreamHub(), backups))
        anna = site.host()
        code = site.open_night(anna, "Anna")
        ben = site.join(code, "Ben")
        site.join(code, "Mia")
        zoe = site.request_join(code, watch="1")
        site.start_first_hand(anna, code, "anna")
        yield House(site, anna, ben, zoe, code)
        site.tables.live.stop()


# What can be given. Each returns a function that uses it and returns whether that was allowed.


def terminal_link(here: House) -> Use:
    link = here.site.access.mint_host_link()
    return lambda: here.site.phone().post("/host", {"token": link.rsplit("/", 1)[1]}).status_code == 303


def moving_link(here: House) -> Use:
    page = here.ben.post(f"{here.base}/move").text
    path = page.partition("/m/")[2].partition('"')[0].partition("<")[0].split()[0]
    return lambda: here.site.phone().post("/m", {"token": path}).status_code == 303


def hosts_phone(here: House) -> Use:
    return lambda: here.allows(here.anna, "/settings")


def seats_phone(here: House) -> Use:
    return lambda: here.allows(here.ben)


def watchers_screen(here: House) -> Use:
    return lambda: here.allows(here.zoe)


def seats_script(here: House) -> Use:
    needs("api")
    return here.stranger_script(here.site.access.devices.issue(here.code, "seat", seat="ben"))


def hosts_script(here: House) -> Use:
    needs("api")
    return here.stranger_script(here.site.access.devices.issue(here.code, "host"))


def typed_pin(here: House) -> Use:
    """What the PIN opens: the host's phone ends the night without typing it again."""
    needs("pin")
    here.anna.post(f"{here.base}/pin", PIN)
    here.anna.post(f"{here.base}/pin", PIN)
    return lambda: here.anna.post(f"{here.base}/hand-over", {"seat": "ben"}).location == here.base


def scanned_code(here: House) -> Use:
    link = here.site.join_link(here.code)
    return lambda: here.site.phone().get(link).status_code == 200


def typed_code(here: House) -> Use:
    code = here.site.typed_code(here.code)
    return lambda: here.site.phone().post("/join", {"typed": code, "name": "Otto"}).status_code == 303


def waiting_phone(here: House) -> Use:
    phone = here.asks("Otto")
    return lambda: "Waiting to be let in" in phone.get(f"{here.base}/knock").text


def admission(here: House) -> Use:
    phone = here.asks("Otto")
    (row,) = here.site.access.devices.join_requests(here.code)
    here.anna.post(f"{here.base}/knocks/{row.id}/in")
    return lambda: phone.post(f"{here.base}/enter").status_code == 303 and here.allows(phone)


def answered_form(here: House) -> Use:
    form: dict[str, str | list[str]] = {"key": new_id(), "name": "Benno"}
    assert here.ben.post(f"{here.base}/seat/ben/name", form).status_code == 303
    return lambda: here.ben.post(f"{here.base}/seat/ben/name", form).status_code == 303


def offered_table(here: House) -> Use:
    here.anna.post(f"{here.base}/hand-over", {"seat": "ben"})
    return lambda: (
        here.ben.post(f"{here.base}/take-table").status_code == 303
        and here.site.role(here.ben.cookies, here.code) == "host"
    )


def place_at_next_night(here: House) -> Use:
    """What Ben's phone is given when the same people play again."""
    record(here.site.tables.get(here.code), events.Abandon(), events.End())
    again = here.anna.post(f"/nights/{here.code}/again", {"key": new_id()})
    assert again.status_code == 303, again.text
    there = again.location.removesuffix("/lobby")
    return lambda: str(here.ben.get(f"{here.base}/settle").location).startswith(there)


# How it is taken away


def send_ben_away(here: House) -> None:
    assert here.anna.post(f"{here.base}/devices/{here.device('ben')}/away").status_code == 303


def send_screen_away(here: House) -> None:
    (row,) = here.site.tables.store.devices.of(here.code, "watcher")
    assert here.anna.post(f"{here.base}/devices/{row.id}/away").status_code == 303


def remove_ben(here: House) -> None:
    record(here.site.tables.get(here.code), events.Abandon())
    assert here.anna.post(f"{here.base}/seat/ben/remove").status_code == 303


def make_new_code(here: House) -> None:
    assert here.anna.post(f"{here.base}/new-code").status_code == 303


def make_all_codes_new(here: House) -> None:
    needs("copies")
    assert here.anna.post("/backups/new-codes").status_code == 303


def refuse_otto(here: House) -> None:
    row = here.site.tables.store.devices.of(here.code, "knock")[0]
    here.anna.post(f"{here.base}/knocks/{row.id}/away")
    here.anna.post(f"{here.base}/devices/{row.id}/away")


def use_it_up(here: House) -> None:
    """Somebody else was faster; `test_whatever_was_taken_away_is_refused` uses it once before."""


def make_newer_link(here: House) -> None:
    here.ben.post(f"{here.base}/move")


def wait_long(here: House) -> None:
    devices, later = here.site.access.devices, time.time() + MOST_SECONDS
    devices.clock, devices.arrivals._clock = (lambda: later), (lambda: later)


def give_seat_to_another_phone(here: House) -> None:
    send_ben_away(here)
    take_seat_with_another_phone(here)


def take_seat_with_another_phone(here: House) -> None:
    """What was given to a phone is not given to another one that is admitted to its seat."""
    other = here.site.request_join(here.code, seat="ben")
    (row,) = here.site.access.devices.join_requests(here.code)
    here.anna.post(f"{here.base}/knocks/{row.id}/in")
    assert other.post(f"{here.base}/enter").status_code == 303
    assert here.allows(other)
    here.ben = other


def have_otto_leave(here: House) -> None:
    """Otto has been seated when he was admitted."""
    record(here.site.tables.get(here.code), events.Abandon(), events.Leave("otto"))


def host_with_bens_phone(here: House) -> None:
    """The phone is not any more what it was when the link was made."""
    assert offered_table(here)()


def change_pin(here: House) -> None:
    assert here.anna.post(f"{here.base}/pin/off").status_code == 303
    assert here.anna.post(f"{here.base}/pin", OTHER_PIN).status_code == 303


def erase_night(here: House) -> None:
    needs("erase")
    erased = here.anna.post(f"/nights/{here.code}/erase", {"typed": here.site.tables.get(here.code).name})
    assert erased.location == "/nights?erased=1", erased.text


def erase_night_and_bring_it_back(here: House) -> None:
    needs("copies")
    assert here.anna.post("/backups").status_code == 303
    assert here.site.tables.backups
    copy = next(one for one in here.site.tables.backups.all() if one.name.startswith("asked"))
    erase_night(here)
    page = here.anna.get(f"/backups/{copy.name}/all")
    done = here.anna.post(f"/backups/{copy.name}/all", {"seal": HtmlPage(page.text).value("[name=seal]")})
    assert done.status_code == 200
    assert here.site.tables.get(here.code).night.seats


WITH_NIGHT = (erase_night, erase_night_and_bring_it_back)
OF_BEN = (send_ben_away, remove_ben)
Take = Callable[[House], None]
GIVEN: dict[Callable[[House], Use], tuple[Take, ...]] = {
    terminal_link: (use_it_up,),
    moving_link: (use_it_up, make_newer_link, host_with_bens_phone, *OF_BEN, *WITH_NIGHT),
    hosts_phone: (erase_night,),
    seats_phone: (*OF_BEN, *WITH_NIGHT),
    watchers_screen: (send_screen_away, *WITH_NIGHT),
    seats_script: (*OF_BEN, *WITH_NIGHT),
    hosts_script: WITH_NIGHT,
    typed_pin: (change_pin, *WITH_NIGHT),
    scanned_code: (make_new_code, make_all_codes_new, *WITH_NIGHT),
    typed_code: (make_new_code, make_all_codes_new, *WITH_NIGHT),
    waiting_phone: (refuse_otto, wait_long, *WITH_NIGHT),
    admission: (refuse_otto, wait_long, have_otto_leave, make_new_code, make_all_codes_new, *WITH_NIGHT),
    answered_form: (*OF_BEN, *WITH_NIGHT),
    offered_table: (*OF_BEN, give_seat_to_another_phone, take_seat_with_another_phone, wait_long, *WITH_NIGHT),
    place_at_next_night: (send_ben_away, *WITH_NIGHT),
}
"""What can be given, and every way in which it is taken away."""


@pytest.mark.parametrize("give", GIVEN, ids=lambda give: give.__name__)
def test_whatever_was_given_works(here: House, give: Callable[[House], Use]) -> None:
    assert give(here)()


@pytest.mark.parametrize(("give", "take"), pairs(GIVEN))
def test_whatever_was_taken_away_is_refused(here: House, give: Callable[[House], Use], take: Take) -> None:
    assert not works_after(here, give, take, is_used_up=take is use_it_up)


# Streams


def page_stream(here: House) -> Iterator[bytes]:
    return iter(here.ben.get(f"{here.base}/stream?tab=1").response)  # type: ignore[arg-type]


def screen_stream(here: House) -> Iterator[bytes]:
    return iter(here.zoe.get(f"{here.base}/stream?tab=1").response)  # type: ignore[arg-type]


def script_stream(here: House) -> Iterator[bytes]:
    needs("api")
    token = here.site.access.devices.issue(here.code, "seat", seat="ben")
    answer = here.site.phone().get(f"/api/nights/{here.code}/stream", Authorization=f"Bearer {token}")
    assert answer.status_code == 200
    return iter(answer.response)  # type: ignore[arg-type]


STREAMS: dict[Callable[[House], Iterator[bytes]], tuple[Take, ...]] = {
    page_stream: (*OF_BEN, *WITH_NIGHT),
    screen_stream: (send_screen_away, *WITH_NIGHT),
    script_stream: (*OF_BEN, *WITH_NIGHT),
}


@pytest.mark.parametrize(
    ("give", "take"),
    [
        pytest.param(give, take, id=f"{give.__name__}-{take.__name__}")
        for give, ways in STREAMS.items()
        for take in ways
    ],
)
def test_a_stream_ends_when_what_it_was_given_for_is_taken_away(
    here: House, give: Callable[[House], Iterator[bytes]], take: Take
) -> None:
    live = here.site.tables.live
    reader = Phone(give(here))
    assert reader.next()
    wait_until(lambda: live.count() == 1)
    take(here)
    last = reader.ends_with()
    assert last
    assert "revoked" in last
    assert live.count() == 0
