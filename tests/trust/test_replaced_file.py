"""The data file deleted, replaced or damaged: nothing more is acknowledged, all of before is kept."""

import shutil
from pathlib import Path

import pytest
from support.data_files import LEFT_EVENTS, event, events_in, file_of, flip
from support.replaced_file import FAULTS, each_fault, file_replaced

from tracker.cli.data_folder import DATA_FILE
from tracker.storage import CorruptFile, NotSaved, Store
from tracker.storage.files import log_of
from tracker.storage.write_ahead_log import FRAME_HEADER, HEADER, read_log

PAGE = 4096


@each_fault
def test_a_data_file_that_is_replaced_stops_the_recording_which_every_page_and_the_end_say(
    tmp_path: Path, fault: str
) -> None:
    with file_replaced(tmp_path / "data", tmp_path / "older.db", fault) as ended:
        assert "has deleted or replaced the data file" in ended.night.host.get("/").text
    assert ended.status == 1
    assert "was deleted or replaced by another program" in ended.said
    assert "is saved" not in ended.said


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


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("has_log", [True, False])
def test_the_next_event_is_refused_also_where_no_log_hides_an_older_copy(
    store: Store, file: Path, tmp_path: Path, fault: str, has_log: bool
) -> None:
    file_of(store).backup(tmp_path / "older.db")
    store.append("K7Q", event(5))
    if not has_log:
        file_of(store).checkpoint()
    FAULTS[fault](file, tmp_path / "older.db")
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


# A damaged file or log is told from one that a power cut has interrupted, and never written to.


def test_a_log_as_a_killed_server_left_it_is_read_to_its_end(left: Path) -> None:
    log = read_log(left / DATA_FILE)
    assert log
    assert len(log.frames) > 4
    assert not log.is_damaged
    assert events_in(left / DATA_FILE) == LEFT_EVENTS


def test_a_commit_that_a_power_cut_has_interrupted_is_no_damage(left: Path, tmp_path: Path) -> None:
    log = log_of(left / DATA_FILE).read_bytes()
    for number, cut in enumerate(range(1, 3 * (FRAME_HEADER + PAGE), 997)):
        path = shutil.copytree(left, tmp_path / str(number)) / DATA_FILE
        log_of(path).write_bytes(log[: len(log) - cut] + bytes(cut))
        assert LEFT_EVENTS - 2 <= events_in(path) <= LEFT_EVENTS


def test_no_command_opens_a_damaged_log_and_loses_the_rest_of_it(left: Path) -> None:
    path = left / DATA_FILE
    flip(path, (HEADER + FRAME_HEADER + 100) * 8)
    before = log_of(path).read_bytes()
    with pytest.raises(CorruptFile, match="in its log"):
        Store(path)
    assert log_of(path).read_bytes() == before
