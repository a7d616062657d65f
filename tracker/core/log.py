"""The log and its replay: a night is the fold of every event that stands. Nothing is ever deleted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from tracker.core.apply import apply
from tracker.core.errors import AlreadyDone, NoLongerFits, NotAllowed, TableError, Unknown
from tracker.core.events import Amend, Event, Undo
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
class Standing:
    """What stands of a log: the events in force, as amended, and what struck or changed the others."""

    events: tuple[tuple[int, Event], ...]
    struck: Mapping[int, int] = field(default_factory=dict)
    """number struck -> number of the undo that struck it."""
    amended: Mapping[int, int] = field(default_factory=dict)
    """number changed -> number of the last amend in force."""


@dataclass(frozen=True)
class Replay:
    """How far a log could be played: the state there, the number of the event that failed, and why."""

    night: Night
    number: int | None = None
    failure: TableError | None = None


Trail = list[tuple[int, Event, Night]]
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
    raise Unknown("there is no event {ref!r} before this one", ref=ref, field="event")


def standing(entries: Sequence[Entry], amended: Amended) -> Standing:
    """Return what stands: an undo in force strikes its event, and an undo of that undo lets it hold again."""
    struck: dict[int, int] = {}
    changes: dict[int, list[tuple[int, Mapping[str, Any]]]] = {}
    for entry in reversed(entries):
        if entry.number in struck:
            continue
        if isinstance(entry.event, Undo):
            struck[find(entries, entry.event.event, entry.number).number] = entry.number
        elif isinstance(entry.event, Amend):
            target = find(entries, entry.event.event, entry.number).number
            changes.setdefault(target, []).append((entry.number, entry.event.change))
    events = []
    for entry in entries:
        if entry.number not in struck and not isinstance(entry.event, Undo | Amend):
            event = entry.event
            for _, change in reversed(changes.get(entry.number, [])):
                event = amended(event, change)
            events.append((entry.number, event))
    return Standing(tuple(events), struck, {target: made[0][0] for target, made in changes.items()})


def fold(preset: Preset, events: Sequence[tuple[int, Event]], trail: Trail | None = None) -> Replay:
    """Apply events one by one, on from the end of `trail`; stop at the first that does not fit, say which and why."""
    steps = [] if trail is None else trail
    night = steps[-1][2] if steps else Night(preset)
    for number, event in events:
        try:
            night = apply(night, event)
        except TableError as failure:
            return Replay(night, number, failure)
        steps.append((number, event, night))
    return Replay(night)


def record(night: Night, entries: Sequence[Entry], entry: Entry, amended: Amended, trail: Trail | None = None) -> Night:
    """Return the state after one more entry; `night` is the state before it.

    An undo or an amend replays the rest; NoLongerFits names the first event that would become impossible. Who keeps a
    `trail` finds it brought up to date, and has only the part replayed that the correction changes.
    """
    steps = [] if trail is None else trail
    if not isinstance(entry.event, Undo | Amend):
        steps.append((entry.number, entry.event, apply(night, entry.event)))
        return steps[-1][2]
    _check_reference(entries, entry, amended)
    events = standing([*entries, entry], amended).events
    same = sum(1 for _ in takewhile(lambda pair: pair[0][:2] == pair[1], zip(steps, events, strict=False)))
    redone = steps[:same]
    replayed = fold(night.began_with or night.preset, events[same:], redone)
    if replayed.failure is None:
        steps[:] = redone
        return replayed.night
    assert replayed.number is not None
    if isinstance(entry.event, Amend) and replayed.number == find(entries, entry.event.event).number:
        raise replayed.failure
    raise NoLongerFits(replayed.number, entries[replayed.number - 1].event.kind, replayed.failure)


def _check_reference(entries: Sequence[Entry], entry: Entry, amended: Amended) -> None:
    event = entry.event
    assert isinstance(event, Undo | Amend)
    target = find(entries, event.event)
    if target.number in standing(entries, amended).struck:
        raise AlreadyDone("event {number} is taken back already", number=target.number)
    if isinstance(event, Amend) and isinstance(target.event, Undo | Amend):
        raise NotAllowed("event {number} is a correction itself: take it back instead", number=target.number)


def replay(preset: Preset, entries: Sequence[Entry], amended: Amended) -> Replay:
    """Play a whole log as it was recorded, event by event; stop at the first that is refused."""
    night = Night(preset)
    trail: Trail = []
    for place, entry in enumerate(entries):
        try:
            night = record(night, entries[:place], entry, amended, trail)
        except TableError as failure:
            return Replay(night, entry.number, failure)
    return Replay(night)
