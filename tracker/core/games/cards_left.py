"""What the others pay to whoever goes out, for the cards that they still hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tracker.core.cards import PACK
from tracker.core.errors import BadEvent, NotAllowed
from tracker.core.events import Out
from tracker.core.games.payments import Due
from tracker.core.night import Night


def paid_for_cards(night: Night, cards: Mapping[str, int], excused: Sequence[str] = ()) -> dict[str, int]:
    """Return the chips that each seat pays for its cards left; nothing where it is excused."""
    each = night.house_rules.out_per_card
    return {seat: 0 if seat in excused else left * each for seat, left in cards.items()}


def may_excuse(night: Night) -> bool:
    """Return whether somebody may hold the card that excuses from paying: not once it was played or turned up."""
    pot, deal = night.preset.excusing_pot, night.deal
    is_gone = pot is not None and deal is not None and pot.id in deal.taken
    return night.house_rules.out_excuse == "holder" and not is_gone


def demand_excused(night: Night, event: Out) -> None:
    """Raise NotAllowed for somebody who is excused for a card that was played in this hand."""
    pot = night.preset.excusing_pot
    if event.excused and pot and not may_excuse(night):
        raise NotAllowed("{pot} was played in this hand, so nobody holds it: everybody pays", pot=pot.name)


def card_dues(night: Night, winner: str, cards: Mapping[str, int], excused: Sequence[str] = ()) -> list[Due]:
    """Return what every other seat of the hand pays for its cards left; BadEvent when one is missing or too many."""
    payers = check_cards(night, winner, cards, excused)
    pays = paid_for_cards(night, {seat: cards.get(seat, 0) for seat in payers}, excused)
    return [Due(seat, winner, pays[seat]) for seat in payers if seat not in excused]


def check_cards(night: Night, winner: str, cards: Mapping[str, int], excused: Sequence[str] = ()) -> Sequence[str]:
    """Return who pays for cards left, clockwise; BadEvent when one of them is missing or has too many."""
    deal = night.current_deal()
    payers = [seat for seat in night.clockwise_from(winner) if seat in deal.seats and seat != winner]
    if winner in (*cards, *excused):
        raise BadEvent("{name} is out of cards, so pays for none", name=night.name(winner), field="cards")
    _demand_counts(night, payers, cards, excused)
    missing = [night.name(seat) for seat in payers if not (seat in cards or seat in deal.gone or seat in excused)]
    if missing:
        raise BadEvent("how many cards are left with {names}?", names=", ".join(missing), field="cards")
    return payers


def _demand_counts(night: Night, payers: Sequence[str], cards: Mapping[str, int], excused: Sequence[str]) -> None:
    """Raise NotAllowed or BadEvent for cards that can't be counted, and for people who can't be excused from paying."""
    if excused and night.house_rules.out_excuse == "nobody":
        raise NotAllowed("on this board nobody is excused from paying for cards left")
    if len(set(excused)) > 1:
        raise BadEvent("one person holds the card that pays nothing, not {count}", count=len(excused), field="cards")
    for seat in (*cards, *excused):
        if seat not in payers:
            raise BadEvent("{seat} does not pay for cards in this hand", seat=night.name(seat), field="cards")
        if seat in night.current_deal().gone and cards.get(seat):
            raise BadEvent("{name} is out already and holds no cards", name=night.name(seat), field="cards")
    if night.house_rules.out_count == "cards" and max(cards.values(), default=0) > PACK:
        raise BadEvent("a hand has at most {most} cards", most=PACK, field="cards")
