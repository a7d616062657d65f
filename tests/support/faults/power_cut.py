"""What a disk holds after the power went: all that was synced, and of the rest any sectors in any mixture."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from support.faults.faulty_disk import Step

SECTOR = 512


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


def cuts(steps: list[Step], first: int, times: int, chance: Random) -> Iterator[tuple[int, Disk]]:
    """Yield the disk at so many random moments after step `first`, in order, each with the step's number."""
    disk = Disk({})
    moments = sorted(chance.randrange(first, len(steps)) for _ in range(times))
    for number, step in enumerate(steps):
        while moments and moments[0] == number:
            yield moments.pop(0), disk
        disk.take(with_file(disk, step))


def with_file(disk: Disk, step: Step) -> Step:
    """A data file is made before SQLite opens it, so its first step finds it there."""
    if step.kind in ("write", "truncate", "sync") and step.name not in disk.names:
        disk.names[step.name] = disk.certain[step.name] = Inode(is_known=True)
    return step


def last_told(steps: Iterable[Step]) -> int:
    return max((step.at for step in steps if step.kind == "notice"), default=0)
