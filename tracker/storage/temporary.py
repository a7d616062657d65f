"""What is kept for some minutes: links that are good once, and how often something was tried lately. In memory, by a
clock that is never set.
"""

import threading
import time
from bisect import insort
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

MOST_OF_A_KIND = 5000
"""Rows of one kind; where there would be more, the one that ends first makes room."""
TALLY_SECONDS = 3.0
"""What is counted of one key within so many seconds is one row."""


class Row(NamedTuple):
    """A row of a key."""

    end: float
    value: str


def has_room(own: int, of_group: int, in_all: int, groups: int, *, each: int, most: int) -> bool:
    """Return whether one more may be counted of a key: it has less than `each`, all together less than `most`.

    Once half of `most` is used each of the `groups` has a small even share, so that a few leave some for others.
    """
    if own >= each or in_all >= most:
        return False
    return in_all < most // 2 or of_group < max(1, most // (4 * groups))


class ExpiringRows:
    """Rows that end by themselves, each of a kind and with a key. Any thread may call any method."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._kinds: dict[str, dict[str, list[Row]]] = {}

    def _of(self, kind: str) -> dict[str, list[Row]]:
        """Return by key the rows of a kind that have not ended, the first to end in front. The lock is held."""
        now, found = self._clock(), self._kinds.setdefault(kind, {})
        for key in [key for key, rows in found.items() if rows[0].end <= now]:
            _keep(found, key, [row for row in found[key] if row.end > now])
        return found

    def _add(self, found: dict[str, list[Row]], key: str, seconds: float, value: str) -> None:
        if sum(map(len, found.values())) >= MOST_OF_A_KIND:
            first = min(found, key=lambda one: found[one][0].end)
            _keep(found, first, found[first][1:])
        insort(found.setdefault(key, []), Row(self._clock() + seconds, value), key=lambda row: row.end)

    def add(self, kind: str, key: str, seconds: float, value: str = "") -> None:
        """Add a row for so many seconds, there may be several of one key."""
        with self._lock:
            self._add(self._of(kind), key, seconds, value)

    def value(self, kind: str, key: str) -> str | None:
        """Return the value of a key's newest row, or None."""
        with self._lock:
            rows = self._of(kind).get(key)
            return rows[-1].value if rows else None

    def keys(self, kind: str, value: str) -> set[str]:
        """Return the keys of a kind's rows that have this value."""
        with self._lock:
            return {key for key, rows in self._of(kind).items() if any(row.value == value for row in rows)}

    def take(self, kind: str, key: str) -> str | None:
        """Remove a key's rows and return a value of them; None without any. Of many at once exactly one is given it."""
        with self._lock:
            return next((row.value for row in self._of(kind).pop(key, ())), None)

    def give_back(self, kind: str, key: str) -> None:
        """Remove the newest row of a key."""
        with self._lock:
            found = self._of(kind)
            _keep(found, key, found.get(key, [])[:-1])

    def count_one(self, kind: str, key: str, seconds: float, *, each: int, in_all: int, group: str = "") -> bool:
        """Add a row if `has_room` says so, and return whether it did; without a `group` all keys are one."""
        with self._lock:
            found = self._of(kind)
            groups = Counter(row.value for rows in found.values() for row in rows)
            own, of_group, count = len(found.get(key, ())), groups[group] if group else 0, groups.total()
            is_counted = has_room(own, of_group, count, len({group, *groups}), each=each, most=in_all)
            if is_counted:
                self._add(found, key, seconds, group)
            return is_counted

    def tally(self, kind: str, key: str, seconds: float) -> None:
        """Count one more of a key, for so many seconds."""
        with self._lock:
            found = self._of(kind)
            rows = found.get(key)
            if rows and rows[-1].end > self._clock() + seconds - TALLY_SECONDS:
                rows[-1] = rows[-1]._replace(value=str(int(rows[-1].value) + 1))
            else:
                self._add(found, key, seconds, "1")

    def sums(self, kind: str) -> Counter[str]:
        """Return how often each key of a kind was counted by `tally`."""
        with self._lock:
            return Counter({key: sum(int(row.value) for row in rows) for key, rows in self._of(kind).items()})


def _keep(found: dict[str, list[Row]], key: str, rows: list[Row]) -> None:
    """Keep these rows of a key; no key is without a row."""
    if rows:
        found[key] = rows
    else:
        found.pop(key, None)
