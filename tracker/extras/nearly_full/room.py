"""The room that the disk has for a night, and what is put by of it."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

from flask import Flask

from tracker.storage.disk_health import DiskHealth
from tracker.storage.files import write_file
from tracker.web.wording.texts import gettext as _

FILE = "reserve"
"""A file in the data folder that reserves disk space."""
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


class Reserve:
    """A file that is deleted when the disk is full, and made again when there is room."""

    def __init__(self, file: Path, disk: DiskHealth) -> None:
        self._file, self._is_used = file, False
        self._make(RESERVE_REQUIRED_BYTES)
        disk.on_full, disk.warning = self.give_up, self.warning

    def _make(self, required_bytes: int) -> None:
        """Fill the file if more than `required_bytes` are free."""
        if self._file.exists():
            return
        with suppress(OSError):
            if shutil.disk_usage(self._file.parent).free > required_bytes:
                write_file(self._file, os.urandom(RESERVE_BYTES))
                self._is_used = False

    def give_up(self) -> None:
        """Delete the file."""
        with suppress(OSError):
            self._file.unlink()
            self._is_used = True

    def warning(self) -> str:
        """Make the file again if it was used up and there is room; while there is none, return that it is used up."""
        if self._is_used:
            self._make(START_REQUIRED_BYTES)
        return _("The disk is nearly full, and the last reserve is in use: make some room.") if self._is_used else ""


def begin(app: Flask) -> None:
    """Put room by where the command serves a data file."""
    nights, folder = app.extensions["nights"], app.config["OPTIONS"].get("data_folder")
    if folder and nights.store.file:
        Reserve(folder / FILE, nights.disk)
