"""What sums are counted in. Chips of different worth, and points of different games, are never added to each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import gcd
from typing import NamedTuple

from tracker.archive.night_summary import NightSummary


class Unit(NamedTuple):
    """A unit: money, chips that are worth so much each, or points of one game."""

    kind: str
    """`money` (in cents), `chips` or `points`."""
    chips: int = 0
    cents: int = 0
    """So many chips are worth so many cents; 0 cents where they are worth no money."""
    game: str = ""
    """Of points: the id of the preset."""


MONEY = Unit("money")
Sums = Mapping[Unit, int]
"""A sum in each of its units."""


def unit_of(summary: NightSummary) -> Unit:
    """Return what a night's totals are counted in: chips of a worth, or points of its game."""
    if summary.game != "pots":
        return Unit("points", game=summary.preset)
    chips, cents = summary.money
    if not cents:
        return Unit("chips", 1)
    common = gcd(chips, cents)
    return Unit("chips", chips // common, cents // common)


def has_money(summary: NightSummary) -> bool:
    """Return whether a night was played for money."""
    return summary.money[1] > 0


def units_of(summary: NightSummary) -> tuple[Unit, ...]:
    """Return every unit in which a night has results, money first."""
    own = unit_of(summary)
    return (MONEY, own) if has_money(summary) else (own,)


def results_of(summary: NightSummary, place: int) -> Iterator[tuple[Unit, int]]:
    """Yield what a seat has won or lost in each unit of a night: chips, points, and cents as they were settled."""
    seat = summary.seats[place]
    yield unit_of(summary), seat.net if summary.game == "pots" else seat.score
    if has_money(summary):
        yield MONEY, seat.cents
