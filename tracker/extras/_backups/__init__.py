"""Backups of the data file, for the extras that make, list or delete them: all nights in one file, or one night. No
extra itself.
"""

import re
import shutil
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from weakref import WeakKeyDictionary

from tracker.app.nights import Nights
from tracker.cli import commands, say
from tracker.storage import DiskTrouble, NightRow, NotSaved, Store
from tracker.storage.errors import reason_of
from tracker.storage.files import free_name, written_whole
from tracker.storage.sqlite import DataFile
from tracker.web.own_command import own_command

FOLDER = "backups"
MAX_AUTOMATIC = 20
"""Number of automatic backups kept; those that somebody asked for are never deleted."""
HAND = "hand-"
"""How the names of automatic backups begin; a number follows."""
REMOVAL = "removal"
"""How the copies are named that are made before nights are removed for good."""
PAUSE_SECONDS = 15.0
"""Delay from the end of a hand to its backup, so that the payments that follow are in it."""
MOST_BYTES_PER_SECOND = 300_000
"""What automatic copies of the whole file write on average: below 4 MB after every hand, of 85 MB every five minutes.
The file of the night itself is written after every hand."""
MIN_FREE_BYTES = 16 << 20
"""Disk space that a backup must leave free for recording events."""

_FILE_NAME = re.compile(r"(?:hand-\d{6,}|(?:asked|removal)-[\d-]+)\.db|night-[0-9a-z]{1,64}\.json")


@dataclass(frozen=True)
class Backup:
    """One backup file: a copy of the data file with all nights, or the night file of one night."""

    path: Path
    made_at: datetime
    size: int
    """In bytes."""

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def is_night(self) -> bool:
        return self.path.suffix == ".json"

    def nights(self) -> list[NightRow]:
        """Return the nights of a data file, newest first. Raises Unreadable when the backup is damaged."""
        with closing(Store(self.path, read_only=True)) as store:
            return store.nights()


class Backups:
    """Makes backups in a background thread (of a large file, a few minutes apart); a failed one is reported.

    `close()` first, then the store.
    """

    def __init__(self, file: DataFile, folder: Path) -> None:
        self.folder = folder
        self.trouble = ""
        """Why the last backup failed, as a key of `storage.errors.SENTENCES`; empty when it succeeded."""
        self._file, self._pause_seconds = file, PAUSE_SECONDS
        self._pending: dict[str, Callable[[], str]] = {}
        self._is_copy_due = False
        self._next_copy_at = -inf
        self._lock = threading.Lock()  # guards _pending and _thread
        self._copying = threading.Lock()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def request(self, code: str, export: Callable[[], str]) -> None:
        """Schedule a backup, and the night file of this night, which `export` returns; returns at once."""
        with self._lock:
            self._pending[code] = export
            if self._thread is None and not self._closing.is_set():
                thread = threading.Thread(target=self._run, name="backups", daemon=True)
                with suppress(RuntimeError):  # the system gives no more threads: the next request tries again
                    thread.start()
                    self._thread = thread

    def forget(self, code: str) -> None:
        """Delete the night file of a night that is no more; copies of all nights end when newer ones replace them."""
        with self._lock:
            self._pending.pop(code, None)
        with self._copying, suppress(OSError):  # no thread writes it again after this
            (self.folder / f"night-{code}.json").unlink(missing_ok=True)

    def close(self) -> None:
        """Make the pending backups and end the thread; requests after that are made by the next `close()`."""
        self._closing.set()
        with self._lock:
            thread = self._thread
        if thread:
            thread.join()
        self._run_pending()

    def _run(self) -> None:
        while True:
            self._closing.wait(self._pause_seconds)
            self._run_pending()
            with self._lock:
                if self._closing.is_set() or not (self._pending or self._is_copy_due):
                    self._thread = None
                    return

    def _run_pending(self) -> None:
        """Make the requested backups; an error is stored in `trouble` and reported once."""
        with self._lock:
            pending, self._pending = self._pending, {}
        if not pending and not self._is_copy_due:
            return
        try:
            self._make(pending)
            trouble = ""
        except DiskTrouble as error:
            trouble = error.reason
        except OSError as error:
            trouble = reason_of(error)
        if trouble and trouble != self.trouble:
            say(f"Warning: no backup could be made: {NotSaved(trouble, certain=True)}", err=True)
        self.trouble = trouble

    def _make(self, pending: dict[str, Callable[[], str]]) -> None:
        with self._copying:
            self._file.checkpoint()
            self._prepare()
            self._is_copy_due = time.monotonic() < self._next_copy_at and not self._closing.is_set()
            if not self._is_copy_due:
                self._copy_all()
            for code, export in pending.items():
                with written_whole(self.folder / f"night-{code}.json") as unfinished:
                    unfinished.write_text(export(), encoding="utf-8")

    def _copy_all(self) -> None:
        last = max((backup_number(copy) for copy in self._of_hands()), default=0)
        self._file.backup(self.folder / f"{HAND}{last + 1:06}.db")
        apart = self._file.size() / MOST_BYTES_PER_SECOND
        self._next_copy_at = time.monotonic() + apart - self._pause_seconds
        for old in sorted(self._of_hands(), key=backup_number)[:-MAX_AUTOMATIC]:
            old.unlink(missing_ok=True)

    def _prepare(self) -> None:
        """Make the folder. Raises NotSaved when the disk has too little space for one more backup."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if shutil.disk_usage(self.folder).free < self._file.size() + MIN_FREE_BYTES:
            raise NotSaved("full", certain=True)

    def _of_hands(self) -> list[Path]:
        return list(self.folder.glob(f"{HAND}*.db"))

    def make(self, word: str = "asked") -> Backup:
        """Make a backup now that is never deleted automatically. Raises NotSaved."""
        with self._copying:
            try:
                self._prepare()
                target = free_name(self.folder / "all", word)
                self._file.backup(target)
                return backup_at(target)
            except OSError as error:
                raise NotSaved(reason_of(error), certain=True) from error

    def all(self) -> list[Backup]:
        return list_backups(self.folder)


_BACKUPS: WeakKeyDictionary[Nights, Backups] = WeakKeyDictionary()


def backups_of(nights: Nights) -> Backups | None:
    """Return what makes backups of these nights; None where they are in no data file."""
    file = nights.store.file
    if file is None or file.folder is None:
        return None
    return _BACKUPS.setdefault(nights, Backups(file, file.folder / FOLDER))


def about_restore(text: str, **names: object) -> str:
    """Return a text about the command that puts copies back; empty where there is no such command."""
    return text.format(restore=f"{own_command()} restore", **names) if "restore" in commands() else ""


def backup_number(path: Path) -> int:
    return int(path.stem.removeprefix(HAND))


def backup_at(path: Path) -> Backup:
    """Return the backup at a path. Raises OSError when there is none."""
    status = path.stat()
    return Backup(path, datetime.fromtimestamp(status.st_mtime, UTC), status.st_size)


def list_backups(folder: Path) -> list[Backup]:
    """Return the backups in a folder, newest first, those made after hands by their numbers; none without a folder."""
    found = []
    for path in folder.iterdir() if folder.is_dir() else ():
        with suppress(OSError):  # deleted by the rotation meanwhile
            if _FILE_NAME.fullmatch(path.name):
                found.append(backup_at(path))
    found.sort(key=lambda copy: (copy.made_at, copy.name), reverse=True)
    hands = sorted((one.path for one in found if one.name.startswith(HAND)), key=backup_number, reverse=True)
    by_path, numbered = {one.path: one for one in found}, iter(hands)
    return [by_path[next(numbered)] if one.name.startswith(HAND) else one for one in found]
