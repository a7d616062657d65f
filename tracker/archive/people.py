"""The people of a data folder: who has sat where, by choice; read by every page that tells people from names.

    people.all()                      everybody who is not forgotten, by name, also hidden ones (`is_hidden`)
    people.get(person_id)             one Person, or None
    people.person_of(code, seat)      the Person of a seat, or None where nobody was chosen
    people.seats_of(person_id)        [(code, seat)], also of nights that were deleted since
    people.seats()                    {(code, seat): person_id}: all of them at once, for figures over many nights

Ids are short random texts that never change and are never used again; after a merge the source's id is gone.

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
* Forgetting is the one change that rewrites: `restated` gives new rows for everybody else. What was changed before can
  then not be taken back, and no row holds a name, a former name or a seat id (which is made of the name) of the person
  forgotten. Digests of the seats stay, so that the name, which the logs keep, is not offered again.
* A colour is 1 to COLOURS, as the tokens have them.
"""

import hashlib
import json
import secrets
import threading
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from tracker.app.event_rows import now
from tracker.archive.night_summary import NightSummary
from tracker.core.errors import TableError, Unknown
from tracker.formats.text import UNREADABLE
from tracker.storage import Store

COLOURS = 8
FORGOTTEN = "…"
"""Stands for the name of somebody who was forgotten, in lists and figures over many nights."""
LONGEST_TEXT = 200


class BadChange(TableError):
    """A change of people that does not fit what is there."""


class LinkedSeat(NamedTuple):
    """A seat of a night."""

    code: str
    seat: str


@dataclass(frozen=True)
class KnownPerson:
    """Somebody who has played, as the changes leave them."""

    id: str
    name: str
    colour: int
    is_hidden: bool = False
    """Neither offered nor listed, but not forgotten."""


@dataclass
class PeopleState:
    """All people, and whose each linked seat is."""

    people: dict[str, KnownPerson] = field(default_factory=dict)
    seats: dict[LinkedSeat, str] = field(default_factory=dict)
    """The id of the person of each linked seat."""
    forgotten: set[str] = field(default_factory=set)
    """Digests of seats of people that were forgotten."""
    names: dict[str, set[str]] = field(default_factory=dict)
    """By person: every name that they had, also under those who are the same person."""

    @cached_property
    def people_at(self) -> Mapping[str, Mapping[str, KnownPerson]]:
        """By code and seat, who sits at each night; nothing is applied any more once it was asked for."""
        found = defaultdict[str, dict[str, KnownPerson]](dict)
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
        state.people[self.person] = KnownPerson(self.person, self.name, self.colour)
        state.names.setdefault(self.person, set()).add(self.name)
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
        state.names[self.target] |= state.names.pop(self.source)
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
        state.names.setdefault(self.person, set()).add(self.name)


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
class UndoneChange:
    """The change of this number is taken back."""

    kind: ClassVar = "undo"
    number: int


Change = Add | Link | Unlink | Merge | Split | Rename | SetColour | Hide | Restate | Forgotten | UndoneChange
KINDS: Mapping[str, type[Change]] = {
    kind.kind: kind
    for kind in (Add, Link, Unlink, Merge, Split, Rename, SetColour, Hide, Restate, Forgotten, UndoneChange)
}  # fmt: skip
LASTING = (Restate, Forgotten, UndoneChange)
"""What can't be taken back."""


def known_person(state: PeopleState, person: str) -> KnownPerson:
    """Return the person of an id. Raises BadChange when there is none."""
    if person not in state.people:
        raise BadChange("There is no such person any more.", reason="unknown-person")
    return state.people[person]


def people_of(change: Change) -> set[str]:
    """Return the ids of the people that a change names; a seat alone names nobody."""
    names = ("person", "source", "target")
    return {getattr(change, name) for name in names if hasattr(change, name)}


def to_json(change: Change) -> dict[str, Any]:
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
        if isinstance(change, UndoneChange):
            named = known.get(change.number) if change.number < number else None
            if is_undoable(named) and change.number not in result.undone:
                result.undone.add(change.number)
            else:
                result.faults[number] = BadChange("That can’t be taken back any more.")
    for number, _at, change in listed:
        if number in result.undone or isinstance(change, UndoneChange):
            continue
        try:
            change.apply(result.state)
        except BadChange as bad:
            result.faults[number] = bad
    return result


def is_undoable(change: Change | None) -> bool:
    """Return whether a change is of a kind that can be taken back; False for none."""
    return change is not None and not isinstance(change, LASTING)


def restated(state: PeopleState, person: str = "", nights: Collection[str] = ()) -> Iterator[Change]:
    """Yield changes that give this state without one person, or without the seats of some nights.

    Raises BadChange when there is no such person.
    """
    if person:
        known_person(state, person)
    digests = {*state.forgotten, *(digest_of(seat) for seat in state.seats_of(person))}
    yield Forgotten(tuple(sorted(digests)))  # also of none: an empty table is filled again from an older copy
    for one in state.people.values():
        if one.id != person:
            seats = tuple(seat for seat in state.seats_of(one.id) if seat.code not in nights)
            yield Restate(one.id, one.name, one.colour, one.is_hidden, seats)


def digest_of(seat: LinkedSeat) -> str:
    """Return what stands for a seat of somebody forgotten: it says nothing to whoever has not the night's log."""
    return hashlib.sha256(f"{seat.code}/{seat.seat}".encode()).hexdigest()[:32]


Seats = Iterable[tuple[str, str]]


class People:
    """The people of a data folder, replayed on first use. Any thread may call any method.

    Methods that change something return when it is on the disk, and raise BadChange when it does not fit what is there
    and NotSaved when the disk failed; every method raises NotRead when the disk can't be read.
    """

    def __init__(self, store: Store) -> None:
        self._table = store.people
        self._lock = threading.RLock()  # guards what is below
        self._changes: list[NumberedChange] = []
        self._replayed, self._damaged = Replayed(), list[int]()
        self._last, self._read_after = 0, -1
        """The number of the last row, and after how many writes it was read: other apps of the server write too."""

    # Who there is

    def all(self) -> list[KnownPerson]:
        """Return everybody, by name; hidden ones too."""
        return sorted(self._now().state.people.values(), key=lambda one: (one.name.casefold(), one.id))

    def get(self, person: str) -> KnownPerson | None:
        return self._now().state.people.get(person)

    def person_of(self, code: str, seat: str) -> KnownPerson | None:
        """Return the person that was chosen for a seat of a night, or None."""
        state = self._now().state
        return state.people.get(state.seats.get(LinkedSeat(code, seat), ""))

    def seats_of(self, person: str) -> Sequence[LinkedSeat]:
        """Return the seats of a person as (code, seat), also those of nights that were deleted."""
        return self._now().state.seats_of(person)

    def seats(self) -> Mapping[LinkedSeat, str]:
        """Return the id of the person of every linked seat, by (code, seat)."""
        return MappingProxyType(self._now().state.seats)

    def names_of(self, person: str) -> frozenset[str]:
        """Return every name that a person had in this list, also as somebody who turned out to be the same."""
        return frozenset(self._now().state.names.get(person, ()))

    def colours_at(self, code: str) -> Mapping[str, int]:
        """Return the colour of each person who sits at a night, by seat."""
        return {seat: person.colour for seat, person in self._now().state.people_at.get(code, {}).items()}

    def is_forgotten(self, code: str, seat: str) -> bool:
        """Return whether a seat was a forgotten person's: its name is not to be offered."""
        return digest_of(LinkedSeat(code, seat)) in self._now().state.forgotten

    def without_forgotten(self, night: NightSummary) -> NightSummary:
        """Return a night with FORGOTTEN for the names of people who were forgotten."""
        if not self._now().state.forgotten:
            return night
        gone = {one.seat for one in night.seats if self.is_forgotten(night.code, one.seat)}
        seats = tuple(one._replace(name=FORGOTTEN) if one.seat in gone else one for one in night.seats)
        return replace(night, seats=seats) if gone else night

    def free_colour(self) -> int:
        """Return the colour that the fewest people have."""
        used = Counter(one.colour for one in self._now().state.people.values())
        return min(range(1, COLOURS + 1), key=lambda colour: (used[colour], colour))

    # What was changed

    def damaged_rows(self) -> Sequence[int]:
        """Return the numbers of the changes that can't be read or do not fit; they stay in the file."""
        return tuple(sorted({*self._now().faults, *self._damaged}))

    def last_change(self, person: str | None = None) -> NumberedChange | None:
        """Return the newest change (of a person) that can be taken back and was not, or None."""
        replayed = self._now()
        skipped = {*replayed.undone, *replayed.faults}
        for one in reversed(self._changes):
            is_wanted = person is None or person in people_of(one.change)
            if is_wanted and one.number not in skipped and is_undoable(one.change):
                return one
        return None

    def changes_of(self, person: str) -> list[NumberedChange]:
        """Return every change that names a person, oldest first, also those that were taken back."""
        self._now()
        return [one for one in self._changes if person in people_of(one.change)]

    def before(self, number: int) -> PeopleState:
        """Return who there was before a change, by what was taken back up to then."""
        self._now()
        return replay(one for one in self._changes if one.number < number).state

    # Changing it

    def add(self, name: str, seats: Seats = (), *, colour: int = 0, person: str = "") -> KnownPerson:
        """Add somebody who sat on these seats, in the rarest colour if none is given, and return them."""
        with self._lock:
            person = person or secrets.token_hex(4)
            self._record(Add(person, name, colour or self.free_colour(), _linked(seats)))
            return self.find(person)

    def find(self, person: str) -> KnownPerson:
        """Return the person of an id. Raises Unknown when there is none."""
        found = self.get(person)
        if found is None:
            raise Unknown("there is no person {person!r} here", person=person)
        return found

    def link(self, code: str, seat: str, person: str) -> None:
        """State that a seat is this person; nothing is written when it is already."""
        with self._lock:
            if self.seats().get(LinkedSeat(code, seat)) != person:
                self._record(Link(person, code, seat))

    def unlink(self, code: str, seat: str) -> None:
        """State that a seat is nobody's; nothing is written when it is not linked."""
        with self._lock:
            if owner := self.seats().get(LinkedSeat(code, seat)):
                self._record(Unlink(owner, code, seat))

    def merge(self, source: str, target: str) -> None:
        """State that two are the same person: `target`."""
        self._record(Merge(source, target))

    def split(self, source: str, seats: Seats, name: str) -> KnownPerson:
        """Take seats away from a person for a new one of this name, and return that one."""
        with self._lock:
            person = secrets.token_hex(4)
            self._record(Split(source, person, name, self.free_colour(), _linked(seats)))
            return self.find(person)

    def rename(self, person: str, name: str) -> None:
        """Call a person otherwise; nights keep the names that were used."""
        self._record(Rename(person, name))

    def set_colour(self, person: str, colour: int) -> None:
        self._record(SetColour(person, colour))

    def hide(self, person: str, *, is_hidden: bool = True) -> None:
        self._record(Hide(person, is_hidden))

    def undo(self, number: int) -> None:
        """Take a change back; refused when a later one would no longer fit."""
        self._record(UndoneChange(number))

    def forget(self, person: str) -> None:
        """Rewrite the rows without a person; damaged rows go too, since nobody can tell whose they were.

        Changes made before can't be taken back any more. The nights' logs and older copies of the file keep the name.
        """
        with self._lock:
            self._rewrite(restated(self._now().state, person))

    def forget_nights(self, codes: Collection[str]) -> None:
        """Rewrite the rows without the seats of nights that are removed for good; damaged rows go, as above."""
        with self._lock:
            state = self._now().state
            told = "".join(_text(one.change) for one in self._changes)
            if self._damaged or any(json.dumps(code) in told for code in codes):
                self._rewrite(restated(state, nights=codes))

    def _rewrite(self, changes: Iterable[Change]) -> None:
        self._table.rewrite(now(), [_text(change) for change in changes])

    def _record(self, change: Change) -> None:
        """Append a change that fits. Raises BadChange, with nothing written, for one that does not."""
        try:
            from_json(json.loads(text := _text(change)))  # what could not be read again is not written
        except UNREADABLE as error:
            raise BadChange("That can’t be kept in the list of people.") from error
        with self._lock:
            before = self._now()
            entry = NumberedChange(self._last + 1, now(), change)
            after = replay([*self._changes, entry])
            if entry.number in after.faults:
                raise after.faults[entry.number]
            if after.faults.keys() - before.faults.keys():
                raise BadChange("Something changed later needs this. Take the later change back first.")
            self._table.append(entry.at, text)
            self._changes, self._replayed, self._last = [*self._changes, entry], after, entry.number
            self._read_after = self._table.writes

    def _now(self) -> Replayed:
        """Return what the changes give; the object is never changed."""
        with self._lock:
            if self._read_after != self._table.writes:
                self._load()
            return self._replayed

    def _load(self) -> None:
        changes, damaged, last, writes = [], [], 0, self._table.writes
        for last, at, body in self._table.rows():
            try:
                changes.append(NumberedChange(last, at, from_json(json.loads(body or ""))))
            except UNREADABLE:
                damaged.append(last)
        self._changes, self._damaged, self._last, self._replayed = changes, damaged, last, replay(changes)
        self._read_after = writes


def _linked(seats: Seats) -> tuple[LinkedSeat, ...]:
    return tuple(LinkedSeat(code, seat) for code, seat in seats)


def _text(change: Change) -> str:
    return json.dumps(to_json(change), ensure_ascii=False, separators=(",", ":"))
