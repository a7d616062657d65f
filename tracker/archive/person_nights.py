"""The nights of people: those that somebody sat at, and the names of earlier nights that nobody was chosen for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tracker.app.person_names import comparison_key
from tracker.archive.night_summary import NightSummary, SeatSummary
from tracker.archive.people import People
from tracker.archive.person_changes import LinkedSeat


class SeatOfNight(NamedTuple):
    """Somebody at a night, as its summary has it."""

    night: NightSummary
    seat: SeatSummary

    @property
    def key(self) -> LinkedSeat:
        return LinkedSeat(self.night.code, self.seat.seat)


class EarlierName(NamedTuple):
    """Seats of earlier nights that are nobody's and whose names read the same; the newest first."""

    name: str
    seats: Sequence[SeatOfNight]


def days_of(seats: Sequence[SeatOfNight]) -> list[str]:
    """Return when each of these nights began (ISO 8601), once for each night, in the same order."""
    return [*{one.night.code: one.night.day for one in seats}.values()]


def nights_by_person(people: People, nights: Sequence[NightSummary]) -> dict[str, list[SeatOfNight]]:
    """Return the seats of everybody, by the id of the person, in the order of `nights`."""
    owners, found = people.seats(), defaultdict[str, list[SeatOfNight]](list)
    for one in _all_seats(nights):
        if owner := owners.get(one.key):
            found[owner].append(one)
    return found


def earlier_names(people: People, nights: Sequence[NightSummary]) -> list[EarlierName]:
    """Return the names that are nobody's, the most frequent first, without those of people who were forgotten.

    Two of one name are one row here: they are told apart when somebody says which of the seats are one person.
    """
    owners, found = people.seats(), defaultdict[str, list[SeatOfNight]](list)
    for one in _all_seats(nights):
        if one.key not in owners and not people.is_forgotten(*one.key):
            found[comparison_key(one.seat.name)].append(one)
    names = [EarlierName(seats[0].seat.name, seats) for seats in found.values()]
    return sorted(names, key=lambda one: (-len(one.seats), one.name.casefold()))


def _all_seats(nights: Sequence[NightSummary]) -> Iterator[SeatOfNight]:
    for night in nights:
        for seat in night.seats:
            yield SeatOfNight(night, seat)
