"""Knowing a file that needs no migration by its tables, without making them all once more to compare."""

from __future__ import annotations

import hashlib
import sqlite3

from tracker.store.database import Database

MADE = "a53e2d8db5036e6026ac7f2eb00154287cf5162140c1083329c64d60be3cef8f"
"""Of a file that the migrations of this version have made. A new migration makes a new one: a test says which."""

FACTS = (
    "PRAGMA application_id",
    "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY type, name",
    "SELECT migration_set, name FROM _sqlite_migrations ORDER BY id",
)


def is_as_made(db: Database) -> bool:
    """Say whether a file has exactly the tables of this version, and no migration of a later one."""
    return fingerprint(db) == MADE


def fingerprint(db: Database) -> str | None:
    """Return 64 hex digits of a file's tables and migrations; None when it has no migrations."""
    try:
        facts = [db.execute(query).fetchall() for query in FACTS]
    except sqlite3.OperationalError:  # a new file, or one of some other program
        return None
    return hashlib.sha256(repr(facts).encode()).hexdigest()
