"""One server per data folder: a lock file that the system releases when the process ends, however it ends."""

import os
import sys
from errno import EACCES, EPERM, EROFS
from pathlib import Path

from tracker.storage.errors import InUse, Unreadable

# The address stands at the start of the file; Windows locks bytes for reading too, so the locked byte lies far behind.
LOCKED_BYTE = 1 << 20


class FolderLock:
    """Holds the lock beside `file` until `release()`. Raises InUse when another process has it."""

    def __init__(self, file: Path) -> None:
        self._path = file.with_name(file.name + ".lock")
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
else:
    import fcntl

    def _lock(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
