"""Which nights are in memory: those that are watched or were used lately, and never two objects of one night.

Also what an open one shows when the disk fails it, and that a damaged one is no other's trouble.
"""

import gc
import threading
from typing import Any

import pytest
from support.client_phones import Clock, Site
from support.polling import wait_until
from support.sample_nights import play_hand, record, sample_night, seat_everybody

from tracker.app import nights as module
from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core import events
from tracker.core.errors import TableError
from tracker.core.events import Amount, Buy, Chips, Name, SeatId, Sit
from tracker.storage import NotRead, NotSaved, Store
from tracker.storage.database import EVERYTHING
from tracker.streaming.hub import StreamHub

pytestmark = pytest.mark.every_place


@pytest.fixture(name="clock")
def _clock() -> Clock:
    return Clock()


@pytest.fixture(name="nights")
def _nights(store: Store, live: StreamHub, clock: Clock) -> Nights:
    return Nights(store, live, clock=clock)


def in_memory(nights: Nights) -> list[str]:
    gc.collect()
    return sorted(row.code for row in nights.nights() if nights.if_open(row.code))


def wait_until_only_these_stay(nights: Nights, codes: list[str]) -> None:
    """Wait for it: the thread that follows a database once a second holds every open night while it reads."""
    wait_until(lambda: in_memory(nights) == sorted(codes))


def opened(nights: Nights, count: int = 1) -> list[str]:
    return [nights.open("michigan-rummy", name=f"night {number}").code for number in range(count)]


def test_a_night_that_was_not_used_for_a_while_leaves_memory_when_another_is_used(nights: Nights, clock: Clock) -> None:
    old, new = opened(nights, 2)
    clock.seconds += module.UNUSED_SECONDS + 1
    nights.get(new)
    wait_until_only_these_stay(nights, [new])
    assert nights.get(old).code == old


def test_of_many_nights_only_those_used_last_stay_in_memory(nights: Nights) -> None:
    codes = opened(nights, module.MOST_UNWATCHED + 5)
    wait_until_only_these_stay(nights, codes[-module.MOST_UNWATCHED - 1 :])


def test_a_night_that_is_watched_stays(nights: Nights, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    watched, other = opened(nights, 2)
    monkeypatch.setattr(nights.live, "is_watched", lambda code: code == watched)
    clock.seconds += module.UNUSED_SECONDS + 1
    nights.get(other)
    wait_until_only_these_stay(nights, [watched, other])


def test_a_request_does_not_look_at_every_night_that_is_open(nights: Nights, monkeypatch: pytest.MonkeyPatch) -> None:
    codes, looks = opened(nights, 5), list[str]()
    monkeypatch.setattr(nights.live, "is_watched", looks.append)
    for _ in range(20):
        for code in codes:
            nights.get(code)
    assert len(looks) <= len(codes)


def test_a_night_that_is_being_loaded_keeps_no_request_for_an_open_one_waiting(
    nights: Nights, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    (other,) = opened(Nights(store, StreamHub()))
    (code,) = opened(nights)
    may_load, loaded, load = threading.Event(), list[OpenNight](), nights._loaded

    def load_slowly(code: str) -> OpenNight:
        assert may_load.wait(60)
        return load(code)

    monkeypatch.setattr(nights, "_loaded", load_slowly)
    waiting = [threading.Thread(target=lambda: loaded.append(nights.get(other))) for _ in range(2)]
    for thread in waiting:
        thread.start()
    assert nights.get(code).code == code
    may_load.set()
    for thread in waiting:
        thread.join(60)
    assert loaded[0] is loaded[1] is nights.get(other)


def test_a_night_that_a_request_holds_is_never_loaded_a_second_time(nights: Nights, clock: Clock) -> None:
    held = nights.open("michigan-rummy")
    for _ in range(3):
        clock.seconds += module.UNUSED_SECONDS + 1
        opened(nights, module.MOST_UNWATCHED + 1)
    assert nights.get(held.code) is held


def test_a_night_that_left_memory_goes_on_where_it_was(nights: Nights, clock: Clock) -> None:
    table = nights.open("michigan-rummy")
    seat_everybody(table)
    play_hand(table, "ruth", "ben", "mia")
    code, night, entries = table.code, table.night, list(table.entries)
    del table
    clock.seconds += module.UNUSED_SECONDS + 1
    (other,) = opened(nights)
    wait_until_only_these_stay(nights, [other])
    again = nights.get(code)
    assert (again.night, again.entries) == (night, entries)
    assert record(again, events.Hand("ben")) == len(entries) + 1


def test_a_night_whose_pages_were_shown_leaves_memory_too(site: Site) -> None:
    found = sample_night(site)
    code, nights = found.table.code, site.tables
    for path in ("", "/lobby", "/log", "/settle", "/files", "/settings"):
        found.host.get(f"/n/{code}{path}")
    del found
    opened(nights, module.MOST_UNWATCHED + 1)
    wait_until(lambda: code not in in_memory(nights))  # a thread that follows other processes may hold it for a moment


def test_nights_are_listed_while_other_threads_open_and_close_some(nights: Nights) -> None:
    table = nights.get(opened(nights)[0])
    is_over = threading.Event()

    def come_and_go() -> None:
        while not is_over.is_set():
            for number in range(300):
                nights._open[f"k{number}"] = table
            for number in range(300):
                del nights._open[f"k{number}"]

    other = threading.Thread(target=come_and_go)
    other.start()
    try:
        assert all(set(nights.in_memory()) == {table} for _ in range(3000))
    finally:
        is_over.set()
        other.join()


def test_a_form_that_opened_a_night_opens_no_other_one_however_many_were_opened_since(nights: Nights) -> None:
    first = nights.open("michigan-rummy", key="form")
    opened(nights, 12)
    assert nights.open("michigan-rummy", key="form") is first
    assert len(nights.nights()) == 13


def test_a_night_gets_a_code_that_no_other_one_has(nights: Nights, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CODE_SYMBOLS", "ab")  # of 64 codes twenty are given out: many are there already
    assert len(set(opened(nights, 20))) == 20


@pytest.mark.parametrize("can_be_read", [True, False])
def test_an_event_that_got_onto_the_disk_all_the_same_is_shown_and_not_doubled(
    nights: Nights, store: Store, monkeypatch: pytest.MonkeyPatch, *, can_be_read: bool
) -> None:
    table, append = nights.open("michigan-rummy"), store.append
    record(table, Sit(SeatId("ann"), Name("Ann"), Chips(100)))

    def append_and_fail(*arguments: Any) -> None:
        append(*arguments)
        raise NotSaved("disk", certain=False)

    def not_read(*_: object) -> None:
        raise NotRead("disk")

    with monkeypatch.context() as failing:
        failing.setattr(store, "append", append_and_fail)
        if not can_be_read:
            failing.setattr(store, "events", not_read)
        with pytest.raises(NotSaved):
            table.record(Buy("ann", Amount(50)), id="buy", by="ann")
    if can_be_read:
        assert table.night.stack("ann") == 150
    assert not table.record(Buy("ann", Amount(50)), id="buy", by="ann").is_fresh
    assert (table.head, table.night.stack("ann")) == (2, 150)


def test_a_damaged_night_is_refused_by_its_number_and_others_stay_open(nights: Nights, store: Store) -> None:
    table, other = nights.open("michigan-rummy"), nights.open("michigan-rummy").code
    seat_everybody(table)
    with store.connection.write(EVERYTHING, erases=["event"]) as db:
        db.execute("DELETE FROM event WHERE code = ? AND number = 1", [table.code])
    again = Nights(store, StreamHub())
    with pytest.raises(TableError, match=f"night {table.code} is damaged at event 1"):
        again.get(table.code)
    assert again.get(other).code == other
