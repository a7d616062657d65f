"""Which locks are taken while others are held: where that goes in a circle, two threads can wait for each other."""

from __future__ import annotations

import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

_MADE_BY = (__file__, threading.__file__, "<string>")  # a condition makes a lock, and so does a dataclass


class LockOrder:
    """The locks that were made while it was watching, each named after the line that makes it."""

    def __init__(self) -> None:
        self.later: dict[str, set[str]] = defaultdict(set)
        """lock -> those that were taken while it was held"""
        self._held = threading.local()

    def held(self) -> list[WatchedLock]:
        """Return what this thread holds."""
        if not hasattr(self._held, "locks"):
            self._held.locks = []
        locks: list[WatchedLock] = self._held.locks
        return locks

    def note(self, lock: WatchedLock) -> None:
        """Note that this thread is about to wait for a lock, unless it has it already."""
        if lock not in self.held():
            for other in self.held():
                self.later[other.name].add(lock.name)

    def circles(self) -> list[list[str]]:
        """Return each chain of locks that ends where it began."""
        return [way for name in [*self.later] for way in self._ways([name])]

    def _ways(self, way: list[str]) -> Iterator[list[str]]:
        for name in self.later.get(way[-1], ()):
            if name == way[0]:
                yield [*way, name]
            elif name not in way:
                yield from self._ways([*way, name])


class WatchedLock:
    """A lock of `threading`, with a name."""

    def __init__(self, order: LockOrder, lock: Any) -> None:
        self._order, self._lock = order, lock
        frame = sys._getframe()
        while frame.f_back and frame.f_code.co_filename in _MADE_BY:
            frame = frame.f_back
        self.name = (
            f"{Path(frame.f_code.co_filename).parent.name}/{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
        )

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        if blocking:
            self._order.note(self)
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
        self._order.note(self)
        self._lock._acquire_restore(saved[0])
        self._order.held().extend([self] * saved[1])


@contextmanager
def lock_order() -> Iterator[LockOrder]:
    """Watch every lock that is made meanwhile."""
    order, simple, reentrant = LockOrder(), threading.Lock, threading.RLock

    def watched() -> WatchedLock:
        return WatchedLock(order, simple())

    def watched_reentrant() -> WatchedRLock:
        return WatchedRLock(order, reentrant())

    with mock.patch("threading.Lock", watched), mock.patch("threading.RLock", watched_reentrant):
        yield order
