"""A sound data file of four nights to be damaged, and one way of damaging it."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from support.data_files import file_of
from support.random_nights import legal_event
from support.sample_nights import record

from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE
from tracker.core.events import Name, SeatId, Sit
from tracker.core.log import Entry
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

PAGE = 4096
EntriesByCode = dict[str, list[Entry]]


@pytest.fixture(name="sound", scope="module")
def _sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, EntriesByCode]:
    """Give a file with four nights of several hands, the same some hands before, and the logs."""
    folder, chance = tmp_path_factory.mktemp("sound"), Random(5)
    path = folder / DATA_FILE
    with closing(Store(path)) as store:
        tables = [Nights(store, StreamHub()).open(preset) for preset in ("michigan-rummy", "michigan-kitty") * 2]
        for table in tables:
            for seat in ("ann", "bob", "cara"):
                record(table, Sit(SeatId(seat), Name(seat.title())))
        for length in (60, 90):
            for table in tables:
                while table.head < length:
                    record(table, legal_event(table.night, chance, may_end=False))
            if length == 60:
                file_of(store).checkpoint()
                shutil.copyfile(path, folder / "earlier.db")
        return path, folder / "earlier.db", {table.code: list(table.entries) for table in tables}


def chain_damaged(path: Path, code: str, number: int) -> None:
    """Change one event as no disk would: the pages are sound, only the hashes can tell."""
    with closing(sqlite3.connect(path)) as conn, conn:
        sql = conn.execute("SELECT sql FROM sqlite_master WHERE name = 'event_no_update'").fetchone()[0]
        conn.execute("DROP TRIGGER event_no_update")
        changed = "UPDATE event SET body = replace(body, 'chips', 'chibs') || ' ' WHERE code = ? AND number = ?"
        assert conn.execute(changed, [code, number]).rowcount == 1
        conn.execute(sql)
