"""A night's log for its pages: every entry with the state before and after it, grouped by hand."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from tracker.core import log
from tracker.core.apply import apply
from tracker.core.errors import TableError
from tracker.core.events import Amend, Event, Hand, Undo
from tracker.core.log import Entry
from tracker.core.night import Deal, Night
from tracker.formats.codec import amended


@dataclass(frozen=True)
class HistoryLine:
    """One entry of the log with its effect."""

    entry: Entry
    event: Event
    """The event as amended; as recorded when it was undone."""
    before: Night
    after: Night | None
    """None for an undone entry that would be refused now."""
    hand: int
    """0 before the first hand."""
    undone_by: Entry | None = None
    changes: tuple[Entry, ...] = ()
    """The amends in force, oldest first."""

    @property
    def number(self) -> int:
        return self.entry.number

    @property
    def is_correction(self) -> bool:
        return isinstance(self.entry.event, Undo | Amend)


class History:
    """A night's log as of one moment, with the state before and after each entry. Immutable."""

    def __init__(self, entries: Sequence[Entry], steps: log.Steps) -> None:
        self.preset = steps.preset
        self.entries = tuple(entries)
        self.steps = steps.copy()
        self.undone = steps.corrections.undone()
        self._roots = dict(steps.corrections.roots)

    @property
    def night(self) -> Night:
        return self.steps.night

    def state_after(self, count: int) -> Night:
        """Return the state when the log had only its first `count` entries."""
        events = log.effective_log(self.entries[:count], amended)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(self.steps.events, events, strict=False)))
        return log.fold(self.steps.state_after(same), events[same:], []).night

    def before(self, number: int) -> Night:
        """Return the state before the entry of that number, as the log stands now."""
        return self.steps.state_after(self.steps.index_of(number))

    def after_hand(self, hand: int) -> Night:
        """Return the last state of a hand; the initial state when the hand has no events."""
        return self.steps.state_after(self._counts.get(hand, 0))

    def before_end(self, hand: int) -> Night:
        """Return the last state of a hand in which the night was not over yet."""
        count = self._counts.get(hand, 0)
        while count > 1 and self.steps.state_after(count).is_over and self.preset.is_pot_game:
            count -= 1
        return self.steps.state_after(count)

    def deal_of(self, hand: int) -> Deal | None:
        """Return a hand's deal as it was at its end; None before the first and in score games."""
        return self.before_end(hand).deal

    @cached_property
    def _counts(self) -> Mapping[int, int]:
        """How many events in force there are up to the end of each hand."""
        return {self.hand_of(number): count for count, (number, _) in enumerate(self.steps.events, start=1)}

    @cached_property
    def hands(self) -> Mapping[int, tuple[int, ...]]:
        """Each hand's entry numbers, hands and numbers in ascending order."""
        numbers: dict[int, list[int]] = {}
        for entry in self.entries:
            numbers.setdefault(self.hand_of(entry.number), []).append(entry.number)
        return {hand: tuple(numbers[hand]) for hand in sorted(numbers)}

    def hand_of(self, number: int) -> int:
        """Return the hand that an entry belongs to; 0 before the first."""
        event, hand = self.entries[number - 1].event, self.steps.hand_after(self.steps.index_of(number))
        return hand + (isinstance(event, Hand) if self.preset.is_pot_game else event.is_of_deal)

    def line(self, number: int) -> HistoryLine:
        """Return the line of an entry. Raises Unknown."""
        entry = log.find(self.entries, number)
        before, stands, undo = self.before(number), self.steps.event(number), self.undone.get(number)
        return HistoryLine(
            entry=entry,
            event=stands or entry.event,
            before=before,
            after=self.steps.state_after(self.steps.index_of(number) + 1) if stands else try_event(before, entry.event),
            hand=self.hand_of(number),
            undone_by=self.entries[undo - 1] if undo else None,
            changes=tuple(self.changes.get(number, ())),
        )

    def lines(self, hand: int) -> Iterator[HistoryLine]:
        """Yield the lines of a hand, newest first; undos and amends only where they changed another hand."""
        for number in reversed(self.hands.get(hand, ())):
            target = self.target(self.entries[number - 1])
            if target is None or (self.hand_of(target) != hand and number not in self.undone):
                yield self.line(number)

    def target(self, entry: Entry) -> int | None:
        """Return the number of the event that an undo or amend finally refers to; None for other entries."""
        return self._roots.get(entry.number)

    @cached_property
    def changes(self) -> Mapping[int, Sequence[Entry]]:
        """The amends in force of each amended entry, oldest first."""
        amends: dict[int, list[Entry]] = {}
        for number, target in self._roots.items():
            entry = self.entries[number - 1]
            if isinstance(entry.event, Amend) and number not in self.undone:
                amends.setdefault(target, []).append(entry)
        return amends

    def before_changes(self, number: int) -> Iterator[tuple[Entry, Event]]:
        """Yield each amend in force of an entry, oldest first, with the event as it was before it."""
        event = self.entries[number - 1].event
        for change in self.changes.get(number, ()):
            yield change, event
            assert isinstance(change.event, Amend)
            event = amended(event, change.event.change)

    @property
    def newest(self) -> int | None:
        """The number of the newest event in force, without undos and amends."""
        return self.steps.events[-1][0] if self.steps.events else None


def try_event(before: Night, event: Event) -> Night | None:
    """Return the state after an undone event if it were applied; None when it is refused."""
    try:
        return apply(before, event)
    except TableError:
        return None
