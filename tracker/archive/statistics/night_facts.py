"""What one night's summary says of each seat and each pot, added up once, so that a page only adds up nights."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tracker.archive.night_summary import OFFENCES, NightSummary, Rows
from tracker.archive.night_summary import PotTaken as TakenRow


class TakenPot(NamedTuple):
    """A pot that a seat took, alone or shared; the greater of two is the richer one."""

    chips: int
    """What the seat got of it."""
    grown: int
    """Over how many hands the pot had grown."""
    hand: int
    pot: int
    """The place of the pot in the summary's `pots`."""
    sharers: int


class SeatFacts(NamedTuple):
    """What one seat did in one night."""

    wins: int = 0
    """Hands in which it went out; in a score game, rounds or deals it won."""
    wins_in_a_row: int = 0
    """The most hands in a row that it won."""
    pots: int = 0
    """How often it took a pot, alone or shared."""
    richest: TakenPot | None = None
    dummies: int = 0
    """Dummy hands bought."""
    dummy_cost: int = 0
    dummy_won: int = 0
    """By how much its net changed in the hands of the bought dummies, their prices left out."""
    offences: tuple[int, ...] = (0,) * len(OFFENCES)
    """How many penalties, by their places in OFFENCES."""
    penalty_cost: int = 0


class PotTotals(NamedTuple):
    """How often one pot paid in one night, and how much."""

    times: int = 0
    """Hands in which it was taken."""
    chips: int = 0
    """What was taken from it altogether."""
    richest: int = 0
    """The most that was taken from it in one hand."""


class NightFacts(NamedTuple):
    """The facts of a night: by the places of its seats, and of its pots."""

    seats: tuple[SeatFacts, ...]
    pots: tuple[PotTotals, ...]


def facts_of(summary: NightSummary) -> NightFacts:
    """Return the facts of a night."""
    count = len(summary.seats)
    wins, rows = _wins(summary, count)
    pots, richest, taken = _pots(summary, count)
    bought, cost, won = ([0] * count for _ in range(3))
    for _hand, buyer, _seller, price, gain in summary.dummies:
        bought[buyer] += 1
        cost[buyer] += price
        won[buyer] += gain
    offences, penalty_cost = [[0] * len(OFFENCES) for _ in range(count)], [0] * count
    for _hand, seat, offence, chips in summary.penalties:
        offences[seat][offence] += 1
        penalty_cost[seat] += chips
    parts = zip(wins, rows, pots, richest, bought, cost, won, map(tuple, offences), penalty_cost, strict=True)
    return NightFacts(tuple(SeatFacts(*one) for one in parts), taken)


def _wins(summary: NightSummary, count: int) -> tuple[list[int], list[int]]:
    """Return how many hands each seat won, and how many in a row at most."""
    winners: dict[int, set[int]] = {}
    for hand, _dealer, winner in summary.hands:
        winners.setdefault(hand, set()).add(winner)
    wins, row, longest = ([0] * count for _ in range(3))
    for hand in sorted(winners):
        for seat in range(count):
            row[seat] = row[seat] + 1 if seat in winners[hand] else 0
            wins[seat] += seat in winners[hand]
            longest[seat] = max(longest[seat], row[seat])
    return wins, longest


def _pots(summary: NightSummary, count: int) -> tuple[list[int], list[TakenPot | None], tuple[PotTotals, ...]]:
    """Return how often each seat took a pot, its richest one, and the totals of each pot."""
    times = [0] * count
    richest: list[TakenPot | None] = [None] * count
    by_hand: dict[tuple[int, int], int] = {}
    for hand, pot, seat, chips, grown, sharers in _rows(summary.taken):
        times[seat] += 1
        found, known = TakenPot(chips, grown, hand, pot, sharers), richest[seat]
        if known is None or found > known:
            richest[seat] = found
        by_hand[pot, hand] = by_hand.get((pot, hand), 0) + chips
    paid: list[list[int]] = [[] for _ in summary.pots]
    for (pot, _hand), chips in by_hand.items():
        paid[pot].append(chips)
    return times, richest, tuple(PotTotals(len(one), sum(one), max(one, default=0)) for one in paid)


def _rows(rows: Rows[TakenRow]) -> Iterable[tuple[int, ...]]:
    """Return rows as plain tuples: made in half the time, and there are ten thousands of them."""
    numbers = iter(rows.numbers)
    return zip(*[numbers] * len(TakenRow._fields), strict=True)


class FactsCache:
    """The facts of nights that were asked for, until their summaries change. Any thread may call it."""

    def __init__(self) -> None:
        self._cache: dict[str, tuple[NightSummary, NightFacts]] = {}

    def of(self, summary: NightSummary) -> NightFacts:
        """Return the facts of a night, computed once for each summary."""
        known = self._cache.get(summary.code)
        if known is None or known[0] is not summary:
            known = self._cache[summary.code] = (summary, facts_of(summary))
        return known[1]
