"""The queries that every part of the store asks."""

from __future__ import annotations

from typing import Any

from tracker.store.database import Database
from tracker.store.errors import StoreError
from tracker.store.rows import EventRow, NewEvent, first_hash, next_hash

# What each query selects: the fields of the row it becomes.
NIGHT = "code, name, preset, options, created_at, (SELECT COUNT(*) FROM event WHERE event.code = night.code) AS events"
SEALED = "code, preset, options, created_at"
EVENT = "number, id, print, body, at, by, hash"
INSERT_EVENT = f"INSERT INTO event (code, {EVENT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - constants
DEVICE = "id, code, role, seat, name, label, made_at, seen_at"
INVITE = "code, kind, typed, made_at"


def select(db: Database, columns: str, rest: str, *values: str | bytes | int | None) -> list[tuple[Any, ...]]:
    """Return the rows of a query; `rows_where` would ask for the schema each time, and pages read settings often."""
    rows: list[tuple[Any, ...]] = db.execute(f"SELECT {columns} FROM {rest}", values).fetchall()  # noqa: S608 - constants
    return rows


def head_of(db: Database, code: str) -> tuple[int, bytes]:
    """Return the newest event's number and hash; 0 and the night's own hash when there is none."""
    for number, seal in select(db, "number, hash", "event WHERE code = ? ORDER BY number DESC LIMIT 1", code):
        return number, seal
    for night in select(db, SEALED, "night WHERE code = ?", code):
        return 0, first_hash(*night)
    raise StoreError(f"there is no night {code}")


def insert_event(db: Database, code: str, event: NewEvent, before: bytes) -> EventRow:
    """Write an event, chained to the hash before it."""
    row = EventRow(event.number, event.id, event.print, event.body, event.at, event.by, next_hash(before, event))
    # `insert` would ask for the schema each time: half of what a tap costs here.
    db.execute(INSERT_EVENT, (code, row.number, row.id, row.print, row.body, row.at, row.by, row.hash))
    return row
