"""What sums are counted in. Chips of different worth, and points of different games, are never added to each other."""

from __future__ import annotations

from collections.abc import Mapping
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
