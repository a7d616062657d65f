"""Statistics over nights, added up; chips of different worth, and points of different games, are kept apart."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from itertools import accumulate
from math import gcd
from typing import NamedTuple

from tracker.extras._night_summaries.night_summary import NightSummary
from tracker.extras._people import LinkedSeat
from tracker.extras.statistics.details import FullSeat, FullSummary, PotShare, PotSummary, full
from tracker.extras.statistics.moments import Kind, Moment
from tracker.formats.evening import order_of


class Unit(NamedTuple):
    """A unit: money, chips that are worth so much each, or points of one game."""

    kind: str
    """`money` (in cents), `chips` or `points`."""
    chips: int = 0
    cents: int = 0
    """So many chips are worth so many cents; 0 cents where they are worth no money."""
    game: str = ""
    """Of points: the id of the preset."""
    fewest_win: bool = False
    """Of points: then a result is what the differences to everybody else come to, as on the sheet the least is best."""
    decimals: int = 2
    """Of money: how many its sums have. Money of different decimals is never added up."""

    @property
    def is_money(self) -> bool:
        return self.kind == "money"


MONEY = Unit("money")
Sums = Mapping[Unit, int]
"""A sum in each of its units."""


def unit_of(summary: FullSummary) -> Unit:
    """Return what a night's totals are counted in: chips of a worth, or points of its game."""
    if summary.game != "pots":
        return Unit("points", game=summary.preset, fewest_win=summary.figures.fewest_win)
    chips, cents = summary.money
    if not cents:
        return Unit("chips", 1)
    common = gcd(chips, cents)
    return Unit("chips", chips // common, cents // common, decimals=summary.decimals)


def has_money(summary: NightSummary) -> bool:
    return summary.money[1] > 0


def money_of(summary: NightSummary) -> Unit:
    return MONEY._replace(decimals=summary.decimals)


NO_ONE = ""
"""Stands for a seat of which nobody has said who it was."""


@dataclass(frozen=True)
class PlayedNight:
    """A night that is over, and who sat in its seats."""

    summary: FullSummary
    people: tuple[str, ...]
    """By the places of the seats: a person, or NO_ONE."""
    unit: Unit
    """What its totals are counted in, besides money."""

    @property
    def day(self) -> date | None:
        """The day of play; None where nobody knows it."""
        return self.summary.evening

    @property
    def units(self) -> tuple[Unit, ...]:
        """Every unit in which the night has results, money first."""
        return (money_of(self.summary), self.unit) if has_money(self.summary) else (self.unit,)

    def seats_of(self, person: str) -> list[FullSeat]:
        """Return the seats in which somebody sat: mostly one, and none of who was not there."""
        return [seat for seat, whose in zip(self.summary.seats, self.people, strict=True) if whose == person]

    def place_of(self, person: str) -> int:
        """Return somebody's place in the night's ranking, the best one of several seats; 0 for nobody of it."""
        return min((seat.place for seat in self.seats_of(person)), default=0)


@dataclass(frozen=True)
class Season:
    """A stretch of days; the first and the last belong to it. None is open."""

    first: date | None = None
    last: date | None = None

    def has(self, day: date | None) -> bool:
        """Return whether a day belongs to it; a day that nobody knows belongs to the open season only."""
        if day is None:
            return self == Season()
        return (self.first or day) <= day <= (self.last or day)


def played_nights(summaries: Iterable[NightSummary], person_of: Mapping[LinkedSeat, str]) -> list[PlayedNight]:
    """Return the nights that ended with a finished hand, oldest first; `person_of` says who sat in a seat."""
    found = []
    for night in summaries:
        if night.is_over and night.hands:
            known = (person_of.get(LinkedSeat(night.code, one.seat), NO_ONE) for one in night.seats)
            counts = map(night.counts_for, night.seats)
            people = tuple(who if is_in else NO_ONE for who, is_in in zip(known, counts, strict=True))
            summary = full(night)
            found.append(PlayedNight(summary, people, unit_of(summary)))
    return sorted(found, key=lambda one: (order_of(one.summary.day), one.summary.code))


def chosen(
    nights: Iterable[PlayedNight], game: str = "", group: Iterable[str] = (), season: Season = Season()
) -> list[PlayedNight]:
    """Return the nights of a game (the id of a preset; empty for all) and season at which all of these people sat."""
    found = (one for one in nights if season.has(one.day) and game in ("", one.summary.preset))
    people = {*group}
    return [one for one in found if people.issubset(one.people)]


def people_of(nights: Sequence[PlayedNight]) -> list[str]:
    """Return everybody known who sat at one of these nights, who came most often first."""
    times = Counter(person for night in nights for person in {*night.people} - {NO_ONE})
    return sorted(times, key=lambda person: (-times[person], person))


def year(number: int) -> Season:
    return Season(date(number, 1, 1), date(number, 12, 31))


def since_easter(today: date) -> Season:
    """Return the season from the last Easter Sunday up to now; Easter itself belongs to it."""
    sunday = easter(today.year)
    return Season(sunday if sunday <= today else easter(today.year - 1))


def easter(year_number: int) -> date:
    """Return Easter Sunday of a year in the Gregorian calendar (the method of Meeus, Jones and Butcher)."""
    golden, (century, of_century) = year_number % 19, divmod(year_number, 100)
    leaps, rest = divmod(century, 4)
    moon_shift = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leaps - moon_shift + 15) % 30
    leap_years, since_leap = divmod(of_century, 4)
    to_sunday = (32 + 2 * rest + 2 * leap_years - epact - since_leap) % 7
    late = (golden + 11 * epact + 22 * to_sunday) // 451
    return date(year_number, 3, 22) + timedelta(days=epact + to_sunday - 7 * late)


@dataclass(frozen=True)
class PotRecord:
    """A pot that somebody took, and the night it happened in."""

    night: PlayedNight
    taken: PotShare

    @property
    def person(self) -> str:
        """Who took it; NO_ONE where nobody has said who sat there."""
        return self.night.people[self.taken.seat]

    @property
    def name(self) -> str:
        return self.night.summary.seats[self.taken.seat].name

    @property
    def pot_name(self) -> str:
        return self.night.summary.figures.pots[self.taken.pot].name


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
    seconds: int = 0
    """How long was played, without breaks, in the nights whose log says it."""
    timed_hands: int = 0
    """The hands of these nights."""
    longest_wait: int = 0
    """The longest time in seconds between two entries of one night that is no break."""

    @property
    def rounds(self) -> int:
        """Rounds and deals of score games."""
        return self.hands - self.pot_hands

    def add_night(self, night: PlayedNight, hands: int, seats: Iterable[FullSeat]) -> None:
        summary, unit = night.summary, night.unit
        is_pots = unit.kind == "chips"
        self.nights += 1
        self.hands += hands
        self.pot_hands += hands if is_pots else 0
        if time := summary.figures.time:
            self.seconds += time.played
            self.timed_hands += len(time.hands)
            self.longest_wait = max(self.longest_wait, time.longest_wait)
        result = cents = 0
        for seat in seats:
            result += points_or_chips(unit, seat)
            cents += seat.cents
            if is_pots:
                self.outs += seat.wins
            else:
                self.rounds_won += seat.wins
            self._add_seat(night, seat)
        self.net[unit] += result
        self.nights_in[unit] += 1
        if has_money(summary):
            self.net[money_of(night.summary)] += cents
            self.nights_in[money_of(night.summary)] += 1

    def _add_seat(self, night: PlayedNight, seat: FullSeat) -> None:
        self.longest_outs = max(self.longest_outs, seat.wins_in_a_row)
        self.pots += seat.pots
        if seat.richest and (self.richest is None or seat.richest.riches > self.richest.taken.riches):
            self.richest = PotRecord(night, seat.richest)
        if seat.dummies:
            self.dummies += seat.dummies
            self.dummy_cost[night.unit] += seat.dummy_cost
            self.dummy_won[night.unit] += seat.dummy_won
        if seat.penalties:
            self.offences.update(seat.penalties)
            self.penalty_cost[night.unit] += seat.penalty_cost


def totals_of(nights: Sequence[PlayedNight], person: str) -> Totals:
    """Return what one person did in the nights in which this person sat; `nights` are the oldest first."""
    totals, won, lost = Totals(), 0, 0
    for night in nights:
        seats = night.seats_of(person)
        if not seats:
            continue
        totals.add_night(night, sum(seat.hands for seat in seats), seats)
        is_won = night.place_of(person) == 1
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
        totals.add_night(night, night.summary.hands, night.summary.seats)
    return totals


def pot_lines(nights: Sequence[PlayedNight]) -> list[tuple[PotSummary, int]]:
    """Return the pots of the nights' boards, as they were called last, each added up over the nights, which are of one
    game; with the number of hands that were played on a board with it.
    """
    found, hands = dict[str, PotSummary](), Counter[str]()
    for night in nights:
        for pot in night.summary.figures.pots:
            known = found.get(pot.id, PotSummary("", "", "", most=0, times=0, chips=0))
            most, times, chips = max(known.most, pot.most), known.times + pot.times, known.chips + pot.chips
            found[pot.id] = pot._replace(most=most, times=times, chips=chips)
            hands[pot.id] += night.summary.hands
    return [(pot, hands[pot.id]) for pot in found.values()]


def times_ahead(nights: Sequence[PlayedNight], one: str, other: str) -> tuple[int, int, int]:
    """Return in how many nights at which both sat each one had the better place, and in how many neither."""
    ranks = [(night.place_of(one), night.place_of(other)) for night in chosen(nights, group=(one, other))]
    ahead, behind = sum(mine < theirs for mine, theirs in ranks), sum(mine > theirs for mine, theirs in ranks)
    return ahead, behind, len(ranks) - ahead - behind


def points_or_chips(unit: Unit, seat: FullSeat) -> int:
    """Return what a night was for a seat in a unit that is not money: net chips, or points as they are added up."""
    return seat.score if unit.kind == "points" and not unit.fewest_win else seat.net


def result_of(night: PlayedNight, unit: Unit, person: str) -> int:
    """Return what a night was for somebody in one of its units: cents, net chips, or the points of a score game."""
    return sum(seat.cents if unit.is_money else points_or_chips(unit, seat) for seat in night.seats_of(person))


def cumulative(nights: Sequence[PlayedNight], unit: Unit, person: str) -> list[int]:
    """Return what somebody has won or lost altogether after each of these nights, all of which have this unit."""
    return [*accumulate(result_of(night, unit, person) for night in nights)]


NightMoment = tuple[PlayedNight, Moment]
MOMENT_KINDS: Sequence[Kind] = ("pot", "hand", "comeback", "streak", "dummy", "finish")


def year_moments(nights: Sequence[PlayedNight]) -> list[NightMoment]:
    """Return the greatest moment of each kind with its night: pot, hand, comeback, streak, dummy hand, close finish."""
    greatest: dict[Kind, NightMoment] = {}
    for night in nights:
        for moment in night.summary.figures.moments:
            known = greatest.get(moment.kind)
            if known is None or moment.weight > known[1].weight:
                greatest[moment.kind] = night, moment
    return [greatest[kind] for kind in MOMENT_KINDS if kind in greatest]


# Whom somebody wins from and loses to, and at how large tables: of boards with chips only, in one unit. In score games
# nobody pays anybody hand by hand, so they are left out.

LEAST_NIGHTS = 5
"""From so many nights on something is said of two people: of fewer, it would be about luck alone."""


class Rival(NamedTuple):
    """Another person, what somebody has won from (below zero: lost to) or beside them, and in how many nights."""

    person: str
    sum: int
    """In whole chips or cents of the unit, rounded."""
    nights: int


def rivals(nights: Sequence[PlayedNight], person: str, unit: Unit) -> list[Rival]:
    """Return what somebody has won from each other one with whom LEAST_NIGHTS were played, the most first.

    In each hand, the chips that the winners gained come from its losers, in the proportion of their losses. Where the
    losers lost more, the rest lies on the board; where less, it came from there: that is won from nobody. What one has
    won from another, the other has lost to the first, so over all pairs the sum is zero.
    """
    sums = Counter[tuple[str, int]]()  # by the other person and the denominator: exact, and fewer fractions
    for night in _on_boards(nights, unit):
        chips, cents = night.summary.money if unit.is_money else (1, 1)
        for won in night.summary.figures.won:
            of_all = max(sum(one for one in won if one > 0), -sum(one for one in won if one < 0))
            for mine, other, theirs in _pairs(night, won, person):
                if mine * theirs < 0:
                    sums[other, of_all * chips] += mine * abs(theirs) * cents
    exact = Counter[str]()
    for (other, denominator), numerator in sums.items():
        exact[other] += Fraction(numerator, denominator)  # type: ignore[assignment]
    counted = _counted(nights, person, unit)
    found = [Rival(other, rounded(Fraction(exact[other])), len(shared)) for other, shared in counted.items()]
    return sorted(found, key=lambda one: (-one.sum, one.person))


def rounded(value: Fraction) -> int:
    """Return the nearest whole number; of a half the one that is further from zero."""
    whole = int(abs(value) + Fraction(1, 2))
    return whole if value > 0 else -whole


def best_partner(nights: Sequence[PlayedNight], person: str, unit: Unit) -> Rival | None:
    """Return at whose table somebody's result per night is best, if it is better than over all nights; else None."""

    def per_night(played: Sequence[PlayedNight]) -> Fraction:
        return Fraction(sum(result_of(one, unit, person) for one in played), max(1, len(played)))

    counted = _counted(nights, person, unit)
    best = max(counted, key=lambda other: (per_night(counted[other]), other), default=None)
    if best is None or per_night(counted[best]) <= per_night(_on_boards(nights, unit)):
        return None
    return Rival(best, rounded(per_night(counted[best])), len(counted[best]))


def nights_by_players(nights: Sequence[PlayedNight]) -> dict[int, list[PlayedNight]]:
    """Return the nights by how many people were dealt in, the smallest table first; nothing below LEAST_NIGHTS."""
    found = defaultdict[int, list[PlayedNight]](list)
    for night in nights if len(nights) >= LEAST_NIGHTS else ():
        found[sum(seat.hands > 0 for seat in night.summary.seats)].append(night)
    return dict(sorted(found.items()))


def _on_boards(nights: Sequence[PlayedNight], unit: Unit) -> list[PlayedNight]:
    return [night for night in nights if night.unit.kind == "chips" and unit in night.units]


def _counted(nights: Sequence[PlayedNight], person: str, unit: Unit) -> dict[str, list[PlayedNight]]:
    """Return the nights that somebody shared with each other person with whom there are LEAST_NIGHTS."""
    own = [night for night in _on_boards(nights, unit) if person in night.people]
    shared = {other: [night for night in own if other in night.people] for other in people_of(own) if other != person}
    return {other: both for other, both in shared.items() if len(both) >= LEAST_NIGHTS}


def _pairs(night: PlayedNight, won: Sequence[int], person: str) -> Iterator[tuple[int, str, int]]:
    """Yield (own chips, other person, their chips) for each pair of seats in a hand; `won` is by the seats' places."""
    for mine, whose in zip(won, night.people, strict=True):
        if whose == person:
            for theirs, other in zip(won, night.people, strict=True):
                if other not in (person, NO_ONE):
                    yield mine, other, theirs
