"""What the repair makes of a disk that lies and of a log in which bits flip: all that can be proved, and it says so."""

import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from support.faults.power_cut import cuts, played
from support.killed_steps import LEFT_EVENTS, flip

from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE, open_repaired
from tracker.core.log import Entry
from tracker.storage import Store, StoreError
from tracker.storage.files import log_of
from tracker.storage.write_ahead_log import FRAME_HEADER, HEADER
from tracker.streaming.hub import StreamHub

PAGE = 4096


def test_a_disk_that_lies_about_syncing_never_leads_to_a_wrong_balance(
    tmp_path: Path,
    short_or_long: Callable[[int, int], int],
    figure: Callable[[str], None],
    capfd: pytest.CaptureFixture[str],
) -> None:
    """It loses what it said it had: no program can help that. But what opens is always a start of the log."""
    steps, first = played(tmp_path / "nights.db")
    log, _ = night_of(tmp_path / "nights.db")
    lying = [step for number, step in enumerate(steps) if step.kind != "sync" or number < first]
    came, times = Counter[str](), short_or_long(12, 1000)
    for path, told in cuts(lying, times, Random(20261122), tmp_path, first=first + 1):
        try:
            open_repaired(path).close()
            entries, is_hurt = night_of(path)
        except StoreError:
            came["refused"] += 1
        else:
            assert entries == log[: len(entries)]
            came["in part" if is_hurt else "older" if len(entries) < told else "whole"] += 1
    capfd.readouterr()
    figure(
        f"a disk that says it has written and has not: {times} power cuts; {came['whole']} whole, {came['older']} an "
        f"older state that looks whole, {came['in part']} read as far as proved and said so, {came['refused']} refused "
        "with a sentence; 0 wrong balances"
    )
    assert came["whole"] < times


def night_of(path: Path) -> tuple[list[Entry], bool]:
    """Return the log of a file's only night, and whether it says that it may end too early; nothing when it is gone."""
    with closing(Store(path)) as store:
        for row in store.nights():
            table = Nights(store, StreamHub()).get(row.code)
            return list(table.entries), table.settings.truncation is not None
    return [], False


def test_a_flipped_bit_is_said_and_costs_no_event_but_those_on_its_page(
    left: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], short_or_long: Callable[[int, int], int]
) -> None:
    """But for one in the last commit, which looks like one that a power cut has interrupted, and is left out."""
    chance, found = Random(20261124), Counter[int]()
    size = log_of(left / DATA_FILE).stat().st_size
    last = size - 4 * (FRAME_HEADER + PAGE)  # an event is written to three or four pages
    for number in range(short_or_long(60, 1500)):
        path = shutil.copytree(left, tmp_path / str(number)) / DATA_FILE
        place = chance.randrange(HEADER) if number % 5 == 0 else chance.randrange(last)
        flip(path, place * 8 + chance.randrange(8))
        with closing(open_repaired(path)) as store:
            found[len(list(store.events("K7Q")))] += 1
        said = capfd.readouterr().err
        assert "in its log, is not what was written" in said
        assert "The damaged file is kept in" in said
        shutil.rmtree(path.parent)
    assert found[LEFT_EVENTS] > 0.9 * found.total(), found
