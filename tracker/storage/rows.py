"""The rows of the tables, the hash chain over a night's events, and the queries used by several modules of the store.

What runs with every tap is written as SQL: sqlite-utils' `rows_where` and `insert` query the schema each time, half the
time of recording an event.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tracker.storage.database import Database
from tracker.storage.errors import CorruptLog, NumberTaken, StoreError

# The columns of each row class, in the order of its fields.
NIGHT = """code, name, preset, options, created_at,
  COALESCE((SELECT MAX(number) FROM event WHERE event.code = night.code), 0) AS events,
  COALESCE((SELECT NULLIF(at, '') FROM event WHERE event.code = night.code AND number = 1), created_at)"""  # no gaps
HEAD = """code,
  COALESCE((SELECT number FROM event WHERE event.code = night.code ORDER BY number DESC LIMIT 1), 0)"""
SEALED = "code, preset, options, created_at"
EVENT = "number, id, print, body, at, by, hash"
COLUMNS = {
    "night": "code, name, preset, options, created_at",
    "event": f"code, {EVENT}",
    "device": "id, token_hash, code, role, seat, name, label, made_at, seen_at",
    "invite": "token_hash, code, kind, typed, seat, made_at",
    "setting": "code, key, value",
    "summary": "code, head, version, body, seal",
    "person_change": "number, at, body, seal",
}
"""The columns of each table; the first two tell a row from all others."""
INSERT_EVENT = f"INSERT INTO event (code, {EVENT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - constants
DEVICE = "id, code, role, seat, name, label, made_at, seen_at"
SET_SETTING = """INSERT INTO setting (code, key, value) VALUES (?, ?, ?)
  ON CONFLICT (code, key) DO UPDATE SET value = excluded.value"""


@dataclass(frozen=True)
class NewEvent:
    """An event to be written: `number` counts from 1 without gaps; `print` is the SHA-256 of what was asked for."""

    number: int
    id: str
    print: bytes
    body: str
    at: str
    by: str = ""


@dataclass(frozen=True)
class EventRow(NewEvent):
    """A written event; `hash` (32 bytes) covers it and every event before it."""

    hash: bytes = b""


@dataclass(frozen=True)
class NightRow:
    """A night; `preset` and `options` are JSON, `events` is their number."""

    code: str
    name: str
    preset: str
    options: str
    created_at: str
    """When it was opened here, or imported."""
    events: int
    began_at: str
    """When its first event was recorded, or else `created_at` (ISO 8601)."""


@dataclass(frozen=True)
class RoleChange:
    """Another role and token for a device, and the key of the setting that keeps the hash of its old token."""

    device: int
    role: str
    token_hash: bytes
    old_token_key: str


@dataclass(frozen=True)
class DeviceRow:
    """A browser or script with a role; `code` is None for a role in every night.

    `seat` is its seat, or the requested one while `role` is `knock` (a join request). `id` is public, the token is not.
    """

    id: int
    code: str | None
    role: str
    seat: str | None
    name: str
    label: str
    made_at: str
    seen_at: str


class IdExists(StoreError):
    """The night has an event with this id already, `row`; nothing was written."""

    def __init__(self, row: EventRow) -> None:
        super().__init__(f"event {row.number} has this id already")
        self.row = row


def night_row(row: Sequence[Any]) -> NightRow:
    """Return a row of NIGHT; what is no text in a damaged file becomes one, so that a list can show it."""
    code, name, preset, options, created_at, began_at = map(as_text, (*row[:5], row[6]))
    return NightRow(code, name, preset, options, created_at, int(row[5]), began_at)


def as_text(value: object) -> str:
    """Return a stored value as text that can be sent; empty for NULL."""
    return "" if value is None else str(value).encode("utf-8", "replace").decode()


def first_hash(code: str, preset: str, options: str, created_at: str) -> bytes:
    """Return the hash of a night's own row, which the first event is chained to."""
    return _digest(b"night", code, preset, options, created_at)


def next_hash(before: bytes, event: NewEvent) -> bytes:
    """Return the hash of an event that follows the hash `before`."""
    return _digest(before, str(event.number), event.id, event.print, event.body, event.at, event.by)


def _digest(*parts: str | bytes) -> bytes:
    """Return sha256 over the parts, each with its length in front, so that no two lists of parts look alike."""
    digest = hashlib.sha256()
    for part in parts:
        # A damaged row may hold anything: then the hash is another one, and so it is found.
        raw = part if isinstance(part, bytes) else str(part).encode("utf-8", "replace")
        digest.update(len(raw).to_bytes(4, "big"))
        digest.update(raw)
    return digest.digest()


def chained(night: NightRow, events: Iterable[NewEvent]) -> list[EventRow]:
    """Return a night's events as rows, each with its hash."""
    before, rows = first_hash(night.code, night.preset, night.options, night.created_at), list[EventRow]()
    for event in events:
        before = next_hash(before, event)
        rows.append(EventRow(event.number, event.id, event.print, event.body, event.at, event.by, before))
    return rows


def head_of(db: Database, code: str) -> tuple[int, bytes]:
    """Return the newest event's number and hash; 0 and the hash of the night's row when it has none."""
    for number, seal in db.select("number, hash", "event WHERE code = ? ORDER BY number DESC LIMIT 1", code):
        return number, seal
    for night in db.select(SEALED, "night WHERE code = ?", code):
        return 0, first_hash(*night)
    raise StoreError(f"there is no night {code}")


def insert_event(db: Database, code: str, event: NewEvent, before: bytes) -> EventRow:
    """Insert an event, chained to the hash `before`."""
    row = EventRow(event.number, event.id, event.print, event.body, event.at, event.by, next_hash(before, event))
    db.execute(INSERT_EVENT, (code, row.number, row.id, row.print, row.body, row.at, row.by, row.hash))
    return row


def insert_night(db: Database, row: NightRow, events: Iterable[NewEvent], settings: Mapping[str, str]) -> None:
    """Insert a night with its events and settings; settings that its code had before are deleted."""
    columns = ("code", "name", "preset", "options", "created_at")
    db.insert("night", {column: getattr(row, column) for column in columns})
    before = first_hash(row.code, row.preset, row.options, row.created_at)
    for event in events:
        before = insert_event(db, row.code, event, before).hash
    db.execute("DELETE FROM setting WHERE code = ?", [row.code])
    for key, value in settings.items():
        set_setting(db, row.code, key, value)


def append_event(db: Database, code: str, event: NewEvent) -> EventRow:
    """Insert a night's next event. Raises IdExists, NumberTaken, with nothing written."""
    head, before = head_of(db, code)  # first: another process may commit the same event between the two queries
    for row in db.select(EVENT, "event WHERE code = ? AND id = ?", code, event.id):
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


def set_setting(db: Database, code: str, key: str, value: str | None) -> None:
    """Write a setting of a night, or with an empty code of all nights; None deletes it."""
    if value is None:
        db.execute("DELETE FROM setting WHERE code = ? AND key = ?", [code, key])
    else:
        db.execute(SET_SETTING, [code, key, value])
