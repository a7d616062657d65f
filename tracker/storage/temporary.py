"""What is kept for some minutes: links that are good once, and how often something was tried lately. In memory, by a
clock that is never set; what several processes share is another class with the same methods (postgres_rows.py).
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator


class ExpiringRows:
    """Rows that end by themselves, each of a kind and with a key. Any thread may call any method."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._rows: dict[str, list[tuple[str, float, str]]] = {}
        """By kind: the key, the end and the value of each row, the one that ends first at the front."""

    def _of(self, kind: str) -> list[tuple[str, float, str]]:
        """Return the rows of a kind that have not ended; the lock is held."""
        now = self._clock()
        rows = self._rows[kind] = [row for row in self._rows.get(kind, ()) if row[1] > now]
        return rows

    def _insert(self, kind: str, key: str, seconds: float, value: str = "") -> None:
        rows = self._of(kind)
        rows.append((key, self._clock() + seconds, value))
        rows.sort(key=lambda row: row[1])

    def _remove(self, kind: str, key: str) -> Iterator[tuple[str, float, str]]:
        """Remove the rows of a key and yield them."""
        rows = self._of(kind)
        self._rows[kind] = [row for row in rows if row[0] != key]
        return (row for row in rows if row[0] == key)

    def add(self, kind: str, key: str, seconds: float, value: str = "", *, is_durable: bool = True) -> None:  # noqa: ARG002
        """Add a row for so many seconds, there may be several of one key."""
        with self._lock:
            self._insert(kind, key, seconds, value)

    def newest(self, kind: str) -> dict[str, str]:
        """Return the value of the newest row of each key of a kind."""
        with self._lock:
            return {key: value for key, _, value in self._of(kind)}

    def value(self, kind: str, key: str) -> str | None:
        """Return the value of a key's newest row, or None."""
        return self.newest(kind).get(key)

    def keys(self, kind: str, value: str) -> set[str]:
        """Return the keys of a kind's rows that have this value."""
        with self._lock:
            return {key for key, _, one in self._of(kind) if one == value}

    def take(self, kind: str, key: str) -> str | None:
        """Remove a key's rows and return a value of them; None without any. Of many at once exactly one is given it."""
        with self._lock:
            return next((value for _, _, value in self._remove(kind, key)), None)

    def remove_value(self, kind: str, value: str) -> None:
        """Remove the rows of a kind that have this value."""
        with self._lock:
            self._rows[kind] = [row for row in self._of(kind) if row[2] != value]

    def give_back(self, kind: str, key: str) -> None:
        """Remove the newest row of a key."""
        with self._lock:
            rows = self._of(kind)
            if own := [row for row in rows if row[0] == key]:
                rows.remove(own[-1])

    def count_one(self, kind: str, key: str, seconds: float, *, each: int, in_all: int) -> bool:
        """Add a row, unless the key has `each` or the kind `in_all` of them; return whether it was added."""
        with self._lock:
            rows = self._of(kind)
            if len(rows) >= in_all or sum(row[0] == key for row in rows) >= each:
                return False
            self._insert(kind, key, seconds)
            return True

    def extend(self, kind: str, key: str, seconds: float) -> float:
        """Let a key's row end so much later, or add it; return in how many seconds it ends."""
        with self._lock:
            now = self._clock()
            left = max((end - now for _, end, _ in self._remove(kind, key)), default=0.0) + seconds
            self._insert(kind, key, left)
            return left

    def tally(self, kind: str, key: str, seconds: float) -> None:
        """Count one more of a key, for so many seconds."""
        self.add(kind, key, seconds)

    def write_tallies(self) -> None:
        """Several processes share what they have counted here."""

    def sums(self, kind: str) -> Counter[str]:
        """Return how often each key of a kind was counted by `tally`."""
        with self._lock:
            return Counter(key for key, _, _ in self._of(kind))
