"""Recognize a file with the current schema by a hash, without importing sqlite-utils to compare its tables.

Measured (five runs each, interleaved): CPU time up to the first answer 580 ms with it, 830 ms without.
"""

from __future__ import annotations

import hashlib
import sqlite3

from tracker.storage.sqlite.database import SQLiteDatabase

CURRENT_SCHEMA = "b7859fec42dd8f79a2d0b16294f29afa4942a8faae2ea10824f861fbc30f6c54"
"""The fingerprint of a file made by the current migrations; after a new migration a test shows the new one."""

QUERIES = (
    "PRAGMA application_id",
    "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY type, name",
    "SELECT migration_set, name FROM _sqlite_migrations ORDER BY id",
)


def has_current_schema(db: SQLiteDatabase) -> bool:
    """Return whether a file has exactly the tables and migrations of this version."""
    return fingerprint(db) == CURRENT_SCHEMA


def fingerprint(db: SQLiteDatabase) -> str | None:
    """Return the SHA-256 of a file's tables and migrations as hex digits; None when it has no migrations."""
    try:
        rows = [db.execute(query).fetchall() for query in QUERIES]
    except sqlite3.OperationalError:  # a new file, or one of some other program
        return None
    return hashlib.sha256(repr(rows).encode()).hexdigest()
