"""The order in which locks are taken: where it has a cycle, threads can wait for each other for good (a deadlock)."""

from __future__ import annotations

import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

_NOT_THE_MAKER = (__file__, threading.__file__, "<string>")
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

    def cycles(self) -> list[list[str]]:
        """Return each chain of names that ends where it began, once from each of its locks."""
        return [path for name in [*self.taken_under] for path in self._closed_paths([name])]

    def _closed_paths(self, path: list[str]) -> Iterator[list[str]]:
        for name in self.taken_under.get(path[-1], ()):
            if name == path[0]:
                yield [*path, name]
            elif name not in path:
                yield from self._closed_paths([*path, name])


class WatchedLock:
    """A lock of `threading` that has a name and reports to a LockOrder when it is taken."""

    def __init__(self, order: LockOrder, lock: Any) -> None:
        self._order, self._lock = order, lock
        frame = sys._getframe()
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


@contextmanager
def lock_order() -> Iterator[LockOrder]:
    """Yield the order of all locks that are made by `threading` inside the block."""
    order, simple, reentrant = LockOrder(), threading.Lock, threading.RLock

    def watched() -> WatchedLock:
        return WatchedLock(order, simple())

    def watched_reentrant() -> WatchedRLock:
        return WatchedRLock(order, reentrant())

    with mock.patch("threading.Lock", watched), mock.patch("threading.RLock", watched_reentrant):
        yield order
