"""What clients were told, held against what is in the file afterwards."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tracker.live import Live
from tracker.store import Store
from tracker.table import Table
from tracker.tables import Tables


@dataclass
class Tally:
    """What came of many faults: of all of these but `killed` and `acknowledged` there must be none."""

    killed: int = 0
    acknowledged: int = 0
    unanswered: int = 0
    """Events that were on the disk although nobody had been told so: what the sender's own id is for."""
    lost: int = 0
    doubled: int = 0
    strange: int = 0
    """Events that nobody sent, or that were refused."""
    unbalanced: int = 0

    def __str__(self) -> str:
        return (
            f"{self.killed} kills, {self.acknowledged} acknowledged events: {self.lost} lost, {self.doubled} doubled, "
            f"{self.strange} that nobody sent, {self.unbalanced} times a sum other than zero; "
            f"{self.unanswered} were saved without an answer"
        )

    @property
    def harm(self) -> int:
        return self.lost + self.doubled + self.strange + self.unbalanced


@dataclass
class Witness:
    """The ids of one night's events: what was sent, and what was answered."""

    sent: set[str] = field(default_factory=set)
    acknowledged: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    saved_unanswered: set[str] = field(default_factory=set)
    counted: int = 0

    @property
    def unknown(self) -> set[str]:
        """What was sent and never answered."""
        return self.sent - self.acknowledged - self.refused

    def look(self, path: Path, code: str, tally: Tally) -> None:
        """Open the file as a server that starts does, and count what is not as it was told."""
        store = Store(path)
        try:
            table = Tables(store, Live()).get(code)
        finally:
            store.close()
        kept = Counter(entry.id or "" for entry in table.entries)
        tally.lost += len(self.acknowledged - kept.keys())
        tally.doubled += sum(number - 1 for number in kept.values())
        tally.strange += len(kept.keys() - self.sent) + len(kept.keys() & self.refused)
        tally.unanswered += len((kept.keys() & self.unknown) - self.saved_unanswered)
        self.saved_unanswered |= kept.keys() & self.unknown
        tally.acknowledged += len(self.acknowledged) - self.counted
        self.counted = len(self.acknowledged)
        tally.unbalanced += sum_of(table) != 0


def sum_of(table: Table) -> int:
    """Return what all stacks, pots and the bank come to: zero, or the night is wrong."""
    return sum(table.night.ledger.balances.values()) + sum(table.night.points.values())
