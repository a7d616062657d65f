"""`restore` killed before each of its steps: the old file is whole, or the new one is."""

import os
import shutil
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.killed_steps import events_in, killed_before_step

from tracker.cli import main
from tracker.cli.data_folder import DATA_FILE
from tracker.extras.copies.put_back import restore
from tracker.storage import InUse, Store


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


def test_what_the_command_puts_back_is_for_this_user_only(tmp_path: Path, left: Path) -> None:
    folder, before = tmp_path / "data", os.umask(0o022)
    try:
        done = CliRunner().invoke(main, ["restore", str(left / "copy.db"), "--data", str(folder)])
    finally:
        os.umask(before)
    assert done.exit_code == 0, done.output
    assert [path for path in (folder, *folder.rglob("*")) if path.stat().st_mode & 0o077] == []


@pytest.mark.skipif(os.name == "nt", reason="there a link needs rights")
def test_a_data_file_behind_a_link_is_put_back_where_it_is_and_not_while_it_is_open(tmp_path: Path, left: Path) -> None:
    link = tmp_path / "linked.db"
    link.symlink_to(left / DATA_FILE)
    store = Store(left / DATA_FILE)
    for _ in range(2):
        with pytest.raises(InUse, match="already running"):
            restore(link, left / "copy.db")
    store.close()
    restore(link, left / "copy.db")
    assert link.is_symlink(), "what it leads to was replaced"
    assert events_in(left / DATA_FILE) == 4
