"""An open SQLite file, and the queries used by several modules of the store.

`Database.execute` goes to sqlite3 directly, `table` to sqlite-utils.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tracker.storage.errors import CorruptLog, IdExists, NumberTaken, StoreError
from tracker.storage.rows import EventRow, NewEvent, first_hash, next_hash

if TYPE_CHECKING:
    import sqlite_utils
    from sqlite_utils.db import Table

# The columns of each row class, in the order of its fields.
NIGHT = """code, name, preset, options, created_at,
  COALESCE((SELECT MAX(number) FROM event WHERE event.code = night.code), 0) AS events"""  # numbers have no gap
SEALED = "code, preset, options, created_at"
EVENT = "number, id, print, body, at, by, hash"
INSERT_EVENT = f"INSERT INTO event (code, {EVENT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - constants
DEVICE = "id, code, role, seat, name, label, made_at, seen_at"
INVITE = "code, kind, typed, made_at"


class Database:
    """An open file. The library is loaded when something is first written: it takes longer than the whole opening."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self.conn = conn

    @cached_property
    def tables(self) -> sqlite_utils.Database:
        """The sqlite-utils database on the same connection."""
        import sqlite_utils  # noqa: PLC0415 - the first page reads only

        return sqlite_utils.Database(self.conn)

    def table(self, name: str) -> Table:
        """Return a table to write to."""
        return self.tables.table(name)

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run one statement; sqlite3 starts and commits no transaction by itself."""
        return self.conn.execute(sql, parameters)

    def close(self) -> None:
        """Close the connection."""
        self.conn.close()


def select(db: Database, columns: str, rest: str, *values: str | bytes | int | None) -> list[tuple[Any, ...]]:
    """Return the rows of a SELECT. sqlite-utils' `rows_where` would query the schema each time."""
    rows: list[tuple[Any, ...]] = db.execute(f"SELECT {columns} FROM {rest}", values).fetchall()  # noqa: S608 - constants
    return rows


def head_of(db: Database, code: str) -> tuple[int, bytes]:
    """Return the newest event's number and hash; 0 and the hash of the night's row when it has none."""
    for number, seal in select(db, "number, hash", "event WHERE code = ? ORDER BY number DESC LIMIT 1", code):
        return number, seal
    for night in select(db, SEALED, "night WHERE code = ?", code):
        return 0, first_hash(*night)
    raise StoreError(f"there is no night {code}")


def insert_event(db: Database, code: str, event: NewEvent, before: bytes) -> EventRow:
    """Insert an event, chained to the hash `before`."""
    row = EventRow(event.number, event.id, event.print, event.body, event.at, event.by, next_hash(before, event))
    # sqlite-utils' `insert` would query the schema each time: half the time of recording an event.
    db.execute(INSERT_EVENT, (code, row.number, row.id, row.print, row.body, row.at, row.by, row.hash))
    return row


def append_event(db: Database, code: str, event: NewEvent) -> EventRow:
    """Insert a night's next event. Raises IdExists, NumberTaken, with nothing written."""
    for row in select(db, EVENT, "event WHERE code = ? AND id = ?", code, event.id):
        raise IdExists(EventRow(*row))
    head, before = head_of(db, code)
    if event.number <= head:
        raise NumberTaken(code, event.number, head)
    return insert_event(db, code, event, before)


def proved_events(code: str, nights: Sequence[tuple[Any, ...]], rows: Iterable[tuple[Any, ...]]) -> Iterator[EventRow]:
    """Yield the events of the night `nights[0]` in order. Raises CorruptLog at the first whose hash does not match."""
    before = first_hash(*nights[0]) if nights else b""
    for number, row in enumerate(rows, start=1):
        event = EventRow(*row)
        if event.number != number or event.hash != next_hash(before, event):
            raise CorruptLog(code, number)
        before = event.hash
        yield event
