"""A copy of all nights brought back while the table is in use: nothing that is there is changed or taken away.

The file itself is not exchanged under a running server: phones that came since would be strangers, phones that were
sent away would be let in again, and every phone would see a night go backwards. Instead, in one transaction, each night
of the copy that is missing here comes back, and each that is shorter here gets its end back. A night that has gone on
since is kept as it is now; its older state can be brought beside it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from tracker.backups import Copy
from tracker.codec import preset_from
from tracker.core.errors import TableError
from tracker.core.preset import Preset
from tracker.library import Library, as_settings
from tracker.sealing import entry_of
from tracker.store import Changed, Compared, Damaged, NightRow, Store, WholeNight
from tracker.table import played
from tracker.tables import Tables

LET_IN = "let-in."


@dataclass(frozen=True)
class Plan:
    """What bringing back a copy would do, night by night."""

    nights: Sequence[WholeNight]
    compared: Sequence[Compared]
    unreadable: Sequence[NightRow]
    """Nights that are damaged in the copy itself: nothing of them is brought back."""
    boards: Sequence[Preset] = ()
    """Boards of the table's own that would come back."""

    @property
    def brought(self) -> list[Compared]:
        """The nights that something would come back of."""
        return [one for one in self.compared if one.is_brought]

    @property
    def stays(self) -> list[Compared]:
        """The nights that stay as they are here."""
        return [one for one in self.compared if not one.is_brought]

    @property
    def is_empty(self) -> bool:
        """Whether nothing would come back."""
        return not self.brought and not self.boards

    @property
    def seal(self) -> str:
        """Stands for what would come back: whoever agrees, agrees to this."""
        told = json.dumps([[[one.code, one.here, one.there] for one in self.brought], [one.id for one in self.boards]])
        return hashlib.sha256(told.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class BroughtBack:
    """What came of it."""

    plan: Plan
    """What was done."""
    aside: Copy
    """The copy of all nights as they were before."""


def plan(tables: Tables, path: Path) -> Plan:
    """Return what bringing back the copy at `path` would do. Raises Unreadable when it is none, NotRead."""
    nights, unreadable = [], []
    with closing(Store(path, read_only=True)) as copy:
        for row in copy.nights():
            try:
                night = copy.whole(row)
                check(night)
                # Which waiting phone was let in is said by numbers that devices have in that file only.
                lasting = {key: text for key, text in night.settings.items() if not key.startswith(LET_IN)}
                nights.append(replace(night, settings=lasting))
            except (Damaged, TableError, ValueError):
                unreadable.append(row)
        boards = tables.library.lacks(Library(copy))
    return Plan(nights, tables.store.compared(nights), unreadable, boards)


def check(night: WholeNight) -> None:
    """Raise TableError, or ValueError, unless a night can be played to its end: else it would stay here for ever."""
    preset = preset_from(json.loads(night.row.preset)).with_options(json.loads(night.row.options))
    played(night.row.code, preset, [entry_of(event) for event in night.events])


def bring_back(tables: Tables, path: Path, seal: str) -> BroughtBack:
    """Bring back all that `plan` has shown, or nothing; all nights as they were before are copied first.

    Raises Changed when it is no longer what `seal` stands for, NotSaved when the disk failed.
    """
    found = plan(tables, path)
    if tables.backups is None or found.is_empty or found.seal != seal:
        raise Changed
    aside = tables.backups.make()
    tables.store.bring_back(found.nights, found.compared, as_settings(found.boards))
    tables.read_again(one.code for one in found.brought)
    return BroughtBack(found, aside)
