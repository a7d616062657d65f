"""Many phones at the running command: tables that play at once."""

from collections.abc import Callable
from pathlib import Path

import pytest
from bench.many_tables import Shape, lines, load

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts what Linux tells of a process")


def test_every_phone_sees_every_event_of_its_table_once_and_leaves_nothing_behind(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    is_long = bool(short_or_long(0, 1))
    tables, watchers = short_or_long(3, 50), short_or_long(20, 200)
    every, seconds, rest = (1.0, 30.0, 90.0) if is_long else (0.5, 2.0, 2.0)
    shape = Shape(tables, watchers=watchers, slow=watchers // 10, every=every, seconds=seconds)
    loaded = load(tmp_path, shape, rest)
    assert loaded.refused == []
    assert (loaded.lost, loaded.doubled, loaded.ended) == (0, 0, 0)
    assert loaded.taps == loaded.recorded > tables
    assert loaded.slow_messages
    if is_long:
        assert loaded.moments[-1].threads <= loaded.moments[0].threads + 4
    assert loaded.moments[-1].files <= loaded.moments[0].files + 2
    figure("; ".join(f"{what}: {told}" for what, told in lines(loaded)))
