"""The greatest moment of each kind that a night has, in the measures of `core.queries.best_moments`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from tracker.archive.night_details import NightDetails
from tracker.archive.night_facts import NightFacts
from tracker.core.queries.best_moments import CLOSE_PART, SHORTEST_STREAK, Kind, Moment
from tracker.core.queries.pots_taken import PotTaken


class Result(NamedTuple):
    """A seat and its net."""

    seat: str
    net: int


@dataclass(frozen=True)
class MomentFinder:
    """Finds the moments of a night; the places of `results` are those of the details and facts."""

    results: Sequence[Result]
    winners: Sequence[str]
    hand: int
    details: NightDetails
    facts: NightFacts
    is_pots: bool

    def moments(self) -> list[Moment]:
        """Return the moments: pots, hands, comebacks, dummy hands and close finishes are those of pot games."""
        pot_game = (self.richest_pot, self.best_hand, self.comeback, self.streak, self.dearest_dummy, self.close_finish)
        found = (find() for find in (pot_game if self.is_pots else (self.streak,)))
        return [one for one in found if one]

    def richest_pot(self) -> Moment | None:
        """Return the richest pot, without poker pools; what lay in it."""
        pots = self.details.pots
        taken = (row for row in self.details.taken if pots[row.pot].won_by != "poker")
        found = []
        for (hand, pot), rows in groupby(taken, key=lambda row: (row.hand, row.pot)):
            shares = list(rows)
            seats = tuple(self.results[row.seat].seat for row in shares)
            chips = sum(row.chips for row in shares)
            found.append(PotTaken(hand, pots[pot].id, seats, chips, shares[0].grown))
        best = max(found, key=lambda one: one.chips, default=None)
        return Moment("pot", best.seats, best.hand, best.chips, best.chips, best) if best else None

    def best_hand(self) -> Moment | None:
        """Return the hand that brought somebody most."""
        changes = [
            (after - before, hand, one.seat)
            for one, series in self._lines()
            for hand, (before, after) in enumerate(pairwise((0, *series)), start=1)
        ]
        chips, hand, seat = max(changes, key=lambda one: one[0], default=(0, 0, ""))
        return Moment("hand", (seat,), hand, chips, chips) if chips > 0 else None

    def comeback(self) -> Moment | None:
        """Return who ended above zero and had been deepest below it."""
        lows = [(min(series), one.seat, series) for one, series in self._lines() if series and one.net > 0]
        low, seat, series = min(lows, key=lambda one: one[0], default=(0, "", ()))
        return Moment("comeback", (seat,), series.index(low) + 1, -low, low) if low < 0 else None

    def _lines(self) -> Iterable[tuple[Result, tuple[int, ...]]]:
        return zip(self.results, self.details.series, strict=True)

    def streak(self) -> Moment | None:
        """Return the longest row of hands that one seat won, three or more; it weighs as many as it has."""
        times, place = max(((one.wins_in_a_row, -at) for at, one in enumerate(self.facts.seats)), default=(0, 0))
        if times < SHORTEST_STREAK:
            return None
        return Moment("streak", (self.results[-place].seat,), 0, times, times=times, is_in_a_row=True)

    def dearest_dummy(self) -> Moment | None:
        """Return the dummy hand that was sold for most, with what its buyer won or lost in that hand."""
        best = max(self.details.dummies, key=lambda row: row.price, default=None)
        if best is None or not best.price:
            return None
        series = (0, *self.details.series[best.buyer])
        won = series[best.hand] - series[best.hand - 1]
        return Moment("dummy", (self.results[best.buyer].seat,), best.hand, best.price, won, price=best.price)

    def close_finish(self) -> Moment | None:
        """Return the first and the second where less than a tenth of the best net was between them; nearer weighs
        more."""
        order = sorted(self.results, key=lambda one: -one.net)
        if len(self.winners) != 1 or len(order) == 1 or order[0].net <= 0:
            return None
        first, second = order[0], order[1]
        margin = first.net - second.net
        if CLOSE_PART * margin >= first.net:
            return None
        return Moment("finish", (first.seat, second.seat), self.hand, 1000 * first.net // (margin or 1), margin)


def moments_text(moments: Iterable[Moment]) -> str:
    """Return moments as one line of JSON."""
    values = ([*vars(replace(one, pot=None)).values(), one.pot and [*vars(one.pot).values()]] for one in moments)
    return json.dumps([*values], separators=(",", ":"))


def moments_from(text: str) -> tuple[Moment, ...]:
    """Return what `moments_text` wrote."""
    return tuple(_moment(*values) for values in json.loads(text))


def _moment(kind: Kind, seats: list[str], *values: Any) -> Moment:
    *others, pot = values
    if pot:
        hand, name, takers, *chips = pot
        pot = PotTaken(hand, name, tuple(takers), *chips)
    return replace(Moment(kind, tuple(seats), *others), pot=pot)
