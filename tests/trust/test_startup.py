"""Starting: one server for one folder, and tables that are made or changed all at once or not at all."""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from sqlite_utils import Database, Migrations
from support.faults.faulty_disk import FaultyDisk
from support.faults.power_cut import cuts
from support.polling import read_until
from support.sample_nights import record

from tracker import extras
from tracker.app.nights import Nights
from tracker.core.events import Amount, Buy, Name, SeatId, Sit
from tracker.storage import InUse, Store, sqlite_schema as schema
from tracker.streaming.hub import StreamHub

STORE_HOLDER = """
import sys
from pathlib import Path
from tracker.storage import Store
store = Store(Path(sys.argv[1]))
store.file.publish_address("http://192.168.1.5:8000")
print("open", flush=True)
sys.stdin.read()
"""


def same(path: Path, _folder: Path) -> Path:
    return path


def symbolic(path: Path, folder: Path) -> Path:
    folder.mkdir()
    (folder / "nights.db").symlink_to(path)
    return folder / "nights.db"


def hard(path: Path, folder: Path) -> Path:
    folder.mkdir()
    (folder / "nights.db").hardlink_to(path)
    return folder / "nights.db"


def linked_folder(path: Path, folder: Path) -> Path:
    folder.symlink_to(path.parent)
    return folder / "nights.db"


def without_lock_file(path: Path, _folder: Path) -> Path:
    path.with_name("nights.db.lock").unlink()
    return path


@pytest.mark.skipif(os.name == "nt", reason="Windows deletes no lock file that is open")
@pytest.mark.parametrize("other_name", [same, symbolic, hard, linked_folder, without_lock_file])
def test_a_data_file_has_one_server_whatever_it_is_called_and_though_its_lock_file_is_gone(
    other_name: Callable[[Path, Path], Path], tmp_path: Path
) -> None:
    path = tmp_path / "first" / "nights.db"
    command = [sys.executable, "-c", STORE_HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as program:
        read_until(program, "open\n")
        other = other_name(path, tmp_path / "second")
        before = path.read_bytes()
        said = "already running" + r".*http://192\.168\.1\.5:8000" * (other_name is same)
        ways: list[Callable[[Path], object]] = [Store, *(one.repair for one in extras.modules("repairs"))]
        for opened in ways:
            for _ in range(2):
                with pytest.raises(InUse, match=said):
                    opened(other)
        assert path.read_bytes() == before
        if other_name is not hard:  # beside which there is no log
            Store(other, read_only=True).close()
        program.kill()
        program.wait()
    Store(other).close()


def test_a_power_cut_while_the_tables_are_made_leaves_a_file_that_opens(
    tmp_path: Path, short_or_long: Callable[[int, int], int]
) -> None:
    with FaultyDisk() as disk:
        Store(tmp_path / "nights.db").close()
    for path, _ in cuts(disk.steps, short_or_long(40, 1000), Random(12), tmp_path):
        with closing(Store(path)) as store:
            assert store.nights() == []
            assert len(store.instance) == 8


def later_migrations() -> Migrations:
    """Return those of a later version of the program, with one more table."""
    newer = Migrations("board-tracker")
    for migration in schema.migrations._migrations:
        newer(name=migration.name)(migration.fn)

    @newer()
    def more(db: Database) -> None:
        db.execute("CREATE TABLE weather(code TEXT PRIMARY KEY, sky TEXT) STRICT")
        db.execute("INSERT INTO weather SELECT code, 'clear' FROM night")

    return newer


def test_a_power_cut_while_the_tables_are_changed_leaves_the_old_or_the_new_ones_and_every_event(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    short_or_long: Callable[[int, int], int],
) -> None:
    path = tmp_path / "nights.db"
    with FaultyDisk() as disk:
        with closing(Store(path)) as store:
            table = Nights(store, StreamHub()).open("michigan-rummy")
            record(table, Sit(SeatId("ann"), Name("Ann")), *[Buy("ann", Amount(2))] * 20)
        before = len(disk.steps)
        monkeypatch.setattr(schema, "migrations", later_migrations())
        Store(path).close()
    (kept,) = tmp_path.glob("before-update-*.db")
    changed = {path.name, f"{path.name}-wal", f"{path.name}-journal"}
    steps = [step for step in disk.steps if step.name in changed]
    first = sum(step.name in changed for step in disk.steps[:before])
    for after, _ in cuts(steps, short_or_long(40, 1000), Random(13), tmp_path, first=first):
        with closing(Store(after)) as store:
            assert Nights(store, StreamHub()).get(table.code).entries == table.entries
    with closing(Store(kept, read_only=True)) as store:
        assert Nights(store, StreamHub()).get(table.code).entries == table.entries
