"""Whole data files and rows of many nights, as the extras need them that copy or remove them. No extra itself."""

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from tracker.storage import EventRow, NewEvent, NightRow, Store
from tracker.storage.database import query
from tracker.storage.files import (
    finish_replacing,
    free_name,
    index_of,
    journal_of,
    log_of,
    next_of,
    sync_file,
    sync_folder,
)
from tracker.storage.rows import EVENT, first_hash, next_hash

HEADS = """SELECT code,
  COALESCE((SELECT number FROM event WHERE event.code = night.code ORDER BY number DESC LIMIT 1), 0) AS head
  FROM night"""
COLUMNS = {
    "night": "code, name, preset, options, created_at",
    "event": f"code, {EVENT}",
    "device": "id, token_hash, code, role, seat, name, label, made_at, seen_at",
    "invite": "token_hash, code, typed, made_at",
    "setting": "code, key, value",
    "summary": "code, head, version, body, seal",
    "person_change": "number, at, body, seal",
}
"""The columns of each table; the first two tell a row from all others."""


def copy_file(source: Path, target: Path) -> None:
    """Copy a data file with its log or journal, flushed to the disk and readable by this user only."""
    index_of(target).unlink(missing_ok=True)
    for part in (Path, log_of, journal_of):
        one, other = part(source), part(target)
        if one.exists():
            shutil.copyfile(one, other)
            other.chmod(0o600)
            sync_file(other)
        else:
            other.unlink(missing_ok=True)
    sync_folder(target.parent)


def copy_aside(path: Path, word: str) -> Path:
    """Copy a data file to an unused name beside it; return the copy's path."""
    target = free_name(path, word)
    copy_file(path, target)
    return target


def replace_file(fresh: Path, path: Path) -> None:
    """Replace the data file by `fresh`; a killed process leaves the old one, or `finish_replacing` the rest."""
    fresh.chmod(0o600)
    fresh.replace(next_of(path))
    sync_folder(path.parent)
    finish_replacing(path)


def heads(store: Store, codes: Sequence[str]) -> dict[str, int]:
    """Return the number of events of each of these nights that is there."""
    rows = query(store.connection, f"{HEADS} WHERE code IN ({', '.join('?' for _ in codes)})", codes)
    return {str(row["code"]): int(row["head"]) for row in rows}


def chained(night: NightRow, events: Iterable[NewEvent]) -> list[EventRow]:
    """Return a night's events as rows, each with its hash."""
    before, rows = first_hash(night.code, night.preset, night.options, night.created_at), list[EventRow]()
    for event in events:
        before = next_hash(before, event)
        rows.append(EventRow(event.number, event.id, event.print, event.body, event.at, event.by, before))
    return rows
