"""The data file deleted or replaced under the running command: nothing more is acknowledged, all of before is kept."""

import json
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.data_files import file_of
from support.polling import wait_until
from support.remote_phone import RemotePhone
from support.server_process import Command

from tracker.cli.data_folder import DATA_FILE
from tracker.storage import NewEvent, NotSaved, Store
from tracker.storage.backups import FOLDER

Fault = Callable[[Path, Path], object]
FAULTS: dict[str, Fault] = {
    "deleted": lambda file, _: file.unlink(),
    "deleted with its log": lambda file, _: [*map(Path.unlink, file.parent.glob(f"{DATA_FILE}*"))],
    "an older copy moved over it": lambda file, older: older.replace(file),
    "an older copy written over it": lambda file, older: shutil.copyfile(older, file),
    "another name": lambda file, _: file.rename(file.with_name("elsewhere.db")),
}


def buys(command: Command, token: str, code: str, numbers: range) -> None:
    for number in numbers:
        buy: dict[str, Any] = {"kind": "buy", "seat": "ann", "chips": 1, "id": f"buy-{number}"}
        command.ask(f"{code}/events", token, buy)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_data_file_that_is_replaced_stops_the_recording_and_all_that_was_recorded_is_kept(
    tmp_path: Path, fault: str
) -> None:
    folder = tmp_path / "data"
    command = Command(folder)
    try:
        token, host = command.token(), RemotePhone(command.port)
        host.become_host(command.host_link)
        code = command.ask("/api/nights", token, {"preset": "michigan-rummy", "id": "friday"})["code"]
        command.ask(f"{code}/events", token, {"kind": "sit", "seat": "ann", "name": "Ann", "id": "sit"})
        buys(command, token, code, range(7))
        older = tmp_path / "older.db"
        with closing(Store(folder / DATA_FILE, read_only=True)) as store:
            file_of(store).backup(older)
        buys(command, token, code, range(7, 12))
        FAULTS[fault](folder / DATA_FILE, older)
        with pytest.raises(AssertionError, match="not-saved"):
            buys(command, token, code, range(12, 13))
        assert "has deleted or replaced the data file" in host.get("/").text
        wait_until(lambda: any((folder / FOLDER).glob("asked-*.db")))
        command.process.terminate()
        said = command.process.communicate(timeout=60)[0]
        assert command.process.returncode == 1
    finally:
        command.kill()
    assert "is saved" not in said
    (copy,) = (folder / FOLDER).glob("asked-*.db")
    assert f"Everything that was recorded is in {copy}" in said
    night_file = json.loads((folder / FOLDER / f"night-{code}.json").read_text(encoding="utf-8"))
    assert len(night_file["events"]) == 13
    with closing(Store(copy, read_only=True)) as store:
        assert [row.number for row in store.events(code)] == list(range(1, 14))
        assert store.faults() == []


def event(number: int) -> NewEvent:
    return NewEvent(number, f"id-{number}", bytes([number]) * 32, "{}", "2026-11-20T20:01:00Z", "ann")


@pytest.fixture(name="file")
def _file(store: Store, tmp_path: Path) -> Path:
    store.create_night(code="K7Q", name="Friday", preset="{}", options="{}", created_at="2026-11-20T20:00:00Z")
    for number in range(1, 5):
        store.append("K7Q", event(number))
    return tmp_path / DATA_FILE


def test_a_file_that_is_put_back_is_written_again(store: Store, file: Path, tmp_path: Path) -> None:
    away = file.rename(tmp_path / "away.db")
    with pytest.raises(NotSaved, match="replaced"):
        store.append("K7Q", event(5))
    away.rename(file)
    store.append("K7Q", event(5))
    assert len(list(store.events("K7Q"))) == 5


def test_an_older_copy_with_no_log_to_hide_it_is_noticed_too(store: Store, file: Path, tmp_path: Path) -> None:
    file_of(store).backup(tmp_path / "older.db")
    store.append("K7Q", event(5))
    file_of(store).checkpoint()
    shutil.copyfile(tmp_path / "older.db", file)
    with pytest.raises(NotSaved, match="replaced"):
        store.append("K7Q", event(6))


def test_a_file_that_was_only_touched_is_written_on(store: Store, file: Path) -> None:
    file.touch()
    store.append("K7Q", event(5))
    assert file_of(store).is_in_place()


def test_what_is_recorded_after_the_log_was_deleted_outlives_a_killed_process(
    store: Store, file: Path, tmp_path: Path
) -> None:
    file.with_name(f"{DATA_FILE}-wal").unlink()
    store.append("K7Q", event(5))
    left = tmp_path / "left"
    left.mkdir()
    for part in (DATA_FILE, f"{DATA_FILE}-wal"):
        shutil.copyfile(file.with_name(part), left / part)
    after = Store(left / DATA_FILE)
    assert len(list(after.events("K7Q"))) == 5
    after.close()
