"""Nights that count in statistics, and which of them are chosen: by game, by who sat together, by season."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from tracker.archive.night_summary import NightSummary
from tracker.archive.statistics.units import MONEY, Unit, has_money, unit_of

NO_ONE = ""
"""Stands for a seat of which nobody has said who it was."""


@dataclass(frozen=True)
class PlayedNight:
    """A night that is over, the evening it was played, and who sat in its seats."""

    summary: NightSummary
    day: date | None
    """None where the log does not say."""
    people: tuple[str, ...]
    """By the places of the seats: a person, or NO_ONE."""
    unit: Unit
    """What its totals are counted in, besides money."""

    @property
    def units(self) -> tuple[Unit, ...]:
        """Every unit in which the night has results, money first."""
        return (MONEY, self.unit) if has_money(self.summary) else (self.unit,)

    def is_won_by(self, person: str) -> bool:
        """Return whether somebody had the best result, alone or shared."""
        places = (self.summary.place_of[seat] for seat in self.summary.winners)
        return any(self.people[place] == person for place in places)


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


@dataclass(frozen=True)
class Selection:
    """What statistics are asked of."""

    game: str = ""
    """The id of a preset; empty for all games."""
    group: frozenset[str] = field(default_factory=frozenset)
    """People who all sat at a night, with others or without."""
    season: Season = Season()

    def has(self, night: PlayedNight) -> bool:
        """Return whether a night is one of those that are asked for."""
        is_game = not self.game or night.summary.preset == self.game
        return is_game and self.season.has(night.day) and self.group.issubset(night.people)


def played_nights(
    summaries: Iterable[NightSummary],
    day_of: Callable[[NightSummary], date | None],
    person_of: Callable[[str, str], str | None],
) -> list[PlayedNight]:
    """Return the nights that count, the oldest first: those that have ended and in which a hand was played.

    `person_of(code, seat)` says who sat there, and None where nobody has said it. A score game is no night of somebody
    who has played no round of it.
    """

    def people(night: NightSummary) -> tuple[str, ...]:
        played = (seat.hands > 0 or night.game == "pots" for seat in night.seats)
        who = (person_of(night.code, seat.seat) for seat in night.seats)
        return tuple((is_part and person) or NO_ONE for is_part, person in zip(played, who, strict=True))

    found = [PlayedNight(one, day_of(one), people(one), unit_of(one)) for one in summaries if one.is_over and one.hand]
    return sorted(found, key=lambda one: (one.day or date.min, one.summary.day, one.summary.code))


def chosen(nights: Iterable[PlayedNight], selection: Selection) -> list[PlayedNight]:
    """Return the nights of a selection, in their order."""
    return [one for one in nights if selection.has(one)]


def people_of(nights: Sequence[PlayedNight]) -> list[str]:
    """Return everybody known who sat at one of these nights, who came most often first."""
    times: dict[str, int] = {}
    for night in nights:
        for person in {*night.people} - {NO_ONE}:
            times[person] = times.get(person, 0) + 1
    return sorted(times, key=lambda person: (-times[person], person))


def year(number: int) -> Season:
    """Return the season of a calendar year."""
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
