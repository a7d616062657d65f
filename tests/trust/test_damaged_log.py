"""A write-ahead log with a bit that flipped: it is said, and only what the bit has changed is missing."""

import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from support.data_files import file_of
from support.of_extras import needs

from tracker.cli.data_folder import DATA_FILE, open_repaired
from tracker.storage import CorruptFile, NewEvent, Store
from tracker.storage.files import log_of
from tracker.storage.write_ahead_log import FRAME_HEADER, HEADER, read_log

EVENTS = 20
PAGE = 4096


def event(number: int) -> NewEvent:
    return NewEvent(number, f"id-{number}", bytes([number]) * 32, "{}", "2026-11-20T20:01:00Z", "ann")


@pytest.fixture(name="killed")
def _killed(tmp_path: Path) -> Path:
    """The data file of a server that was killed: half of the events are in its log alone."""
    running, left = tmp_path / "running", tmp_path / "left"
    running.mkdir()
    left.mkdir()
    with closing(Store(running / DATA_FILE)) as store:
        store.create_night(code="K7Q", name="Friday", preset="{}", options="{}", created_at="2026-11-20T20:00:00Z")
        for number in range(1, EVENTS + 1):
            if number == EVENTS // 2:
                file_of(store).checkpoint()
            store.append("K7Q", event(number))
        for part in (DATA_FILE, f"{DATA_FILE}-wal"):
            shutil.copyfile(running / part, left / part)
    return left / DATA_FILE


def flip(path: Path, bit: int) -> None:
    content = bytearray(log_of(path).read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    log_of(path).write_bytes(content)


def copied(path: Path, folder: Path) -> Path:
    folder.mkdir()
    for part in (path, log_of(path)):
        shutil.copyfile(part, folder / part.name)
    return folder / path.name


def events_in(path: Path) -> int:
    with closing(open_repaired(path)) as store:
        return len(list(store.events("K7Q")))


def test_a_log_as_a_killed_server_left_it_is_read_to_its_end(killed: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = read_log(killed)
    assert log
    assert len(log.frames) > EVENTS // 2
    assert not log.is_damaged
    assert events_in(killed) == EVENTS
    assert capfd.readouterr().err == ""


def test_a_flipped_bit_is_said_and_costs_no_event_but_those_on_its_page(
    killed: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], short_or_long: Callable[[int, int], int]
) -> None:
    """But for one in the last commit, which looks like one that a power cut has interrupted, and is left out."""
    needs("repair")
    chance, found = Random(20261124), Counter[int]()
    size = log_of(killed).stat().st_size
    last = size - 4 * (FRAME_HEADER + PAGE)  # an event is written to three or four pages
    for number in range(short_or_long(60, 1500)):
        path = copied(killed, tmp_path / str(number))
        place = chance.randrange(HEADER) if number % 5 == 0 else chance.randrange(last)
        flip(path, place * 8 + chance.randrange(8))
        events = events_in(path)
        found[events] += 1
        said = capfd.readouterr().err
        assert "in its log, is not what was written" in said
        assert "The damaged file is kept in" in said
        shutil.rmtree(path.parent)
    assert found[EVENTS] > 0.9 * found.total(), found


def test_a_commit_that_a_power_cut_has_interrupted_is_no_damage(killed: Path, tmp_path: Path) -> None:
    size = log_of(killed).stat().st_size
    for number, cut in enumerate(range(1, 3 * (FRAME_HEADER + PAGE), 997)):
        path = copied(killed, tmp_path / str(number))
        log_of(path).write_bytes(log_of(killed).read_bytes()[: size - cut] + bytes(cut))
        with closing(Store(path)) as store:
            assert EVENTS - 2 <= len(list(store.events("K7Q"))) <= EVENTS


def test_no_command_opens_such_a_file_and_loses_the_rest_of_its_log(killed: Path) -> None:
    flip(killed, (HEADER + FRAME_HEADER + 100) * 8)
    before = log_of(killed).read_bytes()
    with pytest.raises(CorruptFile, match="in its log"):
        Store(killed)
    assert log_of(killed).read_bytes() == before
