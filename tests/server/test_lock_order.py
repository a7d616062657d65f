"""The server has no deadlock: all its locks are taken in one order."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest
from support.lock_order import LockOrder, lock_order
from support.polling import wait_until
from support.stream_server import StreamServer, small_window

CLOSE_WITH_RESET = struct.pack("ii", 1, 0)  # SO_LINGER on, for 0 seconds: what is sent to it fails at once


@pytest.fixture(name="order")
def _order() -> Iterator[LockOrder]:
    with lock_order() as order:
        yield order


def open_raw(running: StreamServer) -> socket.socket:
    """Return the connection of a stream that begins, with little room for what is not read."""
    phone = small_window(running.server.port)
    phone.sendall(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
    return phone


def test_streams_that_begin_stall_and_break_take_all_locks_in_one_order(
    order: LockOrder, running: StreamServer
) -> None:
    with ExitStack() as stack:
        for _ in range(4):
            running.open_stream(stack)
        for head in (2, 4, 6, 8):
            stack.enter_context(closing(open_raw(running)))
            lost = open_raw(running)
            lost.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, CLOSE_WITH_RESET)
            running.head = head
            running.live.publish_and_send("K7Q", head)
            lost.close()
            running.head, running.padding = head + 1, "x" * 8_000_000  # more than the system keeps for one phone
            running.live.publish_and_send("K7Q", head + 1)
            running.padding = ""
            assert running.ask() == 200
        running.live.end_device("1")
    wait_until(lambda: running.live.count() == 0)
    running.server.stop()
    running.thread.join(60)
    assert {"streaming/hub.py", "waitress/channel.py"} <= {name.partition(":")[0] for name in order.taken_under}
    assert order.cycles() == []


def test_a_cycle_of_two_locks_is_found(order: LockOrder) -> None:
    first = threading.Lock()
    second = threading.Lock()
    with first, second:
        pass
    assert order.cycles() == []
    with second, first:
        pass
    assert len(order.cycles()) == 2
