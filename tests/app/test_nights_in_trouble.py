"""What a table does when the disk fails it: it shows all that is saved and nothing that is not."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core.errors import TableError
from tracker.formats.codec import event_from
from tracker.storage import NotRead, NotSaved, Store, sqlite as connection
from tracker.storage.database import EVERYTHING
from tracker.streaming.hub import StreamHub

SIT = event_from({"kind": "sit", "seat": "ann", "name": "Ann", "chips": 100})
BUY = event_from({"kind": "buy", "seat": "ann", "chips": 50})


@pytest.fixture(name="table")
def _table(tables: Nights) -> OpenNight:
    table = tables.open("michigan-rummy")
    table.record(SIT, id="sit-ann", by="host")
    return table


@contextmanager
def held_by_another_program(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("COMMIT")


@pytest.fixture(autouse=True)
def _short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.05)


def test_a_refused_write_changes_nothing_that_is_shown_and_the_same_form_sent_again_records_it_once(
    tmp_path: Path, table: OpenNight
) -> None:
    with held_by_another_program(tmp_path / "nights.db"), pytest.raises(NotSaved):
        table.record(BUY, id="buy", by="ann")
    assert (table.head, table.night.stack("ann")) == (1, 100)
    assert table.record(BUY, id="buy", by="ann").is_fresh
    assert not table.record(BUY, id="buy", by="ann").is_fresh
    assert table.night.stack("ann") == 150


@pytest.mark.parametrize("can_be_read", [True, False])
def test_an_event_that_got_onto_the_disk_all_the_same_is_shown_and_not_doubled(
    table: OpenNight, store: Store, monkeypatch: pytest.MonkeyPatch, *, can_be_read: bool
) -> None:
    append = store.append

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
            table.record(BUY, id="buy", by="ann")
    if can_be_read:
        assert table.night.stack("ann") == 150
    assert not table.record(BUY, id="buy", by="ann").is_fresh
    assert (table.head, table.night.stack("ann")) == (2, 150)


def test_a_damaged_night_is_refused_by_its_number_and_others_stay_open(
    tables: Nights, store: Store, table: OpenNight
) -> None:
    other = tables.open("michigan-rummy").code
    table.record(BUY, id="buy", by="ann")
    with store.connection.write(EVERYTHING, erases=["event"]) as db:
        db.execute("DELETE FROM event WHERE code = ? AND number = 1", [table.code])
    again = Nights(store, StreamHub())
    with pytest.raises(TableError, match=f"night {table.code} is damaged at event 1"):
        again.get(table.code)
    assert again.get(other).code == other
