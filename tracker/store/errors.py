"""What can go wrong with the store. Facts are attributes; `str(error)` is one sentence for people."""

from __future__ import annotations

from errno import EACCES, EDQUOT, ENOSPC, EROFS
from pathlib import Path

from tracker.store.rows import EventRow

SENTENCES = {
    "busy": "another program holds the data file",
    "full": "the disk is full",
    "read-only": "the data folder can't be written",
    "damaged": "the data file is damaged",
    "disk": "the disk reported an error",
}


class StoreError(Exception):
    """Anything the store refuses or fails at."""


class Taken(StoreError):
    """Somebody else's event got this number first; nothing was written."""

    def __init__(self, code: str, number: int, head: int) -> None:
        super().__init__(f"event {number} of night {code} was recorded by somebody else; the night is at event {head}")
        self.code, self.number, self.head = code, number, head


class SameId(StoreError):
    """An event with this id is in the night already; `row` is that event, nothing was written.

    The caller compares `row.print` with its own: equal means "already recorded", unequal "this form was used".
    """

    def __init__(self, row: EventRow) -> None:
        super().__init__(f"event {row.number} has this id already")
        self.row = row


class DiskTrouble(StoreError):
    """The disk, the file system or another program stood in the way; `reason` is a key of SENTENCES.

    The store has closed its file by then and opens it anew by itself.
    """

    def __init__(self, reason: str, told: str) -> None:
        super().__init__(f"{told}: {SENTENCES[reason]}")
        self.reason = reason


class NotSaved(DiskTrouble):
    """An event could not be written; `certain` is False when it may be in the file all the same.

    So whoever holds a night in memory reads it anew, and sends the same id again: that is always safe.
    """

    def __init__(self, reason: str, *, certain: bool) -> None:
        super().__init__(reason, "not saved" if certain else "not sure whether it was saved")
        self.certain = certain


class NotRead(DiskTrouble):
    """The file could not be read just now."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "can't be read")


class BadRow(StoreError):
    """The file's own rules refuse this row: a mistake of the program, never of a player."""


class InUse(StoreError):
    """Another server holds this data folder; `address` is where it can be reached, empty when it did not say."""

    def __init__(self, folder: Path, address: str) -> None:
        where = f": {address}" if address else ""
        super().__init__(f"a server is already running on {folder}{where}")
        self.folder, self.address = folder, address


class Unreadable(StoreError):
    """The file can't be opened as a store at all: damaged, foreign, or written by a newer version."""


class Broken(Unreadable):
    """The file is one of ours and is damaged; what can still be proved can be taken out of it (see rescue)."""


class Damaged(StoreError):
    """A night's events don't fit their own chain of hashes; `number` is the first event that doesn't."""

    def __init__(self, code: str, number: int) -> None:
        super().__init__(f"night {code} is damaged at event {number}: it is not what was recorded")
        self.code, self.number = code, number


def reason_of(error: Exception) -> str:
    """Return the key of SENTENCES that fits an error of SQLite's, or of the system's."""
    if isinstance(error, OSError):
        return {ENOSPC: "full", EDQUOT: "full", EROFS: "read-only", EACCES: "read-only"}.get(error.errno or 0, "disk")
    name = getattr(error, "sqlite_errorname", "") or ""
    for start, reason in (
        ("SQLITE_BUSY", "busy"),
        ("SQLITE_LOCKED", "busy"),
        ("SQLITE_FULL", "full"),
        ("SQLITE_READONLY", "read-only"),
        ("SQLITE_CANTOPEN", "read-only"),
        ("SQLITE_CORRUPT", "damaged"),
        ("SQLITE_NOTADB", "damaged"),
    ):
        if name.startswith(start):
            return reason
    return "disk"
