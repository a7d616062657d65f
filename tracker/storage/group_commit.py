"""One transaction, and so one wait for the disk, for what several threads write at the same moment."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Generic, TypeVar

from tracker.storage.database import Database
from tracker.storage.errors import BadRow, StoreError

T = TypeVar("T")


class GroupCommit:
    """Runs the writes of several threads in shared transactions; one that is refused does not stop the others."""

    def __init__(self, transaction: Callable[[], AbstractContextManager[Database]]) -> None:
        self._transaction = transaction
        self._queue: list[_Write[Any]] = []
        self._is_committing = False
        self._changed = threading.Condition()

    def run(self, function: Callable[[Database], T]) -> T:
        """Call `function` in a transaction and return its result, once that is on the disk.

        Raises what `function` raises, with what it wrote rolled back; NotSaved when the disk failed.
        """
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
        return write.result

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


class _Write(Generic[T]):
    """One function to be called in a transaction, then its result or error."""

    result: T

    def __init__(self, function: Callable[[Database], T]) -> None:
        self._function = function
        self.error: BaseException | None = None
        self.is_done = False

    def run(self, db: Database) -> None:
        """Call the function; what it wrote is rolled back when it is refused. Raises errors of the disk."""
        db.execute("SAVEPOINT one_write")
        try:
            self.result = self._function(db)
        except sqlite3.IntegrityError as error:
            self.error = BadRow(str(error))
        except StoreError as error:
            self.error = error
        if self.error is not None:
            db.execute("ROLLBACK TO one_write")
        db.execute("RELEASE one_write")
