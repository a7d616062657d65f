"""The server has no deadlock: all its locks are taken in one order.

Where that order has a cycle, threads can wait for each other for good.
"""

from __future__ import annotations

import socket
import struct
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, closing
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from support.polling import wait_until
from support.stream_server import StreamServer, small_window

CLOSE_WITH_RESET = struct.pack("ii", 1, 0)  # SO_LINGER on, for 0 seconds: what is sent to it fails at once


_NOT_THE_MAKER = (threading.__file__, "<string>")
"""Files that make locks for others: a condition makes its lock in `threading`, a dataclass in "<string>"."""


class LockOrder:
    """Records which locks are taken while others are held; each lock is named after the line that makes it."""

    def __init__(self) -> None:
        self.taken_under: dict[str, set[str]] = defaultdict(set)
        """name of a lock -> names of those that were taken while it was held"""
        self._held = threading.local()

    def held(self) -> list[WatchedLock]:
        """Return the locks that this thread holds, the first taken first."""
        if not hasattr(self._held, "locks"):
            self._held.locks = []
        locks: list[WatchedLock] = self._held.locks
        return locks

    def record(self, lock: WatchedLock) -> None:
        """Record that this thread takes a lock, unless it holds it already and therefore never waits for it."""
        if lock not in self.held():
            for other in self.held():
                self.taken_under[other.name].add(lock.name)

    def cycle(self) -> list[str]:
        """Return a chain of names that ends where it began; an empty one where the order has none."""
        try:
            TopologicalSorter(self.taken_under).prepare()
        except CycleError as error:
            names: list[str] = error.args[1]
            return names
        return []


class WatchedLock:
    """A lock of `threading` that has a name and reports to a LockOrder when it is taken."""

    def __init__(self, order: LockOrder, lock: Any) -> None:
        self._order, self._lock = order, lock
        frame = sys._getframe(2)  # above the function that stands for the maker of locks
        while frame.f_back and frame.f_code.co_filename in _NOT_THE_MAKER:
            frame = frame.f_back
        self.name = (
            f"{Path(frame.f_code.co_filename).parent.name}/{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
        )

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        if blocking:
            self._order.record(self)
        is_taken: bool = self._lock.acquire(blocking, timeout)
        if is_taken:
            self._order.held().append(self)
        return is_taken

    def release(self) -> None:
        self._lock.release()
        if self in self._order.held():  # some locks are released by another thread
            self._order.held().remove(self)

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lock, name)


class WatchedRLock(WatchedLock):
    """A lock that its thread may take again; a condition releases it while it waits."""

    def _release_save(self) -> tuple[Any, int]:
        held = self._order.held()
        times = held.count(self)
        held[:] = [lock for lock in held if lock is not self]
        return self._lock._release_save(), times

    def _acquire_restore(self, saved: tuple[Any, int]) -> None:
        self._order.record(self)
        self._lock._acquire_restore(saved[0])
        self._order.held().extend([self] * saved[1])


@pytest.fixture(name="order")
def _order() -> Iterator[LockOrder]:
    """The order of all locks that `threading` makes in the test."""
    order, simple, reentrant = LockOrder(), threading.Lock, threading.RLock

    def watched() -> WatchedLock:
        return WatchedLock(order, simple())

    def watched_reentrant() -> WatchedRLock:
        return WatchedRLock(order, reentrant())

    with mock.patch("threading.Lock", watched), mock.patch("threading.RLock", watched_reentrant):
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
    assert order.cycle() == []


def test_a_cycle_of_two_locks_is_found(order: LockOrder) -> None:
    first = threading.Lock()
    second = threading.Lock()
    with first, second:
        pass
    assert order.cycle() == []
    with second, first:
        pass
    assert len(order.cycle()) == 3
