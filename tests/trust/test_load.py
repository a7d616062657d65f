"""A table that everybody watches, an event a second: nothing lost, nothing twice, nothing left behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from bench.load import lines, load

from tracker.server.thread_pool import FEWEST_THREADS

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts what Linux tells of a process")


def test_a_crowd_sees_every_event_once_and_leaves_nothing_behind(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    is_long = bool(short_or_long(0, 1))
    pace = {} if is_long else {"gap": 0.1, "rest": 0.0}
    loaded = load(tmp_path, short_or_long(30, 200), 30, **pace)
    assert loaded.lost == 0
    assert loaded.doubled == 0
    assert loaded.posts == loaded.taps == loaded.recorded == 30
    if is_long:
        assert loaded.threads[-1] <= FEWEST_THREADS + 2
    assert loaded.files[-1] <= loaded.files[0] + 2
    figure("; ".join(f"{what}: {told}" for what, told in lines(loaded)))
