"""Whom to offer for a seat: people of earlier nights, by id, and names that are nobody yet, as `name:` and the name."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from tracker.app.person_names import comparison_key
from tracker.core.night import Night
from tracker.extras._night_summaries.night_summary import NightSummary, SeatSummary
from tracker.extras._people import LinkedSeat, People
from tracker.extras.people.people import SeatSettings
from tracker.formats.text import name_order
from tracker.storage import Store

NAME = "name:"
MOST_OFFERS = 12


class SeatOfNight(NamedTuple):
    """Somebody at a night, as its summary has it."""

    night: NightSummary
    seat: SeatSummary

    @property
    def key(self) -> LinkedSeat:
        return LinkedSeat(self.night.code, self.seat.seat)


class Offer(NamedTuple):
    """Somebody who may be at a seat: a person, or a name of earlier nights that is nobody yet."""

    value: str
    """What a form sends for it."""
    name: str
    colour: int
    """0 for a name that is nobody yet."""
    seats: Sequence[SeatOfNight]
    """At earlier nights, the newest first."""


def days_of(seats: Sequence[SeatOfNight]) -> list[str]:
    """Return when each of these nights that counts began (ISO 8601), once for each night, in the same order."""
    return [*{one.night.code: one.night.day for one in seats if one.night.counts_for(one.seat)}.values()]


def nights_by_person(people: People, nights: Sequence[NightSummary]) -> dict[str, list[SeatOfNight]]:
    """Return the seats of everybody, by the id of the person, in the order of `nights`."""
    owners, found = people.seats(), defaultdict[str, list[SeatOfNight]](list)
    for one in _all_seats(nights):
        if owner := owners.get(one.key):
            found[owner].append(one)
    return found


def earlier_names(people: People, nights: Sequence[NightSummary]) -> list[Offer]:
    """Return the names that are nobody's, most frequent first, without people forgotten; one row for each name."""
    owners, found = people.seats(), defaultdict[str, list[SeatOfNight]](list)
    for one in _all_seats(nights):
        if one.key not in owners and not people.forgotten(one.night.code, [one.seat.seat]):
            found[comparison_key(one.seat.name)].append(one)
    names = [(seats[0].seat.name, seats) for seats in found.values()]
    offers = [Offer(NAME + name, name, 0, seats) for name, seats in names]
    return sorted(offers, key=lambda one: (-len(one.seats), name_order(one.name)))


def _all_seats(nights: Sequence[NightSummary]) -> Iterator[SeatOfNight]:
    for night in nights:
        for seat in night.seats:
            yield SeatOfNight(night, seat)


class NightOffers:
    """What is offered at one night, as the people and the summaries are now."""

    def __init__(self, people: People, nights: Sequence[NightSummary], code: str) -> None:
        self._people, self._code = people, code
        self._nights = [one for one in nights if one.code != code]

    def asked(self, night: Night, store: Store) -> dict[str, list[Offer]]:
        """Return by seat who it may be of several people of its name."""
        strangers = SeatSettings(store, self._code).strangers.names()
        return {seat: found for seat, found in self.namesakes(night, strangers).items() if len(found) > 1}

    def everybody(self) -> Iterator[Offer]:
        """Yield the people, who played last first, then the names that are nobody's; nobody who is hidden."""
        found = nights_by_person(self._people, self._nights)
        order = {person: place for place, person in enumerate(found)}
        for one in sorted(self._people.all(), key=lambda one: order.get(one.id, len(order))):
            if not one.is_hidden:
                yield Offer(one.id, one.name, one.colour, found.get(one.id, ()))
        yield from earlier_names(self._people, self._nights)

    def free(self, night: Night) -> list[Offer]:
        """Return who can be offered a new seat: nobody who sits here, and no name that somebody here has."""
        taken = {comparison_key(night.people[seat].name) for seat in night.seats}
        here = self._seated(night.seats)
        offers = (one for one in self.everybody() if one.value not in here and comparison_key(one.name) not in taken)
        return [*offers][:MOST_OFFERS]

    def namesakes(self, night: Night, strangers: Collection[str] = ()) -> dict[str, list[Offer]]:
        """Return by seat, of those that are nobody's, the people of earlier nights whose names read the same.

        Where no person has the name, that is the name itself. `strangers` are seats of which somebody has said that
        they are nobody of earlier nights.
        """
        here, by_name = self._seated(night.seats), defaultdict[str, list[Offer]](list)
        for one in self.everybody():
            if one.value not in here:
                by_name[comparison_key(one.name)].append(one)
        free = [one for one in night.seats if one not in strangers and not self._people.person_of(self._code, one)]
        found = {seat: by_name[comparison_key(night.people[seat].name)] for seat in free}
        people = {seat: [one for one in offers if not one.value.startswith(NAME)] for seat, offers in found.items()}
        return {seat: people[seat] or offers for seat, offers in found.items() if offers}

    def find(self, value: str) -> Offer | None:
        """Return the offer that a form sends, or None when there is none."""
        return next((one for one in self.everybody() if one.value == value), None)

    def take(self, seat: str, value: str, colour: int = 0) -> None:
        """State that a seat is who was chosen, or with an empty value nobody; another value changes nothing.

        Who is a person from now on has this colour, or the rarest one.
        """
        if not value:
            self._people.unlink(self._code, seat)
        elif offer := self.find(value):
            if value.startswith(NAME):
                self._people.add(offer.name, [*(one.key for one in offer.seats), (self._code, seat)], colour=colour)
            else:
                self._people.link(self._code, seat, value)

    def _seated(self, seats: Collection[str]) -> set[str]:
        return {person.id for seat in seats if (person := self._people.person_of(self._code, seat))}
