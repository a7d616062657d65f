"""Copies of all nights: made after every hand, listed, and put back in the place of the present file."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tracker.store import DiskTrouble, NightRow, NotSaved, Store, StoreError, Unreadable
from tracker.store.errors import reason_of
from tracker.store.files import copy_file, free_name, remove, set_aside, sync_file, sync_folder, take_place
from tracker.store.lock import FolderLock

FOLDER = "backups"
KEPT = 20
"""How many of the copies made after hands are kept; those that somebody asked for stay."""
PAUSE_SECONDS = 15.0
"""From the end of a hand to its copy: then the payments that follow are in it, and nobody waits for anything."""
ROOM_BYTES = 16 << 20
"""What a copy leaves free on the disk: the game needs it more."""

_NAMED = re.compile(r"(?:hand-\d{6,}|asked-[\d-]+)\.db|night-[0-9a-z]{1,64}\.json")


@dataclass(frozen=True)
class Copy:
    """A file among the backups: all nights as a data file, or one night as a night file."""

    path: Path
    made_at: datetime
    size: int
    """In bytes."""

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def is_night(self) -> bool:
        """Whether it is the night file of one night."""
        return self.path.suffix == ".json"

    def nights(self) -> list[NightRow]:
        """Return the nights in a copy of all, the newest first. Raises Unreadable when it is damaged itself."""
        with closing(Store(self.path, read_only=True)) as store:
            return store.nights()


class Backups:
    """Makes copies beside the data file, in a thread of its own. A copy that fails is told and never stops the game."""

    def __init__(
        self,
        store: Store,
        folder: Path,
        *,
        pause_seconds: float = PAUSE_SECONDS,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.folder = folder
        self.trouble = ""
        """Why the last copy could not be made, as a key of the store's sentences; empty when it could."""
        self._store, self._pause_seconds, self._tell = store, pause_seconds, tell
        self._wished: dict[str, Callable[[], str]] = {}
        self._lock = threading.Lock()  # of what is wished for
        self._copying = threading.Lock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def wish(self, code: str, export: Callable[[], str]) -> None:
        """Ask for a copy soon, and for the file of this night, which `export` returns; comes back at once."""
        with self._lock:
            self._wished[code] = export
            if self._thread is None and not self._stopping.is_set():
                self._thread = threading.Thread(target=self._run, name="backups", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Make the copies that are still wished for, and no more after that."""
        self._stopping.set()
        with self._lock:
            thread = self._thread
        if thread:
            thread.join()
        if self._wished:
            self._grant()

    def _run(self) -> None:
        while True:
            self._stopping.wait(self._pause_seconds)
            self._grant()
            with self._lock:
                if self._stopping.is_set() or not self._wished:
                    self._thread = None
                    return

    def _grant(self) -> None:
        """Make what is wished for; what goes wrong is kept as `trouble`, and told once."""
        with self._lock:
            wished, self._wished = self._wished, {}
        try:
            self._make(wished)
            trouble = ""
        except DiskTrouble as error:
            trouble = error.reason
        except OSError as error:
            trouble = reason_of(error)
        if trouble and trouble != self.trouble:
            self._tell(f"no backup could be made: {NotSaved(trouble, certain=True)}")
        self.trouble = trouble

    def _make(self, wished: dict[str, Callable[[], str]]) -> None:
        with self._copying:
            self._prepare()
            last = max((number_of(copy) for copy in self._of_hands()), default=0)
            self._store.backup(self.folder / f"hand-{last + 1:06}.db")
            for old in sorted(self._of_hands(), key=number_of)[:-KEPT]:
                old.unlink(missing_ok=True)
            for code, export in wished.items():
                self._write(f"night-{code}.json", export())

    def _prepare(self) -> None:
        """Make the folder. Raises NotSaved while the disk has too little room for one more copy."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if shutil.disk_usage(self.folder).free < self._store.size() + ROOM_BYTES:
            raise NotSaved("full", certain=True)

    def _write(self, name: str, text: str) -> None:
        unfinished = self.folder / f"{name}.part"
        unfinished.write_text(text, encoding="utf-8")
        unfinished.chmod(0o600)
        sync_file(unfinished)
        unfinished.replace(self.folder / name)
        sync_folder(self.folder)

    def _of_hands(self) -> list[Path]:
        return list(self.folder.glob("hand-*.db"))

    def make(self) -> Copy:
        """Make a copy now, one that stays. Raises NotSaved."""
        with self._copying:
            try:
                self._prepare()
                target = free_name(self.folder / "all", "asked")
                self._store.backup(target)
                return copy_at(target)
            except OSError as error:
                raise NotSaved(reason_of(error), certain=True) from error

    def listed(self) -> list[Copy]:
        """Return all copies, the newest first."""
        return copies(self.folder)


def number_of(path: Path) -> int:
    """Return the running number in the name of a copy made after a hand."""
    return int(path.stem.removeprefix("hand-"))


def copy_at(path: Path) -> Copy:
    """Return what is known of a copy. Raises OSError when it is not there."""
    found = path.stat()
    return Copy(path, datetime.fromtimestamp(found.st_mtime, UTC), found.st_size)


def copies(folder: Path) -> list[Copy]:
    """Return the copies in a folder, the newest first; nothing when there is no such folder."""
    found = []
    for path in folder.iterdir() if folder.is_dir() else ():
        with suppress(OSError):  # rolled away meanwhile
            if _NAMED.fullmatch(path.name):
                found.append(copy_at(path))
    return sorted(found, key=lambda copy: (copy.made_at, copy.name), reverse=True)


# Back again


@dataclass(frozen=True)
class Restored:
    """What came of putting a copy back."""

    nights: list[NightRow]
    aside: Path | None
    """Where the file is that stood there before; None when there was none."""
    faults: list[str]
    """A sentence for every night of the copy that can't be read to its end."""


def restore(data_file: Path, copy: Path) -> Restored:
    """Put a copy in the place of the data file, which is kept under another name.

    Raises InUse while a server runs, Unreadable when the copy is none, OSError when the disk fails; then all stays.
    """
    data_file.parent.mkdir(parents=True, exist_ok=True)
    lock = FolderLock(data_file)
    fresh = data_file.with_name(data_file.name + ".part")
    try:
        remove(fresh)
        if not copy.stat().st_size:
            raise Unreadable("the file is empty")
        copy_file(copy, fresh)
        with closing(Store(fresh)) as store:
            nights, faults = store.nights(), store.faults()
        aside = set_aside(data_file, "before-restore") if data_file.exists() else None
        take_place(fresh, data_file)
    except StoreError as error:
        raise Unreadable(f"{copy} can't be put back, nothing was changed: {error}") from error
    finally:
        with suppress(OSError):
            remove(fresh)
        lock.release()
    return Restored(nights, aside, faults)
