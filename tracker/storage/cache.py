"""Rows kept in memory until something writes them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Cache(Generic[K, V]):
    """What was read, by key. What is read while something is written is given out, and not kept."""

    def __init__(self) -> None:
        self._known: dict[K, V] = {}
        self._writes = 0
        self._lock = threading.Lock()

    def get(self, key: K, read: Callable[[], V]) -> V:
        """Return the value of a key, from `read` when it is not known."""
        known = self._known.get(key)
        if known is not None:
            return known
        writes = self._writes
        value = read()
        with self._lock:
            if writes == self._writes:
                self._known[key] = value
        return value

    def forget(self, key: K | None = None) -> None:
        """Read a key again when it is next asked for, without one all of them: call it when the write has ended."""
        with self._lock:
            self._writes += 1
            if key is None:
                self._known.clear()
            else:
                self._known.pop(key, None)
