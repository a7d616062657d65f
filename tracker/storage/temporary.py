"""What is kept for some minutes: links that are good once, and how often something was tried lately. In memory, by a
clock that is never set.
"""

import threading
import time
from bisect import insort
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import NamedTuple

MOST_OF_A_KIND = 50_000
"""Rows of one kind; where there would be more, the one that ends first makes room."""
TALLY_SECONDS = 3.0
"""What is counted of one key within so many seconds is one row."""


class Row(NamedTuple):
    """A row of a key, which comes before those that end later."""

    end: float
    serial: int
    value: str


@dataclass
class Kind:
    """The rows of one kind. The lock is held by whoever calls a method."""

    rows: dict[str, list[Row]] = field(default_factory=dict)
    """By key, the one that ends first at the front; no key is without a row."""
    keys: dict[str, Counter[str]] = field(default_factory=dict)
    """By value: how many of its rows each key has."""
    ends: list[tuple[float, int, str]] = field(default_factory=list)
    """A heap of the ends of all rows with their keys, also of rows that were removed before their end."""
    count: int = 0
    serial: int = 0
    """Of the row that was added last."""

    def drop_ended(self, now: float) -> None:
        while self.ends and self.ends[0][0] <= now:
            self._drop_first()

    def _drop_first(self) -> None:
        end, serial, key = heappop(self.ends)
        kept = self.rows.get(key, ())
        if kept and kept[0][:2] == (end, serial):
            self.remove(key, kept[0])

    def add(self, key: str, end: float, value: str) -> None:
        while self.count >= MOST_OF_A_KIND:
            self._drop_first()
        self.count, self.serial = self.count + 1, self.serial + 1
        insort(self.rows.setdefault(key, []), Row(end, self.serial, value))
        self.keys.setdefault(value, Counter())[key] += 1
        heappush(self.ends, (end, self.serial, key))

    def remove(self, key: str, row: Row) -> None:
        kept = self.rows[key]
        kept.remove(row)
        if not kept:
            del self.rows[key]
        self.count -= 1
        having = self.keys[row.value]
        having[key] -= 1
        if not having[key]:
            del having[key]
        if not having:
            del self.keys[row.value]
        if len(self.ends) > 2 * self.count + 100:  # rows that are taken back at once leave their ends behind
            self.ends = [(row.end, row.serial, key) for key, kept in self.rows.items() for row in kept]
            heapify(self.ends)

    def take(self, key: str) -> list[Row]:
        """Remove the rows of a key and return them."""
        taken = list(self.rows.get(key, ()))
        for row in taken:
            self.remove(key, row)
        return taken


def has_room(own: int, of_group: int, in_all: int, groups: int, *, each: int, most: int) -> bool:
    """Return whether one more may be counted of a key: it has less than `each`, and all together less than `most`.

    `own`, `of_group` and `in_all` say how many there are by now: of the key, of its group, of `groups` groups with its
    own. Once half of `most` is used, a group has room only while it has a small even share of it: a few groups that
    take all they can get leave some for whoever has taken nothing.
    """
    if own >= each or in_all >= most:
        return False
    return in_all < most // 2 or of_group < max(1, most // (4 * groups))


class ExpiringRows:
    """Rows that end by themselves, each of a kind and with a key. Any thread may call any method."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._kinds: dict[str, Kind] = {}

    def _of(self, kind: str) -> Kind:
        """Return the rows of a kind that have not ended; the lock is held."""
        found = self._kinds.setdefault(kind, Kind())
        found.drop_ended(self._clock())
        return found

    def add(self, kind: str, key: str, seconds: float, value: str = "") -> None:
        """Add a row for so many seconds, there may be several of one key."""
        with self._lock:
            self._of(kind).add(key, self._clock() + seconds, value)

    def value(self, kind: str, key: str) -> str | None:
        """Return the value of a key's newest row, or None."""
        with self._lock:
            rows = self._of(kind).rows.get(key)
            return rows[-1].value if rows else None

    def keys(self, kind: str, value: str) -> set[str]:
        """Return the keys of a kind's rows that have this value."""
        with self._lock:
            return set(self._of(kind).keys.get(value, ()))

    def take(self, kind: str, key: str) -> str | None:
        """Remove a key's rows and return a value of them; None without any. Of many at once exactly one is given it."""
        with self._lock:
            return next((row.value for row in self._of(kind).take(key)), None)

    def remove_value(self, kind: str, value: str) -> None:
        """Remove the rows of a kind that have this value."""
        with self._lock:
            found = self._of(kind)
            for key in [*found.keys.get(value, ())]:
                for row in [one for one in found.rows[key] if one.value == value]:
                    found.remove(key, row)

    def give_back(self, kind: str, key: str) -> None:
        """Remove the newest row of a key."""
        with self._lock:
            found = self._of(kind)
            if rows := found.rows.get(key):
                found.remove(key, rows[-1])

    def count_one(self, kind: str, key: str, seconds: float, *, each: int, in_all: int, group: str = "") -> bool:
        """Add a row if `has_room` says so; return whether it was added.

        Without a `group` there is one of all keys: then `each` and `in_all` are all that limits them.
        """
        with self._lock:
            found = self._of(kind)
            own, groups = len(found.rows.get(key, ())), len(found.keys) + (group not in found.keys)
            of_group = found.keys[group].total() if group and group in found.keys else 0
            is_counted = has_room(own, of_group, found.count, groups, each=each, most=in_all)
            if is_counted:
                found.add(key, self._clock() + seconds, group)
            return is_counted

    def extend(self, kind: str, key: str, seconds: float) -> float:
        """Let a key's row end so much later, or add it; return in how many seconds it ends."""
        with self._lock:
            now, found = self._clock(), self._of(kind)
            left = max((row.end - now for row in found.take(key)), default=0.0) + seconds
            found.add(key, now + left, "")
            return left

    def tally(self, kind: str, key: str, seconds: float) -> None:
        """Count one more of a key, for so many seconds."""
        with self._lock:
            now, found = self._clock(), self._of(kind)
            rows = found.rows.get(key)
            is_recent = rows is not None and rows[-1].end > now + seconds - TALLY_SECONDS
            if rows and is_recent:
                newest = rows[-1]
                found.remove(key, newest)
                found.add(key, newest.end, str(int(newest.value) + 1))
            else:
                found.add(key, now + seconds, "1")

    def sums(self, kind: str) -> Counter[str]:
        """Return how often each key of a kind was counted by `tally`."""
        with self._lock:
            return Counter({key: sum(int(row.value) for row in rows) for key, rows in self._of(kind).rows.items()})
