"""The tables. Forward only: a migration that was released is never edited, the next one is added below it.

A file is known by the SQL of its tables, so that is written here: `Table.transform()` of sqlite-utils words it
anew, maybe otherwise in another version, and drops triggers without a word.
"""

import secrets
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sqlite_utils import Database, Migrations

from tracker.storage.errors import CorruptFile, Unreadable
from tracker.storage.files import free_name

APPLICATION_ID = 0x424F5244  # "BORD", so that `file` and this program tell the file from any other database

migrations = Migrations("board-tracker")

NIGHTS = """
CREATE TABLE night(
  code TEXT PRIMARY KEY NOT NULL CHECK(length(code) BETWEEN 1 AND 64),
  name TEXT NOT NULL CHECK(length(name) <= 200),
  preset TEXT NOT NULL CHECK(length(preset) <= 65536),
  options TEXT NOT NULL CHECK(length(options) <= 65536),
  created_at TEXT NOT NULL CHECK(length(created_at) <= 40)
) STRICT;

CREATE TABLE event(
  code TEXT NOT NULL REFERENCES night(code),
  number INTEGER NOT NULL CHECK(number >= 1),
  id TEXT NOT NULL CHECK(length(id) BETWEEN 1 AND 200),
  print BLOB NOT NULL CHECK(length(print) = 32),          -- of what was asked: same id, other content is refused
  body TEXT NOT NULL CHECK(length(body) BETWEEN 2 AND 65536),
  at TEXT NOT NULL CHECK(length(at) <= 40),               -- a label; the order is the number's
  by TEXT NOT NULL CHECK(length(by) <= 200),
  hash BLOB NOT NULL CHECK(length(hash) = 32),
  PRIMARY KEY(code, number),
  UNIQUE(code, id)
) STRICT;
"""

TRIGGERS = """
CREATE TRIGGER event_no_gap BEFORE INSERT ON event
WHEN NEW.number <> 1 + (SELECT COALESCE(MAX(number), 0) FROM event WHERE code = NEW.code)
BEGIN SELECT RAISE(ABORT, 'event numbers have no gap'); END;

CREATE TRIGGER event_no_update BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;

CREATE TRIGGER event_no_delete BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;

CREATE TRIGGER night_no_update BEFORE UPDATE OF code, preset, options, created_at ON night
BEGIN SELECT RAISE(ABORT, 'a night keeps its preset'); END;

CREATE TRIGGER night_no_delete BEFORE DELETE ON night
BEGIN SELECT RAISE(ABORT, 'nights are never deleted'); END;
"""

PEOPLE = """
CREATE TABLE device(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  token_hash BLOB NOT NULL UNIQUE CHECK(length(token_hash) = 32),
  code TEXT REFERENCES night(code),
  role TEXT NOT NULL CHECK(role IN ('knock', 'watcher', 'seat', 'banker', 'host')),
  seat TEXT CHECK(length(seat) BETWEEN 1 AND 32),
  name TEXT NOT NULL CHECK(length(name) <= 200),
  label TEXT NOT NULL CHECK(length(label) <= 200),
  made_at TEXT NOT NULL CHECK(length(made_at) <= 40),
  seen_at TEXT NOT NULL CHECK(length(seen_at) <= 40)
) STRICT;
CREATE INDEX device_by_night ON device(code);

CREATE TABLE invite(
  token_hash BLOB PRIMARY KEY NOT NULL CHECK(length(token_hash) = 32),
  code TEXT NOT NULL REFERENCES night(code),
  kind TEXT NOT NULL CHECK(kind IN ('join', 'seat')),
  typed TEXT UNIQUE CHECK(length(typed) BETWEEN 1 AND 40),
  seat TEXT CHECK(length(seat) BETWEEN 1 AND 32),
  made_at TEXT NOT NULL CHECK(length(made_at) <= 40)
) STRICT;
CREATE INDEX invite_by_night ON invite(code);

CREATE TABLE setting(
  code TEXT NOT NULL,                                     -- '' for the whole file
  key TEXT NOT NULL CHECK(length(key) BETWEEN 1 AND 100),
  value TEXT NOT NULL CHECK(length(value) <= 65536),
  PRIMARY KEY(code, key)
) STRICT;
"""

SUMMARIES = """
CREATE TABLE summary(
  code TEXT PRIMARY KEY NOT NULL REFERENCES night(code),
  head INTEGER NOT NULL CHECK(head >= 0),                 -- of the log that it was computed from
  version INTEGER NOT NULL,                               -- of the computation
  body TEXT NOT NULL CHECK(length(body) <= 16777216),
  seal BLOB NOT NULL CHECK(length(seal) = 32)
) STRICT, WITHOUT ROWID;
CREATE INDEX night_by_time ON night(created_at, code, name);
"""

PERSON_CHANGES = """
CREATE TABLE person_change(
  number INTEGER PRIMARY KEY NOT NULL CHECK(number >= 1),
  at TEXT NOT NULL CHECK(length(at) <= 40),
  body TEXT NOT NULL CHECK(length(body) BETWEEN 2 AND 4194304),
  seal BLOB NOT NULL CHECK(length(seal) = 32)
) STRICT;
"""

NEW_ROLES = {"banker": "owner", "seat": "assistant", "watcher": "screen"}
"""How the roles of devices of all nights are called since the fourth migration; the table took five words before."""

DEVICES = """
CREATE TABLE device(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  token_hash BLOB NOT NULL UNIQUE CHECK(length(token_hash) = 32),
  code TEXT REFERENCES night(code),
  role TEXT NOT NULL CHECK(length(role) BETWEEN 1 AND 32),
  seat TEXT CHECK(length(seat) BETWEEN 1 AND 32),
  name TEXT NOT NULL CHECK(length(name) <= 200),
  label TEXT NOT NULL CHECK(length(label) <= 200),
  made_at TEXT NOT NULL CHECK(length(made_at) <= 40),
  seen_at TEXT NOT NULL CHECK(length(seen_at) <= 40)
) STRICT;
"""

INVITES = """
CREATE TABLE invite(
  token_hash BLOB PRIMARY KEY NOT NULL CHECK(length(token_hash) = 32),
  code TEXT NOT NULL REFERENCES night(code),
  typed TEXT UNIQUE CHECK(length(typed) BETWEEN 1 AND 40),
  made_at TEXT NOT NULL CHECK(length(made_at) <= 40)
) STRICT;
"""

RENAME_ROLES = "".join(
    f"UPDATE device SET role = '{new}' WHERE code IS NULL AND role = '{old}';\n"  # noqa: S608 - constants
    for old, new in NEW_ROLES.items()
)

TRUE_WORDS = f"""
ALTER TABLE device RENAME TO device_before;
{DEVICES}
INSERT INTO device SELECT * FROM device_before;
DELETE FROM sqlite_sequence WHERE name = 'device';
UPDATE sqlite_sequence SET name = 'device' WHERE name = 'device_before';
DROP TABLE device_before;
CREATE INDEX device_by_night ON device(code);
{RENAME_ROLES}
ALTER TABLE invite RENAME TO invite_before;
{INVITES}
INSERT INTO invite SELECT token_hash, code, typed, made_at FROM invite_before WHERE kind = 'join';
DROP TABLE invite_before;
CREATE INDEX invite_by_night ON invite(code);
"""  # noqa: S608 - constants


def _run(db: Database, script: str) -> None:
    """Run a script statement by statement: `executescript` would commit the migration's own transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            db.execute(statement.strip())
            statement = ""


@migrations()
def first_tables(db: Database) -> None:
    """Nights, events, devices, invites and settings."""
    _run(db, NIGHTS + TRIGGERS + PEOPLE)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    # Cookies of two trackers on one address share a jar, so each file has a cookie name of its own.
    db.table("setting").insert({"code": "", "key": "instance", "value": secrets.token_hex(4)})


@migrations()
def night_summaries(db: Database) -> None:
    """What is shown and counted over many nights, computed from the logs; and an index to list nights by."""
    _run(db, SUMMARIES)


@migrations()
def person_changes(db: Database) -> None:
    """Which seats of which nights are the same person, as the changes that somebody made."""
    _run(db, PERSON_CHANGES)


@migrations()
def true_words(db: Database) -> None:
    """Roles of devices under their own names, and invites without a kind and a seat that were never used.

    No id of a device is given again: what was kept about an earlier one would be about another.
    """
    _run(db, TRUE_WORDS)


class Schema(NamedTuple):
    """What a file has of this program."""

    application_id: int
    migrations: frozenset[str]
    """The names of those that were applied."""
    objects: frozenset[tuple[str, str, str]]
    """Type, name and SQL of every table, index and trigger that SQLite did not make by itself."""


def _schema_of(db: Database) -> Schema:
    """Return the schema of a file; nothing is written. Raises CorruptFile."""
    application_id: int = db.execute("PRAGMA application_id").fetchone()[0]
    rows = db.execute("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'")
    objects = frozenset((row[0], row[1], row[2] or "") for row in rows)
    try:
        applied = frozenset(migration.name for migration in migrations.applied(db))
    except KeyError as column:
        raise CorruptFile(f"the file's table of migrations has no column {column}") from column
    return Schema(application_id, applied, objects)


def _current_schema() -> Schema:
    return _schema_after(migrations)


@cache
def _schema_after(migrations: Migrations) -> Schema:
    with closing(Database(memory=True)) as fresh:
        migrations.apply(fresh)
        return _schema_of(fresh)


def has_current_schema(db: Database) -> bool:
    """Return whether a file has exactly the tables, triggers and migrations of this version; nothing is written."""
    return _schema_of(db) == _current_schema()


def migrate(db: Database, path: Path) -> None:
    """Migrate the file to the newest schema, after copying it. Raises Unreadable for another program's, CorruptFile."""
    found, current = _schema_of(db), _current_schema()
    if found.application_id != APPLICATION_ID and (found.application_id or found.objects):
        raise Unreadable("the file is a database of some other program")
    if not found.migrations <= current.migrations:
        raise Unreadable("the file was written by a newer version of the tracker; please update it")
    if found.migrations < current.migrations:
        if found.objects:
            copy = free_name(path, "before-update")
            db.execute("VACUUM INTO ?", [str(copy)])
            copy.chmod(0o600)
        with db.atomic():  # the library alone would use a transaction for each
            migrations.apply(db)
    if altered := _schema_of(db).objects ^ current.objects:
        odd = ", ".join(sorted({name for _, name, _ in altered}))
        raise CorruptFile(f"the file's tables or triggers were altered: {odd}")
