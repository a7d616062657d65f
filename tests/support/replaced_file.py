"""A data file that is deleted or replaced while the command serves it."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.data_files import file_of
from support.ports import free_port
from support.remote_phone import RemoteNight, open_night
from support.server_process import serve_command

from tracker.cli.data_folder import DATA_FILE
from tracker.storage import Store

FAULTS: dict[str, Callable[[Path, Path], object]] = {
    "deleted": lambda file, _: file.unlink(),
    "deleted with its log": lambda file, _: [*map(Path.unlink, file.parent.glob(f"{DATA_FILE}*"))],
    "an older copy moved over it": lambda file, older: older.replace(file),
    "an older copy written over it": lambda file, older: shutil.copyfile(older, file),
    "another name": lambda file, _: file.rename(file.with_name("elsewhere.db")),
}
_AT_THE_COMMAND = ("deleted with its log", "an older copy written over it")
each_fault = pytest.mark.parametrize(
    "fault", [pytest.param(one, marks=[pytest.mark.long] * (one not in _AT_THE_COMMAND)) for one in FAULTS]
)


@dataclass
class Ended:
    """A night of 13 events, and what the command has said by its end."""

    night: RemoteNight
    said: str = ""
    status: int | None = None


def buys(night: RemoteNight, numbers: range) -> list[int]:
    """Have the host send purchases; return the statuses of the answers."""
    path, form = f"{night.base}/record", {"do": "buy:1", "seat": "ruth"}
    return [night.host.post(path, {**form, "key": f"buy-{number}"}).status for number in numbers]


@contextmanager
def file_replaced(folder: Path, older: Path, fault: str) -> Iterator[Ended]:
    """Serve a night and let something happen to its file; while the body runs the command is there, then it ends."""
    with serve_command(folder, "--port", str(free_port())) as served:
        found = Ended(night := open_night(served.port, served.host_link))
        assert {*buys(night, range(7))} == {303}
        with closing(Store(folder / DATA_FILE, read_only=True)) as store:
            file_of(store).backup(older)
        assert {*buys(night, range(7, 12))} == {303}
        FAULTS[fault](folder / DATA_FILE, older)
        assert buys(night, range(12, 13)) == [503]
        yield found
        served.process.terminate()
        found.said = served.process.communicate(timeout=60)[0]
        found.status = served.process.returncode
