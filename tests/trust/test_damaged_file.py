"""A damaged data file or write-ahead log: told from one that a power cut has interrupted, and never written to."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest
from support.killed_steps import LEFT_EVENTS, event, events_in, flip

from tracker.cli.data_folder import DATA_FILE
from tracker.storage import CorruptFile, NotSaved, Store
from tracker.storage.files import log_of
from tracker.storage.write_ahead_log import FRAME_HEADER, HEADER, read_log

PAGE = 4096


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


def test_nothing_is_written_to_a_large_file_before_its_pages_are_checked(left: Path) -> None:
    path = left / DATA_FILE
    with closing(Store(path, is_checked_later=True)) as store:
        store.append("K7Q", event(LEFT_EVENTS + 1))
        assert store.faults() == []
    content = path.read_bytes()
    page = content.index(b"id-7") // PAGE * PAGE
    path.write_bytes(content[:page] + bytes([7]) * PAGE + content[page + PAGE :])
    with closing(Store(path, is_checked_later=True)) as store:
        with pytest.raises(NotSaved, match="the data file is damaged"):
            store.append("K7Q", event(LEFT_EVENTS + 2))
        with pytest.raises(CorruptFile):
            store.faults()
