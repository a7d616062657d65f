"""One connection, one lock: whole transactions only, and a fresh connection after every error of the disk."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tracker.store.database import Database
from tracker.store.errors import BadRow, Broken, NotRead, NotSaved, Unreadable, reason_of
from tracker.store.fingerprint import is_as_made

BUSY_SECONDS = 2.0

# Errors of the program rather than of the disk: they roll back and stay what they are.
MISTAKES = (sqlite3.ProgrammingError, sqlite3.InterfaceError, sqlite3.DataError)

# A damaged page can hold what is not text, and Python then fails to word SQLite's own message.
TROUBLES = (sqlite3.Error, UnicodeDecodeError)

# Each is set and then read back: a typing error in a pragma is silent, and a silent one loses the last event at a
# power cut. TRUNCATE with EXTRA lost none in simulated power cuts, where SQLite's own default did.
PRAGMAS: dict[str, str | int] = {
    "journal_mode": "truncate",
    "synchronous": 3,  # EXTRA
    "fullfsync": 1,
    "foreign_keys": 1,
    "recursive_triggers": 1,  # without it INSERT OR REPLACE walks past the triggers
    "trusted_schema": 0,
    "cell_size_check": 1,
    "mmap_size": 0,
}


class Connection:
    """The open file. `read()` and `write()` give the database for one transaction each."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self._path, self._read_only = path, read_only
        self.on_trouble: Callable[[str], None] = lambda _: None
        """Hears the reason of every NotSaved; must come back at once."""
        self._lock = threading.RLock()
        self._db: Database | None = None
        self._closed = False
        try:
            db = self._open()
            _check_pages(db, path)
            if not read_only and not is_as_made(db):
                from tracker.store.schema import migrate  # noqa: PLC0415 - most starts change nothing

                migrate(db.tables, path)
        except TROUBLES as error:
            self.close()
            raise (Broken if _is_damage(error) else Unreadable)(f"{path} can't be opened: {error}") from error
        except BaseException:
            self.close()
            raise

    @contextmanager
    def read(self) -> Iterator[Database]:
        """Give the database for reading, alone. Raises NotRead."""
        with self._lock:
            try:
                yield self._open()
            except MISTAKES:
                raise
            except TROUBLES as error:
                self._drop()
                raise NotRead(reason_of(error)) from error

    @contextmanager
    def write(self) -> Iterator[Database]:
        """Give the database for writing, alone; committed and on the disk at the end, or rolled back by any exception.

        Raises NotSaved for anything the disk does, BadRow for a row that the file's own rules refuse.
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
            except MISTAKES:
                self._rollback()
                raise
            except TROUBLES as error:
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
        """Return the open database, opening it anew when an error has closed it."""
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


def _connect(path: Path, read_only: bool) -> Database:
    """Open the file with every pragma set and read back."""
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
    """Set a pragma. Raises Unreadable when SQLite does not keep it."""
    conn.execute(f"PRAGMA {pragma} = {value}").fetchall()
    found = conn.execute(f"PRAGMA {pragma}").fetchone()[0]
    if found != value:
        raise Unreadable(f"SQLite {sqlite3.sqlite_version} keeps {pragma} at {found}, it has to be {value}")


def _is_damage(error: Exception) -> bool:
    """Tell a database of which something may be left from what is none, and from a disk that fails."""
    name = getattr(error, "sqlite_errorname", "") or ""
    return isinstance(error, UnicodeDecodeError) or name.startswith("SQLITE_CORRUPT")


def _check_pages(db: Database, path: Path) -> None:
    """Raise Unreadable when a page of the file is not what SQLite wrote, or a row refers to nothing."""
    faults = [row[0] for row in db.execute("PRAGMA integrity_check(3)") if row[0] != "ok"]
    faults += [f"a row of {row[0]} refers to nothing" for row in db.execute("PRAGMA foreign_key_check")]
    if faults:
        raise Broken(f"{path} is damaged: {'; '.join(faults[:3])}")
