"""What is kept for some minutes: links that are good once, and how often something was tried lately. A process that is
alone keeps it in memory, several share it in a PostgreSQL database.

What is only counted waits for no disk: after a power cut of the server the counts of the last moment are missing.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple, TypeAlias

from tracker.storage.database import NOTHING, Connection, Database
from tracker.storage.errors import NotSaved

NOW = "EXTRACT(EPOCH FROM clock_timestamp())"
"""The server's clock: those of several machines may differ."""
WITHOUT_WAITING = "SET LOCAL synchronous_commit = off"
"""For a transaction that need not be on the disk when it ends."""


TALLY_SECONDS = 3.0
"""After which what was counted is written down, all at once."""


class TemporaryRows:
    """Rows that end by themselves, each of a kind and with a key. Every method may raise NotSaved or NotRead."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._lock = connection, threading.Lock()
        self._unwritten: Counter[tuple[str, str, float]] = Counter()
        self._is_waiting = False

    def add(self, kind: str, key: str, seconds: float, value: str = "") -> None:
        """Add a row for so many seconds; there may be several of one key."""
        with self._connection.write() as db:
            _insert(db, kind, key, seconds, value)

    def value(self, kind: str, key: str) -> str | None:
        """Return the value of a key's newest row, or None."""
        rest = f"temporary WHERE kind = ? AND key = ? AND until > {NOW} ORDER BY until DESC LIMIT 1"
        rows = self._connection.select("value", rest, kind, key)
        return str(rows[0][0]) if rows else None

    def take(self, kind: str, key: str) -> str | None:
        """Remove a key's rows and return a value of them; None without any. Of many at once exactly one is given it."""
        with self._connection.write() as db:
            sql = f"DELETE FROM temporary WHERE kind = ? AND key = ? RETURNING value, until > {NOW}"  # noqa: S608 - constants
            rows = db.execute(sql, [kind, key]).fetchall()
        return next((str(value) for value, is_good in rows if is_good), None)

    def remove_value(self, kind: str, value: str) -> None:
        """Remove the rows of a kind that have this value."""
        with self._connection.write() as db:
            db.execute("DELETE FROM temporary WHERE kind = ? AND value = ?", [kind, value])

    def give_back(self, kind: str, key: str) -> None:
        """Remove the newest row of a key."""
        newest = "SELECT ctid FROM temporary WHERE kind = ? AND key = ? ORDER BY until DESC LIMIT 1"
        with self._connection.write() as db:
            db.execute(f"DELETE FROM temporary WHERE ctid IN ({newest})", [kind, key])  # noqa: S608 - constants

    def count_one(self, kind: str, key: str, seconds: float, *, each: int, in_all: int) -> bool:
        """Add a row, unless the key has `each` or the kind `in_all` of them; return whether it was added."""
        rest = f"temporary WHERE kind = ? AND until > {NOW}"
        with self._connection.write() as db:
            all_of_it, own = db.select("COUNT(*), COUNT(*) FILTER (WHERE key = ?)", rest, key, kind)[0]
            if all_of_it >= in_all or own >= each:
                return False
            _insert(db, kind, key, seconds, "")
            return True

    def note(self, kind: str, key: str, seconds: float, value: str) -> None:
        """Add a row, without waiting for the disk."""
        self._connection.run(partial(_note, rows={(kind, key, seconds): value}), NOTHING)

    def tally(self, kind: str, key: str, seconds: float) -> None:
        """Count one more of a key, for so many seconds; other processes know of it some seconds later."""
        self._tally(Counter([(kind, key, seconds)]))

    def _tally(self, counts: Counter[tuple[str, str, float]]) -> None:
        with self._lock:
            self._unwritten += counts
            is_first, self._is_waiting = not self._is_waiting, True
        if is_first:
            timer = threading.Timer(TALLY_SECONDS, self._write_tallies)
            timer.daemon = True
            timer.start()

    def _write_tallies(self) -> None:
        with self._lock:
            counts, self._unwritten, self._is_waiting = self._unwritten, Counter(), False
        try:
            self._connection.run(partial(_note, rows={row: str(number) for row, number in counts.items()}), NOTHING)
        except NotSaved:
            self._tally(counts)
        except RuntimeError:  # the store is closed: the program ends
            return

    def keys(self, kind: str, value: str) -> set[str]:
        """Return the keys of a kind's rows that have this value."""
        rest = f"temporary WHERE kind = ? AND value = ? AND until > {NOW}"
        return {str(key) for (key,) in self._connection.select("key", rest, kind, value)}

    def newest(self, kind: str) -> dict[str, str]:
        """Return the value of the newest row of each key of a kind."""
        rest = f"temporary WHERE kind = ? AND until > {NOW} ORDER BY key, until DESC"
        rows = self._connection.select("DISTINCT ON (key) key, value", rest, kind)
        return {str(key): str(value) for key, value in rows}

    def sums(self, kind: str) -> Counter[str]:
        """Return how often each key of a kind was counted by `tally`."""
        rest = f"temporary WHERE kind = ? AND until > {NOW} GROUP BY key"
        rows = self._connection.select("key, SUM(value::integer)", rest, kind)
        sums = Counter({str(key): int(total) for key, total in rows})
        for (one, key, _), number in [*self._unwritten.items()]:
            sums[key] += number if one == kind else 0
        return sums

    def extend(self, kind: str, key: str, seconds: float) -> float:
        """Let a key's row end so much later, or add it; return in how many seconds it ends. Waits for no disk."""

        def extended(db: Database) -> float:
            db.execute(WITHOUT_WAITING)
            later = f"until = GREATEST(until, {NOW}) + ? WHERE kind = ? AND key = ? RETURNING until - {NOW}"
            rows = db.execute(f"UPDATE temporary SET {later}", [seconds, kind, key]).fetchall()  # noqa: S608 - constants
            if not rows:
                _insert(db, kind, key, seconds, "")
            return max([float(left) for (left,) in rows], default=seconds)

        return self._connection.run(extended, NOTHING)


class _Row(NamedTuple):
    until: float
    key: str
    value: str


class MemoryRows:
    """Rows that end by themselves, of this process alone: all are forgotten with it. Its methods are TemporaryRows’."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.RLock()
        self._rows: dict[str, list[_Row]] = {}
        """By kind, in the order in which they were added."""

    def _current(self, kind: str) -> list[_Row]:
        """Forget the rows of a kind that have ended, and return the others; under the lock."""
        now = self._clock()
        self._rows[kind] = [row for row in self._rows.get(kind, ()) if row.until > now]
        return self._rows[kind]

    def add(self, kind: str, key: str, seconds: float, value: str = "") -> None:
        with self._lock:
            self._current(kind).append(_Row(self._clock() + seconds, key, value))

    def value(self, kind: str, key: str) -> str | None:
        with self._lock:
            return next((row.value for row in reversed(self._current(kind)) if row.key == key), None)

    def take(self, kind: str, key: str) -> str | None:
        with self._lock:
            rows = self._current(kind)
            self._rows[kind] = [row for row in rows if row.key != key]
        return next((row.value for row in rows if row.key == key), None)

    def remove_value(self, kind: str, value: str) -> None:
        with self._lock:
            self._rows[kind] = [row for row in self._current(kind) if row.value != value]

    def give_back(self, kind: str, key: str) -> None:
        with self._lock:
            rows = self._current(kind)
            for row in [row for row in rows if row.key == key][-1:]:
                rows.remove(row)

    def count_one(self, kind: str, key: str, seconds: float, *, each: int, in_all: int) -> bool:
        with self._lock:
            rows = self._current(kind)
            is_left = len(rows) < in_all and sum(row.key == key for row in rows) < each
            if is_left:
                self.add(kind, key, seconds)
            return is_left

    def note(self, kind: str, key: str, seconds: float, value: str) -> None:
        self.add(kind, key, seconds, value)

    def tally(self, kind: str, key: str, seconds: float) -> None:
        with self._lock:
            rows, row = self._current(kind), _Row(self._clock() + seconds, key, "1")
            for newest in [one for one in rows if one.key == key and one.until > row.until - TALLY_SECONDS]:
                rows.remove(newest)
                row = newest._replace(value=str(int(newest.value) + 1))
            rows.append(row)

    def keys(self, kind: str, value: str) -> set[str]:
        with self._lock:
            return {row.key for row in self._current(kind) if row.value == value}

    def newest(self, kind: str) -> dict[str, str]:
        with self._lock:
            return {row.key: row.value for row in self._current(kind)}

    def sums(self, kind: str) -> Counter[str]:
        with self._lock:
            return sum((Counter({row.key: int(row.value)}) for row in self._current(kind)), start=Counter())

    def extend(self, _kind: str, _key: str, _seconds: float) -> float:
        """Return 0: whoever asks has counted it, and there is nobody else who has counted something."""
        return 0.0


ExpiringRows: TypeAlias = MemoryRows | TemporaryRows


def _note(db: Database, rows: Mapping[tuple[str, str, float], str]) -> None:
    db.execute(WITHOUT_WAITING)
    for (kind, key, seconds), value in rows.items():
        _insert(db, kind, key, seconds, value)


def _insert(db: Database, kind: str, key: str, seconds: float, value: str) -> None:
    db.execute(f"DELETE FROM temporary WHERE until <= {NOW}")  # noqa: S608 - constants
    db.execute(
        f"INSERT INTO temporary (kind, key, until, value) VALUES (?, ?, {NOW} + ?, ?)",  # noqa: S608 - constants
        [kind, key, seconds, value],
    )
