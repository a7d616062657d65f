"""Penalties of a pot game's hand: a wrong lead, a withheld card, and what matches it (RULES 2.1.1, P3 to P4c)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tracker.core.cards import SUITS
from tracker.core.errors import AlreadyDone, BadEvent, NotAllowed
from tracker.core.events import Held, Penalty
from tracker.core.games.payments import Due, caps_payments, check_cover, pay
from tracker.core.games.pot_game import demand_cards, demand_not_taken, holds, take
from tracker.core.night import PLAY, SHOWDOWN, Night, TakenPot
from tracker.core.preset import Pot

OFFENCES = ("wrong-lead", "withheld-card")


def penalty(night: Night, event: Penalty) -> Night:
    """A wrong lead pays each other player; a withheld card is remembered for its match. Both bar (RULES 2.1.1)."""
    night.demand(PLAY, SHOWDOWN)
    if night.house_rules.penalties != "on":
        raise NotAllowed("this board has no penalties")
    if event.offence not in OFFENCES:
        known = " or ".join(OFFENCES)
        raise BadEvent("the offence is {known}, not {what!r}", known=known, what=event.offence, field="offence")
    if (event.offence == "withheld-card") != (event.suit in SUITS):
        raise BadEvent("a withheld card has a suit (C, D, H or S), a wrong lead has none", field="suit")
    seat, deal = night.in_hand(event.seat), night.current_deal()
    check_cover(night, event.cover)
    if event.suit:
        dues = _refunds(night, seat)
        deal = replace(deal, withheld=(*deal.withheld, (seat, event.suit)), taken=_without(deal.taken, seat, dues))
    else:
        demand_cards(night, seat)
        dues = wrong_lead_dues(night, seat)
    moves = night.moves()
    pay(moves, dues, event.cover, is_capped=caps_payments(night))
    return night.with_moves(moves, deal=replace(deal, barred=deal.barred | {seat}))


def wrong_lead_dues(night: Night, seat: str) -> list[Due]:
    """Return what a wrong lead of this seat pays to every other player of the hand (RULES 2.1.1)."""
    others = [one for one in night.clockwise_from(seat) if one in night.current_deal().seats and one != seat]
    return [Due(seat, one, night.house_rules.wrong_lead_each) for one in others]


def _refunds(night: Night, seat: str) -> list[Due]:
    """Return what an offender gives back to the pots won by cards in this hand, where the house has it so (P4)."""
    if night.house_rules.bar_scope != "whole_hand_refund":
        return []
    taken = night.current_deal().taken
    pots = [pot for pot in (*night.preset.won_by("card"), *night.preset.won_by("side")) if pot.id in taken]
    return [Due(seat, pot.id, part) for pot in pots if (part := taken[pot.id].part(seat))]


def _without(taken: Mapping[str, TakenPot], seat: str, refunds: Sequence[Due]) -> dict[str, TakenPot]:
    """Return the pots taken in this hand, once a seat has given its part of some back."""
    back = {due.payee for due in refunds}
    left = {pot: [one for one in (held.seat, *held.others) if one != seat] for pot, held in taken.items()}
    return {
        pot: replace(held, seat=left[pot][0], others=tuple(left[pot][1:]), chips=held.chips - held.part(seat))
        if pot in back
        else held
        for pot, held in taken.items()
        if pot not in back or left[pot]
    }


def held(night: Night, event: Held) -> Night:
    """The offender matches the pot of the suit withheld for whoever still holds its card; the pot stays (P4b, P4c)."""
    night.demand(SHOWDOWN)
    deal, pot = night.current_deal(), night.preset.pot(event.pot)
    seat, offender = night.in_hand(event.seat), night.in_hand(event.offender)
    if pot.suit is None:
        raise NotAllowed("{pot} is no place of cards of one named suit, so nothing is paid for it", pot=pot.name)
    if (offender, pot.suit) not in deal.withheld:
        raise NotAllowed("{name} withheld no card of {pot}'s suit", name=night.name(offender), pot=pot.name)
    if seat == offender:
        raise NotAllowed("nobody pays for a money card that the offender holds")
    demand_cards(night, seat)
    if (pot.id, offender) in deal.matched:
        raise AlreadyDone("{name} has matched {pot} already", name=night.name(offender), pot=pot.name)
    if not holds(night, pot.id):
        raise NotAllowed("{pot} is empty, so there is nothing to match", pot=pot.name)
    if played := _played_card(night, pot):
        raise NotAllowed("nobody still holds {pot}: {card} was played", pot=pot.name, card=played.name)
    check_cover(night, event.cover)
    deal = replace(deal, matched=deal.matched | {(pot.id, offender)})
    if night.house_rules.withheld_source == "pot":
        return take(replace(night, deal=deal), pot.id, [seat])
    moves = night.moves()
    pay(moves, [Due(offender, seat, holds(night, pot.id))], event.cover, is_capped=caps_payments(night))
    return night.with_moves(moves, deal=deal)


def demand_free(night: Night, event: Held) -> None:
    """Raise AlreadyDone for a pot that was taken in this hand: nobody still holds its card."""
    demand_not_taken(night, event.pot)


def card_pots_of(night: Night, suit: str) -> list[str]:
    """Return the pots that an offender who withheld a card of `suit` may have to match (RULES P4b)."""
    pots = [pot for pot in night.preset.won_by("card") if pot.suit == suit and holds(night, pot.id)]
    pots = [pot for pot in pots if pot.id not in night.current_deal().taken]
    return [pot.id for pot in pots if not _played_card(night, pot)]


def _played_card(night: Night, pot: Pot) -> Pot | None:
    """Return the pot of one card of a pair that was collected in this hand: then nobody holds both any more."""
    deal = night.current_deal()
    matched = {one for one, _ in deal.matched}  # taken for a card that is still held
    singles = [one for one in night.preset.won_by("card") if len(one.cards) == 1 and one.id != pot.id]
    played = (one for one in singles if one.id in deal.taken and one.id not in matched)
    return next((one for one in played if set(one.cards) <= set(pot.cards)), None)
