"""What people did over chosen nights: everything about one person, or about all seats together, added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tracker.archive.night_summary import OFFENCES, PotTaken, SeatFacts
from tracker.archive.statistics.played_nights import NO_ONE, PlayedNight
from tracker.archive.statistics.units import MONEY, Unit, has_money


@dataclass(frozen=True)
class PotRecord:
    """A pot that somebody took, and the night it happened in."""

    night: PlayedNight
    taken: PotTaken

    @property
    def person(self) -> str:
        """Who took it; NO_ONE where nobody has said who sat there."""
        return self.night.people[self.taken.seat]

    @property
    def name(self) -> str:
        """The name under which that seat played."""
        return self.night.summary.seats[self.taken.seat].name

    @property
    def pot_name(self) -> str:
        return self.night.summary.details.pots[self.taken.pot].name


@dataclass
class Totals:
    """Totals over nights. In those of all seats a night and its hands count once, everything else for each seat."""

    nights: int = 0
    won: int = 0
    """Nights with the best result, alone or shared."""
    hands: int = 0
    """Finished hands (rounds, deals)."""
    pot_hands: int = 0
    """Those of pot games."""
    outs: int = 0
    """Hands of pot games gone out in."""
    rounds_won: int = 0
    """Rounds and deals of score games won."""
    net: Counter[Unit] = field(default_factory=Counter)
    """What was won or lost, by unit."""
    nights_in: Counter[Unit] = field(default_factory=Counter)
    """How many nights have a result in each unit."""
    pots: int = 0
    """How often a pot was taken, alone or shared."""
    richest: PotRecord | None = None
    dummies: int = 0
    """Dummy hands bought."""
    dummy_cost: Counter[Unit] = field(default_factory=Counter)
    dummy_won: Counter[Unit] = field(default_factory=Counter)
    offences: Counter[str] = field(default_factory=Counter)
    """How many penalties of each kind."""
    penalty_cost: Counter[Unit] = field(default_factory=Counter)
    longest_outs: int = 0
    """The most hands (rounds, deals) in a row won in one night."""
    longest_won: int = 0
    """The most nights in a row won."""
    longest_lost: int = 0
    """The most nights in a row that ended below zero."""

    @property
    def rounds(self) -> int:
        """Rounds and deals of score games."""
        return self.hands - self.pot_hands

    def add_night(self, night: PlayedNight, hands: int, places: Iterable[int]) -> None:
        """Add a night in which these seats are counted."""
        summary, facts, unit = night.summary, night.summary.facts, night.unit
        is_pots = unit.kind == "chips"
        self.nights += 1
        self.hands += hands
        self.pot_hands += hands if is_pots else 0
        result = cents = 0
        for place in places:
            seat, one = summary.seats[place], facts.seats[place]
            result += seat.net if is_pots else seat.score
            cents += seat.cents
            if is_pots:
                self.outs += one.wins
            else:
                self.rounds_won += one.wins
            self._add_seat(night, one)
        self.net[unit] += result
        self.nights_in[unit] += 1
        if has_money(summary):
            self.net[MONEY] += cents
            self.nights_in[MONEY] += 1

    def _add_seat(self, night: PlayedNight, facts: SeatFacts) -> None:
        """Add what one seat did."""
        self.longest_outs = max(self.longest_outs, facts.wins_in_a_row)
        self.pots += facts.pots
        if facts.richest and (self.richest is None or facts.richest.riches > self.richest.taken.riches):
            self.richest = PotRecord(night, facts.richest)
        if facts.dummies:
            self.dummies += facts.dummies
            self.dummy_cost[night.unit] += facts.dummy_cost
            self.dummy_won[night.unit] += facts.dummy_won
        if facts.penalties:
            self.offences.update({name: times for name, times in zip(OFFENCES, facts.penalties, strict=True) if times})
            self.penalty_cost[night.unit] += facts.penalty_cost


def totals_of(nights: Sequence[PlayedNight], person: str) -> Totals:
    """Return what one person did in the nights in which this person sat; `nights` are the oldest first."""
    totals, won, lost = Totals(), 0, 0
    for night in nights:
        places = [place for place, one in enumerate(night.people) if one == person]
        if not places:
            continue
        seats = [night.summary.seats[place] for place in places]
        totals.add_night(night, sum(seat.hands for seat in seats), places)
        is_won = night.is_won_by(person)
        totals.won += is_won
        won = won + 1 if is_won else 0
        lost = lost + 1 if sum(seat.net for seat in seats) < 0 else 0
        totals.longest_won = max(totals.longest_won, won)
        totals.longest_lost = max(totals.longest_lost, lost)
    return totals


def totals_of_all(nights: Sequence[PlayedNight]) -> Totals:
    """Return what all seats did together; `won` and the streaks of nights, which are one person's, are 0."""
    totals = Totals()
    for night in nights:
        totals.add_night(night, night.summary.hand, range(len(night.people)))
    return totals


@dataclass(frozen=True)
class PotLine:
    """One pot of one game over nights."""

    name: str
    label: str
    hands: int
    """Hands that were played on a board with this pot."""
    times: int
    """Hands in which it was taken."""
    chips: int
    """What was taken from it altogether."""
    most: int
    """The most that it ever held, taken or not."""


def pot_lines(nights: Sequence[PlayedNight]) -> list[PotLine]:
    """Return the pots of the nights' boards, as they were called last; the nights are of one game."""
    found: dict[str, PotLine] = {}
    for night in nights:
        for pot, paid in zip(night.summary.details.pots, night.summary.facts.pots, strict=True):
            known = found.get(pot.id, PotLine("", "", 0, 0, 0, 0))
            found[pot.id] = PotLine(
                pot.name,
                pot.label,
                known.hands + night.summary.hand,
                known.times + paid.times,
                known.chips + paid.chips,
                max(known.most, pot.most),
            )
    return list(found.values())


@dataclass(frozen=True)
class HeadToHead:
    """Two people in the nights in which both sat."""

    people: tuple[str, str]
    nights: tuple[PlayedNight, ...]
    ahead: tuple[int, int]
    """In how many of them each had the better result."""

    @property
    def level(self) -> int:
        """In how many nights nobody was ahead."""
        return len(self.nights) - sum(self.ahead)

    @cached_property
    def totals(self) -> tuple[Totals, Totals]:
        """What each did in these nights."""
        one, other = self.people
        return totals_of(self.nights, one), totals_of(self.nights, other)


def head_to_head(nights: Sequence[PlayedNight], one: str, other: str) -> HeadToHead:
    """Return how two people did in the nights in which both sat."""
    shared = tuple(night for night in nights if one in night.people and other in night.people)
    better = [_better(night, one, other) for night in shared]
    return HeadToHead((one, other), shared, (better.count(one), better.count(other)))


def _better(night: PlayedNight, one: str, other: str) -> str:
    """Return which of two had the better result: who won the night, else the higher net; NO_ONE if they are level."""
    ranks = [(night.is_won_by(person), net_of(night, person)) for person in (one, other)]
    return NO_ONE if ranks[0] == ranks[1] else one if ranks[0] > ranks[1] else other


def net_of(night: PlayedNight, person: str) -> int:
    """Return somebody's net of a night, in its chips or points."""
    return sum(seat.net for seat, whose in zip(night.summary.seats, night.people, strict=True) if whose == person)


def cumulative(nights: Sequence[PlayedNight], unit: Unit, person: str) -> list[int]:
    """Return what somebody has won or lost altogether after each of these nights, all of which have this unit."""
    sums, total = [], 0
    for night in nights:
        if person in night.people:
            for seat, whose in zip(night.summary.seats, night.people, strict=True):
                if whose == person:
                    total += seat.cents if unit == MONEY else seat.net if unit.kind == "chips" else seat.score
        sums.append(total)
    return sums
