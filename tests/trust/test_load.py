"""Many phones at the running command: tables that play at once, and watchers who open all streams that there are."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from bench.many_tables import Shape, lines, load
from support.remote_phone import RemotePhone, another_night, open_night
from support.server_process import Command

from tracker.server.server import Capacity
from tracker.streaming.hub import KEPT_SHARE
from tracker.web.access.devices import MOST_WATCHERS

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


def test_watchers_of_many_nights_share_the_streams_and_leave_them_to_seats_and_hosts(
    tmp_path: Path, short_or_long: Callable[[int, int], int]
) -> None:
    """Everything that watchers are given is taken; every night still gets its share, and the host's page its stream."""
    files, nights = short_or_long(240, 440), short_or_long(2, 5)
    given = Capacity.for_files(files).streams
    command = Command(tmp_path, most_files=files)
    with ExitStack() as stack:
        stack.callback(command.kill)
        host, share = open_night(command.port, command.host_link).host, (given - given // KEPT_SHARE) // nights
        for group in range(nights):
            night, got = another_night(host), list[bool]()
            for number in range(MOST_WATCHERS):
                phone = night.join(f"127.1.{group}.{number + 1}", watch="1")
                got.append(has_stream(stack, phone, night.code))
            assert got == [True] * (share if group else MOST_WATCHERS) + [False] * (MOST_WATCHERS - share) * bool(group)
        assert all(has_stream(stack, host, night.code, tab) for tab in range(4))


def has_stream(stack: ExitStack, phone: RemotePhone, code: str, tab: int = 1) -> bool:
    """Return whether the lobby's page is given a stream, which stays open; else it is shown what it shows now."""
    answer = phone.open(stack, f"/n/{code}/lobby/stream?tab={tab}")
    assert answer.status == 200
    if answer.readline().startswith(b"retry: "):
        return True
    text = answer.read().decode()
    assert "data: " in text
    assert text.endswith("event: closed\ndata: full\n\n")
    return False
