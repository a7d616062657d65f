"""Check a data file: its pages with SQLite's own integrity check, of a large file after it was opened."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tracker.storage.errors import CorruptFile, NotSaved
from tracker.storage.sqlite.database import SQLiteDatabase

MOST_FAULTS = 3


def check_pages(db: SQLiteDatabase, path: Path | None) -> None:
    """Raise CorruptFile when SQLite's integrity check fails or a foreign key has no target."""
    faults = [row[0] for row in db.execute(f"PRAGMA integrity_check({MOST_FAULTS})") if row[0] != "ok"]
    faults += [f"a row of {row[0]} refers to nothing" for row in db.execute("PRAGMA foreign_key_check")]
    if faults:
        raise CorruptFile(f"{path} is damaged: {'; '.join(faults[:MOST_FAULTS])}")


class LaterCheck:
    """The check of a file that is open already, on a connection of its own: others read meanwhile. It is made once, by
    the first thread that waits for it."""

    def __init__(self, connect: Callable[[], SQLiteDatabase], path: Path) -> None:
        """`connect` opens the file for reading."""
        self._connect, self._path = connect, path
        self._lock = threading.Lock()
        self._db: SQLiteDatabase | None = None
        self._damage: CorruptFile | None = None
        self._is_done = self._is_stopped = False

    def wait(self) -> None:
        """Return when the file was found sound. Raises CorruptFile, also at every later call."""
        with self._lock:
            if not self._is_done:
                self._run()
                self._is_done = True
        if self._damage:
            raise self._damage

    def _run(self) -> None:
        try:
            self._db = self._connect()
            check_pages(self._db, self._path)
        except CorruptFile as damage:
            self._damage = damage
        except (sqlite3.Error, UnicodeDecodeError) as error:  # a damaged page can make Python fail on SQLite's message
            if not self._is_stopped:
                self._damage = CorruptFile(f"{self._path} is damaged: {error}")
        finally:
            if self._db:
                self._db.close()

    def wait_to_write(self) -> None:
        """Return when the file was found sound: nothing is written to a damaged one. Raises NotSaved."""
        try:
            self.wait()
        except CorruptFile as damage:
            raise NotSaved("damaged", certain=True) from damage

    def stop(self) -> None:
        """End a check that is running; there is none after that."""
        self._is_stopped = True
        with suppress(sqlite3.ProgrammingError):  # it is not open yet, or no longer
            if self._db and not self._is_done:
                self._db.conn.interrupt()
        with self._lock:
            self._is_done = True
