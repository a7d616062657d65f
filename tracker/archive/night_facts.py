"""What one night's summary says of each seat and each pot, added up once, so that a page only adds up nights."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NamedTuple, Self

from tracker.archive.night_details import NOBODY, OFFENCES, HandEnd, NightDetails
from tracker.archive.night_details import PotTaken as TakenRow


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
    penalties: tuple[int, ...] = ()
    """How many, by their places in OFFENCES; empty for none."""
    penalty_cost: int = 0


class PotTotals(NamedTuple):
    """How often one pot paid in one night, and how much."""

    times: int = 0
    """Hands in which it was taken."""
    chips: int = 0
    """What was taken from it altogether."""


class NightFacts(NamedTuple):
    """The facts of a night: by the places of its seats, and of its pots."""

    seats: tuple[SeatFacts, ...]
    pots: tuple[PotTotals, ...]

    def to_text(self) -> str:
        """Return it as one line of JSON."""
        return json.dumps(self, separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return what `to_text` wrote."""
        seats, pots = json.loads(text)
        return cls(tuple(map(_seat_facts, seats)), tuple(map(PotTotals._make, pots)))


def _seat_facts(raw: list[Any]) -> SeatFacts:
    facts = SeatFacts._make(raw)
    richest = TakenPot._make(facts.richest) if facts.richest else None
    return facts._replace(richest=richest, penalties=tuple(facts.penalties))


def facts_of(details: NightDetails, hands: int) -> NightFacts:
    """Return the facts of a night in which so many hands have begun."""
    count = len(details.series)
    wins, rows = _wins(details, count, hands)
    pots, richest, taken = _pots(details, count)
    bought, cost, won = ([0] * count for _ in range(3))
    for _hand, buyer, price, gain in details.dummies:
        bought[buyer] += 1
        cost[buyer] += price
        won[buyer] += gain
    penalties, penalty_cost = list[list[int]]([[] for _ in range(count)]), [0] * count
    for _hand, seat, offence, chips in details.penalties:
        penalties[seat] = penalties[seat] or [0] * len(OFFENCES)
        penalties[seat][offence] += 1
        penalty_cost[seat] += chips
    parts = zip(wins, rows, pots, richest, bought, cost, won, map(tuple, penalties), penalty_cost, strict=True)
    return NightFacts(tuple(SeatFacts(*one) for one in parts), tuple(taken))


def _wins(details: NightDetails, count: int, hands: int) -> tuple[list[int], list[int]]:
    """Return how many hands each seat won, and how many in a row at most."""
    winners = details.hands.numbers[2 :: len(HandEnd._fields)]
    if len(winners) != hands:
        return _shared_wins(details, count)
    wins, longest = [0] * (count + 1), [0] * (count + 1)  # the last is NOBODY's
    before, row = NOBODY, 0
    for winner in winners:
        row = row + 1 if winner == before else 1
        before = winner
        wins[winner] += 1
        longest[winner] = max(longest[winner], row)
    return wins[:count], longest[:count]


def _shared_wins(details: NightDetails, count: int) -> tuple[list[int], list[int]]:
    """Return the same for a score game with deals that several won."""
    wins, longest = [0] * count, [0] * count
    rows: dict[int, int] = {}
    now, winners = 0, dict[int, int]()  # the row that each winner of this hand, and of the hand before it, has
    for hand, _dealer, winner in details.hands:
        if hand != now:
            now, rows, winners = hand, winners if hand == now + 1 else {}, {}
        wins[winner] += 1
        winners[winner] = rows.get(winner, 0) + 1
        longest[winner] = max(longest[winner], winners[winner])
    return wins, longest


def _pots(details: NightDetails, count: int) -> tuple[list[int], list[TakenPot | None], list[PotTotals]]:
    """Return how often each seat took a pot, its richest one (the first of several), and the totals of each pot.

    The rows are read by columns, which takes a third of the time.
    """
    numbers, width = details.taken.numbers, len(TakenRow._fields)
    hands, pots, seats, chips = (numbers[column::width] for column in range(4))
    times, paid, sums = Counter(seats), [0] * len(details.pots), [0] * len(details.pots)
    most, row_of, newest = [0] * count, [0] * count, dict[int, int]()
    for row, (hand, pot, seat, given) in enumerate(zip(hands, pots, seats, chips, strict=True)):
        sums[pot] += given
        if newest.get(pot) != hand:  # else it is shared
            newest[pot] = hand
            paid[pot] += 1
        if given > most[seat]:
            most[seat], row_of[seat] = given, row
    rows = (numbers[row * width : (row + 1) * width] if most[seat] else None for seat, row in enumerate(row_of))
    richest = [TakenPot(row[3], row[4], row[0], row[1], row[5]) if row else None for row in rows]
    return [times[seat] for seat in range(count)], richest, list(map(PotTotals, paid, sums))
