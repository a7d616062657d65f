"""A damaged data file, read as far as anything can be proved; the file itself is kept aside, untouched.

Every event's hash seals it and all before it, so what is taken over is exactly what was recorded. What hashes can't
show is an end that is missing. But the file keeps three lists of a night's events (the rows and two indexes), each on
pages of its own: only a night that two undamaged lists agree on counts as whole.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tracker.store.connection import MISTAKES, TROUBLES, Connection
from tracker.store.errors import NotRead, NotSaved, Unreadable
from tracker.store.files import copy_file, remove, set_aside, take_place
from tracker.store.lock import FolderLock
from tracker.store.rows import EventRow, first_hash, next_hash

HURT = "hurt"
"""The setting of a night that was not read to its end: JSON with `events`, `seen` and the name of the file `aside`."""

EVENT = "code, number, id, print, body, at, by, hash"
OTHERS = {
    "setting": "code, key, value",
    "device": "id, token_hash, code, role, seat, name, label, made_at, seen_at",
    "invite": "token_hash, code, kind, typed, seat, made_at",
}

Rows = list[tuple[Any, ...]]


@dataclass(frozen=True)
class Salvaged:
    """A night of a damaged file, and how many of its events are proved."""

    code: str
    name: str
    events: int
    seen: int
    """How many it must have had by what is left of the file; as many as `events` when nothing says there were more."""
    is_whole: bool


@dataclass(frozen=True)
class Rescue:
    """What came of reading a damaged file."""

    aside: Path
    """The damaged file as it was."""
    nights: tuple[Salvaged, ...]
    lost: tuple[str, ...]
    """Codes of nights of which nothing is left that could be proved."""


def rescue(path: Path, copies: Iterable[Path] = ()) -> Rescue:
    """Put a sound file, with all that can be proved, in the place of a damaged one, which is kept as `broken-...`.

    What the file has lost is looked for in `copies`, backups of it. Raises Unreadable, with nothing changed, when
    nothing in the file can be read; InUse while a server runs; OSError.
    """
    lock = FolderLock(path)
    work, fresh = path.with_name(path.name + ".reading"), path.with_name(path.name + ".part")
    try:
        remove(work)
        remove(fresh)
        read = _read_copy(path, work)
        if not read.codes:
            raise Unreadable(f"{path} is damaged, and no night in it can be read")
        helpers = list(_readable(copies, work))
        aside = set_aside(path, "broken")
        found = _write(read, helpers, fresh, aside.name)
        if not found:
            aside.unlink()
            raise Unreadable(f"{path} is damaged, and nothing in it can be proved")
        take_place(fresh, path)
    except (sqlite3.Error, NotSaved, NotRead) as error:
        raise Unreadable(f"{path} is damaged, and what is left can't be saved: {error}") from error
    finally:
        with suppress(OSError):
            remove(work)
            remove(fresh)
        lock.release()
    kept = {night.code for night in found}
    return Rescue(aside, tuple(found), tuple(sorted(read.codes - kept)))


def _read_copy(path: Path, work: Path) -> _Reading:
    """Read a file without touching it: reading may play a journal back, and a damaged file has to stay as it is."""
    copy_file(path, work)
    try:
        with closing(_connect(work)) as conn:
            return _Reading(conn)
    finally:
        remove(work)


def _readable(copies: Iterable[Path], work: Path) -> Iterator[_Reading]:
    for copy in copies:
        with suppress(*TROUBLES, OSError):  # it may be damaged as well, or rolled away
            yield _read_copy(copy, work)


def _connect(path: Path) -> sqlite3.Connection:
    conn = sqlite3.connect(path, isolation_level=None)
    # What is no text any more must not stop the reading: its hash will tell.
    conn.text_factory = lambda raw: raw.decode("utf-8", "replace")
    for pragma in ("trusted_schema = 0", "cell_size_check = 1", "mmap_size = 0"):
        conn.execute(f"PRAGMA {pragma}")
    return conn


class _Reading:
    """Everything in a damaged file that can be read at all, proved or not."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn
        self.nights, _ = self._table("night", "code, name, preset, options, created_at")
        events, self._rows_are_sound = self._table("event", EVENT)
        self.events: dict[str, dict[int, list[EventRow]]] = defaultdict(lambda: defaultdict(list))
        self._in_rows: Counter[str] = Counter()
        for row in events:
            self._keep(row)
        for code in sorted(self.codes):
            self._follow_index(code)
        self.counts = {code: self._count(code) for code in self.codes}
        """Of each night: how many events it has, by each of the file's lists that could be read to its end."""
        self.others = {table: self._table(table, columns)[0] for table, columns in OTHERS.items()}

    @property
    def codes(self) -> set[str]:
        """The nights that anything is left of."""
        return {str(row[0]) for row in self.nights} | set(self.events)

    def _count(self, code: str) -> list[int]:
        counts = [self._in_rows[code]] if self._rows_are_sound else []
        for index, column in (("sqlite_autoindex_event_1", "number"), ("sqlite_autoindex_event_2", "id")):
            sql = f"SELECT {column} FROM event INDEXED BY {index} WHERE code = ? ORDER BY {column}"  # noqa: S608
            rows, is_sound = self._read(sql, code)
            if is_sound:
                counts.append(len(set(rows)))
        return counts

    def _table(self, table: str, columns: str) -> tuple[Rows, bool]:
        """Return a table's rows, from its start and, if that breaks off, from its end, and whether it was readable."""
        sql = f"SELECT {columns} FROM {table} NOT INDEXED ORDER BY rowid"  # noqa: S608 - constants
        rows, is_sound = self._read(sql)
        if not is_sound:
            known = set(rows)
            rows += [row for row in self._read(f"{sql} DESC")[0] if row not in known]
        return rows, is_sound

    def _read(self, sql: str, *values: object) -> tuple[Rows, bool]:
        rows: Rows = []
        try:
            rows.extend(self._conn.execute(sql, values))
        except MISTAKES:
            raise
        except TROUBLES:
            return rows, False
        return rows, True

    def _follow_index(self, code: str) -> None:
        """Read the rows that the index knows and reading the table one by one did not reach."""
        sql = "SELECT number, rowid FROM event INDEXED BY sqlite_autoindex_event_1 WHERE code = ? ORDER BY number"
        for number, rowid in self._read(sql, code)[0]:
            if number not in self.events[code]:
                for row in self._read(f"SELECT {EVENT} FROM event NOT INDEXED WHERE rowid = ?", rowid)[0]:  # noqa: S608
                    self._keep(row, is_of_table=False)

    def _keep(self, row: tuple[Any, ...], *, is_of_table: bool = True) -> None:
        code, number = row[0], row[1]
        if isinstance(code, str) and code.isalnum() and isinstance(number, int):
            self.events[code][number].append(EventRow(*row[1:]))
            self._in_rows[code] += is_of_table


@dataclass(frozen=True)
class _Proved:
    """A night's own row, and its events from the first on as far as each is sealed by its hash."""

    row: tuple[Any, ...]
    events: list[EventRow]
    is_own: bool
    """Whether the last of them stood in the damaged file itself."""


def _proved(row: tuple[Any, ...], sources: Sequence[Mapping[int, list[EventRow]]]) -> _Proved:
    """Return what is proved of a night; each event is taken from the first source that has it undamaged."""
    code, _, preset, options, created_at = row
    kept: list[EventRow] = []
    before, is_own = first_hash(code, preset, options, created_at), True
    while True:
        listed = [(place, event) for place, source in enumerate(sources) for event in source.get(len(kept) + 1, ())]
        found = next(((place, event) for place, event in listed if _fits(before, event)), None)
        if found is None:
            return _Proved(row, kept, is_own)
        kept.append(found[1])
        before, is_own = found[1].hash, found[0] == 0


def _fits(before: bytes, row: EventRow) -> bool:
    try:
        return next_hash(before, row) == row.hash
    except (AttributeError, TypeError, UnicodeError):  # a value of another type than was written
        return False


def _write(read: _Reading, helpers: Sequence[_Reading], fresh: Path, aside: str) -> list[Salvaged]:
    """Write what is proved to a new file, and return it night by night."""
    connection = Connection(fresh)
    codes = set().union(*(one.codes for one in (read, *helpers)))
    try:
        with connection.write() as db:
            conn = db.conn
            found = [night for code in sorted(codes) if (night := _write_night(conn, [read, *helpers], code))]
            if any(row[:2] == ("", "instance") for row in read.others["setting"]):
                conn.execute("DELETE FROM setting")  # the new file's own name: phones know the old one
            for table, columns in OTHERS.items():
                _insert(conn, table, columns, read.others[table])
            for night in found:
                _mark(conn, night, aside)
    finally:
        connection.close()
    return found


def _write_night(conn: sqlite3.Connection, sources: Sequence[_Reading], code: str) -> Salvaged | None:
    """Write one night; None when nothing of it is proved although it has events."""
    events = [source.events.get(code, {}) for source in sources]
    rows = [row for source in sources for row in source.nights if row[0] == code and _is_text(row)]
    if not rows:
        return None
    best = max((_proved(row, events) for row in rows), key=lambda one: len(one.events))
    counts = sources[0].counts.get(code, [])
    seen = max([len(best.events), *counts, *(number for source in events for number in source)])
    if seen and not best.events:
        return None
    if not _insert(conn, "night", "code, name, preset, options, created_at", [best.row]):
        return None
    _insert(conn, "event", EVENT, [(code, *vars(event).values()) for event in best.events])
    is_whole = len(best.events) == seen and counts.count(seen) >= 2 and best.is_own
    return Salvaged(code, best.row[1], len(best.events), seen, is_whole)


def _is_text(row: tuple[Any, ...]) -> bool:
    return all(isinstance(value, str) for value in row)


def _mark(conn: sqlite3.Connection, night: Salvaged, aside: str) -> None:
    """Leave a note at a night that may end too early: nothing is recorded there until somebody says so."""
    if not night.is_whole:
        told = json.dumps({"events": night.events, "seen": night.seen, "aside": aside})
        conn.execute("INSERT OR REPLACE INTO setting VALUES (?, ?, ?)", [night.code, HURT, told])


def _insert(conn: sqlite3.Connection, table: str, columns: str, rows: Iterable[Sequence[Any]]) -> int:
    """Insert the rows that the file's own rules accept; return how many."""
    marks = ", ".join("?" for _ in columns.split(","))
    done = 0
    for row in rows:
        with suppress(sqlite3.IntegrityError, sqlite3.InterfaceError, UnicodeEncodeError):
            done += conn.execute(f"INSERT OR IGNORE INTO {table}({columns}) VALUES ({marks})", row).rowcount  # noqa: S608
    return done
