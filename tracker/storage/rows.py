"""The rows of the tables and the hash chain of events; only the append of a tap is SQL, all else is sqlite-utils."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tracker.storage.database import Database
from tracker.storage.errors import CorruptLog, NumberTaken, StoreError

NIGHT = """SELECT code, name, preset, options, created_at,
  COALESCE((SELECT MAX(number) FROM event WHERE event.code = night.code), 0) AS events,
  COALESCE((SELECT NULLIF(at, '') FROM event WHERE event.code = night.code AND number = 1), created_at) AS began_at,
  COALESCE((SELECT at FROM event WHERE event.code = night.code ORDER BY number DESC LIMIT 1), '') AS last_at
  FROM night"""  # no gaps
EVENT = "number, id, print, body, at, by, hash"
LAST_EVENT = "SELECT number, hash FROM event WHERE code = ? ORDER BY number DESC LIMIT 1"
FIND_EVENT = f"SELECT {EVENT} FROM event WHERE code = ? AND id = ?"  # noqa: S608 - constants
INSERT_EVENT = f"INSERT INTO event (code, {EVENT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - constants


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
    last_at: str = ""
    """When its last one was; empty for none."""


@dataclass(frozen=True)
class DeviceRow:
    """A browser or script, with a role in every night if `code` is None; `seat` is a wish while `role` is `knock`."""

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


def night_row(row: Mapping[str, Any]) -> NightRow:
    """Return a row of NIGHT; what is no text in a damaged file becomes one, so that a list can show it."""
    texts: dict[str, Any] = {name: as_text(value) for name, value in row.items()}
    return NightRow(**{**texts, "events": int(row["events"])})


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


def device_row(row: Mapping[str, Any]) -> DeviceRow:
    return DeviceRow(**{name: value for name, value in row.items() if name != "token_hash"})


def seal_of_night(row: Mapping[str, Any]) -> bytes:
    """Return the hash of a night's stored row."""
    return first_hash(row["code"], row["preset"], row["options"], row["created_at"])


def head_of(db: Database, code: str) -> tuple[int, bytes]:
    """Return the newest event's number and hash; 0 and the hash of the night's row when it has none."""
    for number, seal in db.execute(LAST_EVENT, [code]):
        return number, seal
    for night in db.table("night").rows_where("code = ?", [code]):
        return 0, seal_of_night(night)
    raise StoreError(f"there is no night {code}")


def insert_event(db: Database, code: str, event: NewEvent, before: bytes) -> EventRow:
    """Insert an event, chained to the hash `before`."""
    row = EventRow(event.number, event.id, event.print, event.body, event.at, event.by, next_hash(before, event))
    db.execute(INSERT_EVENT, (code, row.number, row.id, row.print, row.body, row.at, row.by, row.hash))
    return row


def append_event(db: Database, code: str, event: NewEvent) -> EventRow:
    """Insert a night's next event. Raises IdExists, NumberTaken, with nothing written."""
    head, before = head_of(db, code)  # first: somebody else may commit the same event between the two queries
    for row in db.execute(FIND_EVENT, [code, event.id]):
        raise IdExists(EventRow(*row))
    if event.number <= head:
        raise NumberTaken(code, event.number, head)
    return insert_event(db, code, event, before)


def stored_events(db: Database, code: str, after: int = 0) -> tuple[bytes, list[EventRow]]:
    """Return a night's events as they are stored, or those after a number, and the hash before them."""
    before = next(map(seal_of_night, db.table("night").rows_where("code = ?", [code])), b"")
    sql = f"SELECT {EVENT} FROM event WHERE code = ? AND number >= ? ORDER BY number"  # noqa: S608 - constants
    events = [EventRow(*row) for row in db.execute(sql, [code, max(after, 1)])]
    return (events[0].hash, events[1:]) if after and events else (before, events)


def proved(code: str, before: bytes, events: Iterable[EventRow], after: int = 0) -> Iterator[EventRow]:
    """Yield the events of `stored_events`. Raises CorruptLog at the first whose hash does not match."""
    for number, event in enumerate(events, start=after + 1):
        if event.number != number or event.hash != next_hash(before, event):
            raise CorruptLog(code, number)
        before = event.hash
        yield event


def set_setting(db: Database, code: str, key: str, value: str | None) -> None:
    """Write a setting of a night, or with an empty code of all nights; None deletes it."""
    if value is None:
        db.table("setting").delete_where("code = ? AND key = ?", [code, key])
    else:
        db.table("setting").upsert({"code": code, "key": key, "value": value}, pk=("code", "key"))
