"""The one SQLite connection: complete transactions under a lock, and a new connection after every disk error."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tracker.storage.database import Database
from tracker.storage.errors import BadRow, CorruptFile, NotRead, NotSaved, Unreadable, reason_of
from tracker.storage.schema_fingerprint import has_current_schema

BUSY_SECONDS = 2.0
MEMORY = ":memory:"

# Bugs of the program: they roll back and are raised unchanged.
PROGRAM_ERRORS = (sqlite3.ProgrammingError, sqlite3.InterfaceError, sqlite3.DataError)

# A damaged page can hold invalid UTF-8, and then Python fails to decode SQLite's own message.
DISK_ERRORS = (sqlite3.Error, UnicodeDecodeError)

# Each is set and then read back: SQLite ignores a misspelt pragma silently, and could then lose the last event in a
# power cut. TRUNCATE with EXTRA lost none in simulated power cuts, where SQLite's own default did.
PRAGMAS: dict[str, str | int] = {
    "journal_mode": "truncate",
    "synchronous": 3,  # EXTRA
    "fullfsync": 1,
    "foreign_keys": 1,
    "recursive_triggers": 1,  # without it INSERT OR REPLACE skips the delete triggers
    "trusted_schema": 0,
    "cell_size_check": 1,
    "mmap_size": 0,
}


class DatabaseConnection:
    """The open file, or without a path a database in memory. `read()` and `write()` give it for a transaction each."""

    def __init__(self, path: Path | None, *, read_only: bool = False) -> None:
        self._path, self._read_only = path, read_only
        self.on_trouble: Callable[[str], None] = lambda _: None
        """Called with the reason of every NotSaved; must not block."""
        self._lock = threading.RLock()
        self._db: Database | None = None
        self._closed = False
        try:
            db = self._open()
            _check_pages(db, path)
            if not read_only and not has_current_schema(db):
                from tracker.storage.schema import migrate  # noqa: PLC0415 - most starts change nothing

                migrate(db.tables, path or Path(MEMORY))
        except DISK_ERRORS as error:
            self.close()
            raise (CorruptFile if _is_damage(error) else Unreadable)(f"{path} can't be opened: {error}") from error
        except BaseException:
            self.close()
            raise

    @contextmanager
    def read(self) -> Iterator[Database]:
        """Yield the database for reading, under the lock. Raises NotRead."""
        with self._lock:
            try:
                yield self._open()
            except PROGRAM_ERRORS:
                raise
            except DISK_ERRORS as error:
                self._drop()
                raise NotRead(reason_of(error)) from error

    @contextmanager
    def write(self) -> Iterator[Database]:
        """Yield the database in a write transaction: committed to the disk at the end, rolled back by any exception.

        Raises NotSaved for a disk error, BadRow for a row that violates a constraint.
        """
        with self._lock:
            ending = False
            try:
                db = self._open()
                db.execute("BEGIN IMMEDIATE")
                yield db
                ending = True
                db.execute("COMMIT")
            except sqlite3.IntegrityError as error:
                self._rollback()
                raise BadRow(str(error)) from error
            except PROGRAM_ERRORS:
                self._rollback()
                raise
            except DISK_ERRORS as error:
                # An error of COMMIT does not mean "not saved": the pages may be on the disk all the same.
                self._drop()
                self.on_trouble(reason_of(error))
                raise NotSaved(reason_of(error), certain=not ending) from error
            except BaseException:
                self._rollback()
                raise

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        with self._lock:
            self._drop()
            self._closed = True

    def _open(self) -> Database:
        """Return the open database, connecting again when an error has closed it."""
        if self._closed:
            raise RuntimeError("the store is closed")
        if self._db is None:
            self._db = _connect(self._path, self._read_only)
        return self._db

    def _rollback(self) -> None:
        """Undo the open transaction, if SQLite has not done so by itself."""
        try:
            if self._db is not None and self._db.conn.in_transaction:
                self._db.execute("ROLLBACK")
        except sqlite3.Error:
            self._drop()

    def _drop(self) -> None:
        """Close the connection; SQLite rolls back what was open. The next use opens a new one."""
        if self._db is not None:
            self._db.close()
            self._db = None


def _connect(path: Path | None, read_only: bool) -> Database:
    """Open the file with every pragma set and read back; without a path a new database in memory."""
    if path is None:
        return Database(sqlite3.connect(MEMORY, isolation_level=None, check_same_thread=False))
    uri = path.absolute().as_uri() + ("?mode=ro" if read_only else "")
    conn = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        for pragma, value in PRAGMAS.items():
            _set_pragma(conn, pragma, value)
        return Database(conn)
    except BaseException:
        conn.close()
        raise


def _set_pragma(conn: sqlite3.Connection, pragma: str, value: str | int) -> None:
    """Set a pragma and read it back. Raises Unreadable when SQLite did not accept it."""
    conn.execute(f"PRAGMA {pragma} = {value}").fetchall()
    actual = conn.execute(f"PRAGMA {pragma}").fetchone()[0]
    if actual != value:
        raise Unreadable(f"SQLite {sqlite3.sqlite_version} keeps {pragma} at {actual}, it has to be {value}")


def _is_damage(error: Exception) -> bool:
    """Return whether the error means a damaged database, rather than another file or a failing disk."""
    name = getattr(error, "sqlite_errorname", "") or ""
    return isinstance(error, UnicodeDecodeError) or name.startswith("SQLITE_CORRUPT")


def _check_pages(db: Database, path: Path | None) -> None:
    """Raise CorruptFile when SQLite's integrity check fails or a foreign key has no target."""
    faults = [row[0] for row in db.execute("PRAGMA integrity_check(3)") if row[0] != "ok"]
    faults += [f"a row of {row[0]} refers to nothing" for row in db.execute("PRAGMA foreign_key_check")]
    if faults:
        raise CorruptFile(f"{path} is damaged: {'; '.join(faults[:3])}")
