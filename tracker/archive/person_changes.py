"""People over many nights: the changes that make them. Pure: no file, no clock; ids and times are handed in.

Which seat of which night is which person is stated by choice, never worked out from a name. As in a night's log the
list of changes is the truth: one table, append-only, and the state is what its rows give when they are replayed in
order. Two plain tables (people, seats) would be shorter, but each way of taking something back would need rows of its
own to remember what was there before; with a list, undo is replaying without one row, for every kind alike.

* An undo names one change, which is then left out. It is refused when a later change would no longer fit (seats can't
  be split off a person who never had them): that one is to be taken back first. An undo is not undone: do it again.
* A change that can't be read or does not fit is skipped, and so is what needs it; its row stays in the file, and its
  number is in `People.damaged_rows`.
* A seat is (code of the night, seat id) and belongs to one person at most; linking it again moves it. A person may have
  two seats of one night (somebody who came back under another name): figures add them up. Seats stay linked when their
  night is deleted, since it can be listed again; whoever counts takes the nights that are listed.
* Forgetting is the one change that rewrites: `person_replay.restated` gives new rows for everybody else. What was
  changed before can then not be taken back, and no row holds a name, a former name or a seat id (which is made of the
  name) of the person forgotten. Digests of the seats stay, so that the name, which the logs keep, is not offered again.
* A colour is 1 to COLOURS, as the tokens have them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from tracker.core.errors import TableError

COLOURS = 8
LONGEST_TEXT = 200


class BadChange(TableError):
    """A change of people that does not fit what is there."""


class LinkedSeat(NamedTuple):
    """A seat of a night."""

    code: str
    seat: str


@dataclass(frozen=True)
class Person:
    """Somebody who has played, as the changes leave them."""

    id: str
    name: str
    colour: int
    is_hidden: bool = False
    """Neither offered nor listed, but not forgotten."""


@dataclass
class PeopleState:
    """All people, and whose each linked seat is."""

    people: dict[str, Person] = field(default_factory=dict)
    seats: dict[LinkedSeat, str] = field(default_factory=dict)
    """The id of the person of each linked seat."""
    forgotten: set[str] = field(default_factory=set)
    """Digests of seats of people that were forgotten."""

    @cached_property
    def people_at(self) -> Mapping[str, Mapping[str, Person]]:
        """By code and seat, who sits at each night; nothing is applied any more once it was asked for."""
        found = defaultdict[str, dict[str, Person]](dict)
        for (code, seat), owner in self.seats.items():
            found[code][seat] = self.people[owner]
        return found

    def seats_of(self, person: str) -> tuple[LinkedSeat, ...]:
        """Return the seats that a person has, in the order in which they were linked."""
        return tuple(seat for seat, owner in self.seats.items() if owner == person)


@dataclass(frozen=True)
class Add:
    """Somebody who has sat on these seats; later ones are linked one by one."""

    kind: ClassVar = "add"
    person: str
    name: str
    colour: int
    seats: tuple[LinkedSeat, ...] = ()

    def apply(self, state: PeopleState) -> None:
        if self.person in state.people:
            raise BadChange("There is a person of that id already.")
        state.people[self.person] = Person(self.person, self.name, self.colour)
        _give(state, self.seats, self.person)


@dataclass(frozen=True)
class Link:
    """A seat is this person, whoever it was before."""

    kind: ClassVar = "link"
    person: str
    code: str
    seat: str

    def apply(self, state: PeopleState) -> None:
        known_person(state, self.person)
        _give(state, [LinkedSeat(self.code, self.seat)], self.person)


@dataclass(frozen=True)
class Unlink:
    """A seat is not this person's, and nobody's."""

    kind: ClassVar = "unlink"
    person: str
    code: str
    seat: str

    def apply(self, state: PeopleState) -> None:
        if state.seats.get(LinkedSeat(self.code, self.seat)) != self.person:
            raise BadChange("These nights are not this person’s.")
        del state.seats[LinkedSeat(self.code, self.seat)]


@dataclass(frozen=True)
class Merge:
    """`source` is the same person as `target`, who keeps name and colour and gets the seats."""

    kind: ClassVar = "merge"
    source: str
    target: str

    def apply(self, state: PeopleState) -> None:
        known_person(state, self.source), known_person(state, self.target)
        if self.source == self.target:
            raise BadChange("That is the same person already.")
        _give(state, state.seats_of(self.source), self.target)
        del state.people[self.source]


@dataclass(frozen=True)
class Split:
    """These seats were somebody else: a new person gets them."""

    kind: ClassVar = "split"
    source: str
    person: str
    name: str
    colour: int
    seats: tuple[LinkedSeat, ...]

    def apply(self, state: PeopleState) -> None:
        known_person(state, self.source)
        if not self.seats or any(state.seats.get(seat) != self.source for seat in self.seats):
            raise BadChange("These nights are not this person’s.")
        Add(self.person, self.name, self.colour, self.seats).apply(state)


@dataclass(frozen=True)
class Rename:
    """A person is called otherwise from now on; the nights keep the names that were used."""

    kind: ClassVar = "rename"
    person: str
    name: str

    def apply(self, state: PeopleState) -> None:
        state.people[self.person] = replace(known_person(state, self.person), name=self.name)


@dataclass(frozen=True)
class SetColour:
    """A person's token has this colour."""

    kind: ClassVar = "colour"
    person: str
    colour: int

    def apply(self, state: PeopleState) -> None:
        state.people[self.person] = replace(known_person(state, self.person), colour=self.colour)


@dataclass(frozen=True)
class Hide:
    """A person is no longer listed and offered, or is again."""

    kind: ClassVar = "hide"
    person: str
    is_hidden: bool

    def apply(self, state: PeopleState) -> None:
        state.people[self.person] = replace(known_person(state, self.person), is_hidden=self.is_hidden)


@dataclass(frozen=True)
class Restate:
    """A person as they were when the rows were rewritten to forget somebody else; it can't be undone."""

    kind: ClassVar = "restate"
    person: str
    name: str
    colour: int
    is_hidden: bool
    seats: tuple[LinkedSeat, ...]

    def apply(self, state: PeopleState) -> None:
        Add(self.person, self.name, self.colour, self.seats).apply(state)
        Hide(self.person, self.is_hidden).apply(state)


@dataclass(frozen=True)
class Forgotten:
    """Seats of people that were forgotten, as digests; it can't be undone."""

    kind: ClassVar = "forgotten"
    digests: tuple[str, ...]

    def apply(self, state: PeopleState) -> None:
        state.forgotten.update(self.digests)


@dataclass(frozen=True)
class Undo:
    """The change of this number is taken back."""

    kind: ClassVar = "undo"
    number: int


Change = Add | Link | Unlink | Merge | Split | Rename | SetColour | Hide | Restate | Forgotten | Undo
KINDS: Mapping[str, type[Change]] = {
    kind.kind: kind
    for kind in (Add, Link, Unlink, Merge, Split, Rename, SetColour, Hide, Restate, Forgotten, Undo)
}  # fmt: skip
LASTING = (Restate, Forgotten, Undo)
"""What can't be taken back."""


def known_person(state: PeopleState, person: str) -> Person:
    """Return the person of an id. Raises BadChange when there is none."""
    if person not in state.people:
        raise BadChange("There is no such person any more.", reason="unknown-person")
    return state.people[person]


def people_of(change: Change) -> set[str]:
    """Return the ids of the people that a change names; a seat alone names nobody."""
    names = ("person", "source", "target")
    return {getattr(change, name) for name in names if hasattr(change, name)}


def to_json(change: Change) -> dict[str, Any]:
    """Return a change as plain JSON values."""
    return {"kind": change.kind, **{one.name: getattr(change, one.name) for one in fields(change)}}


def from_json(raw: Any) -> Change:
    """Return the change that `to_json` wrote. Raises ValueError, TypeError, KeyError or AttributeError for others."""
    values = dict(raw)
    kind = KINDS[values.pop("kind")]
    if "seats" in values:
        values["seats"] = tuple(LinkedSeat(code, seat) for code, seat in values["seats"])
    if "digests" in values:
        values["digests"] = tuple(values["digests"])
    _check(values)
    return kind(**values)


def _check(values: Mapping[str, Any]) -> None:
    """Raise TypeError or ValueError unless each value is of the type of its field."""
    for name, value in values.items():
        expected = {"colour": int, "number": int, "is_hidden": bool, "seats": tuple, "digests": tuple}.get(name, str)
        if type(value) is not expected:
            raise TypeError(f"{name} has to be {expected.__name__}")
    if not 1 <= values.get("colour", 1) <= COLOURS:
        raise ValueError("there is no such colour")
    texts: list[object] = [value for value in values.values() if isinstance(value, str)]
    texts += [text for seat in values.get("seats", ()) for text in seat] + [*values.get("digests", ())]
    if any(not isinstance(text, str) or not 0 < len(text) <= LONGEST_TEXT for text in texts):
        raise ValueError("a text is empty, too long, or none")


def _give(state: PeopleState, seats: Iterable[LinkedSeat], person: str) -> None:
    for seat in seats:
        state.seats.pop(seat, None)
        state.seats[seat] = person
