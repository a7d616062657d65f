"""Whatever can be given, and each way in which it is taken away: at its next use it is refused, and its stream ends."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.client_phones import ClientPhone, Site
from support.of_extras import functions_of_extras
from support.polling import wait_until
from support.sample_nights import record
from support.stream_phones import Phone
from support.taken_away import (
    Give,
    House,
    Take,
    Use,
    given_by_extras,
    hosts_phone,
    house_of,
    is_refused_after,
    pairs,
    use_it_up,
)

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.core import events
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.devices import ADMISSION_SECONDS, WAITING_SECONDS


@pytest.fixture(name="here")
def _here(tmp_path: Path) -> Iterator[House]:
    with closing(Store(tmp_path / "nights.db")) as store:
        site = Site(Nights(store, StreamHub()))
        yield house_of(site, site.host())
        site.tables.live.stop()


# What can be given. Each returns a function that uses it and returns whether that was allowed.


def terminal_link(here: House) -> Use:
    token = here.site.access.mint_host_link().rsplit("/", 1)[1]
    return lambda: here.site.phone().post("/host", {"token": token}).status_code == 303


def seats_phone(here: House) -> Use:
    return lambda: here.allows(here.ben)


def watchers_screen(here: House) -> Use:
    return lambda: here.allows(here.zoe)


def scanned_code(here: House) -> Use:
    link = here.site.join_link(here.code)
    return lambda: here.site.phone().get(link).status_code == 200


def typed_code(here: House) -> Use:
    code = here.site.typed_code(here.code)
    return lambda: here.site.phone().post("/join", {"typed": code, "name": "Otto"}).status_code == 303


def otto_asks(here: House) -> ClientPhone:
    """Return a phone that asks to be let in."""
    phone = here.site.phone()
    phone.post("/join", {"typed": here.site.typed_code(here.code), "name": "Otto"})
    return phone


def waiting_phone(here: House) -> Use:
    phone = otto_asks(here)
    return lambda: "Waiting to be let in" in phone.get(f"{here.base}/knock").text


def admission(here: House) -> Use:
    phone = otto_asks(here)
    (row,) = here.site.access.devices.join_requests(here.code)
    here.anna.post(f"{here.base}/knocks/{row.id}/in")
    return lambda: phone.post(f"{here.base}/enter").status_code == 303 and here.allows(phone)


def answered_form(here: House) -> Use:
    form: dict[str, str | list[str]] = {"key": new_id(), "name": "Benno"}
    assert here.ben.post(f"{here.base}/seat/ben/name", form).status_code == 303
    return lambda: here.ben.post(f"{here.base}/seat/ben/name", form).status_code == 303


def place_at_next_night(here: House) -> Use:
    """What Ben's phone is given when the same people play again."""
    record(here.site.tables.get(here.code), events.Abandon(), events.End())
    again = here.anna.post(f"/nights/{here.code}/again", {"key": new_id()})
    assert again.status_code == 303, again.text
    there = again.location.removesuffix("/lobby")
    return lambda: str(here.ben.get(f"{here.base}/settle").location).startswith(there)


# How it is taken away


def send_ben_away(here: House) -> None:
    here.send(here.anna, f"{here.base}/devices/{here.device('ben')}/away")


def send_screen_away(here: House) -> None:
    (row,) = here.site.tables.store.devices.of(here.code, "watcher")
    here.send(here.anna, f"{here.base}/devices/{row.id}/away")


def remove_ben(here: House) -> None:
    record(here.site.tables.get(here.code), events.Abandon())
    here.send(here.anna, f"{here.base}/seat/ben/remove")


def make_new_code(here: House) -> None:
    here.send(here.anna, f"{here.base}/new-code")


def refuse_otto(here: House) -> None:
    row = here.site.tables.store.devices.of(here.code, "knock")[0]
    here.anna.post(f"{here.base}/knocks/{row.id}/away")
    here.anna.post(f"{here.base}/devices/{row.id}/away")


def wait_long(here: House) -> None:
    devices, later = here.site.access.devices, time.time() + max(ADMISSION_SECONDS, WAITING_SECONDS)
    devices.clock, devices.arrivals._clock = (lambda: later), (lambda: later)


def have_otto_leave(here: House) -> None:
    """Otto has been seated when he was admitted."""
    record(here.site.tables.get(here.code), events.Abandon(), events.Leave("otto"))


BEN_GOES = (send_ben_away, remove_ben)
HAND_OVERS: list[Take] = functions_of_extras("hand_table_over")
ERASED: list[Take] = functions_of_extras("erase_night")
WITH_NIGHT: list[Take] = [*ERASED, *functions_of_extras("erase_night_and_bring_it_back")]
NEW_CODES: list[Take] = [make_new_code, *functions_of_extras("make_all_codes_new")]
GIVEN: dict[Give, tuple[Take, ...]] = {
    terminal_link: (use_it_up,),
    hosts_phone: tuple(ERASED),  # the host of the house is that of a night that is brought back
    seats_phone: (*BEN_GOES, *WITH_NIGHT),
    watchers_screen: (send_screen_away, *WITH_NIGHT),
    scanned_code: (*NEW_CODES, *WITH_NIGHT),
    typed_code: (*NEW_CODES, *WITH_NIGHT),
    waiting_phone: (refuse_otto, wait_long, *WITH_NIGHT),
    admission: (refuse_otto, wait_long, have_otto_leave, *NEW_CODES, *WITH_NIGHT),
    answered_form: (*BEN_GOES, *WITH_NIGHT),
    place_at_next_night: (send_ben_away, *WITH_NIGHT),
    **{
        give: (*ways, *(BEN_GOES if give.__name__.startswith("seats") else ()), *WITH_NIGHT)
        for give, ways in given_by_extras().items()
    },
}
"""What can be given, and every way in which it is taken away."""


@pytest.mark.parametrize("give", GIVEN, ids=lambda give: give.__name__)
def test_whatever_was_given_works(here: House, give: Give) -> None:
    assert give(here)()


@pytest.mark.parametrize(("give", "take"), pairs(GIVEN))
def test_whatever_was_taken_away_is_refused(here: House, give: Give, take: Take) -> None:
    assert is_refused_after(here, give, take)


# Streams


Stream = Callable[[House], Iterator[bytes]]


def page_stream(here: House) -> Iterator[bytes]:
    return iter(here.ben.get(f"{here.base}/stream?tab=1").response)  # type: ignore[arg-type]


def screen_stream(here: House) -> Iterator[bytes]:
    return iter(here.zoe.get(f"{here.base}/stream?tab=1").response)  # type: ignore[arg-type]


def hosts_stream(here: House) -> Iterator[bytes]:
    return iter(here.anna.get(f"{here.base}/stream?tab=1").response)  # type: ignore[arg-type]


STREAMS: dict[Stream, tuple[Take, ...]] = {
    page_stream: (*BEN_GOES, *WITH_NIGHT),
    screen_stream: (send_screen_away, *WITH_NIGHT),
    hosts_stream: tuple(HAND_OVERS),
    **dict.fromkeys(functions_of_extras("seats_stream"), (*BEN_GOES, *WITH_NIGHT)),
}


@pytest.mark.parametrize(("give", "take"), pairs(STREAMS))
def test_a_stream_ends_when_what_it_was_given_for_is_taken_away(here: House, give: Stream, take: Take) -> None:
    live = here.site.tables.live
    reader = Phone(give(here))
    assert reader.next()
    wait_until(lambda: live.count() == 1)
    take(here)
    last = reader.ends_with()
    assert last
    assert ("revoked" in last) is (take not in HAND_OVERS), "who is somebody else here now asks again"
    assert live.count() == 0
