"""Waits for the disk: one for each event, and one for all events that arrive meanwhile."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.faults.faulty_disk import OK, SYNC_ERROR, FaultyDisk, Step
from support.polling import wait_until

from tracker.storage import BadRow, IdExists, NewEvent, NotSaved, Store
from tracker.storage.sqlite import DataFile

NIGHTS = [f"NIGHT{number}" for number in range(8)]


@pytest.fixture(name="disk")
def _disk() -> Iterator[FaultyDisk]:
    with FaultyDisk() as disk:
        yield disk


@pytest.fixture(name="store")
def _store(disk: FaultyDisk, tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "nights.db")) as store:
        for code in NIGHTS:
            store.create_night(code=code, name="", preset="{}", options="{}", created_at="2026")
        append(store, NIGHTS[0], 1)  # the first event after a checkpoint begins the log anew
        disk.steps.clear()
        yield store


def event(number: int) -> NewEvent:
    return NewEvent(number, f"id-{number}", bytes(32), "{}", "")


def append(store: Store, code: str, number: int) -> None:
    store.append(code, event(number))


def queue_of(store: Store) -> list[Any]:
    """Return the writes that wait for the next transaction."""
    assert isinstance(store.connection, DataFile)
    return store.connection._group_commit._queue


def syncs(disk: FaultyDisk) -> int:
    return sum(step.kind == "sync" for step in disk.steps)


def append_together(store: Store, disk: FaultyDisk, writes: list[Callable[[], None]], heard: int) -> list[object]:
    """Append an event; while it waits for the disk start the writes, then let the disk answer with `heard`.

    Return each write's outcome: None, or what it raised.
    """
    outcomes: list[object] = ["not answered"] * len(writes)
    first_waits = threading.Event()

    def sync_slowly(step: Step) -> tuple[bool, int]:
        if step.kind == "sync" and not first_waits.is_set():
            first_waits.set()
            wait_until(lambda: len(queue_of(store)) == len(writes))
            return True, OK
        return True, heard if step.kind == "sync" else OK

    def run(place: int) -> None:
        try:
            writes[place]()
            outcomes[place] = None
        except Exception as error:  # noqa: BLE001 - it is what the test looks at
            outcomes[place] = error

    disk.fault = sync_slowly
    first = threading.Thread(target=append, args=[store, NIGHTS[0], 2])
    first.start()
    assert first_waits.wait(60)
    threads = [threading.Thread(target=run, args=[place]) for place in range(len(writes))]
    for thread in threads:
        thread.start()
    for thread in [first, *threads]:
        thread.join()
    disk.fault = lambda _: (True, OK)
    return outcomes


def appends(store: Store) -> list[Callable[[], None]]:
    return [lambda code=code: append(store, code, 1) for code in NIGHTS[1:]]  # type: ignore[misc]


def test_an_event_waits_for_the_disk_once(store: Store, disk: FaultyDisk) -> None:
    for number in range(2, 12):
        append(store, NIGHTS[0], number)
    assert syncs(disk) == 10


def test_events_that_arrive_while_another_is_written_share_the_next_wait(store: Store, disk: FaultyDisk) -> None:
    outcomes = append_together(store, disk, appends(store), OK)
    assert outcomes == [None] * 7
    assert syncs(disk) == 2
    assert [store.head(code)[0] for code in NIGHTS] == [2, 1, 1, 1, 1, 1, 1, 1]


def test_a_refused_event_does_not_stop_those_that_share_its_wait(store: Store, disk: FaultyDisk) -> None:
    stale, bad = (lambda: append(store, NIGHTS[0], 2)), (lambda: append(store, NIGHTS[1], 5))
    outcomes = append_together(store, disk, [stale, bad, *appends(store)[1:]], OK)
    assert isinstance(outcomes[0], IdExists)
    assert isinstance(outcomes[1], BadRow)
    assert outcomes[2:] == [None] * 6
    assert [store.head(code)[0] for code in NIGHTS] == [2, 0, 1, 1, 1, 1, 1, 1]


def test_no_event_of_a_wait_that_failed_is_acknowledged(store: Store, disk: FaultyDisk) -> None:
    outcomes = append_together(store, disk, appends(store), SYNC_ERROR)
    assert all(isinstance(outcome, NotSaved) for outcome in outcomes)
    raised_at = [outcome.__traceback__ for outcome in outcomes if isinstance(outcome, NotSaved)]
    assert len({id(outcome) for outcome in outcomes}) == len({id(traceback) for traceback in raised_at}) == 7
    assert {(str(outcome), outcome.certain) for outcome in outcomes if isinstance(outcome, NotSaved)} == {
        ("not sure whether it was saved: the disk reported an error", False)
    }
    for write in appends(store):
        try:
            write()
        except IdExists:  # it was on the disk after all
            continue
    assert [store.head(code)[0] for code in NIGHTS] == [2, 1, 1, 1, 1, 1, 1, 1]
