"""Copy, replace and remove data files together with their logs, flushed to the disk."""

import os
import shutil
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path


def log_of(path: Path) -> Path:
    """Return the path of SQLite's write-ahead log; a data file has to be copied together with it."""
    return path.with_name(path.name + "-wal")


def journal_of(path: Path) -> Path:
    """Return the path of SQLite's rollback journal, which an older version of the program may have left."""
    return path.with_name(path.name + "-journal")


def index_of(path: Path) -> Path:
    """Return the path of the log's index; SQLite makes it again when it is missing."""
    return path.with_name(path.name + "-shm")


def timestamp() -> str:
    """Return the current UTC time as it stands in a file's name."""
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S")


def copy_file(source: Path, target: Path) -> None:
    """Copy a data file with its log or journal, flushed to the disk and readable by this user only."""
    index_of(target).unlink(missing_ok=True)
    for part in (Path, log_of, journal_of):
        one, other = part(source), part(target)
        if one.exists():
            shutil.copyfile(one, other)
            other.chmod(0o600)
            sync_file(other)
        else:
            other.unlink(missing_ok=True)
    sync_folder(target.parent)


def separate_names(path: Path) -> None:
    """Make a data file that has another name on its disk (a hard link) a copy; the other name keeps the file as it is.

    Each name has a log and a lock of its own, so two servers would write into one file. Raises OSError.
    """
    if path.exists() and path.stat().st_nlink > 1:
        copied = path.with_name(path.name + ".part")
        shutil.copyfile(path, copied)
        copied.chmod(0o600)
        sync_file(copied)
        copied.replace(path)
        sync_folder(path.parent)


def free_name(path: Path, word: str) -> Path:
    """Return an unused path beside a data file: `word`, a timestamp and, if needed, a number."""
    name = f"{word}-{timestamp()}"
    target, number = path.with_name(f"{name}.db"), 1
    while target.exists():
        number += 1
        target = path.with_name(f"{name}-{number}.db")
    return target


def copy_aside(path: Path, word: str) -> Path:
    """Copy a data file to an unused name beside it; return the copy's path."""
    target = free_name(path, word)
    copy_file(path, target)
    return target


def next_of(path: Path) -> Path:
    """Return the path of the file that is about to replace a data file; it is there only after a kill meanwhile."""
    return path.with_name(path.name + ".next")


def replace_file(fresh: Path, path: Path) -> None:
    """Replace the data file by `fresh`; a killed process leaves the old one, or `finish_replacing` the rest."""
    fresh.chmod(0o600)
    fresh.replace(next_of(path))
    sync_folder(path.parent)
    finish_replacing(path)


def finish_replacing(path: Path) -> None:
    """Complete a replacement that was begun; called before a data file is opened.

    The old log and journal go first, else SQLite would play them into the new file. The old file without its log has
    less than was recorded, so the new one is complete by then.
    """
    if next_of(path).exists():
        for part in (log_of, journal_of, index_of):
            part(path).unlink(missing_ok=True)
        sync_folder(path.parent)
        next_of(path).replace(path)
        sync_folder(path.parent)


def remove(path: Path) -> None:
    """Delete a temporary data file with the files beside it."""
    for name in ("", "-wal", "-shm", "-journal", ".lock"):
        path.with_name(path.name + name).unlink(missing_ok=True)


def sync_file(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to the disk, where the system supports it."""
    with suppress(OSError):  # Windows can't open folders
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
