"""Entries as the log that the undo policy and the line under the table read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tracker.core import log
from tracker.core.log import Entry


@dataclass(frozen=True)
class EntryLog:
    """A list of entries, and which of them were taken back."""

    entries: Sequence[Entry]

    @property
    def undone(self) -> Mapping[int, int]:
        return log.find_undone(self.entries)
