"""Convert entries of the log to rows of the store and back: ids, timestamps, and the fingerprint for idempotency."""

import hashlib
import json
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime

from tracker.core import log
from tracker.core.errors import BadEvent, TableError
from tracker.core.log import Entry
from tracker.core.preset import Preset
from tracker.formats.codec import amended, checked_entry, entry_from, event_text, event_to
from tracker.formats.text import UNREADABLE
from tracker.storage import CorruptLog, EventRow, NewEvent, Store


def now() -> str:
    """Return the current UTC time in ISO 8601 to the second, as the log stores it."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def new_id() -> str:
    return secrets.token_hex(16)


def to_row(entry: Entry) -> NewEvent:
    """Return an entry as a row for the store.

    Raises BadEvent for one that could not be read back, since a form's id may have spaces that reading strips.
    """
    if checked_entry(entry).id != entry.id:
        raise BadEvent("id: must not begin or end with a space", field="id")
    raw = event_to(entry.event)
    fingerprint = hashlib.sha256(json.dumps(raw, sort_keys=True).encode()).digest()
    return NewEvent(entry.number, entry.id or new_id(), fingerprint, event_text(raw), entry.at or "", entry.by or "")


def from_row(row: EventRow) -> Entry:
    """Return a stored event as an entry. Raises any of UNREADABLE for a row that is not what was written."""
    raw = json.loads(row.body)
    entry = entry_from({**raw, "id": row.id, "by": row.by or None}, row.number)
    return replace(entry, at=row.at or None)  # earlier versions took moments that today's readers don't


@contextmanager
def refused_if_unreadable(code: str) -> Iterator[None]:
    """Raise TableError, which every list leaves a line for, where the rows of a night are not what was written."""
    # A damaged row may hold anything, so it may break whatever is worked out from it.
    try:
        yield
    except TableError:
        raise
    except UNREADABLE as error:
        raise TableError("night {code} can’t be read: its rows are not what was written", code=code) from error


def read_entries(store: Store, code: str, after: int = 0) -> list[Entry]:
    """Read a night's log, or what comes after a number, from the disk.

    Raises TableError when its hash chain is broken, NotRead.
    """
    try:
        return [from_row(event) for event in store.events(code, after)]
    except CorruptLog as damage:
        template = "night {code} is damaged at event {number}: it is not what was recorded"
        raise TableError(template, code=code, number=damage.number) from damage


def replay_log(code: str, preset: Preset, entries: Sequence[Entry]) -> log.Steps:
    """Replay a log and return its steps. Raises TableError, naming the entry that does not fit."""
    steps, replayed = log.replay_accepted(preset, entries, amended)
    if replayed.failure is not None:
        in_order = log.replay(preset, entries, amended)  # finds the entry that caused it
        raise TableError(
            "night {code} can’t be read past event {number}: {why}",
            code=code,
            number=in_order.number or replayed.number,
            why=str(in_order.failure or replayed.failure),
        )
    return steps
