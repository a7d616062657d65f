"""What a disk holds after the power went: all that was synced, and of the rest any sectors in any mixture."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from support.faults.faulty_disk import FaultyDisk, Step
from support.random_nights import legal_event
from support.sample_nights import record

from tracker.app.nights import Nights
from tracker.core.events import Name, SeatId, Sit
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

SECTOR = 512
EVENTS = 40
"""Of the night that is played."""


@dataclass
class Inode:
    """A file whatever it is called: what is certainly on the disk, and what was done to it since."""

    content: bytes = b""
    pending: list[Step] = field(default_factory=list)
    is_known: bool = False
    """Whether it was synced before: the first time SQLite syncs the folder of a new file too."""

    def sync(self) -> None:
        for step in self.pending:
            self.content = done(self.content, step)
        self.pending = []

    def survived(self, chance: Random) -> bytes:
        """Return what may be on the disk: of every write any sectors, of every cut all or nothing."""
        content, share = self.content, chance.choice((0.0, 0.5, 0.9, 1.0))
        for step in self.pending:
            for part in [step] if step.kind == "truncate" else sectors(step):
                if chance.random() < share:
                    content = done(content, part)
        return content


def done(content: bytes, step: Step) -> bytes:
    if step.kind == "truncate":
        return content[: step.at].ljust(step.at, b"\0")
    return content[: step.at].ljust(step.at, b"\0") + step.data + content[step.at + len(step.data) :]


def sectors(step: Step) -> Iterator[Step]:
    """Yield a write in pieces, each within one sector."""
    at, data = step.at, step.data
    while data:
        size = SECTOR - at % SECTOR
        yield Step("write", step.name, data[:size], at)
        at, data = at + size, data[size:]


@dataclass
class Disk:
    """A folder on a disk, as far as it is certain; names that changed since the last sync come one after the other."""

    names: dict[str, Inode]
    """As the running program sees them."""
    certain: dict[str, Inode] = field(default_factory=dict)
    renamed: list[tuple[str, Inode | None]] = field(default_factory=list)
    told: int = 0

    def take(self, step: Step) -> None:
        """Do one step."""
        if step.kind == "notice":
            self.told = step.at
        elif step.kind == "open":
            self.names[step.name] = Inode()
            self.renamed.append((step.name, self.names[step.name]))
        elif step.kind == "delete":
            del self.names[step.name]
            self.renamed.append((step.name, None))
            if step.at:
                self._sync_folder()
        elif step.kind == "sync":
            inode = self.names[step.name]
            inode.sync()
            if not inode.is_known:
                inode.is_known = True
                self._sync_folder()
        else:
            self.names[step.name].pending.append(step)

    def _sync_folder(self) -> None:
        self.certain, self.renamed = self._after(len(self.renamed)), []

    def _after(self, changes: int) -> dict[str, Inode]:
        found = dict(self.certain)
        for name, inode in self.renamed[:changes]:
            found.pop(name, None)
            if inode is not None:
                found[name] = inode
        return found

    def cut(self, folder: Path, chance: Random) -> None:
        """Write to a folder what may be there when the power goes now."""
        for name, inode in self._after(chance.randint(0, len(self.renamed))).items():
            (folder / name).write_bytes(inode.survived(chance))


def cuts(steps: list[Step], times: int, chance: Random, folder: Path, *, first: int = 0) -> Iterator[tuple[Path, int]]:
    """Cut the power at so many random moments after step `first`, in order.

    Yield each time the data file as it is then, in a folder of its own, and what was told before.
    """
    disk, after = Disk({}), folder / "after the cut"
    moments = sorted(chance.randrange(first, len(steps)) for _ in range(times))
    for number, step in enumerate(steps):
        while moments and moments[0] == number:
            moments.pop(0)
            after.mkdir()
            disk.cut(after, chance)
            yield after / "nights.db", disk.told
            shutil.rmtree(after)
        if step.kind in ("write", "truncate", "sync") and step.name not in disk.names:
            # A data file is made before SQLite opens it, so its first step finds it there.
            disk.names[step.name] = disk.certain[step.name] = Inode(is_known=True)
        disk.take(step)


def played(path: Path) -> tuple[list[Step], int]:
    """Play a while on a disk that notes every step; return the steps, and the number of the first of the game."""
    chance = Random(3)
    with FaultyDisk() as disk, closing(Store(path)) as store:
        table = Nights(store, StreamHub()).open("michigan-rummy")
        record(table, *(Sit(SeatId(seat), Name(seat.title())) for seat in ("ann", "bob", "cara")))
        first = len(disk.steps)
        disk.tell(table.head)
        while table.head < EVENTS:
            record(table, legal_event(table.night, chance, may_end=False))
            disk.tell(table.head)
            if table.head % 7 == 0:
                table.settings.is_last_hand = bool(table.head % 2)
        return disk.steps, first
