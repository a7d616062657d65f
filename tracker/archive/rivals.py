"""Whom somebody wins from and loses to, beside whom their nights end best, and at how large tables they sat.

Of boards with chips only, in one unit. In score games nobody pays anybody hand by hand, so they are left out.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from tracker.archive.statistics import MONEY, NO_ONE, PlayedNight, Unit, people_of, result_of

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
        chips, cents = night.summary.money if unit == MONEY else (1, 1)
        for won in night.summary.details.won:
            of_all = max(sum(one for one in won if one > 0), -sum(one for one in won if one < 0))
            for mine, other, theirs in _pairs(night, won, person):
                if mine * theirs < 0:
                    sums[other, of_all * chips] += mine * abs(theirs) * cents
    exact = Counter[str]()
    for (other, denominator), numerator in sums.items():
        exact[other] += Fraction(numerator, denominator)  # type: ignore[assignment]
    counted = _counted(nights, person, unit)
    found = [Rival(other, round(exact[other]), len(shared)) for other, shared in counted.items()]
    return sorted(found, key=lambda one: (-one.sum, one.person))


def best_partner(nights: Sequence[PlayedNight], person: str, unit: Unit) -> Rival | None:
    """Return at whose table somebody's result per night is best, if it is better than over all nights; else None."""

    def per_night(played: Sequence[PlayedNight]) -> Fraction:
        return Fraction(sum(result_of(one, unit, person) for one in played), max(1, len(played)))

    counted = _counted(nights, person, unit)
    best = max(counted, key=lambda other: (per_night(counted[other]), other), default=None)
    if best is None or per_night(counted[best]) <= per_night(_on_boards(nights, unit)):
        return None
    return Rival(best, round(per_night(counted[best])), len(counted[best]))


def nights_by_players(nights: Sequence[PlayedNight]) -> dict[int, list[PlayedNight]]:
    """Return the nights by how many people were dealt in, the smallest table first; nothing below LEAST_NIGHTS."""
    found: dict[int, list[PlayedNight]] = {}
    for night in nights if len(nights) >= LEAST_NIGHTS else ():
        found.setdefault(sum(seat.hands > 0 for seat in night.summary.seats), []).append(night)
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
