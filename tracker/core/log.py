"""The log and its replay: a night is the fold of every event that stands. Nothing is ever deleted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
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


def find(entries: Sequence[Entry], ref: int | str) -> Entry:
    """Return the entry that `ref` (an id, or a number from 1) names; Unknown when there is none."""
    if isinstance(ref, int):
        if 1 <= ref <= len(entries):
            return entries[ref - 1]
    else:
        for entry in reversed(entries):
            if entry.id == ref:
                return entry
    raise Unknown("there is no event {ref!r} before this one", ref=ref, field="event")


def standing(entries: Sequence[Entry], amended: Amended) -> Standing:
    """Return what stands: an undo in force strikes its event, and an undo of that undo lets it hold again."""
    struck: dict[int, int] = {}
    changes: dict[int, list[tuple[int, Mapping[str, Any]]]] = {}
    for entry in reversed(entries):
        if entry.number in struck:
            continue
        if isinstance(entry.event, Undo):
            struck[find(entries[: entry.number - 1], entry.event.event).number] = entry.number
        elif isinstance(entry.event, Amend):
            target = find(entries[: entry.number - 1], entry.event.event).number
            changes.setdefault(target, []).append((entry.number, entry.event.change))
    events = []
    for entry in entries:
        if entry.number not in struck and not isinstance(entry.event, Undo | Amend):
            event = entry.event
            for _, change in reversed(changes.get(entry.number, [])):
                event = amended(event, change)
            events.append((entry.number, event))
    return Standing(tuple(events), struck, {target: made[0][0] for target, made in changes.items()})


def fold(preset: Preset, events: Sequence[tuple[int, Event]], start: Night | None = None) -> Replay:
    """Apply events one by one; stop at the first that does not fit and say which and why."""
    night = start or Night(preset)
    for number, event in events:
        try:
            night = apply(night, event)
        except TableError as failure:
            return Replay(night, number, failure)
    return Replay(night)


def record(night: Night, entries: Sequence[Entry], entry: Entry, amended: Amended) -> Night:
    """Return the state after one more entry; `night` is the state before it.

    An undo or an amend replays the rest; NoLongerFits names the first event that would become impossible.
    """
    if not isinstance(entry.event, Undo | Amend):
        return apply(night, entry.event)
    _check_reference(entries, entry, amended)
    replayed = fold(night.preset, standing([*entries, entry], amended).events)
    if replayed.failure is None:
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
    for place, entry in enumerate(entries):
        try:
            night = record(night, entries[:place], entry, amended)
        except TableError as failure:
            return Replay(night, entry.number, failure)
    return Replay(night)
