"""Replaying the changes of people, and rewriting them without somebody who is to be forgotten. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tracker.archive.person_changes import (
    LASTING,
    BadChange,
    Change,
    Forgotten,
    LinkedSeat,
    PeopleState,
    Restate,
    Undo,
    known_person,
)


class NumberedChange(NamedTuple):
    """A change with its number and when it was made (ISO 8601)."""

    number: int
    at: str
    change: Change


@dataclass
class Replayed:
    """What the changes give, with the numbers of those that were taken back, and why others do not fit."""

    state: PeopleState = field(default_factory=PeopleState)
    undone: set[int] = field(default_factory=set)
    faults: dict[int, BadChange] = field(default_factory=dict)


def replay(changes: Iterable[NumberedChange]) -> Replayed:
    """Return the state that the changes give, in order; those that do not fit are skipped."""
    listed = [*changes]
    known, result = {one.number: one.change for one in listed}, Replayed()
    for number, _at, change in listed:
        if isinstance(change, Undo):
            named = known.get(change.number) if change.number < number else None
            if is_undoable(named) and change.number not in result.undone:
                result.undone.add(change.number)
            else:
                result.faults[number] = BadChange("That can’t be taken back any more.")
    for number, _at, change in listed:
        if number in result.undone or isinstance(change, Undo):
            continue
        try:
            change.apply(result.state)
        except BadChange as bad:
            result.faults[number] = bad
    return result


def is_undoable(change: Change | None) -> bool:
    """Return whether a change is of a kind that can be taken back; False for none."""
    return change is not None and not isinstance(change, LASTING)


def restated(state: PeopleState, without: str) -> Iterator[Change]:
    """Yield changes that give this state without one person. Raises BadChange when there is no such person."""
    known_person(state, without)
    digests = {*state.forgotten, *(digest_of(seat) for seat in state.seats_of(without))}
    yield Forgotten(tuple(sorted(digests)))  # also of none: an empty table is filled again from an older copy
    for one in state.people.values():
        if one.id != without:
            yield Restate(one.id, one.name, one.colour, one.is_hidden, state.seats_of(one.id))


def digest_of(seat: LinkedSeat) -> str:
    """Return what stands for a seat of somebody forgotten: it says nothing to whoever has not the night's log."""
    return hashlib.sha256(f"{seat.code}/{seat.seat}".encode()).hexdigest()[:32]
