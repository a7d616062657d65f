"""The errors of the store. Details are attributes; `str(error)` is one sentence for people."""

from errno import EACCES, EDQUOT, ENOSPC, EROFS
from pathlib import Path

SENTENCES = {
    "busy": "another program holds the data file",
    "full": "the disk is full",
    "read-only": "the data folder can’t be written",
    "damaged": "the data file is damaged",
    "replaced": "another program has deleted or replaced the data file",
    "disk": "the disk reported an error",
}
REASONS = (
    ("SQLITE_BUSY", "busy"),
    ("SQLITE_LOCKED", "busy"),
    ("SQLITE_FULL", "full"),
    ("SQLITE_IOERR_SHMSIZE", "full"),  # the index of the write-ahead log could not grow
    ("SQLITE_IOERR", "disk"),
    ("SQLITE_READONLY", "read-only"),
    ("SQLITE_CANTOPEN", "read-only"),
    ("SQLITE_CORRUPT", "damaged"),
    ("SQLITE_NOTADB", "damaged"),
)
"""How the name of an error of SQLite begins, and the key of SENTENCES."""


class StoreError(Exception):
    """Base class of all errors of the store."""


class NumberTaken(StoreError):
    """The event's number is in use already; nothing was written."""

    def __init__(self, code: str, number: int, head: int) -> None:
        super().__init__(f"event {number} of night {code} was recorded by somebody else; the night is at event {head}")
        self.code, self.number, self.head = code, number, head


class DiskTrouble(StoreError):
    """The disk, the file system or another program failed; `reason` is a key of SENTENCES. Connect anew."""

    def __init__(self, reason: str, outcome: str) -> None:
        super().__init__(f"{outcome}: {SENTENCES[reason]}")
        self.reason = reason


class NotSaved(DiskTrouble):
    """An event could not be written; `certain` is False when it may be in the file all the same, so load it again."""

    def __init__(self, reason: str, *, certain: bool) -> None:
        super().__init__(reason, "not saved" if certain else "not sure whether it was saved")
        self.certain = certain


class NotRead(DiskTrouble):
    """The file can't be read at the moment."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "can't be read")


class BadRow(StoreError):
    """A constraint of the schema refuses this row: a bug of the program, never a mistake of a player."""


class InUse(StoreError):
    """Another server holds this data folder; `address` is where it can be reached, empty when unknown."""

    def __init__(self, folder: Path, address: str) -> None:
        where = f": {address}" if address else ""
        super().__init__(f"a server is already running on {folder}{where}")
        self.folder, self.address = folder, address


class Unreadable(StoreError):
    """The file can't be opened: damaged, of another program, or written by a newer version."""

    is_of_disk = False
    """Whether the disk failed, or is full: the file may be sound."""


class CorruptFile(Unreadable):
    """The file is a damaged data file of this program."""


class CorruptLog(StoreError):
    """A night's hash chain is broken; `number` is the first event that does not fit."""

    def __init__(self, code: str, number: int) -> None:
        super().__init__(f"night {code} is damaged at event {number}: it is not what was recorded")
        self.code, self.number = code, number


def reason_of(error: Exception, unknown: str = "disk") -> str:
    """Return the key of SENTENCES for an error of SQLite or of the operating system, else `unknown`."""
    if isinstance(error, OSError):
        return {ENOSPC: "full", EDQUOT: "full", EROFS: "read-only", EACCES: "read-only"}.get(error.errno or 0, "disk")
    name = getattr(error, "sqlite_errorname", "") or ""
    return next((reason for start, reason in REASONS if name.startswith(start)), unknown)
