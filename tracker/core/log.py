"""The log and its replay: a night is the fold of every event that stands. Nothing is ever deleted."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from operator import itemgetter
from typing import Any

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
class EffectiveLog:
    """What stands of a log: the events in force, as amended, and what took back the others."""

    events: tuple[tuple[int, Event], ...]
    undone: Mapping[int, int] = field(default_factory=dict)
    """number taken back -> number of the undo that did it."""


@dataclass(frozen=True)
class Replay:
    """How far a log could be played: the state there, the number of the event that failed, and why."""

    night: Night
    number: int | None = None
    failure: TableError | None = None


CORRECTIONS = (Undo, Amend)

Steps = list[tuple[int, Event, Night]]
"""The events in force with their numbers, each with the state after it."""


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
    raise _unknown(ref)


def _unknown(ref: int | str) -> Unknown:
    return Unknown("there is no event {ref!r} before this one", ref=ref, field="event")


def references(entries: Sequence[Entry]) -> dict[int, int]:
    """Return the number of every correction, with the number of the entry that it names; Unknown where none has it."""
    numbers: dict[int | str | None, int] = {}
    named: dict[int, int] = {}
    for number, entry in enumerate(entries, 1):
        event = entry.event
        if isinstance(event, CORRECTIONS):
            ref = event.event
            named[number] = ref if isinstance(ref, int) else numbers.get(ref, 0)
            if not 0 < named[number] < number:
                raise _unknown(ref)
        if entry.id is not None:
            numbers[entry.id] = number
    return named


def correction_targets(named: Mapping[int, int]) -> dict[int, int]:
    """Return the number of every correction, with that of the event that it is about in the end, from `references`."""
    corrected: dict[int, int] = {}
    for number, target in named.items():
        corrected[number] = corrected.get(target, target)
    return corrected


def find_undone(entries: Sequence[Entry], named: dict[int, int] | None = None) -> dict[int, int]:
    """Return the number of every event that was taken back, with the number of the undo in force that did it."""
    undone: dict[int, int] = {}
    for number, target in reversed((references(entries) if named is None else named).items()):
        if number not in undone and isinstance(entries[number - 1].event, Undo):
            undone[target] = number
    return undone


def undone_after(entries: Sequence[Entry], before: Mapping[int, int]) -> Mapping[int, int]:
    """Return what `find_undone` does, from what it was before the newest entry."""
    newest = entries[-1]
    if not isinstance(newest.event, Undo):
        return before
    target = find(entries, newest.event.event, newest.number)
    if isinstance(target.event, Undo):  # what that one took back holds again, and may take others back
        return find_undone(entries)
    return {**before, target.number: newest.number}


def amended_by(entries: Sequence[Entry], entry: Entry) -> Entry:
    """Return the event that an amend corrects in the end: amending an amend corrects the same event further."""
    while isinstance(entry.event, Amend):
        entry = find(entries, entry.event.event, entry.number)
    return entry


def effective_log(entries: Sequence[Entry], amended: Amended) -> EffectiveLog:
    """Return what stands: an undo in force takes its event back, and an undo of that undo lets it hold again."""
    named = references(entries)
    undone = find_undone(entries, named)
    changes: dict[int, dict[str, Any]] = {}
    for number, target in correction_targets(named).items():
        correction = entries[number - 1].event
        if isinstance(correction, Amend) and number not in undone:
            changes.setdefault(target, {}).update(correction.change)
    events = tuple(
        (entry.number, amended(entry.event, changes[entry.number]) if entry.number in changes else entry.event)
        for entry in entries
        if entry.number not in undone and entry.number not in named
    )
    return EffectiveLog(events, undone)


@dataclass(frozen=True)
class Change:
    """What one more entry does to the steps: how many of them hold, and those that now come after."""

    kept_count: int
    steps: Steps

    def onto(self, steps: Steps) -> None:
        """Bring the steps up to date."""
        steps[self.kept_count :] = self.steps


def fold(
    night: Night,
    events: Sequence[tuple[int, Event]],
    steps: Steps,
    accepted: Collection[tuple[int, Event]] | None = None,
) -> Replay:
    """Apply events one by one, adding each to `steps`; stop at the first that does not fit, say which and why.

    Where `accepted` is given, all others are judged as new ones.
    """
    for number, event in events:
        try:
            step = apply if accepted is None or (number, event) in accepted else apply_new
            night = _numbered(step(night, event), number, event)
        except TableError as failure:
            return Replay(night, number, failure)
        steps.append((number, event, night))
    return Replay(night)


def _numbered(after: Night, number: int, event: Event) -> Night:
    """Return a state in which somebody who has just sat down for the first time knows the entry of that."""
    if not isinstance(event, Sit) or after.people[event.seat].number:
        return after
    person = replace(after.people[event.seat], number=number)
    return replace(after, people={**after.people, event.seat: person})


def change(night: Night, entries: Sequence[Entry], entry: Entry, amended: Amended, steps: Steps) -> Change:
    """Return what one more entry changes; `night` is the state before it, and `steps` how that was reached.

    An undo or an amend replays the events from the one it changes; NoLongerFits names the first that would become
    impossible. Nothing is changed here.
    """
    if not isinstance(entry.event, Undo | Amend):
        after = _numbered(apply_new(night, entry.event), entry.number, entry.event)
        return Change(len(steps), [(entry.number, entry.event, after)])
    _check_reference(entries, entry, steps)
    same, events = _to_replay(entries, entry, amended, steps)
    redone: Steps = []
    before = steps[same - 1][2] if same else Night(night.began_with or night.preset)
    replayed = fold(before, events, redone, _accepted_earlier(steps))
    if replayed.failure is None:
        return Change(same, redone)
    assert replayed.number is not None
    raise NoLongerFits(replayed.number, entries[replayed.number - 1].event.kind, replayed.failure)


def _accepted_earlier(steps: Steps) -> list[tuple[int, Event]]:
    """Return the events of a stored log that would be refused as new ones: a correction of others leaves them alone."""
    found = []
    for number, event, after in steps:
        try:
            check_new(after, event)
        except TableError:
            found.append((number, event))
    return found


def record(night: Night, entries: Sequence[Entry], entry: Entry, amended: Amended, steps: Steps | None = None) -> Night:
    """Return the state after one more entry, as `change` does; `steps` are brought up to date."""
    steps = [] if steps is None else steps
    made = change(night, entries, entry, amended, steps)
    made.onto(steps)
    return steps[-1][2] if steps else Night(night.began_with or night.preset)


def _check_reference(entries: Sequence[Entry], entry: Entry, steps: Steps) -> None:
    """Raise AlreadyDone when what a correction is about was taken back, NotAllowed when an undo would be amended."""
    event = entry.event
    assert isinstance(event, Undo | Amend)
    target = find(entries, event.event)
    if target.number in _undone_now(entries, target, steps):
        raise AlreadyDone("event {number} is taken back already", number=target.number)
    if isinstance(event, Undo):
        return
    if not event.change or "kind" in event.change:
        raise BadEvent("change names the fields to correct, and the kind can't be one", field="change")
    if isinstance(target.event, Undo):
        raise NotAllowed("event {number} is a correction itself: take it back instead", number=target.number)
    corrected = amended_by(entries, target)
    if corrected is not target and corrected.number in _undone_now(entries, corrected, steps):
        raise AlreadyDone("event {number} is taken back already", number=corrected.number)


def _undone_now(entries: Sequence[Entry], target: Entry, steps: Steps) -> Container[int]:
    """Return numbers taken back, with that of `target` if it is one of them."""
    is_correction = isinstance(target.event, Undo | Amend)
    return find_undone(entries) if is_correction or not steps else _missing(steps, target)


def _missing(steps: Steps, target: Entry) -> set[int]:
    """Return the number of an event that is no correction when it does not stand: then the steps leave it out."""
    at = _place(steps, target.number)
    return set() if at < len(steps) and steps[at][0] == target.number else {target.number}


def _place(steps: Steps, number: int) -> int:
    return bisect_left(steps, number, key=itemgetter(0))


def _to_replay(
    entries: Sequence[Entry], entry: Entry, amended: Amended, steps: Steps
) -> tuple[int, Sequence[tuple[int, Event]]]:
    """Return how many steps a correction leaves as they are, and the events to be played after them.

    Where it takes an event back or changes one, the steps say what stands: the log is not read again, so that many
    corrections take time with their number and not with its square.
    """
    event = entry.event
    target = find(entries, event.event) if isinstance(event, Undo) else amended_by(entries, entry)
    if steps and not isinstance(target.event, Undo | Amend):
        at = _place(steps, target.number)
        changed = [(target.number, amended(steps[at][1], event.change))] if isinstance(event, Amend) else []
        return at, [*changed, *(step[:2] for step in steps[at + 1 :])]
    events = effective_log([*entries, entry], amended).events
    same = sum(1 for _ in takewhile(lambda pair: pair[0][:2] == pair[1], zip(steps, events, strict=False)))
    return same, events[same:]


def replay(preset: Preset, entries: Sequence[Entry], amended: Amended) -> Replay:
    """Play a whole log as it was recorded, event by event; stop at the first that is refused."""
    night = Night(preset)
    steps: Steps = []
    for place, entry in enumerate(entries):
        try:
            night = record(night, entries[:place], entry, amended, steps)
        except TableError as failure:
            return Replay(night, entry.number, failure)
    return Replay(night)


def replay_accepted(preset: Preset, entries: Sequence[Entry], amended: Amended, steps: Steps) -> Replay:
    """Fill empty `steps` from a log whose every entry was accepted once, so that each event is played once only.

    Where that fails, which entry is to blame can only be seen by playing the log as it was recorded: see `replay`.
    """
    return fold(Night(preset), effective_log(entries, amended).events, steps)
