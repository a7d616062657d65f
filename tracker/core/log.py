"""The log and its replay: a night is the fold of every event that stands. Nothing is ever deleted."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from operator import itemgetter
from typing import Any

from tracker.core.apply import apply, apply_new, check_new
from tracker.core.correction_index import CorrectionIndex, unknown
from tracker.core.errors import AlreadyDone, BadEvent, NoLongerFits, NotAllowed, TableError
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

Step = tuple[int, Event, Night]
"""An event in force with its number, and the state after it."""


class Steps(list[Step]):
    """The events in force, each with the state after it, and what is known of the corrections that led to them."""

    def __init__(self, steps: Iterable[Step] = ()) -> None:
        super().__init__(steps)
        self.corrections = CorrectionIndex()
        """As far as it was needed: of none or of some of the entries."""
        self.before: dict[int, Event | None] = {}
        """For corrections by number: the event that each is about as it was before, None where it was taken back."""

    @property
    def are_known(self) -> bool:
        """Whether these are the steps of the log; False when they are new, and the log was not played yet."""
        return bool(self or self.before)

    def place(self, number: int) -> int:
        """Return the index of the event `number`, or the one at which it would be."""
        return bisect_left(self, number, key=itemgetter(0))

    def event(self, number: int) -> Event | None:
        """Return the event `number` as amended; None when it is not in force."""
        at = self.place(number)
        return self[at][1] if at < len(self) and self[at][0] == number else None


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


def corrections_of(entries: Sequence[Entry], index: CorrectionIndex | None = None) -> CorrectionIndex:
    """Return what the corrections of a log name, reading what `index` has not yet; Unknown where one names nothing."""
    index = index or CorrectionIndex()
    for place in range(index.count, len(entries)):
        index.add(entries[place].event, entries[place].id)
    return index


def find_undone(entries: Sequence[Entry]) -> dict[int, int]:
    """Return the number of every event that was taken back, with the number of the undo in force that did it."""
    return corrections_of(entries).undone()


def undone_after(entries: Sequence[Entry], before: Mapping[int, int]) -> Mapping[int, int]:
    """Return what `find_undone` does, from what it was before the newest entry."""
    newest = entries[-1]
    if not isinstance(newest.event, Undo):
        return before
    target = find(entries, newest.event.event, newest.number)
    if isinstance(target.event, Undo):  # what that one took back holds again, and may take others back
        return find_undone(entries)
    return {**before, target.number: newest.number}


def effective_log(entries: Sequence[Entry], amended: Amended) -> EffectiveLog:
    """Return what stands: an undo in force takes its event back, and an undo of that undo lets it hold again."""
    index = corrections_of(entries)
    undone = index.undone()
    changes: dict[int, dict[str, Any]] = {}
    for number, target in index.corrected.items():
        correction = entries[number - 1].event
        if isinstance(correction, Amend) and number not in undone:
            changes.setdefault(target, {}).update(correction.change)
    events = tuple(
        (entry.number, amended(entry.event, changes[entry.number]) if entry.number in changes else entry.event)
        for entry in entries
        if entry.number not in undone and entry.number not in index.named
    )
    return EffectiveLog(events, undone)


@dataclass(frozen=True)
class Change:
    """What one more entry does to the steps: how many of them hold, and those that now come after."""

    kept_count: int
    steps: list[Step]
    correction: tuple[int, int] | None = field(default=None, compare=False)
    """For a correction: its number, and that of the event that it is about in the end."""

    def onto(self, steps: Steps) -> None:
        """Bring the steps up to date."""
        if self.correction and steps.are_known:
            number, root = self.correction
            steps.before[number] = steps.event(root)
        steps[self.kept_count :] = self.steps


def fold(
    night: Night,
    events: Sequence[tuple[int, Event]],
    steps: list[Step],
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
    target, root = _target(entries, entry.event, steps)
    _check_target(entry.event, target, root, steps)
    same, events = _to_replay(entries, entry, target, root, amended, steps)
    redone: list[Step] = []
    began = Night(night.began_with or night.preset)
    before = steps[same - 1][2] if same else began
    replayed = fold(before, events, redone, _accepted_earlier(began, steps))
    if replayed.failure is None:
        return Change(same, redone, (entry.number, root))
    assert replayed.number is not None
    raise NoLongerFits(replayed.number, entries[replayed.number - 1].event.kind, replayed.failure)


def _accepted_earlier(night: Night, steps: Steps) -> list[tuple[int, Event]]:
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


def record(night: Night, entries: Sequence[Entry], entry: Entry, amended: Amended, steps: Steps | None = None) -> Night:
    """Return the state after one more entry, as `change` does; `steps` are brought up to date."""
    steps = Steps() if steps is None else steps
    made = change(night, entries, entry, amended, steps)
    made.onto(steps)
    return steps[-1][2] if steps else Night(night.began_with or night.preset)


def _target(entries: Sequence[Entry], event: Undo | Amend, steps: Steps) -> tuple[Entry, int]:
    """Return the entry that a correction names, and the number of the event that it is about in the end.

    Only where it names another correction, or an id, is more of the log read: the entries since the last of these.
    """
    index = steps.corrections
    if not steps.are_known or isinstance(event.event, str):
        corrections_of(entries, index)
    target = find(entries, event.event if isinstance(event.event, int) else index.number(event.event))
    if isinstance(target.event, Undo | Amend):
        corrections_of(entries, index)
    return target, index.about(target.number)


def _check_target(event: Undo | Amend, target: Entry, root: int, steps: Steps) -> None:
    """Raise AlreadyDone when what a correction is about was taken back, NotAllowed when an undo would be amended."""
    if _is_undone(steps, target.number):
        raise AlreadyDone("event {number} is taken back already", number=target.number)
    if isinstance(event, Undo):
        return
    if not event.change or "kind" in event.change:
        raise BadEvent("change names the fields to correct, and the kind can't be one", field="change")
    if isinstance(target.event, Undo):
        raise NotAllowed("event {number} is a correction itself: take it back instead", number=target.number)
    if _is_undone(steps, root):
        raise AlreadyDone("event {number} is taken back already", number=root)


def _is_undone(steps: Steps, number: int) -> bool:
    """Return whether an entry was taken back: an event is in the steps if it was not, a correction never is."""
    if steps.are_known and number not in steps.corrections.named:
        return steps.event(number) is None
    return steps.corrections.is_undone(number)


def _to_replay(
    entries: Sequence[Entry], entry: Entry, target: Entry, root: int, amended: Amended, steps: Steps
) -> tuple[int, Sequence[tuple[int, Event]]]:
    """Return how many steps a correction leaves as they are, and the events to be played after them."""
    event, now = entry.event, steps.event(root)
    after: Event | None = None
    if isinstance(event, Amend) and now is not None:
        after = amended(now, event.change)
    elif target.number in steps.before and steps.corrections.is_newest(target.number):
        after = steps.before[target.number]
    elif steps.are_known and target.number != root:
        change = steps.corrections.change_after(entry.number, target.number)
        original = entries[root - 1].event
        after = amended(original, change) if change else None if change is None else original
    elif not steps.are_known:
        events = effective_log([*entries, entry], amended).events
        same = sum(1 for _ in takewhile(lambda pair: pair[0][:2] == pair[1], zip(steps, events, strict=False)))
        return same, events[same:]
    at = steps.place(root)
    rest = (step[:2] for step in steps[at + (now is not None) :])
    return at, [*([] if after is None else [(root, after)]), *rest]


def replay(preset: Preset, entries: Sequence[Entry], amended: Amended) -> Replay:
    """Play a whole log as it was recorded, event by event; stop at the first that is refused."""
    night = Night(preset)
    steps = Steps()
    played: list[Entry] = []
    for entry in entries:
        try:
            night = record(night, played, entry, amended, steps)
        except TableError as failure:
            return Replay(night, entry.number, failure)
        played.append(entry)
    return Replay(night)


def replay_accepted(preset: Preset, entries: Sequence[Entry], amended: Amended, steps: Steps) -> Replay:
    """Fill empty `steps` from a log whose every entry was accepted once, so that each event is played once only.

    Where that fails, which entry is to blame can only be seen by playing the log as it was recorded: see `replay`.
    """
    return fold(Night(preset), effective_log(entries, amended).events, steps)
