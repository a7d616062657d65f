"""Whether the data file can be written just now: everybody is told when it can't, and again when it can."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tracker.store import Store

RESERVE_BYTES = 1 << 20
"""Enough to finish a night in: some thousand events."""
ROOM_BYTES = 50_000_000
"""How much has to be free to begin with, and before a reserve that was used is put by again."""
LEAST_BYTES = 4 * RESERVE_BYTES
"""How much has to be free for a reserve on a disk that is nearly full already."""


class NearlyFull(Exception):
    """There is too little room for a night; says how much, and what to do."""

    def __init__(self, folder: Path, free: int) -> None:
        super().__init__(
            f"the disk of {folder} is nearly full: {free / 1e6:.1f} MB are free, a night should begin with "
            f"{ROOM_BYTES // 1_000_000}. Make some room, keep the data on another disk with --data, or play on in "
            "what is left with --full-disk"
        )
        self.free = free


def check_room(folder: Path) -> None:
    """Raise NearlyFull when a folder that can be written, or is yet to be made, has too little room for a night."""
    place = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    with suppress(OSError):  # opening the data file will say what is wrong
        free = shutil.disk_usage(place).free
        if free < ROOM_BYTES and os.access(place, os.W_OK):
            raise NearlyFull(folder, free)


class Disk:
    """Watches the disk from the first failure until it works again; `trouble` is the reason, empty when all is well."""

    def __init__(
        self,
        store: Store,
        on_change: Callable[[], None] = lambda: None,
        *,
        reserve: Path | None = None,
        pause_seconds: float = 1.0,
    ) -> None:
        self.trouble = ""
        self._uses_reserve = False
        self._store, self._on_change, self._reserve, self._pause_seconds = store, on_change, reserve, pause_seconds
        self._lock = threading.Lock()
        self._is_watching = False
        self.put_by(LEAST_BYTES)
        store.on_trouble(self.failed)

    def put_by(self, room: int) -> None:
        """Keep some of so much room in a file that is given up when the disk is full; without it the game does, too."""
        if self._reserve is None or self._reserve.exists():
            return
        with suppress(OSError):
            if shutil.disk_usage(self._reserve.parent).free > room:
                self._reserve.write_bytes(os.urandom(RESERVE_BYTES))
                self._uses_reserve = False

    @property
    def is_nearly_full(self) -> bool:
        """Whether the game goes on in the room that was put by: then somebody has to make some more."""
        if self._uses_reserve:
            self.put_by(ROOM_BYTES)
        return self._uses_reserve

    def failed(self, reason: str) -> None:
        """Take notice of something that was not saved, and look every second whether it works again."""
        with self._lock:
            is_news, self.trouble = self.trouble != reason, reason
            starts, self._is_watching = not self._is_watching, True
        if starts:
            threading.Thread(target=self._watch, name="disk", daemon=True).start()
        elif is_news:
            self._on_change()

    def _watch(self) -> None:
        pause = threading.Event()
        self._on_change()
        while True:
            if self.trouble == "full":
                self._give_up_reserve()
            try:
                if self._store.probe() is None:
                    break
            except RuntimeError:  # closed: the program ends
                return
            pause.wait(self._pause_seconds)
        with self._lock:
            self.trouble, self._is_watching = "", False
        self._on_change()

    def _give_up_reserve(self) -> None:
        if self._reserve is not None and self._reserve.exists():
            with suppress(OSError):
                self._reserve.unlink()
                self._uses_reserve = True
