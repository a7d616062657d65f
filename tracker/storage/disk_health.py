"""Watch whether the data file can be written, and notify when that changes."""

import os
import shutil
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tracker.storage import Store
from tracker.storage.files import write_file

RESERVE_BYTES = 1 << 20
"""Disk space for some thousand events, enough to finish a night."""
START_REQUIRED_BYTES = 50_000_000
"""Free bytes required to start, and to make the reserve again after it was used."""
RESERVE_REQUIRED_BYTES = 4 * RESERVE_BYTES
"""Free bytes required to make the reserve at the start."""


class DiskNearlyFull(Exception):
    """The disk has too little space for a night; `free` is in bytes."""

    def __init__(self, folder: Path, free: int) -> None:
        super().__init__(
            f"the disk of {folder} is nearly full: {free / 1e6:.1f} MB are free, a night should begin with "
            f"{START_REQUIRED_BYTES // 1_000_000}. Make some room, keep the data on another disk with --data, or play "
            "on in what is left with --full-disk"
        )
        self.free = free


def check_disk_space(folder: Path) -> None:
    """Raise DiskNearlyFull when a writable folder, or one still to be made, has too little space for a night."""
    place = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    with suppress(OSError):  # opening the data file reports the error
        free = shutil.disk_usage(place).free
        if free < START_REQUIRED_BYTES and os.access(place, os.W_OK):
            raise DiskNearlyFull(folder, free)


class DiskHealth:
    """Retries after the first failed write until writing works again.

    `trouble` is the reason of the failure as a key of `storage.errors.SENTENCES`, empty when the disk works."""

    def __init__(
        self,
        store: Store,
        on_change: Callable[[], None] = lambda: None,
        *,
        reserve: Path | None = None,
        pause_seconds: float = 1.0,
    ) -> None:
        self.trouble = ""
        self.on_replaced: Callable[[], object] = lambda: None
        """Called when the data file is no longer at its path."""
        self._uses_reserve = False
        self._store, self._on_change, self._reserve, self._pause_seconds = store, on_change, reserve, pause_seconds
        self._lock = threading.Lock()
        self._is_watching = False
        self.make_reserve(RESERVE_REQUIRED_BYTES)
        store.connection.on_trouble = self.record_failure

    def make_reserve(self, required_bytes: int) -> None:
        """Fill a reserve file if more than `required_bytes` are free; it is deleted when the disk is full."""
        if self._reserve is None or self._reserve.exists():
            return
        with suppress(OSError):
            if shutil.disk_usage(self._reserve.parent).free > required_bytes:
                write_file(self._reserve, os.urandom(RESERVE_BYTES))
                self._uses_reserve = False

    def refill_reserve(self) -> bool:
        """Make the reserve again if it was used up and there is space; return False while there is none."""
        if self._uses_reserve:
            self.make_reserve(START_REQUIRED_BYTES)
        return not self._uses_reserve

    def record_failure(self, reason: str) -> None:
        """Store the reason of a failed write, and start the thread that retries once a second."""
        with self._lock:
            is_changed, self.trouble = self.trouble != reason, reason
            starts, self._is_watching = not self._is_watching, True
        if starts:
            try:
                threading.Thread(target=self._watch, name="disk", daemon=True).start()
            except RuntimeError:  # the system gives no more threads: the next failure tries again
                with self._lock:
                    self._is_watching = False
        elif is_changed:
            self._on_change()

    def _watch(self) -> None:
        pause = threading.Event()
        self._on_change()
        if self.trouble == "replaced":
            self.on_replaced()
        while True:
            if self.trouble == "full":
                self._delete_reserve()
            try:
                if self._store.probe() is None:
                    break
            except RuntimeError:  # the store is closed: the program ends
                return
            pause.wait(self._pause_seconds)
        with self._lock:
            self.trouble, self._is_watching = "", False
        self._on_change()

    def _delete_reserve(self) -> None:
        if self._reserve is not None and self._reserve.exists():
            with suppress(OSError):
                self._reserve.unlink()
                self._uses_reserve = True
