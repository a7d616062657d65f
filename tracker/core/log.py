"""The log and its replay: a night is the fold of every event that stands. Nothing is ever deleted."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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


CORRECTIONS = (Undo, Amend)

Step = tuple[int, Event, Night]
"""An event in force with its number, and the state after it."""


class CorrectionIndex:
    """The entries of a log by id, and its corrections by what they name: one more is judged without reading the log.

    `add` is called for one entry after the other.
    """

    def __init__(self) -> None:
        self.count = 0
        """How many entries were added."""
        self.targets: dict[int, int] = {}
        """The number of every correction, in order, with the number of the entry that it names."""
        self.roots: dict[int, int] = {}
        """The number of every correction, with that of the event that it is about in the end."""
        self._numbers: dict[str, int] = {}
        self._changes: dict[int, Mapping[str, Any]] = {}
        self._undos_of: dict[int, list[int]] = {}
        self._of_event: dict[int, list[int]] = {}

    def add(self, event: Event, id: str | None) -> None:  # noqa: A002
        """Add the next entry of the log; Unknown when it is a correction and names no entry before it."""
        number = self.count + 1
        if isinstance(event, Undo | Amend):
            self._add_correction(number, event)
        if id is not None:
            self._numbers[id] = number
        self.count = number

    def _add_correction(self, number: int, event: Undo | Amend) -> None:
        target = event.event if isinstance(event.event, int) else self.number(event.event)
        if not 0 < target < number:
            raise unknown(event.event)
        root = self.root_of(target)
        self.targets[number], self.roots[number] = target, root
        self._of_event.setdefault(root, []).append(number)
        if isinstance(event, Undo):
            self._undos_of.setdefault(target, []).append(number)
        else:
            self._changes[number] = event.change

    def number(self, id: str) -> int:  # noqa: A002
        """Return the number of the newest entry that has this id; Unknown when none has."""
        if id not in self._numbers:
            raise unknown(id)
        return self._numbers[id]

    def root_of(self, number: int) -> int:
        """Return the number of the event that a correction is about in the end; `number` itself if it is none."""
        return self.roots.get(number, number)

    def of_event(self, number: int) -> list[int]:
        """Return the numbers of all corrections that are about an event in the end."""
        return self._of_event.get(number, [])

    def is_newest(self, number: int) -> bool:
        """Return whether no later correction is about the same event as the correction `number`."""
        return self._of_event[self.roots[number]][-1] == number

    def change_after(self, number: int, target: int) -> dict[str, Any] | None:
        """Return how the event of the correction `target` is amended after an entry `number` has taken that back.

        None when the event is not in force then. Only the corrections of that event are read.
        """
        root = self.roots[target]
        corrections = self._of_event[root]
        undone = _undone([*self._undos(corrections), (number, target)])
        if root in undone:
            return None
        changes = (self._changes[one] for one in corrections if one in self._changes and one not in undone)
        return {key: value for change in changes for key, value in change.items()}

    def undone(self) -> dict[int, int]:
        """Return the number of every entry that was taken back, with the number of the undo in force that did it."""
        return _undone(self._undos(self.targets))

    def is_undone(self, number: int) -> bool:
        """Return whether an undo of the entry `number` is in force; reads the undos of it, and the undos of those."""
        undos = [*self._undos_of.get(number, ())]
        for undo in undos:
            undos += self._undos_of.get(undo, ())
        return number in _undone(self._undos(undos))

    def _undos(self, corrections: Iterable[int]) -> list[tuple[int, int]]:
        """Return which of some corrections are undos, each with the number of the entry that it takes back."""
        return [(number, self.targets[number]) for number in corrections if number not in self._changes]


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


class Steps(Sequence[Step]):
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
        """For corrections by number: the event that each is about as it was before, None where it was taken back.

        Of those only that were recorded since the night was opened.
        """

    @property
    def night(self) -> Night:
        return self.state_after(len(self.events))

    def __len__(self) -> int:
        return len(self.events)

    @overload
    def __getitem__(self, at: int) -> Step: ...
    @overload
    def __getitem__(self, at: slice) -> list[Step]: ...
    def __getitem__(self, at: int | slice) -> Step | list[Step]:
        if isinstance(at, int):
            at = range(len(self.events))[at]
            return (*self.events[at], self.state_after(at + 1))
        which = range(*at.indices(len(self.events)))
        return [(*self.events[one], self._states[one] or self.state_after(one + 1)) for one in which]

    def of_last_hand(self) -> list[Step]:
        """Return the step before the last hand began and all since; nothing before the first hand of a pot game."""
        begin = self._begins[-1]
        return self[begin - 1 :] if begin and self.night.deal else []

    def state_after(self, count: int) -> Night:
        """Return the state after so many steps."""
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

    def append(self, step: Step) -> None:
        """Add a step; where it begins a hand, forget the states of those before the last one."""
        number, event, night = step
        if self.events and night.hand != self.night.hand:
            for begin, end in pairwise(self._begins):
                self._states[begin : end - 1] = [None] * (end - 1 - begin)
            self._begins.append(len(self.events))
        self.events.append((number, event))
        self._states.append(night)

    def replace(self, count: int, steps: Iterable[Step]) -> None:
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


def corrections_of(entries: Sequence[Entry]) -> CorrectionIndex:
    """Return what the corrections of a log name; Unknown where one names nothing."""
    index = CorrectionIndex()
    for entry in entries:
        index.add(entry.event, entry.id)
    return index


def find_undone(entries: Sequence[Entry]) -> dict[int, int]:
    """Return the number of every event that was taken back, with the number of the undo in force that did it."""
    return corrections_of(entries).undone()


def effective_log(
    entries: Sequence[Entry], amended: Amended, corrections: CorrectionIndex | None = None
) -> list[tuple[int, Event]]:
    """Return the events in force, as amended, by number: an undo of an undo lets its event hold again.

    `corrections` are those of the entries, where they are known.
    """
    index = corrections or corrections_of(entries)
    undone = index.undone()
    changes: dict[int, dict[str, Any]] = {}
    for number, target in index.roots.items():
        correction = entries[number - 1].event
        if isinstance(correction, Amend) and number not in undone:
            changes.setdefault(target, {}).update(correction.change)
    return [
        (entry.number, amended(entry.event, changes[entry.number]) if entry.number in changes else entry.event)
        for entry in entries
        if entry.number not in undone and entry.number not in index.roots
    ]


@dataclass(frozen=True)
class LogChange:
    """What one more entry does to the steps: how many of them hold, and those that now come after."""

    kept_count: int
    steps: list[Step]
    entry: Entry = field(compare=False)

    def onto(self, steps: Steps) -> None:
        """Bring the steps up to date."""
        steps.corrections.add(self.entry.event, self.entry.id)
        if isinstance(self.entry.event, Undo | Amend):
            steps.events_before[self.entry.number] = steps.event(steps.corrections.root_of(self.entry.number))
        steps.replace(self.kept_count, self.steps)

    def night(self, steps: Steps) -> Night:
        return self.steps[-1][2] if self.steps else steps.state_after(self.kept_count)


def fold(
    night: Night,
    events: Sequence[tuple[int, Event]],
    steps: list[Step] | Steps,
    accepted: Collection[tuple[int, Event]] | None = None,
) -> Replay:
    """Apply events one by one, adding each to `steps`; stop at the first that does not fit, say which and why.

    Where `accepted` is given, all others are judged as new ones.
    """
    for number, event in events:
        try:
            step = apply if accepted is None or (number, event) in accepted else apply_new
            night = _after(night, number, event, step)
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
    named, index = entry.event.event, steps.corrections
    target = find(entries, named if isinstance(named, int) else index.number(named))
    root = index.root_of(target.number)
    _check_target(entry.event, target, root, steps)
    now, corrected = steps.event(root), _corrected(entry, target, entries[root - 1], amended, steps)
    kept_count = steps.index_of(root)
    later = steps.events[kept_count + (now is not None) :]
    before = steps.state_after(kept_count)
    accepted = _accepted_earlier(before, steps[kept_count:])
    redone: list[Step] = []
    replayed = fold(before, [*([] if corrected is None else [(root, corrected)]), *later], redone, accepted)
    if replayed.failure is None:
        return LogChange(kept_count, redone, entry)
    assert replayed.number is not None
    raise NoLongerFits(replayed.number, entries[replayed.number - 1].event.kind, replayed.failure)


def _accepted_earlier(night: Night, steps: Sequence[Step]) -> list[tuple[int, Event]]:
    """Return the events of a stored log that would be refused as new ones: a correction of others leaves them alone.

    `night` is the state before the first of the steps.
    """
    found = []
    for number, event, after in steps:
        try:
            check_new(night, event)
        except TableError:
            found.append((number, event))
        night = after
    return found


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
        raise BadEvent("change names the fields to correct, and the kind can't be one", field="change")
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
    if target.number in steps.events_before and steps.corrections.is_newest(target.number):
        return steps.events_before[target.number]
    change = steps.corrections.change_after(entry.number, target.number)
    return amended(root.event, change) if change else None if change is None else root.event


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
    """Return the steps of a log whose every entry was accepted once, so that each event is played once only.

    Where that fails, which entry is to blame can only be seen by playing the log as it was recorded: see `replay`.
    """
    steps = Steps(preset, corrections_of(entries))
    return steps, fold(steps.night, effective_log(entries, amended, steps.corrections), steps)
