"""Recover from a damaged data file the events whose hashes can be verified; the damaged file is kept.

Every event's hash covers it and all before it, so what is recovered is exactly what was recorded. What hashes can't
show is a missing end. But SQLite stores a night's events in an index too, on pages of its own: a night is complete only
if the index, or the rows of all nights, could be read to the end with no number missing, and neither has more events.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tracker.app.settings import TRUNCATION, Truncation
from tracker.extras._backups import FOLDER, HAND, about_restore
from tracker.extras._data_files import COLUMNS, copy_aside, copy_file, replace_file
from tracker.storage.errors import NotRead, NotSaved, Unreadable
from tracker.storage.files import FolderLock, finish_replacing, index_of, log_of, remove
from tracker.storage.rows import EventRow, first_hash, next_hash
from tracker.storage.sqlite import DISK_ERRORS, PROGRAM_ERRORS, DataFile
from tracker.storage.sqlite_schema import NEW_ROLES
from tracker.storage.write_ahead_log import read_log

OTHERS = ("setting", "device", "invite", "person_change")

REPAIR_BACKUPS = 3
"""Number of the newest automatic backups that are read."""
Rows = list[tuple[Any, ...]]
MOST_ROWS_BETWEEN, MOST_ROWS_AFTER = 200_000, 2_000
"""So many rows are looked for one by one between those read from the start and from the end, whose numbers may be
damaged too; and so many where none can be read from the end."""


@dataclass(frozen=True)
class SalvagedNight:
    """A night of a damaged file, with the number of events whose hashes were verified."""

    code: str
    name: str
    events: int
    seen: int
    """Number of events by the highest number found anywhere; equal to `events` when nothing shows more."""
    is_whole: bool

    @property
    def line(self) -> str:
        """What is said of it to whoever starts the server."""
        of = f" of {self.seen}" if self.seen > self.events else ""
        end = "whole" if self.is_whole else "what came after is lost, and the host has to say that it goes on there"
        return f"{self.code}  {self.name}: {self.events}{of} events, {end}"


def repair(path: Path) -> list[str]:
    """Replace a damaged file by one with every event that can be verified; the damaged file is kept as `broken-...`.

    Returns lines that say what was recovered. Missing events are taken from the newest backups. Raises
    Unreadable, with nothing changed, when nothing in the file can be read; InUse while a server runs; OSError.
    """
    copies = sorted((path.parent / FOLDER).glob(f"{HAND}*.db"), reverse=True)[:REPAIR_BACKUPS]
    path = path.resolve()
    lock = FolderLock(path)
    work, fresh = path.with_name(path.name + ".reading"), path.with_name(path.name + ".part")
    try:
        remove(work)
        remove(fresh)
        finish_replacing(path)
        read = _read_copy(path, work)
        if not read.codes:
            raise Unreadable(f"{path} is damaged, and no night in it can be read")
        backups = []
        for copy in copies:
            with suppress(*DISK_ERRORS, OSError):  # it may be damaged too, or deleted by the rotation
                backups.append(_read_copy(copy, work))
        aside = copy_aside(path, "broken")
        found = _write(read, backups, fresh, aside.name)
        if not found:
            aside.unlink()
            raise Unreadable(f"{path} is damaged, and nothing in it can be proved")
        replace_file(fresh, path)
    except (sqlite3.Error, NotSaved, NotRead) as error:
        raise Unreadable(f"{path} is damaged, and what is left can't be saved: {error}") from error
    finally:
        with suppress(OSError):
            remove(work)
            remove(fresh)
        lock.release()
    lost = sorted(read.codes.difference(night.code for night in found))
    return [
        f"The damaged file is kept in {aside}. What is left was checked event by event:",
        *(f"  {night.line}" for night in found),
        *(f"  {code}: nothing can be read{about_restore('; {restore} lists the copies')}" for code in lost),
    ]


def _read_copy(path: Path, work: Path) -> _Reading:
    """Read a copy of a file, since reading may roll back a journal and the damaged file has to stay unchanged."""
    copy_file(path, work)
    try:
        play_damaged_log(work)
        with closing(_connect(work)) as conn:
            return _Reading(conn)
    finally:
        remove(work)


def play_damaged_log(path: Path) -> None:
    """Write all pages of a damaged log into the file, and delete the log; what they hold has to be verified."""
    log = read_log(path)
    if not log or not log.is_damaged:
        return
    with path.open("rb+") as file:
        for page, content in log.frames:
            if 0 < page <= log.pages:
                file.seek((page - 1) * log.page_size)
                file.write(content)
    for part in (log_of(path), index_of(path)):
        part.unlink(missing_ok=True)


def _connect(path: Path) -> sqlite3.Connection:
    conn = sqlite3.connect(path, isolation_level=None)
    # Invalid UTF-8 must not stop the reading: the hash check rejects it later.
    conn.text_factory = lambda raw: raw.decode("utf-8", "replace")
    for pragma in ("trusted_schema = 0", "cell_size_check = 1", "mmap_size = 0"):
        conn.execute(f"PRAGMA {pragma}")
    return conn


class _Reading:
    """Everything that can be read of a damaged file, before any hash is verified."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn
        self.nights, _ = self._table("night")
        events, is_sound = self._table("event")
        self.events: dict[str, dict[int, list[EventRow]]] = defaultdict(lambda: defaultdict(list))
        for code, number, *rest in events:
            if isinstance(code, str) and code.isalnum() and isinstance(number, int):
                self.events[code][number].append(_event(number, *rest))
        self.nights = _rows_by_hash(self.nights, self.events)
        by_index, is_index_sound = _counts(
            *self._read("SELECT code, number FROM event INDEXED BY sqlite_autoindex_event_1")
        )
        by_rows, are_rows_sound = _counts([row[:2] for row in events], is_sound)
        if not are_rows_sound:
            by_rows = {}  # a row that is missing may be of any night
        unknown = 0 if is_index_sound or are_rows_sound else -1
        self.counts = {code: by_index.get(code, by_rows.get(code, unknown)) for code in sorted(self.codes)}
        """Each night's number of events by the index or, where that is damaged, by the rows; -1 where both are."""
        self.others = {table: self._table(table)[0] for table in OTHERS}

    @property
    def codes(self) -> set[str]:
        """The codes of all nights of which a row was read."""
        return {str(row[0]) for row in self.nights} | set(self.events)

    def _table(self, table: str) -> tuple[Rows, bool]:
        """Return a table's rows, after an error those that can be read from the end and one by one; and whether all
        were readable."""
        sql = f"SELECT rowid, {COLUMNS[table]} FROM {table} NOT INDEXED"  # noqa: S608 - constants
        rows, is_sound = self._read(f"{sql} ORDER BY rowid")
        if not is_sound:
            last, _ = self._read(f"{sql} ORDER BY rowid DESC")
            # Compared by row id alone: two rows of a damaged file may have the same, and values of different types.
            begin = max((row[0] for row in rows), default=0) + 1
            end = min(*(row[0] for row in last), begin + MOST_ROWS_BETWEEN) if last else begin + MOST_ROWS_AFTER
            for rowid in range(begin, end):
                rows += self._read(f"{sql} WHERE rowid = ?", rowid)[0]
            rows += last
        return [*dict.fromkeys(row[1:] for row in rows)], is_sound

    def _read(self, sql: str, *values: object) -> tuple[Rows, bool]:
        rows: Rows = []
        try:
            rows.extend(self._conn.execute(sql, values))
        except PROGRAM_ERRORS:
            raise
        except DISK_ERRORS:
            return rows, False
        return rows, True


def _rows_by_hash(nights: Rows, events: Mapping[str, Mapping[int, list[EventRow]]]) -> Rows:
    """Return the rows of nights; one with a damaged code has the one whose events follow its hash."""
    without_row = events.keys() - {row[0] for row in nights}
    found = []
    for row in nights:
        likely = () if row[0] in events else without_row
        right = (code for code in likely if _verify((code, *row[1:]), [events[code]])[0])
        found.append((next(right, row[0]), *row[1:]))
    return found


def _event(number: int, *rest: Any) -> EventRow:
    """Return a row with texts where one changed bit of a column's type has made them blobs: their hash is the same."""
    id_, print_, body, at, by, hash_ = rest
    return EventRow(number, _text(id_), print_, _text(body), _text(at), _text(by), hash_)


def _text(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _counts(entries: Rows, is_read_to_the_end: bool) -> tuple[dict[str, int], bool]:
    """Return the number of events of each night that has all its entries, and whether those are all nights.

    SQLite reports no error for an entry with another code or number. In the index it stands where the right one should.
    """
    counted, doubtful = Counter[str](), set[str | None]()
    before = None
    for code, number in entries:
        counted[code] += 1
        if number != counted[code]:
            doubtful |= {before, code}
        before = code
    if not is_read_to_the_end:
        doubtful.add(before)
    return {code: count for code, count in counted.items() if code not in doubtful}, not doubtful


def _verify(row: tuple[Any, ...], sources: Sequence[Mapping[int, list[EventRow]]]) -> tuple[list[EventRow], bool]:
    """Return the events of a night from the first on as far as the hash chain is unbroken, each from the first source
    that has it; and whether the last one came from the damaged file itself, not from a backup."""
    code, _, preset, options, created_at = row
    kept: list[EventRow] = []
    before, is_own = first_hash(code, preset, options, created_at), True
    while True:
        listed = [(place, event) for place, source in enumerate(sources) for event in source.get(len(kept) + 1, ())]
        found = next(((place, event) for place, event in listed if _fits(before, event)), None)
        if found is None:
            return kept, is_own
        kept.append(found[1])
        before, is_own = found[1].hash, found[0] == 0


def _fits(before: bytes, row: EventRow) -> bool:
    try:
        return next_hash(before, row) == row.hash
    except (AttributeError, TypeError, UnicodeError):  # a damaged value of another type
        return False


def _write(read: _Reading, backups: Sequence[_Reading], fresh: Path, aside: str) -> list[SalvagedNight]:
    """Write the verified events to a new file, and return its nights."""
    connection = DataFile(fresh)
    codes = set().union(*(one.codes for one in (read, *backups)))
    try:
        with connection.write() as db:
            conn = db.conn
            found = [night for code in sorted(codes) if (night := _write_night(conn, [read, *backups], code))]
            if any(row[:2] == ("", "instance") for row in read.others["setting"]):
                conn.execute("DELETE FROM setting")  # the new file's own id: the phones' cookies have the old one
            for table in OTHERS:
                _insert(conn, table, read.others[table])
            for old, new in NEW_ROLES.items():  # the file may be one that was not migrated
                conn.execute("UPDATE device SET role = ? WHERE code IS NULL AND role = ?", [new, old])
            for night in found:
                if not night.is_whole:  # nothing can be recorded there until the host accepts that it may end too early
                    note = Truncation(night.events, night.seen, aside).text()
                    conn.execute("INSERT OR REPLACE INTO setting VALUES (?, ?, ?)", [night.code, TRUNCATION, note])
    finally:
        connection.close()
    return found


def _write_night(conn: sqlite3.Connection, sources: Sequence[_Reading], code: str) -> SalvagedNight | None:
    """Write one night; return None when it has events and none could be verified."""
    events = [source.events.get(code, {}) for source in sources]
    rows = [
        row
        for source in sources
        for row in source.nights
        if row[0] == code and all(isinstance(value, str) for value in row)
    ]
    if not rows:
        return None
    row, (verified, is_own) = max(((row, _verify(row, events)) for row in rows), key=lambda one: len(one[1][0]))
    count = sources[0].counts.get(code, -1)
    seen = max([len(verified), count, *(number for source in events for number in source)])
    if seen and not verified:
        return None
    if not _insert(conn, "night", [row]):
        return None
    written = _insert(conn, "event", [(code, *vars(event).values()) for event in verified])
    is_whole = written == seen and count >= 0 and is_own
    return SalvagedNight(code, row[1], written, seen, is_whole)


def _insert(conn: sqlite3.Connection, table: str, rows: Iterable[Sequence[Any]]) -> int:
    """Insert the rows that violate no constraint; return their number."""
    columns = COLUMNS[table]
    marks = ", ".join("?" for _ in columns.split(","))
    done = 0
    for row in rows:
        with suppress(sqlite3.IntegrityError, sqlite3.InterfaceError, UnicodeEncodeError):
            done += conn.execute(f"INSERT OR IGNORE INTO {table}({columns}) VALUES ({marks})", row).rowcount  # noqa: S608
    return done
