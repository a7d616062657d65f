"""The stages and payments that only some boards have, each one mechanism: which of them a game has is data."""

from collections.abc import Mapping
from dataclasses import replace

from tracker.core.errors import AlreadyDone, BadEvent, NotAllowed, NotEnoughChips, Unknown, WrongMoment
from tracker.core.events import (
    Bet,
    Bid,
    Exchange,
    Fine,
    GoOn,
    Left,
    NoSale,
    Pass,
    PayDue,
    Place,
    Poker,
    Rule,
    Sale,
    Share,
    Sweep,
    TurnUp,
)
from tracker.core.game import GAMES
from tracker.core.house_rules import HOUSE_RULES
from tracker.core.night import DUMMY, ENDED, HELD, PLAY, POKER, SHOWDOWN, STAKES, Night, TakenPot
from tracker.core.payments import Due, caps_payments, card_dues, check_cover, pay, with_paid
from tracker.core.pot_game import (
    card_pot,
    jackpots,
    poker,
    require_ante,
    require_bet,
    require_cards,
    require_claim,
    require_full,
    require_in_poker,
    require_not_taken,
    require_unbarred,
    stakes_due,
    take,
    with_dummy_left,
    won,
)
from tracker.core.preset_faults import with_new_options

# The dummy hand: exchanged by the dealer, sold to the highest bidder or to the first who pays, or left dead


def exchange(night: Night, event: Exchange) -> Night:
    """The dealer takes the dummy for his own hand; by a house rule also when nobody has bought it (RULES P5b)."""
    is_unsold = night.current_deal().dummy == "dead" and night.phase == night.stage_after(DUMMY)
    if is_unsold and night.house_rules.dummy_after_no_bid == "dealer_may_exchange":
        return _decided(night, "exchanged")
    _require_open(night, PLAY)
    if night.house_rules.dummy not in ("exchange_or_sell", "exchange_only"):
        raise NotAllowed("on this board the dealer may not exchange the dummy hand")
    _require_no_bid(night)
    return _decided(night, "exchanged")


def sale(night: Night, event: Sale) -> Night:
    """The auction's result in one event: the price goes from the buyer to the dealer. Bids that were made count."""
    _require_open(night, PLAY)
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
    """A bid above the last, by whose turn it is: the only bidder left buys, or the first where it has one price."""
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


def _pass_bid(night: Night, event: Pass) -> Night:
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


def _require_open(night: Night, *later: str) -> None:
    """Raise WrongMoment or NotAllowed unless the dummy hand is still open, or in a `later` phase was left by a card."""
    if night.phase != DUMMY and night.deal and not night.is_between_hands:
        if night.house_rules.dummy in ("unused", "none"):
            raise NotAllowed("on this board no dummy hand is dealt")
        if night.deal.dummy or (night.phase == PLAY and not later):
            raise WrongMoment("the dummy hand is decided already: take that back to change it")
    night.require_phase(DUMMY, *later)


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
    sold = replace(deal, dummy="sold", buyer=buyer, price=price)
    return night.with_draft(draft, phase=night.stage_after(DUMMY), deal=sold)


def _decided(night: Night, how: str) -> Night:
    return replace(
        night, phase=night.stage_after(DUMMY), deal=replace(night.current_deal(), dummy=how), last_transfers=()
    )


# Stages and payments at once


def place(night: Night, event: Place) -> Night:
    """A player's own stakes go on the pots of their choice; when all have placed, the hand goes on (RULES M7)."""
    check_place(night, event)
    deal = night.current_deal()
    placed_by = replace(deal, stakes_placed=deal.stakes_placed | {event.seat})
    dues = [Due(event.seat, pot, chips) for pot, chips in event.pots.items()]
    after = with_paid(night, dues, event.cover, deal=placed_by)
    return after if stakes_due(after) else replace(after, phase=night.stage_after(STAKES))


def check_place(night: Night, event: Place) -> None:
    """Raise a TableError when the seat can't lay its chips like this, whoever is short of chips."""
    night.require_phase(STAKES)
    seat, deal = night.require_in_hand(event.seat), night.current_deal()
    if seat in deal.stakes_placed:
        raise AlreadyDone("{name} has placed the stakes of this hand already", name=night.name(seat))
    budget = night.preset.budget(is_dealer=seat == deal.dealer)
    if seat not in event.cover:
        budget = stakes_due(night).get(seat, 0)
    pots = [night.preset.pot(pot).id for pot in event.pots]
    placed = sum(event.pots.values())
    if placed != budget:
        raise BadEvent(
            "{name} places {budget} chips, not {placed}", name=night.name(seat), budget=budget, placed=placed
        )
    bare = [pot.name for pot in night.preset.stake_places if pot.won_by == "card" and pot.id not in pots]
    if bare and len(set(pots)) < placed and night.house_rules.stakes_cover_all == "on":
        raise BadEvent("a stake must lie on every pot, also on: {pots}", pots=", ".join(bare), field="pots")


def go_on(night: Night, event: GoOn) -> Night:
    """End the present stage: whatever was not placed, shown or bet in it is forgone."""
    night.require_phase(STAKES, HELD, POKER)
    return replace(night, phase=night.stage_after(night.phase), last_transfers=())


def share(night: Night, event: Share) -> Night:
    """Several holders share a pot equally and the rest stays; elsewhere the first in turn has it (RULES M12)."""
    check_share(night, event)
    return take(with_dummy_left(night), event.pot, event.seats)


def check_share(night: Night, event: Share) -> None:
    """Raise a TableError when these seats can't share the pot now."""
    require_claim(night)
    if night.house_rules.claim_tie != "share":
        raise NotAllowed("on this board the first in turn takes it all: say who that is")
    if len(event.seats) < 2 or len(set(event.seats)) != len(event.seats):
        raise BadEvent("sharing takes two or more people, each named once", field="seats")
    pot = card_pot(night, event.pot)
    for seat in event.seats:
        require_unbarred(night, night.require_in_hand(seat))
        require_ante(night, seat, pot)
        require_bet(night, seat, pot)
    require_full(night, pot.id)


def bet(night: Night, event: Bet) -> Night:
    """Chips go into the poker pool while it is bet for, or on a side pot before the play (RULES M15, M16)."""
    seat, deal = night.require_in_hand(event.seat), night.current_deal()
    pools = [pot.id for pot in night.preset.won_by("poker")]
    pot = night.preset.pot(event.pot) if event.pot else night.preset.pot(pools[0] if pools else "")
    if pot.won_by == "side":
        night.require_phase(STAKES, DUMMY, HELD, POKER, PLAY)
    elif pot.won_by == "poker" and night.house_rules.poker_when == "before_betting":
        night.require_phase(POKER)
        require_in_poker(night, seat)
    else:
        raise NotAllowed("there is no betting on {pot}", pot=pot.name)
    limit = night.house_rules.bet_limit
    if limit and event.chips > limit:
        raise NotAllowed("a bet has at most {limit} chips", limit=limit)
    is_capped = caps_payments(night) and seat not in event.cover and night.stack(seat) > 0
    chips = min(event.chips, night.stack(seat)) if is_capped else event.chips
    bets = {**deal.bets, (seat, pot.id): deal.bets.get((seat, pot.id), 0) + chips}
    return with_paid(night, [Due(seat, pot.id, chips)], event.cover, deal=replace(deal, bets=bets))


def pass_(night: Night, event: Pass) -> Night:
    """A pass in the dummy's auction, or a fold while the poker hand is bet for; both are final."""
    return _fold(night, event) if night.phase == POKER else _pass_bid(night, event)


def _fold(night: Night, event: Pass) -> Night:
    """Leave the poker hand; the last one left shows no cards and takes the pool that has an own ante (M15)."""
    seat, deal = night.require_in_hand(event.seat), night.current_deal()
    if night.house_rules.poker_when != "before_betting":
        raise NotAllowed("nobody bets on this board, so nobody can fold")
    if event.cover:
        raise BadEvent("a fold costs nothing: it has no cover", field="cover")
    require_in_poker(night, seat)
    folded = replace(night, deal=replace(deal, folded=deal.folded | {seat}), last_transfers=())
    left = [one for one in deal.seats if one not in folded.current_deal().folded]
    if len(left) > 1:
        return folded
    pools = [pool.id for pool in night.preset.won_by("poker") if night.ledger.holds(pool.id)]
    may_win = pools and not any((left[0], pool) in deal.unpaid for pool in pools)
    return poker(folded, Poker(tuple(left))) if may_win else replace(folded, phase=night.stage_after(POKER))


def turn_up(night: Night, event: TurnUp) -> Night:
    """The dealer takes the turned-up card's pot; a card that ends the hand is paid by everybody (RULES M10, M33)."""
    night.require_phase(STAKES, DUMMY, HELD, POKER, PLAY)
    deal, pot = night.current_deal(), card_pot(night, event.pot)
    if night.house_rules.turn_up == "off":
        raise NotAllowed("on this board the dealer takes nothing for the turned-up card")
    if deal.turned_up:
        raise AlreadyDone("{pot} was turned up already", pot=night.name(deal.turned_up))
    require_ante(night, deal.dealer, pot)
    if not night.preset.ends_hand(pot):
        if event.cards is not None:
            raise BadEvent("{pot} does not end the hand: no cards are counted", pot=pot.name, field="cards")
        taken = take(night, pot.id, [deal.dealer])
        return replace(taken, deal=replace(taken.current_deal(), turned_up=pot.id))
    dues = card_dues(night, deal.dealer, event.cards or {})
    check_cover(night, event.cover)
    over = replace(deal, turned_up=pot.id, winner=deal.dealer, cards=dict(event.cards or {}))
    return won(night, over, (pot, *jackpots(night, deal.dealer)), dues, event.cover)


def require_turned_up(night: Night, event: TurnUp) -> None:
    """Raise NotAllowed or AlreadyDone for a place that no card that is turned up can win (RULES M10, M16)."""
    pot = night.preset.pot(event.pot)
    if pot.won_by == "side":
        raise NotAllowed("{pot} is won by a side bet, not by a card that is turned up", pot=pot.name)
    if len(pot.cards) != 1:
        raise NotAllowed("one card is turned up, and {pot} takes more than one", pot=pot.name)
    require_not_taken(night, pot.id)


def require_several_holders(night: Night, event: Share) -> None:
    """Raise NotAllowed for cards that only one person can hold, AlreadyDone for a pot that was taken in this hand."""
    pot = night.preset.pot(event.pot)
    if night.preset.has_one_holder(pot):
        raise NotAllowed("only one person can hold the cards of {pot}: say who that is", pot=pot.name)
    require_not_taken(night, pot.id)


def require_stake_places(night: Night, event: Place) -> None:
    """Raise NotAllowed for stakes on a place that no card wins, or that has an ante of its own."""
    for pot in map(night.preset.pot, event.pots):
        if pot.won_by not in ("card", "side"):
            raise NotAllowed("{pot} takes no chips that are laid freely: no card wins it", pot=pot.name)
        if pot not in night.preset.stake_places:
            raise NotAllowed("{pot} takes no chips that are laid freely: it has its ante", pot=pot.name)


def fine(night: Night, event: Fine) -> Night:
    """Whoever can't play or lead pays into the pot that takes the fines (RULES M18)."""
    night.require_phase(PLAY)
    chips = night.house_rules.stop_fine
    kitty = night.preset.fines_pot
    if not chips or kitty is None:
        raise NotAllowed("on this board nobody pays for not being able to play")
    dues = [Due(night.require_in_hand(event.seat), kitty.id, chips)]
    return with_paid(night, dues, event.cover, is_capped=caps_payments(night))


def pay_due(night: Night, event: PayDue) -> Night:
    """Everybody else in the hand pays for a card that was played, once a hand (RULES M17)."""
    night.require_phase(PLAY)
    seat, deal = night.require_in_hand(event.seat), night.current_deal()
    due = next((one for one in night.preset.dues if one.id == event.due), None)
    if due is None:
        raise Unknown("this board has no payment {due!r}", due=event.due, field="due")
    if due.id in deal.paid_dues:
        raise AlreadyDone("{due} was paid in this hand already", due=due.name)
    others = [one for one in night.clockwise_from(seat) if one in deal.seats and one != seat]
    dues, paid = [Due(one, seat, due.chips) for one in others], replace(deal, paid_dues=deal.paid_dues | {due.id})
    return with_paid(night, dues, event.cover, is_capped=caps_payments(night), deal=paid)


def left(night: Night, event: Left) -> Night:
    """A money card still held at the end doubles its pot, or is paid for as the house has it (RULES M23)."""
    night.require_phase(SHOWDOWN)
    seat, deal, pot = night.require_in_hand(event.seat), night.current_deal(), card_pot(night, event.pot)
    how = night.house_rules.left_in_hand
    if how == "off":
        raise NotAllowed("on this board a money card left in the hand costs nothing")
    if pot.id in deal.pots_still_held or pot.id in deal.taken:
        raise AlreadyDone("{pot} is settled in this hand already", pot=pot.name)
    require_cards(night, seat)
    base = night.preset.ante(pot, deal.seats.index(seat) + 1, is_dealer=False)
    chips = base if how == "pay_base" else night.ledger.holds(pot.id)
    payee = deal.winner if how == "pay_winner" else pot.id
    if payee is None:
        raise WrongMoment("nobody went out in this hand, so nobody is paid")
    settled = replace(deal, pots_still_held=deal.pots_still_held | {pot.id})
    return with_paid(night, [Due(seat, payee, chips)], event.cover, is_capped=caps_payments(night), deal=settled)


def sweep(night: Night, event: Sweep) -> Night:
    """All cards in one go take the whole board; going out is recorded after it (RULES M22)."""
    night.require_phase(PLAY)
    seat, deal = night.require_in_hand(event.seat), night.current_deal()
    if night.house_rules.sweep != "on":
        raise NotAllowed("on this board nobody takes everything at once")
    require_unbarred(night, seat)
    free = [pot for pot in night.preset.board if pot not in deal.taken and (seat, pot) not in deal.unpaid]
    full = [pot for pot in free if night.ledger.holds(pot)]
    if not full:
        raise NotAllowed("the board is empty")
    draft = night.ledger_draft()
    for pot in full:
        draft.share_out(pot, [seat])
    taken = {**deal.taken, **{pot: TakenPot(seat, night.ledger.holds(pot)) for pot in full}}
    return night.with_draft(draft, deal=replace(deal, taken=taken))


def rule(night: Night, event: Rule) -> Night:
    """House rules change from the next hand on, in score games at once; what chips are worth changes at once anywhere.

    Whether a pot that would vanish is empty is judged when they change.
    """
    with_new_rules = night.preset.with_options({**night.new_rules, **event.change})
    later = {key: value for key, value in event.change.items() if not HOUSE_RULES[night.preset.game][key].is_money}
    if night.phase == ENDED:
        _require_unsettled(night, later)
    if night.preset.is_pot_game:
        at_once = {key: value for key, value in event.change.items() if key not in later}
        changed = night.with_rules(night.preset.with_options(at_once)) if at_once else night
        return replace(changed, new_rules={**night.new_rules, **later}, last_transfers=())
    changed = night.with_rules(with_new_rules)
    GAMES[night.preset.game].check_rules(night, changed.preset)
    return replace(changed, last_transfers=())


def _require_unsettled(night: Night, later: Mapping[str, int | str]) -> None:
    """Raise WrongMoment for rules of the play once the night is over, and for any once a payment was made."""
    if later:
        raise WrongMoment("the night is over: take back its end to go on")
    if night.payments_made:
        raise WrongMoment("somebody has paid already: take that back first, then change what it is all worth")


def require_playable(night: Night, event: Rule) -> None:
    """Raise PresetError for house rules that can't be played together, and could before they change."""
    with_new_options(night.preset.with_options(night.new_rules), event.change)
