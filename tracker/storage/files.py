"""Lock, copy, replace and remove data files together with their logs, flushed to the disk."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from errno import EACCES, EAGAIN, EPERM, EROFS
from pathlib import Path

from tracker.storage.errors import InUse, Unreadable


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
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S")


def separate_names(path: Path) -> None:
    """Make a data file with another hard link a copy, as each name has its own log and lock. Raises OSError."""
    if path.exists() and path.stat().st_nlink > 1:
        with written_whole(path) as copied:
            shutil.copyfile(path, copied)


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """Yield a path to write a file to, which then takes the place of `target` at once, readable by this user only."""
    unfinished = target.with_name(target.name + ".part")
    try:
        unfinished.unlink(missing_ok=True)
        yield unfinished
        unfinished.chmod(0o600)  # it holds names and token hashes
        sync_file(unfinished)
        unfinished.replace(target)
        sync_folder(target.parent)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def write_file(target: Path, content: bytes) -> None:
    """Write a file whole or not at all; a pipe or a device is written to as it is. Raises OSError."""
    if target.exists() and not target.is_file():
        target.write_bytes(content)
        return
    with written_whole(target.resolve()) as unfinished:  # a symbolic link stays one
        unfinished.write_bytes(content)


def undo_new(path: Path) -> Callable[[], None]:
    """Return a function that removes a data file and folders made for it that are not there yet, and nothing else."""
    missing = [] if path.exists() else [folder for folder in path.absolute().parents if not folder.exists()]
    is_new = not path.exists()

    def undo() -> None:
        with suppress(OSError):
            if is_new:
                remove(path)
            for folder in missing:
                folder.rmdir()

    return undo


def free_name(path: Path, word: str) -> Path:
    """Return an unused path beside a data file: `word`, a timestamp and, if needed, a number."""
    name = f"{word}-{timestamp()}"
    target, number = path.with_name(f"{name}.db"), 1
    while target.exists():
        number += 1
        target = path.with_name(f"{name}-{number}.db")
    return target


def next_of(path: Path) -> Path:
    """Return the path of the file that is about to replace a data file; it is there only after a kill meanwhile."""
    return path.with_name(path.name + ".next")


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


# One server per data file: the system releases its lock when the process ends, however it ends

# The address stands at the start of the file; Windows locks bytes for reading too, so the locked byte lies far behind.
LOCKED_BYTE = 1 << 20
SHARED_FIRST, SHARED_SIZE = 0x40000002, 510
"""The bytes that SQLite locks in a file that it has open, as its file format names them."""


class FolderLock:
    """Holds the lock beside a data file until `release()`, in a folder that it makes. Raises InUse for another process.

    A symbolic link has the lock of its target. A hard link has a lock of its own, and a lock file that was deleted
    locks nothing: then it is asked whether another process has the data file open.
    """

    def __init__(self, file: Path) -> None:
        file = file.resolve()
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = file.with_name(file.name + ".lock")
        is_new = not self._path.exists()
        try:
            self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            if error.errno not in (EACCES, EPERM, EROFS):
                raise
            self._fd = -1  # a read-only folder: nobody can write there, so no lock is needed
            return
        try:
            _lock(self._fd)
        except (BlockingIOError, PermissionError):
            address = os.read(self._fd, 200).decode("utf-8", "replace").strip()
            self.release()
            raise InUse(file.parent, address) from None
        except OSError as error:
            self.release()
            raise Unreadable(
                f"{file.parent} can't be locked ({error}); keep the data on this machine's disk"
            ) from error
        os.ftruncate(self._fd, 0)
        if file.exists() and (is_new or file.stat().st_nlink > 1) and _is_open_elsewhere(file):
            self.release()
            if is_new:  # else the next start would take it for the other process's
                self._path.unlink(missing_ok=True)
            raise InUse(file.parent, "")

    def write_address(self, address: str) -> None:
        """Write this server's address into the lock file, for the InUse of a second server."""
        if self._fd >= 0:
            os.ftruncate(self._fd, 0)
            os.lseek(self._fd, 0, os.SEEK_SET)
            os.write(self._fd, address.encode())

    def release(self) -> None:
        """Release the lock; a second call does nothing."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


if sys.platform == "win32":
    import msvcrt

    def _lock(fd: int) -> None:
        os.lseek(fd, LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(fd, 0, os.SEEK_SET)

    def _is_open_elsewhere(_path: Path) -> bool:
        """Windows deletes no lock file that is open; of hard links it is not known."""
        return False
else:
    import fcntl

    def _lock(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _is_open_elsewhere(path: Path) -> bool:
        """Return whether another process has a data file open: it holds SQLite's shared lock as long as it has.

        Closing the file ends the locks of this process on it, so this must not have it open.
        """
        try:
            file = path.open("rb+")
        except OSError:  # opening the data file reports it
            return False
        with file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, SHARED_SIZE, SHARED_FIRST)
            except OSError as error:
                return error.errno in (EACCES, EAGAIN)
        return False
