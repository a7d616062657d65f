"""`restore` and `repair` killed before each of their steps: the old file is whole, or the new one is."""

import os
import shutil
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.data_files import file_of
from support.paths import ROOT

from tracker.cli import main
from tracker.cli.data_folder import DATA_FILE, open_repaired
from tracker.storage import NewEvent, Store
from tracker.storage.backups import restore
from tracker.storage.files import log_of
from tracker.storage.write_ahead_log import FRAME_HEADER, HEADER

STEPS = (
    (Path, "unlink"), (Path, "replace"), (Path, "chmod"), (shutil, "copyfile"), (os, "fsync"),
)  # fmt: skip


def event(number: int) -> NewEvent:
    return NewEvent(number, f"id-{number}", bytes([number]) * 32, "{}", "2026-11-20T20:01:00Z", "ann")


@pytest.fixture(name="left")
def _left(tmp_path: Path) -> Path:
    """What a killed server left: a data file with 6 events, 4 more in its log, and a copy of the first 4."""
    folder, here = tmp_path / "left", tmp_path / "running"
    folder.mkdir()
    here.mkdir()
    store = Store(here / DATA_FILE)
    store.create_night(code="K7Q", name="Friday", preset="{}", options="{}", created_at="2026-11-20T20:00:00Z")
    for number in range(1, 11):
        if number == 5:
            file_of(store).backup(folder / "copy.db")
        if number == 7:
            file_of(store).checkpoint()
        store.append("K7Q", event(number))
    for part in (DATA_FILE, f"{DATA_FILE}-wal"):
        shutil.copyfile(here / part, folder / part)
    store.close()
    return folder


def killed_before_step(work: Callable[[], object], step: int) -> bool:
    """Do something in another process that is killed before that step; return whether it got so far."""
    child = os.fork()
    if child == 0:
        taken = count()

        def counted(function: Callable[..., Any]) -> Callable[..., Any]:
            def call(*args: Any, **kwargs: Any) -> Any:
                if next(taken) == step:
                    os.kill(os.getpid(), signal.SIGKILL)
                return function(*args, **kwargs)

            return call

        for place, name in STEPS:
            setattr(place, name, counted(getattr(place, name)))
        try:
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def events_in(path: Path, *, read_only: bool = False) -> int:
    store = Store(path, read_only=read_only)
    try:
        assert store.faults() == []
        return len(list(store.events("K7Q")))
    finally:
        store.close()


def damage(path: Path) -> None:
    """Overwrite the page of a table that has no rows, and is not in the log."""
    with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as conn:
        size = conn.execute("PRAGMA page_size").fetchone()[0]
        page = conn.execute("SELECT rootpage FROM sqlite_master WHERE name = 'invite'").fetchone()[0]
    with path.open("rb+") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


def damage_log(path: Path) -> None:
    """Change a byte in the first commit of the log. Opening such a file fails before its log is moved into it."""
    content = bytearray(log_of(path).read_bytes())
    content[HEADER + FRAME_HEADER + 100] ^= 1
    log_of(path).write_bytes(content)


def repaired_events(path: Path) -> int:
    """Return the number of events after repairing the file, if it is damaged."""
    store = open_repaired(path)
    try:
        return len(list(store.events("K7Q")))
    finally:
        store.close()


def test_a_killed_restore_leaves_all_that_was_recorded_or_the_whole_copy(tmp_path: Path, left: Path) -> None:
    found = []
    for step in count():
        folder = shutil.copytree(left, tmp_path / str(step))
        is_killed = killed_before_step(partial(restore, folder / DATA_FILE, folder / "copy.db"), step)
        looked = events_in(folder / DATA_FILE, read_only=True)
        found.append(events_in(folder / DATA_FILE))
        assert looked == found[-1]
        if not is_killed:
            break
    assert len(found) > 15
    assert found == [10] * found.count(10) + [4] * found.count(4)
    assert found.count(10) > 3
    assert found.count(4) > 3


def test_a_killed_repair_leaves_a_file_that_is_repaired_again_with_all_that_was_proved(
    tmp_path: Path, left: Path
) -> None:
    for damaged in (damage, damage_log):
        found = []
        for step in count():
            folder = shutil.copytree(left, tmp_path / damaged.__name__ / str(step))
            damaged(folder / DATA_FILE)
            is_killed = killed_before_step(partial(repaired_events, folder / DATA_FILE), step)
            found.append(repaired_events(folder / DATA_FILE))
            if not is_killed:
                break
        assert len(found) > 15
        assert found == [10] * len(found)


def test_what_a_command_makes_is_for_this_user_only(tmp_path: Path, left: Path) -> None:
    folder, files, night = tmp_path / "data", tmp_path / "files", ROOT / "docs/examples/nights/newmarket.json"
    before = os.umask(0o022)
    try:
        for arguments in (
            ["import", str(night), "--data", str(tmp_path / "other")],
            ["export", "--all", str(files), "--data", str(tmp_path / "other")],
            ["restore", str(left / "copy.db"), "--data", str(folder)],
        ):
            done = CliRunner().invoke(main, arguments)
            assert done.exit_code == 0, done.output
        os.umask(0o022)  # the command has set its own
        damage(folder / DATA_FILE)
        repaired_events(folder / DATA_FILE)
    finally:
        os.umask(before)
    made = [folder, files, *folder.rglob("*"), *files.rglob("*")]
    assert len(made) > 5
    assert [path for path in made if path.stat().st_mode & 0o077] == []
