"""Who people are over many nights, for the extras that ask: nobody where no extra knows people."""

# ruff: noqa: ARG002 - whoever knows people overrides the methods
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tracker.app.known_people import KnownPeople
from tracker.app.nights import Nights
from tracker.web.base.context import get_nights


class LinkedSeat(NamedTuple):
    """A seat of a night."""

    code: str
    seat: str


@dataclass(frozen=True)
class KnownPerson:
    """Somebody who has played."""

    id: str
    name: str
    colour: int
    is_hidden: bool = False
    """Neither offered nor listed, but not forgotten."""


class People(KnownPeople):
    """What extras ask of the people of a data folder: here nobody is known. Any thread may call any method."""

    def all(self) -> list[KnownPerson]:
        """Return everybody, by name; hidden ones too."""
        return []

    def get(self, person: str) -> KnownPerson | None:
        """Return the person of an id, or None."""
        return next((one for one in self.all() if one.id == person), None)

    def person_of(self, code: str, seat: str) -> KnownPerson | None:
        """Return the person that was chosen for a seat of a night, or None."""
        return self.get(self.seats().get(LinkedSeat(code, seat), ""))

    def seats_of(self, person: str) -> Sequence[LinkedSeat]:
        """Return the seats of a person, also those of nights that were deleted."""
        return tuple(seat for seat, owner in self.seats().items() if owner == person)

    def seats(self) -> Mapping[LinkedSeat, str]:
        """Return the id of the person of every linked seat."""
        return {}

    def add(
        self, name: str, seats: Iterable[tuple[str, str]] = (), *, colour: int = 0, person: str = ""
    ) -> KnownPerson | None:
        """Keep that somebody sat on these seats, under an id if one is given, and return who that is."""
        return None

    def link(self, code: str, seat: str, person: str) -> None:
        """Keep that a seat is this person."""

    def unlink(self, code: str, seat: str) -> None:
        """Keep that a seat is nobody's."""

    def forget_nights(self, codes: Collection[str]) -> None:
        """Remove the seats of nights that are removed for good."""


def people_of(nights: Nights) -> People:
    """Return the people that these nights know."""
    return nights.people if isinstance(nights.people, People) else People()


def get_people() -> People:
    """Return the people that the nights of the app that answers know."""
    return people_of(get_nights())
