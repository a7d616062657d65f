"""The log as people read it: every entry with the state before and after it, hand by hand."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tracker.codec import amended
from tracker.core import log
from tracker.core.apply import apply
from tracker.core.errors import TableError
from tracker.core.events import Amend, Event, Hand, Undo
from tracker.core.log import Entry
from tracker.core.night import LOBBY, Deal, Night
from tracker.core.preset import Preset
from tracker.table import Table

_PLAYED = ("round", "reverse", "rummy", "stock-out", "penalty")
"""Events of the score games that belong to the deal that is being played when they happen."""


@dataclass(frozen=True)
class Line:
    """One entry of the log with what it did."""

    entry: Entry
    event: Event
    """As it stands now; as it was recorded when it was taken back."""
    before: Night
    after: Night | None
    """None for an entry that was taken back and could not happen any more."""
    hand: int
    """0 before the first hand."""
    struck_by: Entry | None = None
    changes: tuple[Entry, ...] = ()
    """The corrections in force, the oldest first."""

    @property
    def number(self) -> int:
        return self.entry.number

    @property
    def is_correction(self) -> bool:
        return isinstance(self.entry.event, Undo | Amend)


class History:
    """A log up to one moment, folded once. Nothing in it changes."""

    def __init__(self, preset: Preset, entries: Sequence[Entry], known: History | None = None) -> None:
        self.entries = tuple(entries)
        self.preset = preset
        self.standing = log.standing(self.entries, amended)
        self.events = self.standing.events
        kept = _shared(known.events, self.events) if known else 0
        self.states: list[Night] = known.states[:kept] if known else []
        for _, event in self.events[kept:]:
            self.states.append(apply(self.night, event))
        self._numbers = [number for number, _ in self.events]

    @property
    def night(self) -> Night:
        """The newest state."""
        return self.states[-1] if self.states else Night(self.preset)

    def before(self, number: int) -> Night:
        """Return the state before the entry of that number, as the log stands now."""
        at = bisect_left(self._numbers, number)
        return self.states[at - 1] if at else Night(self.preset)

    def after_hand(self, hand: int) -> Night:
        """Return the last state that belongs to a hand; the first state there is when it has none."""
        at = self._ends.get(hand)
        return self.states[at] if at is not None else Night(self.preset)

    def before_end(self, hand: int) -> Night:
        """Return the last state of a hand in which the night was not over yet."""
        at = self._ends.get(hand, -1)
        while at > 0 and self.states[at].is_over and self.preset.game == "pots":
            at -= 1
        return self.states[at] if at >= 0 else Night(self.preset)

    def deal_of(self, hand: int) -> Deal | None:
        """Return a hand's deal as it was at its end; None before the first and in score games."""
        at = self._ends.get(hand, -1)
        while at >= 0 and self.states[at].hand == hand:
            if self.states[at].deal is not None:
                return self.states[at].deal
            at -= 1
        return None

    @cached_property
    def _ends(self) -> Mapping[int, int]:
        return {self.hand_of(number): at for at, number in enumerate(self._numbers)}

    @cached_property
    def hands(self) -> Mapping[int, tuple[int, ...]]:
        """The numbers of the entries of each hand, both in order."""
        found: dict[int, list[int]] = {}
        for entry in self.entries:
            found.setdefault(self.hand_of(entry.number), []).append(entry.number)
        return {hand: tuple(found[hand]) for hand in sorted(found)}

    def hand_of(self, number: int) -> int:
        """Return the hand that an entry belongs to; 0 before the first."""
        event, night = self.entries[number - 1].event, self.before(number)
        if self.preset.game == "pots":
            return night.hand + isinstance(event, Hand)
        return night.hand + (event.kind in _PLAYED) if night.phase != LOBBY or event.kind in _PLAYED else 0

    def line(self, number: int) -> Line:
        """Return one entry with what it did; Unknown when there is none of that number."""
        entry = log.find(self.entries, number)
        before, stands = self.before(number), self._in_force.get(number)
        undo = self.standing.struck.get(number)
        return Line(
            entry=entry,
            event=stands or entry.event,
            before=before,
            after=self.states[bisect_left(self._numbers, number)] if stands else tried(before, entry.event),
            hand=self.hand_of(number),
            struck_by=self.entries[undo - 1] if undo else None,
            changes=tuple(self.changes.get(number, ())),
        )

    @cached_property
    def _in_force(self) -> Mapping[int, Event]:
        return dict(self.events)

    def lines(self, hand: int) -> Iterator[Line]:
        """Yield the lines of a hand, the newest first; a correction only where it changed another hand."""
        for number in reversed(self.hands.get(hand, ())):
            target = self.target(self.entries[number - 1])
            if target is None or (self.hand_of(target) != hand and number not in self.standing.struck):
                yield self.line(number)

    def target(self, entry: Entry) -> int | None:
        """Return the number of the event that a correction is about in the end; None for any other entry."""
        if not isinstance(entry.event, Undo | Amend):
            return None
        found = log.find(self.entries, entry.event.event, entry.number)
        return self.target(found) or found.number

    def is_redo(self, entry: Entry) -> bool:
        """Say whether an entry brought back what had been taken back."""
        if not isinstance(entry.event, Undo):
            return False
        return isinstance(log.find(self.entries, entry.event.event, entry.number).event, Undo)

    @cached_property
    def changes(self) -> Mapping[int, Sequence[Entry]]:
        """The corrections in force of each entry that has any, the oldest first."""
        found: dict[int, list[Entry]] = {}
        for entry in self.entries:
            if isinstance(entry.event, Amend) and entry.number not in self.standing.struck:
                target = log.find(self.entries, entry.event.event, entry.number)
                found.setdefault(target.number, []).append(entry)
        return found

    def as_of(self, number: int, place: int) -> Event:
        """Return what an entry said before its correction at that place (0 the first)."""
        event = self.entries[number - 1].event
        for change in self.changes.get(number, ())[:place]:
            assert isinstance(change.event, Amend)
            event = amended(event, change.event.change)
        return event

    @property
    def newest(self) -> int | None:
        """The number of the newest event in force, corrections aside."""
        return self.events[-1][0] if self.events else None


def _shared(old: Sequence[tuple[int, Event]], new: Sequence[tuple[int, Event]]) -> int:
    """Return how many events two logs have in common from the start."""
    pairs = zip(old, new, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(old), len(new)))


def tried(before: Night, event: Event) -> Night | None:
    """Return what an event that was taken back would do today, if it could happen."""
    try:
        return apply(before, event)
    except TableError:
        return None


# A night of thousands of events takes a moment to fold: the last few histories are kept and only extended.
KEPT = 6
_kept: OrderedDict[str, tuple[Table, History]] = OrderedDict()
_lock = threading.Lock()


def history_of(table: Table) -> History:
    """Return the history of a table as it is now."""
    entries = tuple(table.entries)
    with _lock:
        table_then, known = _kept.get(table.code, (None, None))
        if table_then is not table:
            known = None
        if known is None or known.entries != entries:
            known = History(table.preset, entries, known)
        _kept[table.code] = (table, known)
        _kept.move_to_end(table.code)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
        return known
