"""What a hand has brought one person so far, as the items of a strip that add up to the change shown beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from tracker.core.games import pot_game
from tracker.core.night import ENDED, LOBBY, Deal, Night
from tracker.web.drawing.player_token import PotLabel, label_of


@dataclass(frozen=True)
class SummaryItem:
    """Chips won (+) or paid (-) by one thing: `ante`, `dummy`, `cards`, `other`, or a pot with its label."""

    what: str
    chips: int
    label: PotLabel | None = None


def antes_of(night: Night) -> Mapping[str, int]:
    """Return what each seat put in at the beginning of this hand, in chips; nothing when none is on."""
    puts: Counter[str] = Counter()
    for due in pot_game.antes(night, night.deal.seats) if night.deal else ():
        puts[due.payer] += due.chips
    return puts


def hand_summary(night: Night, seat: str | None, antes: Mapping[str, int]) -> tuple[SummaryItem, ...]:
    """Return the items of this hand for `seat`, oldest first; nothing when it is not in a hand.

    `antes` is what each seat put in at its beginning.
    """
    deal = night.deal
    if deal is None or seat is None or seat not in deal.seats or night.phase in (LOBBY, ENDED):
        return ()
    items = [SummaryItem("ante", -antes.get(seat, 0))]
    items += _dummy(deal, seat)
    items += [
        SummaryItem("pot", taken.chips, label_of(night.preset.board[pot]))
        for pot, taken in deal.taken.items()
        if taken.seat == seat and taken.chips
    ]
    items += _cards(night, deal, seat)
    rest = night.stack(seat) - deal.stacks_before[seat] - sum(item.chips for item in items)
    return tuple(item for item in (*items, SummaryItem("other", rest)) if item.chips)


def _dummy(deal: Deal, seat: str) -> list[SummaryItem]:
    if deal.dummy != "sold" or seat not in (deal.buyer, deal.dealer):
        return []
    return [SummaryItem("dummy", deal.price if seat == deal.dealer else -deal.price)]


def _cards(night: Night, deal: Deal, seat: str) -> list[SummaryItem]:
    if deal.winner is None:
        return []
    paid = pot_game.paid_for_cards(night, deal.cards)
    return [SummaryItem("cards", sum(paid.values()) if seat == deal.winner else -paid.get(seat, 0))]
