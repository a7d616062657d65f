"""The data file of a store, and what a killed server left."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tracker.cli.data_folder import DATA_FILE
from tracker.storage import NewEvent, Store
from tracker.storage.files import log_of
from tracker.storage.rows import first_hash, next_hash
from tracker.storage.sqlite import DataFile

LEFT_EVENTS = 10


def file_of(store: Store) -> DataFile:
    """Return the data file that a store has its nights in."""
    assert store.file
    return store.file


def event(number: int) -> NewEvent:
    return NewEvent(number, f"id-{number}", bytes([number]) * 32, "{}", "2026-11-20T20:01:00Z", "ann")


@pytest.fixture(name="left")
def _left(tmp_path: Path) -> Path:
    """What a killed server left: a data file with 6 events, 4 more in its log, and a copy of the first 4."""
    folder, here = tmp_path / "left", tmp_path / "running"
    folder.mkdir()
    here.mkdir()
    with closing(Store(here / DATA_FILE)) as store:
        store.create_night(code="K7Q", name="Friday", preset="{}", options="{}", created_at="2026-11-20T20:00:00Z")
        for number in range(1, LEFT_EVENTS + 1):
            if number == 5:
                file_of(store).backup(folder / "copy.db")
            if number == 7:
                file_of(store).checkpoint()
            store.append("K7Q", event(number))
        for part in (DATA_FILE, f"{DATA_FILE}-wal"):
            shutil.copyfile(here / part, folder / part)
    return folder


def flip(path: Path, bit: int) -> None:
    """Flip a bit in the log of a data file."""
    content = bytearray(log_of(path).read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    log_of(path).write_bytes(content)


def events_in(path: Path, *, read_only: bool = False) -> int:
    with closing(Store(path, read_only=read_only)) as store:
        assert store.faults() == []
        return len(list(store.events("K7Q")))


@contextmanager
def unguarded(path: Path) -> Iterator[sqlite3.Connection]:
    """Give a connection to a data file whose triggers, which refuse every change of an event, are away meanwhile."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _sql in triggers:
            db.execute(f"DROP TRIGGER {name}")
        yield db
        for _name, sql in triggers:
            db.execute(sql)


def chained_again(db: sqlite3.Connection, code: str) -> None:
    """Give a night the hashes that its rows have now: no hash tells that they were changed."""
    (night,) = db.execute("SELECT code, preset, options, created_at FROM night WHERE code = ?", [code]).fetchall()
    before = first_hash(*night)
    listed = "SELECT number, id, print, body, at, by FROM event WHERE code = ? ORDER BY number"
    for row in db.execute(listed, [code]).fetchall():
        before = next_hash(before, NewEvent(*row))
        db.execute("UPDATE event SET hash = ? WHERE code = ? AND number = ?", [before, code, row[0]])
