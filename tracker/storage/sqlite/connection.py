"""The one SQLite connection: complete transactions under a lock, and a new connection after every disk error."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Literal

from tracker.storage.database import NOTHING, Change
from tracker.storage.errors import BadRow, CorruptFile, NotRead, NotSaved, StoreError, Unreadable, reason_of
from tracker.storage.files import log_of
from tracker.storage.queries import head_of
from tracker.storage.sqlite.database import SQLiteDatabase
from tracker.storage.sqlite.page_check import LaterCheck, check_pages
from tracker.storage.sqlite.schema import has_current_schema, migrate

BUSY_SECONDS = 2.0
MEMORY = ":memory:"

# Bugs of the program: they roll back and are raised unchanged.
PROGRAM_ERRORS = (sqlite3.ProgrammingError, sqlite3.InterfaceError, sqlite3.DataError)

# A damaged page can hold invalid UTF-8, and then Python fails to decode SQLite's own message.
DISK_ERRORS = (sqlite3.Error, UnicodeDecodeError)

# Each is set and then read back: SQLite ignores a misspelt pragma silently, and could then lose the last event in a
# power cut. A commit in the write-ahead log waits for the disk once, with a rollback journal five times.
PRAGMAS: dict[str, str | int] = {
    "synchronous": 3,  # EXTRA: as FULL in the write-ahead log, and safe while a file is changed to it
    "fullfsync": 1,
    "checkpoint_fullfsync": 1,
    "journal_mode": "wal",
    "wal_autocheckpoint": 100,  # pages: a small log needs little room on a disk that is nearly full
    "foreign_keys": 1,
    "recursive_triggers": 1,  # without it INSERT OR REPLACE skips the delete triggers
    "trusted_schema": 0,
    "cell_size_check": 1,
    "mmap_size": 0,
}


class SQLiteConnection:
    """The open file, or without a path a database in memory. `read()` and `write()` give it for a transaction each."""

    def __init__(self, path: Path | None, *, read_only: bool = False, is_checked_later: bool = False) -> None:
        """With `is_checked_later` the pages are checked by `wait_for_check`, or before the first write."""
        self._path, self._read_only = path, read_only
        self.on_trouble: Callable[[str], None] = lambda _: None
        """Called with the reason of every NotSaved; must not block."""
        self._lock = threading.RLock()
        self._db: SQLiteDatabase | None = None
        self._closed = False
        self._check: LaterCheck | None = None
        self._file: tuple[int, int] | None = None  # device and inode of the open file
        self._written: tuple[int, int] | None = None  # its size and time of change after the last write of our own
        self._log: tuple[int, int] | None = None  # device and inode of its write-ahead log
        self._heads: dict[str, int] = {}  # the last event that was recorded in each night
        try:
            db = self._open()
            self._remember_file()
            is_current = has_current_schema(db.tables)
            if is_checked_later and is_current and path:
                self._check = LaterCheck(partial(_connect, path, True), path)
            else:
                check_pages(db, path)
            if not read_only and not is_current:
                migrate(db.tables, path or Path(MEMORY))
        except DISK_ERRORS as error:
            self.close()
            raise (CorruptFile if _is_damage(error) else Unreadable)(f"{path} can't be opened: {error}") from error
        except BaseException:
            self.close()
            raise

    @contextmanager
    def read(self) -> Iterator[SQLiteDatabase]:
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
    def read_beside(self) -> Iterator[SQLiteDatabase]:
        """Yield the file by another connection, for what takes long: nobody waits for its end. Raises NotRead."""
        if self._path is None:
            with self.read() as db:
                yield db
            return
        try:
            with closing(_connect(self._path, read_only=True)) as db:
                yield db
        except PROGRAM_ERRORS:
            raise
        except DISK_ERRORS as error:
            raise NotRead(reason_of(error)) from error

    @contextmanager
    def write(self, change: Change = NOTHING) -> Iterator[SQLiteDatabase]:  # noqa: ARG002 - of interest to other processes
        """Yield the database in a write transaction: committed to the disk at the end, rolled back by any exception.

        Raises NotSaved for a disk error, BadRow for a row that violates a constraint.
        """
        if self._check:
            self._check.wait_to_write()
        with self._lock:
            if not self.is_in_place():
                self.on_trouble("replaced")
                raise NotSaved("replaced", certain=True)
            ending = False
            try:
                self._replace_deleted_log()
                db = self._open()
                db.execute("BEGIN IMMEDIATE")
                yield db
                ending = True
                db.execute("COMMIT")
                self._remember_file()
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
        if self._check:
            self._check.stop()
        with self._lock:
            self._drop()
            self._closed = True

    def is_in_place(self) -> bool:
        """Return whether the path still leads to the file that is open, with every event that was recorded in it.

        What is written to a file that was deleted, or that another one was moved over, is lost without an error.
        """
        if self._path is None or self._file is None:
            return True
        try:
            found = self._path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:  # the next write reports it
            return True
        if (found.st_dev, found.st_ino) != self._file:
            return False
        if os.name == "nt" or self._written in (None, (found.st_size, found.st_mtime_ns)):
            return True  # Windows sets the time of change when it likes
        return self.has_heads(self._path)

    def has_heads(self, path: Path) -> bool:
        """Return whether a data file has the last event that was recorded in each night."""
        try:
            with closing(_connect(path, read_only=True)) as db:
                return all(head_of(db, code)[0] >= head for code, head in [*self._heads.items()])
        except (*DISK_ERRORS, StoreError):
            return False

    def _remember_file(self) -> None:
        """Note which file is open, after a write of our own."""
        if self._path is not None and not self._read_only:
            with suppress(OSError):
                found = self._path.stat()
                self._file = self._file or (found.st_dev, found.st_ino)
                self._written = found.st_size, found.st_mtime_ns
                self._log = self._log or _identity(log_of(self._path))

    def _replace_deleted_log(self) -> None:
        """Move the log into the file and begin a new one where it was deleted: with the process, it would be gone."""
        if self._db is not None and self._path and self._log and self._log != _identity(log_of(self._path)):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._drop()

    def wait_for_check(self) -> None:
        """Return when the pages of the file were checked. Raises CorruptFile."""
        if self._check:
            self._check.wait()

    def _open(self) -> SQLiteDatabase:
        """Return the open database, connecting again when an error has closed it."""
        if self._closed:
            raise RuntimeError("the store is closed")
        if self._db is None:
            if not self.is_in_place():
                raise NotRead("replaced")
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
            self._db.close()  # which may move the log into the file
            self._db = self._written = self._log = None


def _identity(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of a file; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _connect(path: Path | None, read_only: bool) -> SQLiteDatabase:
    """Open the file with every pragma set and read back; without a path a new database in memory.

    Where its folder can't be written it is opened for reading alone.
    """
    if path is None:
        return SQLiteDatabase(sqlite3.connect(MEMORY, isolation_level=None, check_same_thread=False))
    try:
        return _connect_as(path, "ro" if read_only else "rwc")
    except sqlite3.OperationalError as error:
        if not (error.sqlite_errorname or "").startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN")):
            raise
        # A write-ahead log needs files beside it. Without a log to read, SQLite can be told that nobody writes.
        log = log_of(path)
        has_log = log.exists() and log.stat().st_size > 0
        return _connect_as(path, "ro" if has_log else "immutable")


def _connect_as(path: Path, mode: Literal["rwc", "ro", "immutable"]) -> SQLiteDatabase:
    query = "mode=ro&immutable=1" if mode == "immutable" else f"mode={mode}"
    uri = f"{path.absolute().as_uri()}?{query}"
    conn = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        for pragma, value in PRAGMAS.items():
            if pragma != "journal_mode" or mode == "rwc":  # who only reads takes the file as it is
                _set_pragma(conn, pragma, value)
        conn.execute("PRAGMA schema_version").fetchone()  # opens the file: an error shows here
        return SQLiteDatabase(conn)
    except BaseException:
        conn.close()
        raise


def _set_pragma(conn: sqlite3.Connection, pragma: str, value: str | int) -> None:
    """Set a pragma and read it back. Raises NotSupportedError when SQLite did not accept it."""
    conn.execute(f"PRAGMA {pragma} = {value}").fetchall()
    actual = conn.execute(f"PRAGMA {pragma}").fetchone()[0]
    if actual != value:
        raise sqlite3.NotSupportedError(f"SQLite {sqlite3.sqlite_version} keeps {pragma} at {actual}, not at {value}")


def _is_damage(error: Exception) -> bool:
    """Return whether the error means a damaged database, rather than another file or a failing disk."""
    name = getattr(error, "sqlite_errorname", "") or ""
    return isinstance(error, UnicodeDecodeError) or name.startswith("SQLITE_CORRUPT")
