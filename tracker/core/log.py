"""The log and its replay: a night is the fold of every event that stands. Nothing is ever deleted."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from operator import itemgetter
from typing import Any, overload

from tracker.core.apply import apply, apply_new, check_new
from tracker.core.errors import AlreadyDone, BadEvent, NoLongerFits, NotAllowed, TableError, Unknown
from tracker.core.events import Amend, Event, Sit, Undo
from tracker.core.night import Night
from tracker.core.preset import Preset

Amended = Callable[[Event, Mapping[str, Any]], Event]
"""Returns an event with some of its fields replaced by raw values; raises BadEvent."""


@dataclass(frozen=True)
class Entry:
    """A line of the log: an event, its number from 1, and who recorded it when."""

    number: int
    event: Event
    id: str | None = None
    at: str | None = None
    by: str | None = None


@dataclass(frozen=True)
class Replay:
    """How far a log could be played: the state there, the number of the event that failed, and why."""

    night: Night
    number: int | None = None
    failure: TableError | None = None


PlayedEvent = tuple[int, Event, Night]
"""An event in force with its number, and the state after it."""
Play = Callable[[Night, int, Event], Night]


class CorrectionIndex:
    """The entries of a log by id, and its corrections by what they name: one more is judged without reading the log.

    `add` is called for one entry after the other. Raises Unknown for a correction that names no entry before it.
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.roots: dict[int, int] = {}
        """The number of every correction, in order, with that of the event that it is about in the end."""
        self._count = 0
        self._numbers: dict[str, int] = {}
        self._changes: dict[int, Mapping[str, Any]] = {}
        self._undos: dict[int, int] = {}
        """The number of every undo, in order, with that of the entry that it takes back."""
        self._undos_of: dict[int, list[int]] = {}
        self._of_event: dict[int, list[int]] = {}
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Add the next entry of the log; Unknown when it is a correction and names no entry before it."""
        event, number = entry.event, entry.number
        if isinstance(event, Undo | Amend):
            target = self.number(event.event)
            self.roots[number] = root = self.root_of(target)
            self._of_event.setdefault(root, []).append(number)
            if isinstance(event, Amend):
                self._changes[number] = event.change
            else:
                self._undos[number] = target
                self._undos_of.setdefault(target, []).append(number)
        if entry.id is not None:
            self._numbers[entry.id] = number
        self._count = number

    def number(self, ref: int | str) -> int:
        """Return the number of the entry that `ref` (an id, or a number from 1) names; Unknown when none has it."""
        number = ref if isinstance(ref, int) else self._numbers.get(ref, 0)
        if not 0 < number <= self._count:
            raise unknown(ref)
        return number

    def root_of(self, ref: int | str) -> int:
        """Return the number of the event that a correction is about in the end; the entry's own if it is none."""
        number = self.number(ref)
        return self.roots.get(number, number)

    def of_event(self, number: int) -> list[int]:
        """Return the numbers of all corrections that are about an event in the end."""
        return self._of_event.get(number, [])

    def corrected(self, entry: Entry, amended: Amended, newest: tuple[int, int] | None = None) -> Event | None:
        """Return an entry's event as its corrections leave it, None if taken back; `newest` is one more undo and its
        entry.
        """
        corrections = self.of_event(entry.number)
        if not corrections:
            return entry.event
        undos = [(number, self._undos[number]) for number in corrections if number in self._undos]
        undone = _undone([*undos, newest] if newest else undos)
        if entry.number in undone:
            return None
        amends = (self._changes[one] for one in corrections if one in self._changes and one not in undone)
        change = {key: value for one in amends for key, value in one.items()}
        return amended(entry.event, change) if change else entry.event

    def undone(self) -> dict[int, int]:
        """Return the number of every entry that was taken back, with the number of the undo in force that did it."""
        return _undone([*self._undos.items()])

    def is_undone(self, number: int) -> bool:
        """Return whether an undo of the entry `number` is in force; reads the undos of it, and the undos of those."""
        undos = [*self._undos_of.get(number, ())]
        for undo in undos:
            undos += self._undos_of.get(undo, ())
        return number in _undone([(undo, self._undos[undo]) for undo in undos])


def _undone(undos: list[tuple[int, int]]) -> dict[int, int]:
    """Return what undos have taken back, from all undos with their targets, each after the one that it names."""
    undone: dict[int, int] = {}
    for undo, target in reversed(undos):
        if undo not in undone:
            undone[target] = undo
    return undone


def unknown(ref: int | str) -> Unknown:
    """Return the refusal of a correction that names no earlier entry."""
    return Unknown("there is no event {ref!r} before this one", ref=ref, field="event")


class Steps(Sequence[PlayedEvent]):
    """The events in force, each with the state after it, and what is known of the corrections that led to them.

    Of all hands but the newest two only the last state stays in memory; the others are made again when asked for.
    """

    def __init__(self, preset: Preset, corrections: CorrectionIndex | None = None) -> None:
        self.preset = preset
        self.corrections = corrections or CorrectionIndex()
        self.events: list[tuple[int, Event]] = []
        """The events in force, each with its number."""
        self._states: list[Night | None] = []
        self._begins = [0]  # where each hand begins
        self.events_before: dict[int, Event | None] = {}
        """By the number of each correction since the night was opened: its event before it, None if taken back."""

    @property
    def night(self) -> Night:
        return self.state_after(len(self.events))

    def __len__(self) -> int:
        return len(self.events)

    @overload
    def __getitem__(self, at: int) -> PlayedEvent: ...
    @overload
    def __getitem__(self, at: slice) -> list[PlayedEvent]: ...
    def __getitem__(self, at: int | slice) -> PlayedEvent | list[PlayedEvent]:
        if isinstance(at, int):
            at = range(len(self.events))[at]
            return (*self.events[at], self.state_after(at + 1))
        return [self[one] for one in range(*at.indices(len(self.events)))]

    def of_last_hand(self) -> list[PlayedEvent]:
        """Return the step before the last hand began and all since; nothing before the first hand of a pot game."""
        begin = self._begins[-1]
        return self[begin - 1 :] if begin and self.night.deal else []

    def state_after(self, count: int) -> Night:
        if not count:
            return Night(self.preset)
        begin = count - 1
        while begin and self._states[begin] is None:
            begin -= 1
        night = self._states[begin] or Night(self.preset)
        for at in range(begin + (self._states[begin] is not None), count):
            self._states[at] = night = _after(night, *self.events[at])
        return night

    def hand_after(self, count: int) -> int:
        """Return how many hands have begun after so many steps; needs no state."""
        return bisect_left(self._begins, count, lo=1) - 1

    def append(self, step: PlayedEvent) -> None:
        """Add a step; where it begins a hand, forget the states of those before the last one."""
        number, event, night = step
        if self.events and night.hand != self.night.hand:
            for begin, end in pairwise(self._begins):
                self._states[begin : end - 1] = [None] * (end - 1 - begin)
            self._begins.append(len(self.events))
        self.events.append((number, event))
        self._states.append(night)

    def replace(self, count: int, steps: Iterable[PlayedEvent]) -> None:
        """Put other steps in the place of all that come after so many."""
        del self.events[count:], self._states[count:]
        self._begins = [begin for begin in self._begins if begin < max(count, 1)]
        for step in steps:
            self.append(step)

    def copy(self) -> Steps:
        """Return the same steps as they are now; the states that are made again stay in the copy."""
        made = Steps(self.preset, self.corrections)
        made.events, made._states, made._begins = [*self.events], [*self._states], [*self._begins]
        return made

    def index_of(self, number: int) -> int:
        """Return the index of the event `number`, or the one at which it would be."""
        return bisect_left(self.events, number, key=itemgetter(0))

    def event(self, number: int) -> Event | None:
        """Return the event `number` as amended; None when it is not in force."""
        at = self.index_of(number)
        return self.events[at][1] if at < len(self) and self.events[at][0] == number else None


def find(entries: Sequence[Entry], ref: int | str, before: int | None = None) -> Entry:
    """Return the entry that `ref` (an id, or a number from 1) names; Unknown when none `before` that number has it."""
    end = len(entries) if before is None else before - 1
    if isinstance(ref, int):
        if 1 <= ref <= end:
            return entries[ref - 1]
    else:
        for place in range(end - 1, -1, -1):
            if entries[place].id == ref:
                return entries[place]
    raise unknown(ref)


def find_undone(entries: Sequence[Entry]) -> dict[int, int]:
    """Return the number of every event that was taken back, with the number of the undo in force that did it."""
    return CorrectionIndex(entries).undone()


def effective_log(
    entries: Sequence[Entry], amended: Amended, corrections: CorrectionIndex | None = None
) -> list[tuple[int, Event]]:
    """Return the events in force, as amended, by number; `corrections` are those of the entries, if known."""
    index = corrections or CorrectionIndex(entries)
    events = ((entry.number, index.corrected(entry, amended)) for entry in entries if entry.number not in index.roots)
    return [(number, event) for number, event in events if event is not None]


@dataclass(frozen=True)
class LogChange:
    """What one more entry does to the steps: how many of them hold, and those that now come after."""

    kept_count: int
    steps: list[PlayedEvent]
    entry: Entry = field(compare=False)

    def onto(self, steps: Steps) -> None:
        """Bring the steps up to date."""
        steps.corrections.add(self.entry)
        if isinstance(self.entry.event, Undo | Amend):
            steps.events_before[self.entry.number] = steps.event(steps.corrections.root_of(self.entry.number))
        steps.replace(self.kept_count, self.steps)

    def night(self, steps: Steps) -> Night:
        return self.steps[-1][2] if self.steps else steps.state_after(self.kept_count)


def fold(
    night: Night, events: Sequence[tuple[int, Event]], steps: list[PlayedEvent] | Steps, play: Play | None = None
) -> Replay:
    """Apply events one by one, by `play` or as a stored log is played, adding each to `steps`; stop where one fails."""
    for number, event in events:
        try:
            night = (play or _after)(night, number, event)
        except TableError as failure:
            return Replay(night, number, failure)
        steps.append((number, event, night))
    return Replay(night)


def _after(night: Night, number: int, event: Event, step: Callable[[Night, Event], Night] | None = None) -> Night:
    """Return the state after the event of an entry: somebody who sits down for the first time knows its number."""
    after = (step or apply)(night, event)
    if not isinstance(event, Sit) or after.people[event.seat].number:
        return after
    person = replace(after.people[event.seat], number=number)
    return replace(after, people={**after.people, event.seat: person})


def change(entries: Sequence[Entry], entry: Entry, amended: Amended, steps: Steps) -> LogChange:
    """Return what one more entry changes; `steps` are those of the entries before it.

    An undo or an amend replays the events from the one it changes; NoLongerFits names the first that would become
    impossible. Nothing is changed here.
    """
    if not isinstance(entry.event, Undo | Amend):
        after = _after(steps.night, entry.number, entry.event, apply_new)
        return LogChange(len(steps), [(entry.number, entry.event, after)], entry)

    def play(night: Night, number: int, event: Event) -> Night:
        try:
            return _after(night, number, event, apply_new)
        except TableError:
            if not _is_accepted_only(steps, number, event):
                raise
            return _after(night, number, event)

    target = entries[steps.corrections.number(entry.event.event) - 1]
    root = entries[steps.corrections.root_of(target.number) - 1]
    _check_target(entry.event, target, root.number, steps)
    corrected, kept_count = _corrected(entry, target, root, amended, steps), steps.index_of(root.number)
    later = [one for one in steps.events[kept_count:] if one[0] != root.number]
    redone: list[PlayedEvent] = []
    events = later if corrected is None else [(root.number, corrected), *later]
    replayed = fold(steps.state_after(kept_count), events, redone, play)
    if replayed.failure is None:
        return LogChange(kept_count, redone, entry)
    assert replayed.number is not None
    raise NoLongerFits(replayed.number, entries[replayed.number - 1].event.kind, replayed.failure)


def _is_accepted_only(steps: Steps, number: int, event: Event) -> bool:
    """Return whether a stored log has an event that would be refused as a new one: correcting others leaves it so."""
    if steps.event(number) != event:
        return False
    try:
        check_new(steps.state_after(steps.index_of(number)), event)
    except TableError:
        return True
    return False


def record(entries: Sequence[Entry], entry: Entry, amended: Amended, steps: Steps) -> Night:
    """Return the state after one more entry, as `change` does; `steps` are brought up to date."""
    change(entries, entry, amended, steps).onto(steps)
    return steps.night


def _check_target(event: Undo | Amend, target: Entry, root: int, steps: Steps) -> None:
    """Raise AlreadyDone when what a correction is about was taken back, NotAllowed when an undo would be amended."""
    if steps.corrections.is_undone(target.number):
        raise AlreadyDone("event {number} is taken back already", number=target.number)
    if isinstance(event, Undo):
        return
    if not event.change or "kind" in event.change:
        raise BadEvent("change names the fields to correct, and the kind can’t be one", field="change")
    if isinstance(target.event, Undo):
        raise NotAllowed("event {number} is a correction itself: take it back instead", number=target.number)
    if steps.event(root) is None:
        raise AlreadyDone("event {number} is taken back already", number=root)


def _corrected(entry: Entry, target: Entry, root: Entry, amended: Amended, steps: Steps) -> Event | None:
    """Return the event `root` as it is after a correction `entry` of `target`; None when it is taken back then."""
    if isinstance(entry.event, Amend):
        now = steps.event(root.number)
        assert now is not None
        return amended(now, entry.event.change)
    if target is root:
        return None
    if target.number in steps.events_before and steps.corrections.of_event(root.number)[-1] == target.number:
        return steps.events_before[target.number]
    return steps.corrections.corrected(root, amended, (entry.number, target.number))


def replay(preset: Preset, entries: Sequence[Entry], amended: Amended) -> Replay:
    """Play a whole log as it was recorded, event by event; stop at the first that is refused."""
    steps = Steps(preset)
    played: list[Entry] = []
    for entry in entries:
        try:
            record(played, entry, amended, steps)
        except TableError as failure:
            return Replay(steps.night, entry.number, failure)
        played.append(entry)
    return Replay(steps.night)


def replay_accepted(preset: Preset, entries: Sequence[Entry], amended: Amended) -> tuple[Steps, Replay]:
    """Return the steps of a log that was accepted once; where that fails, `replay` says which entry is to blame."""
    steps = Steps(preset, CorrectionIndex(entries))
    return steps, fold(steps.night, effective_log(entries, amended, steps.corrections), steps)
