"""The data file in SQLite, held by this process alone: complete transactions under a lock, those of several threads in
one commit, a new connection after every disk error, and complete copies.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, cast

from sqlite_utils import Database

from tracker.storage.database import EVERYTHING, NOTHING, ChangeNotice, Database as AnyDatabase
from tracker.storage.errors import BadRow, CorruptFile, NotRead, NotSaved, StoreError, Unreadable, reason_of
from tracker.storage.files import FolderLock, finish_replacing, index_of, log_of, next_of, separate_names, written_whole
from tracker.storage.rows import EventRow, head_of
from tracker.storage.sqlite_schema import has_current_schema, migrate
from tracker.storage.write_ahead_log import check_log

T = TypeVar("T")

MOST_FAULTS = 3
"""Of those that are told of a damaged file."""
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


@contextmanager
def erasing(db: Database, tables: Collection[str]) -> Iterator[None]:
    """Have what is deleted overwritten in the file; rows that a trigger protects can be deleted meanwhile."""
    if tables:
        db.execute("PRAGMA secure_delete = 1")
    names = [f"{table}_no_delete" for table in tables]
    found = [trigger for trigger in db.triggers if trigger.name in names] if names else []
    for trigger in found:
        db.execute(f"DROP TRIGGER {trigger.name}")
    yield
    for trigger in found:
        db.execute(trigger.sql)


def check_pages(db: Database, path: Path | None) -> None:
    """Raise CorruptFile when SQLite's integrity check fails or a foreign key has no target."""
    faults = [row[0] for row in db.execute(f"PRAGMA integrity_check({MOST_FAULTS})") if row[0] != "ok"]
    faults += [f"a row of {row[0]} refers to nothing" for row in db.execute("PRAGMA foreign_key_check")]
    if faults:
        raise CorruptFile(f"{path} is damaged: {'; '.join(faults[:MOST_FAULTS])}")


class GroupCommit:
    """Runs the writes of several threads in one transaction, with one wait for the disk; a refused one stops none."""

    def __init__(self, transaction: Callable[[], AbstractContextManager[Database]]) -> None:
        self._transaction = transaction
        self._queue: list[_Write[Any]] = []
        self._is_committing = False
        self._changed = threading.Condition()

    def run(self, function: Callable[[AnyDatabase], T]) -> T:
        """Call `function` in a transaction and return its result. Raises what it raises, rolled back; NotSaved."""
        write = _Write(function)
        with self._changed:
            self._queue.append(write)
            while self._is_committing and not write.is_done:
                self._changed.wait()
            if not write.is_done:
                self._is_committing, writes, self._queue = True, self._queue, []
        if not write.is_done:
            self._commit(writes)
        if write.error is not None:
            raise write.error
        return cast("T", write.result)

    def _commit(self, writes: list[_Write[Any]]) -> None:
        """Call all functions in one transaction and wake the threads that wait for them."""
        try:
            with self._transaction() as db:
                for write in writes:
                    write.run(db)
        except BaseException as error:  # noqa: BLE001 - raised again in the thread of every write
            for write in writes:
                write.error = _copy_of(error)
        with self._changed:
            for write in writes:
                write.is_done = True
            self._is_committing = False
            self._changed.notify_all()


def _copy_of(error: BaseException) -> BaseException:
    """Return the same error as another object: raised in several threads, one would mix their tracebacks."""
    copied = type(error).__new__(type(error), *error.args)
    copied.__dict__.update(error.__dict__)
    copied.__cause__ = error
    return copied


@dataclass(eq=False)
class _Write(Generic[T]):
    """One function to be called in a transaction, then its result or error."""

    function: Callable[[AnyDatabase], T]
    result: T | None = None
    error: BaseException | None = None
    is_done: bool = False

    def run(self, db: Database) -> None:
        """Call the function; what it wrote is rolled back when it is refused. Raises errors of the disk."""
        try:
            with db.atomic():
                self.result = self.function(db)
        except sqlite3.IntegrityError as error:
            self.error = BadRow(str(error))
        except StoreError as error:
            self.error = error


class DataFile:
    """The data file, locked until `close()`; without a path a database in memory.

    With `read_only` it takes no lock and may read a file that a server is using. Raises InUse when another process
    holds the lock, Unreadable when the file can't be used.
    """

    def __init__(self, path: Path | None, *, read_only: bool = False) -> None:
        self.on_trouble: Callable[[str], None] = lambda _: None
        self.folder = path and path.parent  # as it was named; None in memory
        path = path and path.resolve()  # of a symbolic link the lock and the log are those of its target
        if path and read_only and next_of(path).exists():
            path = next_of(path)
        self._path, self._read_only = path, read_only
        self._log_path = log_of(path or Path(MEMORY))
        self._lock = threading.RLock()
        self._db: Database | None = None
        self._reading_lock = threading.RLock()  # taken after `_lock`, where a thread takes both
        self._reading: Database | None = None  # for who reads while another thread writes, or waits to
        self._closed = self._is_copied_aside = False
        self._file: tuple[int, int] | None = None  # device and inode of the open file
        self._written: tuple[int, int] | None = None  # its size and time of change after the last write of our own
        self._log: tuple[int, int] | None = None  # device and inode of its write-ahead log
        self._group_commit = GroupCommit(self._transaction)
        self._exclusive, self._subscribers = threading.RLock(), list[Callable[[ChangeNotice], None]]()
        self._heads: dict[str, int] = {}  # the last event that was recorded in each night
        self._folder_lock = FolderLock(path) if path and not read_only else None
        try:
            if path and not read_only:
                _prepare_file(path)
            db = self._open()
            self._remember_file()
            is_current = has_current_schema(db)
            check_pages(db, path)
            if not read_only and not is_current:
                migrate(db, path or Path(MEMORY))
        except DISK_ERRORS as error:
            self.close()
            raise _refusal(path, error) from error
        except BaseException:
            self.close()
            raise

    @contextmanager
    def read(self) -> Iterator[Database]:
        """Yield the database for reading. Raises NotRead.

        While another thread writes, or waits for another program to let it, by a second connection, which has what was
        committed before.
        """
        if self._lock.acquire(blocking=self._path is None):  # what is in memory has no second connection
            try:
                with _errors_as_not_read(self._drop):
                    yield self._open()
            finally:
                self._lock.release()
            return
        with self._reading_lock, _errors_as_not_read(self._drop_reading):
            if self._reading is None:
                self._check_in_place()
                self._reading = _connect(self._path, read_only=True)
            yield self._reading

    @contextmanager
    def _alone(self) -> Iterator[Database]:
        """Yield the database for what no other thread may write meanwhile. Raises NotRead."""
        with self._lock, _errors_as_not_read(self._drop):
            yield self._open()

    def _drop_reading(self) -> None:
        with self._reading_lock:
            if self._reading is not None:
                self._reading.close()
                self._reading = None

    @contextmanager
    def write(self, change: ChangeNotice = NOTHING, *, erases: Collection[str] = ()) -> Iterator[Database]:
        try:
            with self._transaction(change) as db, erasing(db, erases):
                yield db
        finally:
            for changed in self._subscribers:
                changed(change)
        if erases:
            self._rebuild()

    def subscribe(self, changed: Callable[[ChangeNotice], None]) -> None:
        self._subscribers.append(changed)

    @contextmanager
    def exclusive(self, name: str) -> Iterator[None]:  # noqa: ARG002 - one for all names: it is held seldom
        with self._exclusive:
            yield

    @contextmanager
    def _transaction(self, change: ChangeNotice = NOTHING) -> Iterator[Database]:
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
                if change == EVERYTHING:  # nights may be gone
                    self._heads.clear()
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

    def run(self, function: Callable[[AnyDatabase], T], change: ChangeNotice) -> T:
        try:
            result = self._group_commit.run(function)
        finally:
            for changed in self._subscribers:
                changed(change)
        if isinstance(result, EventRow):
            self._heads[change.code] = max(result.number, self._heads.get(change.code, 0))
        return result

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
                self._log = self._log or _identity(self._log_path)

    def _replace_deleted_log(self) -> None:
        """Move the log into the file and begin a new one where it was deleted: with the process, it would be gone."""
        if self._db is not None and self._log and self._log != _identity(self._log_path):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._drop()

    def _open(self) -> Database:
        """Return the open database, connecting again when an error has closed it."""
        if self._db is None:
            self._check_in_place()
            self._db = _connect(self._path, self._read_only)
        return self._db

    def _check_in_place(self) -> None:
        """Raise RuntimeError for a store that is closed, NotRead for a file that is no longer at its path."""
        if self._closed:
            raise RuntimeError("the store is closed")
        if not self.is_in_place():
            raise NotRead("replaced")

    def _rollback(self) -> None:
        """Undo the open transaction, if SQLite has not done so by itself."""
        try:
            if self._db is not None and self._db.conn.in_transaction:
                self._db.execute("ROLLBACK")
        except sqlite3.Error:
            self._drop()

    def _drop(self) -> None:
        """Close the connections; SQLite rolls back what was open. The next use opens a new one."""
        self._drop_reading()  # it may have a log open that was deleted
        if self._db is not None:
            self._db.close()  # which may move the log into the file
            self._db = self._written = self._log = None

    def close(self) -> None:
        """Close the file and release the folder's lock; a second call does nothing.

        The log of a file that is no longer at its path goes once a copy has all of it: SQLite would take it for the
        log of the file that is there now.
        """
        is_left_over = self._is_copied_aside and not self.is_in_place()
        with self._lock:
            self._drop()
            self._closed = True
        if is_left_over and self._path:
            for part in (log_of(self._path), index_of(self._path)):
                part.unlink(missing_ok=True)
        if self._folder_lock:
            self._folder_lock.release()

    def publish_address(self, address: str) -> None:
        """Write down where the server can be reached, for the InUse of a second one."""
        if self._folder_lock:
            self._folder_lock.write_address(address)

    def size(self) -> int:
        """Return the size of the file and its log in bytes."""
        parts = (self._path, log_of(self._path)) if self._path else ()
        return sum(part.stat().st_size for part in parts if part.exists())

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file, if the disk lets it; a plain copy then has every event."""
        with suppress(NotRead), self._alone() as db:
            if self.is_in_place():
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                self._remember_file()

    def _rebuild(self) -> None:
        """Write the file anew without its free pages, and empty its log, if the disk lets it.

        Pages that were freed before `secure_delete` was on, as by a longer text in a row, still hold what they held.
        """
        with suppress(NotRead), self._alone() as db:
            if self.is_in_place():
                db.execute("VACUUM")
        self.checkpoint()

    def backup(self, target: Path) -> None:
        """Write a complete copy to `target` by an atomic rename, also where the file is gone. Raises NotSaved."""
        is_in_place = self.is_in_place()
        try:
            with written_whole(target) as unfinished:
                if is_in_place and self._path:  # by a connection of its own: nobody waits for its end
                    with _errors_as_not_read(lambda: None), closing(_connect(self._path, read_only=True)) as db:
                        db.execute("VACUUM INTO ?", [str(unfinished)])
                else:
                    with self._alone() as db:
                        db.execute("VACUUM INTO ?", [str(unfinished)])
                if not is_in_place and not self.has_heads(unfinished):
                    raise NotSaved("replaced", certain=True)
        except NotRead as trouble:
            raise NotSaved(trouble.reason, certain=True) from trouble
        except OSError as error:
            raise NotSaved(reason_of(error), certain=True) from error
        self._is_copied_aside = not is_in_place


def _prepare_file(path: Path) -> None:
    """Complete what a kill has interrupted, check the log, and make the file unless it is there. Raises CorruptFile."""
    finish_replacing(path)
    check_log(path)
    with suppress(OSError):  # a folder that can't be written, or a full disk: nothing is written there
        separate_names(path)
    with suppress(OSError):  # it exists already, or connecting reports the error
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))


def _identity(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of a file; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _connect(path: Path | None, read_only: bool) -> Database:
    """Open the file with every pragma set and read back, for reading alone where it must; without a path in memory."""
    if path is None:
        return _wrapped(sqlite3.connect(MEMORY, isolation_level=None, check_same_thread=False))
    try:
        return _connect_as(path, "ro" if read_only else "rwc")
    except sqlite3.OperationalError as error:
        if not (error.sqlite_errorname or "").startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN")):
            raise
        # A write-ahead log needs files beside it. Without a log to read, SQLite can be told that nobody writes.
        log = log_of(path)
        has_log = log.exists() and log.stat().st_size > 0
        return _connect_as(path, "ro" if has_log else "immutable")


def _wrapped(conn: sqlite3.Connection) -> Database:
    """Return the sqlite-utils database of a connection, which sets no pragma by itself."""
    return Database(conn, recursive_triggers=False, execute_plugins=False)


def _connect_as(path: Path, mode: Literal["rwc", "ro", "immutable"]) -> Database:
    query = "mode=ro&immutable=1" if mode == "immutable" else f"mode={mode}"
    uri = f"{path.absolute().as_uri()}?{query}"
    conn = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        _set_pragmas(conn, with_journal=mode == "rwc")  # who only reads takes the file as it is
        conn.execute("PRAGMA schema_version").fetchone()  # opens the file: an error shows here
        return _wrapped(conn)
    except BaseException:
        conn.close()
        raise


def _set_pragmas(conn: sqlite3.Connection, *, with_journal: bool) -> None:
    """Set each pragma and read it back. Raises NotSupportedError when SQLite did not accept one."""
    for pragma, value in PRAGMAS.items():
        if with_journal or pragma != "journal_mode":
            conn.execute(f"PRAGMA {pragma} = {value}").fetchall()
            if (kept := conn.execute(f"PRAGMA {pragma}").fetchone()[0]) != value:
                raise sqlite3.NotSupportedError(f"this SQLite keeps {pragma} at {kept}, not at {value}")


def _refusal(path: Path | None, error: Exception) -> Unreadable:
    """Return why a file can't be opened."""
    refusal = (CorruptFile if _is_damage(error) else Unreadable)(f"{path} can't be opened: {error}")
    refusal.is_of_disk = reason_of(error, "") in ("full", "disk")
    return refusal


def _is_damage(error: Exception) -> bool:
    """Return whether the error means a damaged database, rather than another file or a failing disk."""
    name = getattr(error, "sqlite_errorname", "") or ""
    return isinstance(error, UnicodeDecodeError) or name.startswith("SQLITE_CORRUPT")


@contextmanager
def _errors_as_not_read(drop: Callable[[], None]) -> Iterator[None]:
    """Raise NotRead for what the disk does, after `drop` has closed the connection."""
    try:
        yield
    except PROGRAM_ERRORS:
        raise
    except DISK_ERRORS as error:
        drop()
        raise NotRead(reason_of(error)) from error
