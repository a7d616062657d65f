"""What happened in a pot game, hand by hand: pots taken and how long they grew, dummies bought, penalties."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tracker.archive.night_details import NOBODY, OFFENCES, DummyBought, HandEnd, PenaltyPaid, PotTaken
from tracker.core.events import Event, MatchWithheld, Penalty
from tracker.core.night import SHOWDOWN, Deal, Night
from tracker.core.preset import Pot, Preset
from tracker.core.queries.best_moments import hand_ends, hands_grown

Step = tuple[int, Event, Night]
"""An event in force with its number, and the state after it."""


class PotFacts:
    """The facts of a pot game's replayed log. Rows name seats by their places, which the caller gives."""

    def __init__(self, preset: Preset, steps: Sequence[Step]) -> None:
        before = Night(preset)
        self.pots: list[Pot] = list(preset.board.values())
        self.most: dict[str, int] = {}
        """By pot: the most that it ever held, in chips and IOUs."""
        self._pot_places = {pot.id: place for place, pot in enumerate(self.pots)}
        self._deals: dict[int, Deal] = {}
        ends = hand_ends(after for _, _, after in steps)
        self._ends = {night.hand: night for night in ends}
        """By hand: its last state before the night's end."""
        self._grown = hands_grown(ends)
        self._pools: dict[int, list[tuple[str, str, int, int]]] = {}
        self._net_at_sale: dict[int, int] = {}
        self._penalties: list[tuple[int, str, str, int]] = []
        for _, event, after in steps:
            self._add(event, before, after)
            before = after

    def _add(self, event: Event, before: Night, after: Night) -> None:
        """Note what one event has changed."""
        if after.deal is not None:
            self._deals[after.hand] = after.deal
        deal_before = before.deal if before.hand == after.hand else None
        if after.deal is not None:
            self._follow_sale(deal_before, after.deal, after)
            self._follow_pools(deal_before, after.deal, before, after)
        if after.is_abandoned and not before.is_abandoned:
            self._forget(after.hand)
        if isinstance(event, Penalty):
            self._add_penalty(event.seat, event.offence, before, after)
        elif isinstance(event, MatchWithheld):
            self._add_penalty(event.offender, "match", before, after)
        self._follow_pots(after)

    def _forget(self, hand: int) -> None:
        """Forget what was won and paid in a hand that was given up."""
        self._pools.pop(hand, None)
        self._net_at_sale.pop(hand, None)
        self._penalties = [one for one in self._penalties if one[0] != hand]

    def _follow_sale(self, deal_before: Deal | None, deal: Deal, after: Night) -> None:
        if deal.dummy == "sold" and deal.buyer and (deal_before is None or deal_before.dummy != "sold"):
            self._net_at_sale[after.hand] = after.net(deal.buyer)

    def _follow_pools(self, deal_before: Deal | None, deal: Deal, before: Night, after: Night) -> None:
        """Note who got how much of a poker pool that was won now."""
        if deal.poker is not None and (deal_before is None or deal_before.poker is None):
            for pool in before.preset.won_by("poker"):
                given = before.ledger.holds(pool.id) - after.ledger.holds(pool.id)
                if given:
                    parts = self._pools.setdefault(after.hand, [])
                    parts.extend(_pool_parts(before, pool.id, deal.poker, given))

    def _follow_pots(self, after: Night) -> None:
        """Note each pot's place, and the most that it ever held."""
        for pot in after.preset.board.values():
            if pot.id not in self._pot_places:
                self._pot_places[pot.id] = len(self.pots)
                self.pots.append(pot)
            self.most[pot.id] = max(self.most.get(pot.id, 0), after.ledger.holds(pot.id))

    def _add_penalty(self, seat: str, offence: str, before: Night, after: Night) -> None:
        self._penalties.append((after.hand, seat, offence, max(before.net(seat) - after.net(seat), 0)))

    # Rows

    def hand_ends(self, places: Mapping[str, int]) -> Iterator[HandEnd]:
        """Yield a row for each hand."""
        for hand, deal in self._deals.items():
            yield HandEnd(hand, places[deal.dealer], places[deal.winner] if deal.winner else NOBODY)

    def taken(self, places: Mapping[str, int]) -> Iterator[PotTaken]:
        """Yield a row for each pot and each seat that got of it."""
        for hand, deal in self._deals.items():
            shares = [
                (pot, seat, taken.part(seat), 1 + len(taken.others))
                for pot, taken in deal.taken.items()
                for seat in (taken.seat, *taken.others)
            ]
            for pot, seat, chips, sharers in (*shares, *self._pools.get(hand, ())):
                if chips:
                    yield PotTaken(hand, self._pot_places[pot], places[seat], chips, self._grown[hand, pot], sharers)

    def dummies(self, places: Mapping[str, int]) -> Iterator[DummyBought]:
        """Yield a row for each dummy that was sold in a hand that is over."""
        newest = max(self._deals, default=0)
        for hand, net in self._net_at_sale.items():
            deal, end = self._deals[hand], self._ends[hand]
            if deal.buyer and (hand < newest or end.phase == SHOWDOWN):
                won = end.net(deal.buyer) - net
                yield DummyBought(hand, places[deal.buyer], deal.price, won)

    def penalties(self, places: Mapping[str, int]) -> Iterator[PenaltyPaid]:
        """Yield a row for each penalty, and for each money card that an offender paid for."""
        for hand, seat, offence, chips in self._penalties:
            yield PenaltyPaid(hand, places[seat], OFFENCES.index(offence), chips)


def _pool_parts(before: Night, pool: str, winners: tuple[str, ...], given: int) -> Iterator[tuple[str, str, int, int]]:
    """Yield (pool, seat, chips, sharers) of a poker pool that its winners got; odd chips went round."""
    each, odd = divmod(given, len(winners))
    for place, seat in enumerate(seat for seat in before.clockwise_from(before.dealer) if seat in winners):
        yield pool, seat, each + (place < odd), len(winners)
