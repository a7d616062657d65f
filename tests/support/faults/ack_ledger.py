"""Compare the events that were acknowledged to clients with those in the file afterwards."""

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.storage import DataPlace, Store
from tracker.streaming.hub import StreamHub


@dataclass
class FaultCounts:
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
class AckLedger:
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

    def look(
        self, place: Path | DataPlace, code: str, fault_counts: FaultCounts, key_of: Callable[[str], str] = str
    ) -> None:
        """Open the place as a server that starts does, and count what is not as it was told."""
        with closing(Store(place)) as store:
            table = Nights(store, StreamHub()).get(code)
        kept = Counter(key_of(entry.id or "") for entry in table.entries)
        fault_counts.lost += len(self.acknowledged - kept.keys())
        fault_counts.doubled += sum(number - 1 for number in kept.values())
        fault_counts.strange += len(kept.keys() - self.sent) + len(kept.keys() & self.refused)
        fault_counts.unanswered += len((kept.keys() & self.unknown) - self.saved_unanswered)
        self.saved_unanswered |= kept.keys() & self.unknown
        fault_counts.acknowledged += len(self.acknowledged) - self.counted
        self.counted = len(self.acknowledged)
        fault_counts.unbalanced += sum_of(table) != 0


def sum_of(table: OpenNight) -> int:
    """Return what all stacks, pots and the bank come to: zero, or the night is wrong."""
    return sum(table.night.ledger.balances.values()) + sum(table.night.points.values())
