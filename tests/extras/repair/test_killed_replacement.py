"""`repair` killed before each of its steps: the file is repaired again with all that was proved."""

import os
import shutil
import sqlite3
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path

from click.testing import CliRunner
from support.killed_steps import killed_before_step
from support.of_extras import needs
from support.paths import ROOT

from tracker.cli import main
from tracker.cli.data_folder import DATA_FILE, open_repaired
from tracker.storage.files import log_of
from tracker.storage.write_ahead_log import FRAME_HEADER, HEADER


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


def test_what_a_command_makes_is_for_this_user_only(tmp_path: Path) -> None:
    needs("commands")
    folder, files, night = tmp_path / "data", tmp_path / "files", ROOT / "docs/examples/nights/newmarket.json"
    before = os.umask(0o022)
    try:
        for arguments in (
            ["import", str(night), "--data", str(folder)],
            ["export", "--all", str(files), "--data", str(folder)],
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
