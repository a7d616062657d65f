"""The people of a data folder: which seat of which night is which person, by choice, never by a name alone.

The list of changes is the truth, replayed in order, so an undo is replaying without one row; it is refused when a later
change would not fit. A change that can't be read or does not fit is skipped, and its number is in
`StoredPeople.damaged_rows`. A seat belongs to one person at most, a person may have two seats of one night, and ids are
never used again. Forgetting is the one change that rewrites the rows (`restated`): no name or seat id of the person
stays, only digests of the seats, so that the name, which the logs keep, is not offered again. A colour is 1 to COLOURS.
"""

import hashlib
import json
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from inspect import signature
from types import MappingProxyType
from typing import Any, NamedTuple

from tracker.app.event_rows import now
from tracker.app.settings import NightSettings, SettingGroup
from tracker.core.errors import TableError, Unknown
from tracker.extras._people import KnownPerson, LinkedSeat, People
from tracker.formats.text import UNREADABLE, name_order
from tracker.storage import Store
from tracker.storage.database import EVERYTHING, ChangeNotice, Connection, Database

PEOPLE = ChangeNotice("people")


class PersonChangeRow(NamedTuple):
    """A change as it is stored."""

    number: int
    at: str
    body: str | None
    """None for a damaged row."""


class PeopleTable:
    """The stored changes of people."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.writes = 0
        """How often anything was written: what was read before is out of date."""
        connection.subscribe(self._count)

    def _count(self, change: ChangeNotice) -> None:
        self.writes += change.kind in (PEOPLE.kind, EVERYTHING.kind)

    def rows(self) -> list[PersonChangeRow]:
        """Return every change in order. Raises NotRead."""
        columns = "number, at, CAST(body AS BLOB) AS body, seal"
        with self._connection.read() as db:
            return [_checked(**row) for row in db.table("person_change").rows_where(order_by="number", select=columns)]

    def append(self, at: str, body: str) -> int:
        """Add a change and return its number. Raises NotSaved."""
        with self._connection.write(PEOPLE) as db:
            return _insert(db, at, body, _last(db) + 1)

    def rewrite(self, at: str, bodies: Iterable[str]) -> list[int]:
        """Replace all rows by others, numbered on; a file has nothing left of what stood there. Raises NotSaved."""
        with self._connection.write(PEOPLE, erases=("person_change",)) as db:
            number = _last(db)
            db.table("person_change").delete_where()
            return [_insert(db, at, body, number + place) for place, body in enumerate(bodies, start=1)]


def _insert(db: Database, at: str, body: str, number: int) -> int:
    db.table("person_change").insert({"number": number, "at": at, "body": body, "seal": _seal_of(number, at, body)})
    return number


def _last(db: Database) -> int:
    last = next(iter(db.table("person_change").rows_where(order_by="number DESC", select="number")), None)
    return last["number"] if last else 0


def _checked(number: int, at: str, body: bytes, seal: bytes) -> PersonChangeRow:
    with suppress(UnicodeDecodeError):
        text = body.decode()
        if seal == _seal_of(number, at, text):
            return PersonChangeRow(number, at, text)
    return PersonChangeRow(number, at, None)


def _seal_of(number: int, at: str, body: str) -> bytes:
    return hashlib.sha256(f"{number}:{at}:{body}".encode()).digest()


COLOURS = 8
LONGEST_TEXT = 200


class BadChange(TableError):
    """A change of people that does not fit what is there."""


@dataclass
class PeopleState:
    """All people, and whose each linked seat is. Each kind of change is a method, which may raise BadChange."""

    people: dict[str, KnownPerson] = field(default_factory=dict)
    seats: dict[LinkedSeat, str] = field(default_factory=dict)
    """The id of the person of each linked seat."""
    forgotten: set[str] = field(default_factory=set)
    """Digests of seats of people that were forgotten."""
    names: dict[str, set[str]] = field(default_factory=dict)
    """By person: every name that they had, also under those who are the same person."""

    def seats_of(self, person: str) -> tuple[LinkedSeat, ...]:
        """Return the seats that a person has, in the order in which they were linked."""
        return tuple(seat for seat, owner in self.seats.items() if owner == person)

    def find(self, person: str) -> KnownPerson:
        """Return the person of an id. Raises BadChange when there is none."""
        if person not in self.people:
            raise BadChange("There is no such person any more.", reason="unknown-person")
        return self.people[person]

    # The kinds of changes

    def add(self, person: str, name: str, colour: int, seats: Iterable[LinkedSeat] = ()) -> None:
        """Add somebody who has sat on these seats; later ones are linked one by one."""
        if person in self.people:
            raise BadChange("There is a person of that id already.")
        self.people[person] = KnownPerson(person, name, colour)
        self.names.setdefault(person, set()).add(name)
        self._give(seats, person)

    def link(self, person: str, code: str, seat: str) -> None:
        """State that a seat is this person, whoever it was before."""
        self.find(person)
        self._give([LinkedSeat(code, seat)], person)

    def unlink(self, person: str, code: str, seat: str) -> None:
        """State that a seat is not this person's, and nobody's."""
        if self.seats.get(LinkedSeat(code, seat)) != person:
            raise BadChange("These nights are not this person’s.")
        del self.seats[LinkedSeat(code, seat)]

    def merge(self, source: str, target: str) -> None:
        """State that `source` is the same person as `target`, who keeps name and colour and gets the seats."""
        self.find(source), self.find(target)
        if source == target:
            raise BadChange("That is the same person already.")
        self._give(self.seats_of(source), target)
        self.names[target] |= self.names.pop(source)
        del self.people[source]

    def split(self, source: str, person: str, name: str, colour: int, seats: Collection[LinkedSeat]) -> None:
        """State that these seats were somebody else: a new person gets them."""
        self.find(source)
        if not seats or any(self.seats.get(seat) != source for seat in seats):
            raise BadChange("These nights are not this person’s.")
        self.add(person, name, colour, seats)

    def rename(self, person: str, name: str) -> None:
        """Call a person otherwise from now on; the nights keep the names that were used."""
        self.people[person] = replace(self.find(person), name=name)
        self.names.setdefault(person, set()).add(name)

    def set_colour(self, person: str, colour: int) -> None:
        self.people[person] = replace(self.find(person), colour=colour)

    def hide(self, person: str, is_hidden: bool) -> None:
        """List and offer a person no longer, or again."""
        self.people[person] = replace(self.find(person), is_hidden=is_hidden)

    def restate(self, person: str, name: str, colour: int, is_hidden: bool, seats: Iterable[LinkedSeat]) -> None:
        """Add a person as they were when the rows were rewritten to forget somebody else; it can't be undone."""
        self.add(person, name, colour, seats)
        self.hide(person, is_hidden)

    def add_forgotten(self, digests: Iterable[str]) -> None:
        """Keep the seats of people that were forgotten, as digests; it can't be undone."""
        self.forgotten.update(digests)

    def undo(self, number: int) -> None:
        """Change nothing: `replay` has left out the change of this number."""

    def _give(self, seats: Iterable[LinkedSeat], person: str) -> None:
        for seat in seats:
            self.seats.pop(seat, None)
            self.seats[seat] = person


KINDS: Mapping[str, Callable[..., None]] = {
    "add": PeopleState.add,
    "link": PeopleState.link,
    "unlink": PeopleState.unlink,
    "merge": PeopleState.merge,
    "split": PeopleState.split,
    "rename": PeopleState.rename,
    "colour": PeopleState.set_colour,
    "hide": PeopleState.hide,
    "restate": PeopleState.restate,
    "forgotten": PeopleState.add_forgotten,
    "undo": PeopleState.undo,
}
"""By the kind of change, what makes it; the values of a change are its arguments."""
LASTING = ("restate", "forgotten", "undo")
"""What can't be taken back."""
_VALUES = {kind: signature(make) for kind, make in KINDS.items()}


class PeopleChange(NamedTuple):
    """A change of the list of people: its number, when it was made (ISO 8601), its kind and the values of that."""

    number: int
    at: str
    kind: str
    values: Mapping[str, Any]

    @property
    def raw(self) -> dict[str, Any]:
        return {"kind": self.kind, **self.values}

    @property
    def people(self) -> set[str]:
        """The ids of the people that it names; a seat alone names nobody."""
        return {self.values[name] for name in ("person", "source", "target") if name in self.values}

    @property
    def is_undoable(self) -> bool:
        """Whether it is of a kind that can be taken back."""
        return self.kind not in LASTING


def change_from(number: int, at: str, text: str | None) -> PeopleChange:
    """Return the change of a row. Raises ValueError, TypeError, KeyError or AttributeError for another text."""
    values = dict(json.loads(text or ""))
    kind = values.pop("kind")
    if "seats" in values:
        values["seats"] = tuple(LinkedSeat(code, seat) for code, seat in values["seats"])
    if "digests" in values:
        values["digests"] = tuple(values["digests"])
    _check(values)
    _VALUES[kind].bind(None, **values)
    return PeopleChange(number, at, kind, values)


def _check(values: Mapping[str, Any]) -> None:
    """Raise TypeError or ValueError unless each value is of the type of its name."""
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


@dataclass
class Replayed:
    """What the changes give, with the numbers of those that were taken back, and why others do not fit."""

    state: PeopleState = field(default_factory=PeopleState)
    undone: set[int] = field(default_factory=set)
    faults: dict[int, BadChange] = field(default_factory=dict)


def replay(changes: Iterable[PeopleChange]) -> Replayed:
    """Return the state that the changes give, in order; those that do not fit are skipped."""
    listed = [*changes]
    known, result = {one.number: one for one in listed}, Replayed()
    for one in listed:
        if one.kind == "undo":
            number = one.values["number"]
            can_be = number in known and number < one.number and known[number].is_undoable
            if can_be and number not in result.undone:
                result.undone.add(number)
            else:
                result.faults[one.number] = BadChange("That can’t be taken back any more.")
    for one in listed:
        try:
            if one.number not in result.undone:
                KINDS[one.kind](result.state, **one.values)
        except BadChange as bad:
            result.faults[one.number] = bad
    return result


def restated(state: PeopleState, person: str = "", nights: Collection[str] = ()) -> Iterator[dict[str, Any]]:
    """Yield the rows that give this state without one person, or without the seats of some nights.

    Raises BadChange when there is no such person.
    """
    if person:
        state.find(person)
    digests = sorted({*state.forgotten, *(digest_of(seat) for seat in state.seats_of(person))})
    yield {"kind": "forgotten", "digests": digests}  # also of none: an empty table is filled again from an older copy
    for one in state.people.values():
        if one.id != person:
            seats = [seat for seat in state.seats_of(one.id) if seat.code not in nights]
            facts = {"name": one.name, "colour": one.colour, "is_hidden": one.is_hidden}
            yield {"kind": "restate", "person": one.id, **facts, "seats": seats}


def digest_of(seat: LinkedSeat) -> str:
    """Return what stands for a seat of somebody forgotten: it says nothing to whoever has not the night's log."""
    return hashlib.sha256(f"{seat.code}/{seat.seat}".encode()).hexdigest()[:32]


Seats = Iterable[tuple[str, str]]


class SeatSettings(NightSettings):
    """The settings of a night, with what was said of its seats."""

    strangers = SettingGroup("stranger.", {"on": True}.__getitem__, lambda _: "on")
    """By seat: True where the host has said that it is nobody of earlier nights."""


class StoredPeople(People):
    """The people of a data folder, replayed on first use. Raises NotRead, and for changes BadChange and NotSaved."""

    def __init__(self, store: Store) -> None:
        self._store, self._table = store, PeopleTable(store.connection)
        self._lock = threading.RLock()  # guards what is below
        self._changes: list[PeopleChange] = []
        self._replayed, self._damaged = Replayed(), list[int]()
        self._last, self._read_after = 0, -1
        """The number of the last row, and after how many writes it was read: other apps of the server write too."""

    # Who there is

    def all(self) -> list[KnownPerson]:
        """Return everybody, by name; hidden ones too."""
        return sorted(self._now().state.people.values(), key=lambda one: (name_order(one.name), one.id))

    def get(self, person: str) -> KnownPerson | None:
        return self._now().state.people.get(person)

    def seats(self) -> Mapping[LinkedSeat, str]:
        """Return the id of the person of every linked seat, by (code, seat)."""
        return MappingProxyType(self._now().state.seats)

    def names_of(self, person: str) -> frozenset[str]:
        """Return every name that a person had in this list, also as somebody who turned out to be the same."""
        return frozenset(self._now().state.names.get(person, ()))

    def is_forgotten(self, code: str, seat: str) -> bool:
        """Return whether a seat was a forgotten person's: its name is not to be offered."""
        return digest_of(LinkedSeat(code, seat)) in self._now().state.forgotten

    def forgotten(self, code: str, seats: Iterable[str]) -> Collection[str]:
        """Return which of these seats of a night were a forgotten person's."""
        return {seat for seat in seats if self.is_forgotten(code, seat)} if self._now().state.forgotten else ()

    def free_colour(self) -> int:
        """Return the colour that the fewest people have."""
        used = Counter(one.colour for one in self._now().state.people.values())
        return min(range(1, COLOURS + 1), key=lambda colour: (used[colour], colour))

    # What was changed

    def damaged_rows(self) -> Sequence[int]:
        """Return the numbers of the changes that can't be read or do not fit; they stay in the file."""
        return tuple(sorted({*self._now().faults, *self._damaged}))

    def last_change(self, person: str | None = None) -> PeopleChange | None:
        """Return the newest change (of a person) that can be taken back and was not, or None."""
        replayed = self._now()
        skipped = {*replayed.undone, *replayed.faults}
        possible = (one for one in reversed(self._changes) if one.is_undoable and one.number not in skipped)
        return next((one for one in possible if person is None or person in one.people), None)

    def changes_of(self, person: str) -> list[PeopleChange]:
        """Return every change that names a person, oldest first, also those that were taken back."""
        self._now()
        return [one for one in self._changes if person in one.people]

    def before(self, number: int) -> PeopleState:
        """Return who there was before a change, by what was taken back up to then."""
        self._now()
        return replay(one for one in self._changes if one.number < number).state

    # Changing it

    def add(self, name: str, seats: Seats = (), *, colour: int = 0, person: str = "") -> KnownPerson:
        """Add somebody who sat on these seats, in the rarest colour if none is given, and return them."""
        with self._lock:
            person = person or secrets.token_hex(4)
            self._record("add", person=person, name=name, colour=colour or self.free_colour(), seats=[*seats])
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
                self._record("link", person=person, code=code, seat=seat)

    def unlink(self, code: str, seat: str) -> None:
        """State that a seat is nobody's; nothing is written when it is not linked."""
        with self._lock:
            if owner := self.seats().get(LinkedSeat(code, seat)):
                self._record("unlink", person=owner, code=code, seat=seat)

    def merge(self, source: str, target: str) -> None:
        """State that two are the same person: `target`."""
        self._record("merge", source=source, target=target)

    def split(self, source: str, seats: Seats, name: str) -> KnownPerson:
        """Take seats away from a person for a new one of this name, and return that one."""
        with self._lock:
            person = secrets.token_hex(4)
            values = {"person": person, "name": name, "colour": self.free_colour(), "seats": [*seats]}
            self._record("split", source=source, **values)
            return self.find(person)

    def rename(self, person: str, name: str) -> None:
        """Call a person otherwise; nights keep the names that were used."""
        self._record("rename", person=person, name=name)

    def set_colour(self, person: str, colour: int) -> None:
        self._record("colour", person=person, colour=colour)

    def hide(self, person: str, *, is_hidden: bool = True) -> None:
        self._record("hide", person=person, is_hidden=is_hidden)

    def undo(self, number: int) -> None:
        """Take a change back; refused when a later one would no longer fit."""
        self._record("undo", number=number)

    def forget(self, person: str) -> None:
        """Rewrite the rows without a person; damaged rows go too, since nobody can tell whose they were.

        Changes made before can't be taken back any more. The nights' logs and older copies of the file keep the name.
        """
        with self._lock:
            self._rewrite(restated(self._now().state, person))

    def forget_seat(self, code: str, seat: str) -> None:
        """State that a seat is nobody's, and that nothing was said of it."""
        self.unlink(code, seat)
        SeatSettings(self._store, code).strangers.put(seat, None)

    def forget_nights(self, codes: Collection[str]) -> None:
        """Rewrite the rows without the seats of nights that are removed for good; damaged rows go, as above."""
        with self._lock:
            state = self._now().state
            told = "".join(_text(one.raw) for one in self._changes)
            if self._damaged or any(json.dumps(code) in told for code in codes):
                self._rewrite(restated(state, nights=codes))

    def _rewrite(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self._table.rewrite(now(), [*map(_text, rows)])

    def _record(self, kind: str, **values: Any) -> None:
        """Append a change that fits. Raises BadChange, with nothing written, for one that does not."""
        text = _text({"kind": kind, **values})
        with self._lock:
            before = self._now()
            try:
                entry = change_from(self._last + 1, now(), text)  # what could not be read again is not written
            except UNREADABLE as error:
                raise BadChange("That can’t be kept in the list of people.") from error
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
                changes.append(change_from(last, at, body))
            except UNREADABLE:
                damaged.append(last)
        self._changes, self._damaged, self._last, self._replayed = changes, damaged, last, replay(changes)
        self._read_after = writes


def _text(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))
