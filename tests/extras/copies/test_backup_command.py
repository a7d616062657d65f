"""The command `backup`: a whole copy, also while the table is in use, or one line that says why not."""

from contextlib import closing
from pathlib import Path

from support.served_command import run_command, serve_command

from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE
from tracker.storage import Store
from tracker.streaming.hub import StreamHub


def test_a_copy_can_be_made_while_the_table_is_in_use(tmp_path: Path) -> None:
    folder, copy = tmp_path / "data", tmp_path / "copy.db"
    with closing(Store(folder / DATA_FILE)) as store:
        Nights(store, StreamHub()).open("michigan-rummy")
    with serve_command(folder):
        result = run_command("backup", copy, "--data", folder)
        assert (result.returncode, result.stdout) == (0, f"Copied all nights to {copy}.\n")
    with closing(Store(copy, read_only=True)) as there:
        assert len(there.nights()) == 1


def test_a_copy_of_nothing_is_refused_in_one_line(tmp_path: Path) -> None:
    result = run_command("backup", tmp_path / "copy.db", "--data", tmp_path / "none")
    assert result.returncode == 1
    assert result.stderr == f"Error: there are no nights in {tmp_path / 'none'} yet\n"
    assert not (tmp_path / "copy.db").exists()
