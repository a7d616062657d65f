"""The queries used by several modules of the store."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from tracker.storage.database import Database
from tracker.storage.errors import CorruptLog, IdExists, NumberTaken, StoreError
from tracker.storage.rows import EventRow, NewEvent, first_hash, next_hash

# The columns of each row class, in the order of its fields.
NIGHT = """code, name, preset, options, created_at,
  COALESCE((SELECT MAX(number) FROM event WHERE event.code = night.code), 0) AS events,
  COALESCE((SELECT NULLIF(at, '') FROM event WHERE event.code = night.code AND number = 1), created_at)"""  # no gaps
HEAD = """code,
  COALESCE((SELECT number FROM event WHERE event.code = night.code ORDER BY number DESC LIMIT 1), 0)"""
SEALED = "code, preset, options, created_at"
EVENT = "number, id, print, body, at, by, hash"
INSERT_EVENT = f"INSERT INTO event (code, {EVENT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - constants
DEVICE = "id, code, role, seat, name, label, made_at, seen_at"
INVITE = "code, kind, typed, made_at"
SET_SETTING = """INSERT INTO setting (code, key, value) VALUES (?, ?, ?)
  ON CONFLICT (code, key) DO UPDATE SET value = excluded.value"""


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
    head, before = head_of(db, code)  # first: another process may commit the same event between the two queries
    for row in select(db, EVENT, "event WHERE code = ? AND id = ?", code, event.id):
        raise IdExists(EventRow(*row))
    if event.number <= head:
        raise NumberTaken(code, event.number, head)
    return insert_event(db, code, event, before)


def proved_events(
    code: str, nights: Sequence[tuple[Any, ...]], rows: Sequence[tuple[Any, ...]], after: int = 0
) -> Iterator[EventRow]:
    """Yield the events of the night `nights[0]` in order; with `after` those behind that one, which `rows` begin with.

    Raises CorruptLog at the first whose hash does not match.
    """
    before = first_hash(*nights[0]) if nights else b""
    if after and rows:
        before, rows = EventRow(*rows[0]).hash, rows[1:]
    for number, row in enumerate(rows, start=after + 1):
        event = EventRow(*row)
        if event.number != number or event.hash != next_hash(before, event):
            raise CorruptLog(code, number)
        before = event.hash
        yield event


def hash_faults(codes: Iterable[str], events: Callable[[str], Iterable[EventRow]], pause_seconds: float) -> list[str]:
    """Return a sentence for every night whose hash chain is broken; a pause after each night lets others work."""
    faults = []
    for code in codes:
        try:
            for _ in events(code):
                pass
        except CorruptLog as damage:
            faults.append(str(damage))
        if pause_seconds:
            time.sleep(pause_seconds)
    return faults


def set_setting(db: Database, code: str, key: str, value: str | None) -> None:
    """Write a setting of a night, or with an empty code of all nights; None deletes it."""
    if value is None:
        db.execute("DELETE FROM setting WHERE code = ? AND key = ?", [code, key])
    else:
        db.execute(SET_SETTING, [code, key, value])
