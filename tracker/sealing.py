"""Events on their way to the store and back: ids, moments, and the print that tells a repeated form from another."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import UTC, datetime

from tracker.codec import entry_from, event_to
from tracker.core.errors import BadEvent
from tracker.core.log import Entry
from tracker.store import EventRow, NewEvent


def now() -> str:
    """Return the present moment as the log writes it: UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def new_id() -> str:
    """Return an id for one event, made before it is sent, so that sending it twice records it once."""
    return secrets.token_hex(16)


def with_ids(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries of a file, each with an id that no other has."""
    listed = list(entries)
    taken = {entry.id for entry in listed}
    return [entry if entry.id else replace(entry, id=_free_id(f"file-{entry.number}", taken)) for entry in listed]


def _free_id(wanted: str, taken: Collection[str | None]) -> str:
    return wanted if wanted not in taken else new_id()


def sealed(entry: Entry) -> NewEvent:
    """Return an entry as the store writes it; its print tells a repeated form from one that was changed.

    Raises BadEvent for one that could not be read back: a form may say what no event can.
    """
    raw = event_to(entry.event)
    if entry_from({**raw, "id": entry.id, "at": entry.at or None, "by": entry.by or None}, entry.number).id != entry.id:
        raise BadEvent("id: must not begin or end with a space", field="id")
    body = json.dumps(raw, ensure_ascii=False)
    print_ = hashlib.sha256(json.dumps(raw, sort_keys=True).encode()).digest()
    return NewEvent(entry.number, entry.id or new_id(), print_, body, entry.at or "", entry.by or "")


def entry_of(row: EventRow) -> Entry:
    """Return a stored event as an entry of the log."""
    raw = json.loads(row.body)
    labels = {"id": row.id, "at": row.at or None, "by": row.by or None}
    return entry_from({**raw, **labels}, row.number)
