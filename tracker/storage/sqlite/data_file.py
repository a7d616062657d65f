"""The data file, held by this process alone: its lock, its size, and complete copies of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from tracker.storage.database import EVERYTHING, NOTHING, Change, Database
from tracker.storage.errors import NotRead, NotSaved, reason_of
from tracker.storage.files import finish_replacing, index_of, log_of, next_of, sync_file, sync_folder
from tracker.storage.rows import EventRow
from tracker.storage.sqlite.connection import SQLiteConnection
from tracker.storage.sqlite.database import SQLiteDatabase
from tracker.storage.sqlite.group_commit import GroupCommit
from tracker.storage.sqlite.lock import FolderLock

T = TypeVar("T")


class DataFile(SQLiteConnection):
    """The data file, locked until `close()`; without a path a database in memory.

    With `read_only` it takes no lock and may read a file that a server is using. Raises InUse when another process
    holds the lock, Unreadable when the file can't be used.
    """

    is_file = True

    def __init__(self, path: Path | None, *, read_only: bool = False, is_checked_later: bool = False) -> None:
        self.is_in_memory = path is None
        self._folder_lock = None
        self._is_copied_aside = False
        if path and not read_only:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._folder_lock = FolderLock(path)
        elif path and next_of(path).exists():
            path = next_of(path)
        try:
            if path and not read_only:
                finish_replacing(path)
                with suppress(OSError):  # it exists already, or connecting reports the error
                    os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
            super().__init__(path, read_only=read_only, is_checked_later=is_checked_later)
        except BaseException:
            self._release()
            raise
        self._group_commit = GroupCommit(self.write)

    @contextmanager
    def write(self, change: Change = NOTHING) -> Iterator[SQLiteDatabase]:
        """Yield the database in a write transaction, see `SQLiteConnection.write`."""
        with super().write(change) as db:
            yield db
            if change == EVERYTHING:  # nights may be gone
                self._heads.clear()

    def run(self, function: Callable[[Database], T], change: Change) -> T:
        """Call `function` in a transaction that other threads share, and return its result once that is on the disk.

        Raises what `function` raises, with what it wrote rolled back; NotSaved when the disk failed.
        """
        result = self._group_commit.run(function)
        if isinstance(result, EventRow):
            self._heads[change.code] = max(result.number, self._heads.get(change.code, 0))
        return result

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:  # noqa: ARG002 - no other process has the file
        """Do nothing: the caller has a lock of its own for the threads of this process."""
        yield

    def listen(self, changed: Callable[[Change], None]) -> None:
        """Do nothing: no other process writes to the file."""

    def tell(self, change: Change) -> None:
        """Do nothing: there are no other processes."""

    def close(self) -> None:
        """Close the file and release the folder's lock; a second call does nothing.

        The log of a file that is no longer at its path goes once a copy has all of it: SQLite would take it for the
        log of the file that is there now.
        """
        is_left_over = self._is_copied_aside and not self.is_in_place()
        super().close()
        if is_left_over and self._path:
            for part in (log_of(self._path), index_of(self._path)):
                part.unlink(missing_ok=True)
        self._release()

    def _release(self) -> None:
        if self._folder_lock:
            self._folder_lock.release()

    def publish_address(self, address: str) -> None:
        """Write the server's address into the lock file, where InUse reads it for a second server."""
        if self._folder_lock:
            self._folder_lock.write_address(address)

    def size(self) -> int:
        """Return the size of the file and its log in bytes; 0 in memory."""
        parts = (self._path, log_of(self._path)) if self._path else ()
        return sum(part.stat().st_size for part in parts if part.exists())

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file, if the disk lets it; a plain copy then has every event."""
        with suppress(NotRead), self.read() as db:
            if self.is_in_place():
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                self._remember_file()

    def backup(self, target: Path) -> None:
        """Write a complete copy to `target`, by an atomic rename, also where the file is no longer at its path.

        Raises NotSaved.
        """
        unfinished = target.with_name(target.name + ".part")
        try:
            unfinished.unlink(missing_ok=True)
            is_in_place = self.is_in_place()
            with self.read_beside() if is_in_place else self.read() as db:
                db.execute("VACUUM INTO ?", [str(unfinished)])
            if not is_in_place and not self.has_heads(unfinished):
                raise NotSaved("replaced", certain=True)
            self._is_copied_aside = not is_in_place
            unfinished.chmod(0o600)  # it holds names and token hashes
            sync_file(unfinished)
            unfinished.replace(target)
            sync_folder(target.parent)
        except NotRead as trouble:
            raise NotSaved(trouble.reason, certain=True) from trouble
        except OSError as error:
            raise NotSaved(reason_of(error), certain=True) from error
        finally:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
