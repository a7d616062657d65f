"""The dummy hand: exchanged by the dealer, sold to the highest bidder or to the first who pays, or left dead."""

from collections.abc import Mapping
from dataclasses import replace

from tracker.core.errors import NotAllowed, NotEnoughChips, WrongMoment
from tracker.core.events import Bid, Exchange, NoSale, Pass, Sale
from tracker.core.night import DUMMY, Deal, Night
from tracker.core.payments import Due, check_cover, pay


def exchange(night: Night, event: Exchange) -> Night:
    """The dealer takes the dummy for his own hand; by a house rule also when nobody has bought it (RULES P5b)."""
    is_unsold = night.current_deal().dummy == "dead" and night.phase == night.stage_after(DUMMY)
    if is_unsold and night.house_rules.dummy_after_no_bid == "dealer_may_exchange":
        return _decided(night, "exchanged")
    _require_open(night)
    if night.house_rules.dummy not in ("exchange_or_sell", "exchange_only"):
        raise NotAllowed("on this board the dealer may not exchange the dummy hand")
    _require_no_bid(night)
    return _decided(night, "exchanged")


def sale(night: Night, event: Sale) -> Night:
    """The auction's result in one event: the price goes from the buyer to the dealer. Bids that were made count."""
    _require_open(night)
    _require_sale(night)
    auction = night.current_deal().auction
    if event.buyer in auction.passed:
        raise NotAllowed("{name} has passed, and a pass is final", name=night.name(event.buyer))
    if auction.bidder and (event.buyer, event.price) != (auction.bidder, auction.chips):
        name = night.name(auction.bidder)
        raise NotAllowed("{name} has bid {chips}: take the bids back to sell otherwise", name=name, chips=auction.chips)
    if event.price < night.house_rules.auction_min:
        raise NotAllowed("the lowest price is {least}", least=night.house_rules.auction_min)
    _require_price(night, event.price)
    check_cover(night, event.cover)
    return _sold(night, night.require_in_hand(event.buyer), event.price, event.cover)


def no_sale(night: Night, event: NoSale) -> Night:
    _require_open(night)
    _require_no_bid(night)
    return _decided(night, "dead")


def bid(night: Night, event: Bid) -> Night:
    """A bid above the last, by whose turn it is; the only bidder left has bought it.

    A dummy hand that is passed round has one price: the first who bids it has bought it.
    """
    _require_open(night)
    _require_sale(night)
    seat = night.require_in_hand(event.seat)
    deal = night.current_deal()
    _require_turn(night, seat)
    least = least_bid(night)
    if event.chips < least:
        raise NotAllowed("the next bid must be {least} or more", least=least)
    _require_price(night, event.chips)
    check_cover(night, event.cover)
    if event.chips > night.stack(seat) and seat not in event.cover:
        raise NotEnoughChips({seat: event.chips - night.stack(seat)}, night.names())
    if is_passed_round(night):
        return _sold(night, seat, event.chips, event.cover)
    auction = replace(deal.auction, bidder=seat, chips=event.chips, cover=event.cover)
    return _next_bidder(replace(night, deal=replace(deal, auction=auction), last_transfers=()), event.cover)


def pass_(night: Night, event: Pass) -> Night:
    """A pass is final; it may be said before one's turn, as holders of a money card do."""
    _require_open(night)
    _require_sale(night)
    seat = night.require_in_hand(event.seat)
    deal = night.current_deal()
    if seat == deal.dealer:
        raise NotAllowed("{name} deals and sells, so has no pass to make", name=night.name(seat))
    if seat in deal.auction.passed:
        raise WrongMoment("{name} has passed already, and a pass is final", name=night.name(seat))
    if seat == deal.auction.bidder:
        raise NotAllowed("{name} holds the highest bid and can’t pass", name=night.name(seat))
    check_cover(night, event.cover)
    auction = replace(deal.auction, passed=deal.auction.passed | {seat})
    return _next_bidder(replace(night, deal=replace(deal, auction=auction), last_transfers=()), event.cover)


def whose_bid(night: Night) -> str | None:
    """Return the seat whose turn it is to bid or pass, from the dealer's left; None when nobody has to."""
    deal = night.current_deal()
    bidders = [seat for seat in deal.seats if seat != deal.dealer]
    start = bidders.index(deal.auction.bidder) + 1 if deal.auction.bidder else 0
    around = bidders[start:] + bidders[:start]
    return next((seat for seat in around if seat not in deal.auction.passed and seat != deal.auction.bidder), None)


def least_bid(night: Night) -> int:
    """Return the least that the next bid must be, in chips."""
    auction = night.current_deal().auction
    if auction.bidder is None:
        return night.house_rules.auction_min
    return auction.chips + night.house_rules.auction_step


def is_passed_round(night: Night) -> bool:
    """Return whether the dummy hand is offered from the dealer's left, to whoever pays its one price (RULES M14)."""
    return night.house_rules.dummy == "passed_round"


def _require_price(night: Night, chips: int) -> None:
    """Raise NotAllowed for another price than the one of a dummy hand that is passed round."""
    price = night.house_rules.auction_min
    if is_passed_round(night) and chips != price:
        raise NotAllowed("the dummy hand costs {price}, no more and no less", price=price)


def _require_open(night: Night) -> None:
    """Raise WrongMoment or NotAllowed unless the dummy hand is still to be decided."""
    if night.phase != DUMMY and night.deal and not night.is_between_hands:
        if night.house_rules.dummy in ("unused", "none"):
            raise NotAllowed("on this board no dummy hand is dealt")
        if night.deal.dummy:
            raise WrongMoment("the dummy hand is decided already: take that back to change it")
    night.require_phase(DUMMY)


def _require_sale(night: Night) -> None:
    if night.house_rules.dummy not in ("exchange_or_sell", "sell_only", "passed_round"):
        raise NotAllowed("on this board the dummy hand is not sold")


def _require_no_bid(night: Night) -> None:
    """Raise NotAllowed once somebody has bid: then the dummy is sold."""
    auction = night.current_deal().auction
    if auction.bidder:
        name = night.name(auction.bidder)
        raise NotAllowed("{name} has bid {chips}: take the bids back first", name=name, chips=auction.chips)


def _require_turn(night: Night, seat: str) -> None:
    deal = night.current_deal()
    if seat == deal.dealer:
        raise NotAllowed("{name} deals and gets the price, so can’t bid", name=night.name(seat))
    if seat in deal.auction.passed:
        raise NotAllowed("{name} has passed, and a pass is final", name=night.name(seat))
    if seat != whose_bid(night):
        turn = whose_bid(night)
        raise WrongMoment("it is {name}’s turn to bid", name=night.name(turn) if turn else "nobody")


def _next_bidder(night: Night, cover: Mapping[str, str]) -> Night:
    """Close the auction when one bidder is left, or when all have passed."""
    auction = night.current_deal().auction
    if whose_bid(night) is not None:
        return night
    if auction.bidder is None:
        return _decided(night, "dead")
    return _sold(night, auction.bidder, auction.chips, {**auction.cover, **cover})


def _sold(night: Night, buyer: str, price: int, cover: Mapping[str, str]) -> Night:
    deal = night.current_deal()
    if buyer == deal.dealer:
        raise NotAllowed("{name} deals and gets the price, so can’t buy", name=night.name(buyer))
    draft = night.ledger_draft()
    pay(draft, [Due(buyer, deal.dealer, price)], cover)
    sold: Deal = replace(deal, dummy="sold", buyer=buyer, price=price)
    return night.with_draft(draft, phase=night.stage_after(DUMMY), deal=sold)


def _decided(night: Night, how: str) -> Night:
    return replace(
        night, phase=night.stage_after(DUMMY), deal=replace(night.current_deal(), dummy=how), last_transfers=()
    )
