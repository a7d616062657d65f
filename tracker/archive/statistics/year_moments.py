"""The best moments of many nights, told from their summaries, in the measures of `core.queries.best_moments`.

Of each kind the greatest one: chips are compared as numbers, whatever they were worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise

from tracker.archive.statistics.played_nights import PlayedNight
from tracker.core.queries.best_moments import CLOSE_PART, SHORTEST_STREAK, Moment
from tracker.core.queries.pots_taken import PotTaken

NightMoment = tuple[PlayedNight, Moment]


def year_moments(nights: Sequence[PlayedNight]) -> list[NightMoment]:
    """Return the greatest moment of each kind with its night: pot, hand, comeback, streak, dummy hand, close finish.

    Pots, hands, comebacks and dummy hands are those of pot games.
    """
    pot_nights = [night for night in nights if night.summary.game == "pots"]
    finders: tuple[tuple[Callable[[PlayedNight], Moment | None], Sequence[PlayedNight]], ...] = (
        (richest_pot, pot_nights),
        (best_hand, pot_nights),
        (comeback, pot_nights),
        (streak, nights),
        (dearest_dummy, pot_nights),
        (close_finish, pot_nights),
    )
    found = (_greatest((night, find(night)) for night in among) for find, among in finders)
    return [one for one in found if one]


def _greatest(moments: Iterator[tuple[PlayedNight, Moment | None]]) -> NightMoment | None:
    found = [(night, moment) for night, moment in moments if moment]
    return max(found, key=lambda one: one[1].weight, default=None)


def richest_pot(night: PlayedNight) -> Moment | None:
    """Return the richest pot of a night, without poker pools; what lay in it."""
    summary = night.summary
    taken = (row for row in summary.taken if summary.pots[row.pot].won_by != "poker")
    found = []
    for (hand, pot), rows in groupby(taken, key=lambda row: (row.hand, row.pot)):
        shares = list(rows)
        seats = tuple(summary.seats[row.seat].seat for row in shares)
        chips = sum(row.chips for row in shares)
        found.append(PotTaken(hand, summary.pots[pot].id, seats, chips, shares[0].grown))
    best = max(found, key=lambda one: one.chips, default=None)
    return Moment("pot", best.seats, best.hand, best.chips, best.chips, best) if best else None


def best_hand(night: PlayedNight) -> Moment | None:
    """Return the hand that brought somebody most."""
    summary = night.summary
    changes = [
        (after - before, hand, seat.seat)
        for seat in summary.seats
        for hand, (before, after) in enumerate(pairwise((0, *seat.series)), start=1)
    ]
    chips, hand, seat = max(changes, key=lambda one: one[0], default=(0, 0, ""))
    return Moment("hand", (seat,), hand, chips, chips) if chips > 0 else None


def comeback(night: PlayedNight) -> Moment | None:
    """Return who ended above zero and had been deepest below it."""
    summary = night.summary
    lows = [(min(seat.series), seat) for seat in summary.seats if seat.series and seat.net > 0]
    low, seat = min(lows, key=lambda one: one[0], default=(0, None))
    return Moment("comeback", (seat.seat,), seat.series.index(low) + 1, -low, low) if seat and low < 0 else None


def streak(night: PlayedNight) -> Moment | None:
    """Return the longest row of hands that one seat won, three or more; it weighs as many as it has."""
    times, place = max(((one.wins_in_a_row, -at) for at, one in enumerate(night.facts.seats)), default=(0, 0))
    if times < SHORTEST_STREAK:
        return None
    return Moment("streak", (night.summary.seats[-place].seat,), 0, times, times=times, is_in_a_row=True)


def dearest_dummy(night: PlayedNight) -> Moment | None:
    """Return the dummy hand that was sold for most, with what its buyer won or lost in that hand."""
    summary = night.summary
    best = max(summary.dummies, key=lambda row: row.price, default=None)
    if best is None or not best.price:
        return None
    series = (0, *summary.seats[best.buyer].series)
    won = series[best.hand] - series[best.hand - 1]
    return Moment("dummy", (summary.seats[best.buyer].seat,), best.hand, best.price, won, price=best.price)


def close_finish(night: PlayedNight) -> Moment | None:
    """Return the first and the second where less than a tenth of the best net was between them; nearer weighs more."""
    summary = night.summary
    order = sorted(summary.seats, key=lambda seat: -seat.net)
    if len(summary.winners) != 1 or len(order) == 1 or order[0].net <= 0:
        return None
    first, second = order[0], order[1]
    margin = first.net - second.net
    if CLOSE_PART * margin >= first.net:
        return None
    return Moment("finish", (first.seat, second.seat), summary.hand, 1000 * first.net // (margin or 1), margin)
