"""Whole files: copied with what belongs to them, kept aside under a name of their own, put in the data file's place."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path


def journal_of(path: Path) -> Path:
    """Return where SQLite keeps what it would need to roll back: whoever copies one of the two has to copy both."""
    return path.with_name(path.name + "-journal")


def stamp() -> str:
    """Return the present moment for a file's name."""
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S")


def copy_file(source: Path, target: Path) -> None:
    """Copy a data file and its journal; both are on the disk when this returns, for this user's eyes alone."""
    for one, other in ((source, target), (journal_of(source), journal_of(target))):
        if one.exists():
            shutil.copyfile(one, other)
            other.chmod(0o600)
            sync_file(other)
        else:
            other.unlink(missing_ok=True)
    sync_folder(target.parent)


def free_name(path: Path, word: str) -> Path:
    """Return a name beside a data file that nobody has yet: `word`, the moment and, if need be, a number."""
    name = f"{word}-{stamp()}"
    target, number = path.with_name(f"{name}.db"), 1
    while target.exists():
        number += 1
        target = path.with_name(f"{name}-{number}.db")
    return target


def set_aside(path: Path, word: str) -> Path:
    """Copy a data file beside itself under a name of its own; return the copy."""
    target = free_name(path, word)
    copy_file(path, target)
    return target


def take_place(fresh: Path, path: Path) -> None:
    """Let `fresh` be the data file from now on; the old one's journal goes first, else it would be played into it."""
    journal_of(path).unlink(missing_ok=True)
    sync_folder(path.parent)
    fresh.replace(path)
    sync_folder(path.parent)


def remove(path: Path) -> None:
    """Take away a file that was only made on the way, with whatever belongs to it."""
    for name in ("", "-journal", ".lock"):
        path.with_name(path.name + name).unlink(missing_ok=True)


def sync_file(path: Path) -> None:
    """Return when the file's content is on the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Return when the names in a folder are on the disk, where the system can say so."""
    with suppress(OSError):  # Windows opens no folders
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
