"""Copy everything from one place into an empty one: a data file into a database, or back."""

from dataclasses import dataclass
from typing import Any

from tracker.storage.database import Database
from tracker.storage.errors import StoreError
from tracker.storage.queries import EVENT, NIGHT, SEALED, proved_events, select

EVENT_COLUMNS = f"code, {EVENT}"
TABLES = {
    "night": ("code, name, preset, options, created_at", "code"),
    "device": ("id, token_hash, code, role, seat, name, label, made_at, seen_at", "id"),
    "invite": ("token_hash, code, kind, typed, seat, made_at", "token_hash"),
    "setting": ("code, key, value", "code, key"),
    "summary": ("code, head, version, body, seal", "code"),
    "person_change": ("number, at, body, seal", "number"),
}
"""The columns of each table besides the events, and what its rows are ordered by."""


class HasNights(StoreError):
    """The place to move to has nights already; nothing was written."""

    def __init__(self) -> None:
        super().__init__("there are nights already: move to an empty place")


class NotTheSame(StoreError):
    """What was read back is not what was written; nothing stays written."""

    def __init__(self, table: str) -> None:
        super().__init__(f"what arrived in the table {table} is not what was sent: nothing was moved")


@dataclass(frozen=True)
class Moved:
    """How much was copied, and proved by its hashes."""

    nights: int
    events: int


def copy_everything(source: Database, target: Database) -> Moved:
    """Copy all tables and prove every hash chain from what was written, within the caller's transactions.

    Raises HasNights, CorruptLog for a night whose hashes don't fit, NotTheSame.
    """
    if select(target, "code", "night LIMIT 1"):
        raise HasNights
    for table in ("event", *TABLES):
        source.lock_table(table)
    for table in ("setting", "device"):  # of the place itself: its phones and the name of its cookies come along
        target.execute(f"DELETE FROM {table}")  # noqa: S608 - constants
    for table, (columns, order) in TABLES.items():
        rows = select(source, columns, f"{table} ORDER BY {order}")
        target.insert_many(table, columns, rows)
        if select(target, columns, f"{table} ORDER BY {order}") != rows:
            raise NotTheSame(table)
    target.reset_sequence("device")
    nights = select(source, NIGHT, "night ORDER BY code")
    return Moved(len(nights), sum(_copy_events(source, target, str(night[0])) for night in nights))


def _copy_events(source: Database, target: Database, code: str) -> int:
    """Copy a night's events; return their number."""
    rows = _events(source, code)
    target.insert_many("event", EVENT_COLUMNS, rows)
    written = _events(target, code)
    if written != rows:
        raise NotTheSame("event")
    proved = proved_events(code, select(target, SEALED, "night WHERE code = ?", code), [row[1:] for row in written])
    return sum(1 for _ in proved)


def _events(db: Database, code: str) -> list[tuple[Any, ...]]:
    return select(db, EVENT_COLUMNS, "event WHERE code = ? ORDER BY number", code)
