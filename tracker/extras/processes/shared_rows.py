"""What several processes keep for minutes in PostgreSQL; counts wait for no disk, and a power cut loses the last."""

import threading
from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any

from tracker.storage.database import NOTHING, Connection, Database
from tracker.storage.errors import NotSaved
from tracker.storage.temporary import TALLY_SECONDS, ExpiringRows, has_room

PRESENT, CAME_FROM = "present", "came-from"
NOT_DURABLE = frozenset({PRESENT, CAME_FROM})
"""Kinds of rows that need not be on the disk before somebody is answered."""
WITHOUT_WAITING = "SET LOCAL synchronous_commit = off"
NOW = "EXTRACT(EPOCH FROM clock_timestamp())"
"""The moment by the server's clock, in seconds, since those of processes may differ."""


class SharedRows(ExpiringRows):
    """Rows that end by themselves, each of a kind and with a key. Every method may raise NotSaved or NotRead."""

    def __init__(self, connection: Connection) -> None:
        super().__init__()
        self._connection = connection
        self._lock = threading.Lock()
        self._unwritten: Counter[tuple[str, str, float]] = Counter()

    def add(self, kind: str, key: str, seconds: float, value: str = "") -> None:

        def add(db: Database) -> None:
            if kind in NOT_DURABLE:
                db.execute(WITHOUT_WAITING)
            _insert(db, kind, key, seconds, value)

        self._connection.run(add, NOTHING)

    def value(self, kind: str, key: str) -> str | None:
        """Return the value of a key's newest row, or None."""
        rows = self._select("value", "kind = ? AND key = ? ORDER BY until DESC LIMIT 1", kind, key)
        return str(rows[0][0]) if rows else None

    def keys(self, kind: str, value: str) -> set[str]:
        return {str(key) for (key,) in self._select("key", "kind = ? AND value = ?", kind, value)}

    def newest(self, kind: str) -> dict[str, str]:
        """Return the value of the newest row of each key of a kind."""
        return {str(key): str(value) for key, value in self._select("key, value", "kind = ? ORDER BY until", kind)}

    def _select(self, columns: str, rest: str, *values: str) -> list[tuple[Any, ...]]:
        with self._connection.read() as db:
            return _select(db, columns, rest, *values)

    def take(self, kind: str, key: str) -> str | None:
        """Remove a key's rows and return a value of them; None without any. Of many at once exactly one is given it."""
        with self._connection.write() as db:  # which one process at a time has
            rows = _select(db, "value", "kind = ? AND key = ?", kind, key)
            db.table("temporary").delete_where("kind = ? AND key = ?", [kind, key])
        return str(rows[0][0]) if rows else None

    def give_back(self, kind: str, key: str) -> None:
        """Remove the newest row of a key."""
        with self._connection.write() as db:
            newest = "SELECT ctid FROM temporary WHERE kind = ? AND key = ? ORDER BY until DESC LIMIT 1"
            db.execute(f"DELETE FROM temporary WHERE ctid IN ({newest})", [kind, key])  # noqa: S608 - constants

    def count_one(self, kind: str, key: str, seconds: float, *, each: int, in_all: int, group: str = "") -> bool:
        """Add a row if `has_room` says so; return whether it was added.

        Without a `group` there is one of all keys: then `each` and `in_all` are all that limits them.
        """
        counts = """COUNT(*), COUNT(*) FILTER (WHERE key = ?), COUNT(*) FILTER (WHERE value = ?),
          COUNT(DISTINCT value) FILTER (WHERE value <> ?) + 1"""
        with self._connection.write() as db:
            so_far, own, of_group, groups = _select(db, counts, "kind = ?", key, group, group, kind)[0]
            if not has_room(own, of_group if group else 0, so_far, groups, each=each, most=in_all):
                return False
            _insert(db, kind, key, seconds, group)
            return True

    def extend(self, kind: str, key: str, seconds: float) -> float:
        """Let a key's row end so much later, or add it; return in how many seconds it ends. Waits for no disk."""

        def extended(db: Database) -> float:
            db.execute(WITHOUT_WAITING)
            later = f"until = CASE WHEN until > {NOW} THEN until ELSE {NOW} END + ? WHERE kind = ? AND key = ?"
            sql = f"UPDATE temporary SET {later} RETURNING until - {NOW}"  # noqa: S608 - constants
            rows = db.execute(sql, [seconds, kind, key]).fetchall()
            if not rows:
                _insert(db, kind, key, seconds, "")
            return max([float(left) for (left,) in rows], default=seconds)

        return self._connection.run(extended, NOTHING)

    def tally(self, kind: str, key: str, seconds: float) -> None:
        """Count one more of a key, for so many seconds; other processes know of it after `write_tallies`."""
        with self._lock:
            self._unwritten[kind, key, seconds] += 1

    def write_tallies(self) -> None:
        """Store what was counted; what can't be stored now is stored by the next call."""
        with self._lock:
            counts, self._unwritten = self._unwritten, Counter()
        try:
            if counts:
                self._connection.run(partial(_count, counts=counts), NOTHING)
        except NotSaved:
            with self._lock:
                self._unwritten += counts

    def sums(self, kind: str) -> Counter[str]:
        """Return how often each key of a kind was counted by `tally`."""
        rows = self._select("key, SUM(CAST(value AS INTEGER))", "kind = ? GROUP BY key", kind)
        sums = Counter({str(key): int(total) for key, total in rows})
        for (one, key, _), number in [*self._unwritten.items()]:
            sums[key] += number if one == kind else 0
        return sums


def _select(db: Database, columns: str, rest: str, *values: str) -> list[tuple[Any, ...]]:
    """Return columns of the rows that have not ended; `rest` is what else they have to fulfil, and their order."""
    sql = f"SELECT {columns} FROM temporary WHERE until > {NOW} AND {rest}"  # noqa: S608 - constants
    return db.execute(sql, values).fetchall()


def _count(db: Database, counts: Mapping[tuple[str, str, float], int]) -> None:
    db.execute(WITHOUT_WAITING)
    for (kind, key, seconds), number in counts.items():
        recent = f"kind = ? AND key = ? AND until > {NOW} + ?"
        sql = f"UPDATE temporary SET value = CAST(CAST(value AS INTEGER) + ? AS TEXT) WHERE {recent} RETURNING key"  # noqa: S608
        if not db.execute(sql, [number, kind, key, seconds - TALLY_SECONDS]).fetchall():
            _insert(db, kind, key, seconds, str(number))


def _insert(db: Database, kind: str, key: str, seconds: float, value: str) -> None:
    db.execute(f"DELETE FROM temporary WHERE kind = ? AND until <= {NOW}", [kind])  # noqa: S608 - constants
    sql = f"INSERT INTO temporary (kind, key, until, value) VALUES (?, ?, {NOW} + ?, ?)"  # noqa: S608 - constants
    db.execute(sql, [kind, key, seconds, value])
