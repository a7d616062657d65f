"""The people of a data folder: who has sat where, by choice; read by every page that tells people from names.

    people.all()                      everybody who is not forgotten, by name, also hidden ones (`is_hidden`)
    people.get(person_id)             one Person, or None
    people.person_of(code, seat)      the Person of a seat, or None where nobody was chosen
    people.seats_of(person_id)        [(code, seat)], also of nights that were deleted since
    people.seats()                    {(code, seat): person_id}: all of them at once, for figures over many nights

Ids are short random texts that never change and are never used again; after a merge the source's id is gone.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from tracker.app.event_rows import now
from tracker.archive.person_changes import (
    COLOURS,
    Add,
    BadChange,
    Change,
    Hide,
    Link,
    LinkedSeat,
    Merge,
    PeopleState,
    Person,
    Rename,
    SetColour,
    Split,
    Undo,
    Unlink,
    from_json,
    people_of,
    to_json,
)
from tracker.archive.person_replay import NumberedChange, Replayed, digest_of, is_undoable, replay, restated
from tracker.core.errors import Unknown
from tracker.formats.text import UNREADABLE
from tracker.storage import Store

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

    def all(self) -> list[Person]:
        """Return everybody, by name; hidden ones too."""
        return sorted(self._now().state.people.values(), key=lambda one: (one.name.casefold(), one.id))

    def get(self, person: str) -> Person | None:
        """Return the person of an id, or None."""
        return self._now().state.people.get(person)

    def person_of(self, code: str, seat: str) -> Person | None:
        """Return the person that was chosen for a seat of a night, or None."""
        state = self._now().state
        return state.people.get(state.seats.get(LinkedSeat(code, seat), ""))

    def seats_of(self, person: str) -> Sequence[LinkedSeat]:
        """Return the seats of a person as (code, seat), also those of nights that were deleted."""
        return self._now().state.seats_of(person)

    def seats(self) -> Mapping[LinkedSeat, str]:
        """Return the id of the person of every linked seat, by (code, seat)."""
        return MappingProxyType(self._now().state.seats)

    def colours_at(self, code: str) -> Mapping[str, int]:
        """Return the colour of each person who sits at a night, by seat."""
        return {seat: person.colour for seat, person in self._now().state.people_at.get(code, {}).items()}

    def is_forgotten(self, code: str, seat: str) -> bool:
        """Return whether a seat was a forgotten person's: its name is not to be offered."""
        return digest_of(LinkedSeat(code, seat)) in self._now().state.forgotten

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

    def add(self, name: str, seats: Seats = (), *, colour: int = 0, person: str = "") -> Person:
        """Add somebody who sat on these seats, in the rarest colour if none is given, and return them."""
        with self._lock:
            person = person or secrets.token_hex(4)
            self._record(Add(person, name, colour or self.free_colour(), _linked(seats)))
            return self.find(person)

    def find(self, person: str) -> Person:
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

    def split(self, source: str, seats: Seats, name: str) -> Person:
        """Take seats away from a person for a new one of this name, and return that one."""
        with self._lock:
            person = secrets.token_hex(4)
            self._record(Split(source, person, name, self.free_colour(), _linked(seats)))
            return self.find(person)

    def rename(self, person: str, name: str) -> None:
        """Call a person otherwise; nights keep the names that were used."""
        self._record(Rename(person, name))

    def set_colour(self, person: str, colour: int) -> None:
        """Give a person's token a colour, 1 to 8."""
        self._record(SetColour(person, colour))

    def hide(self, person: str, *, is_hidden: bool = True) -> None:
        """Leave a person out of lists and offers, or bring them back."""
        self._record(Hide(person, is_hidden))

    def undo(self, number: int) -> None:
        """Take a change back; refused when a later one would no longer fit."""
        self._record(Undo(number))

    def forget(self, person: str) -> None:
        """Rewrite the rows without a person; damaged rows go too, since nobody can tell whose they were.

        Changes made before can't be taken back any more. The nights' logs and older copies of the file keep the name.
        """
        with self._lock:
            rows = [_text(change) for change in restated(self._now().state, person)]
            self._table.rewrite(now(), rows)

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
