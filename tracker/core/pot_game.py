"""A hand of a pot game: antes, collecting, penalties, going out and the poker pool (RULES 2.1 and 2.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tracker.core.errors import AlreadyDone, BadEvent, Barred, Fault, Faults, NotAllowed, NotEnoughChips
from tracker.core.events import Abandon, Bet, Collect, End, Event, Hand, MatchWithheld, Out, Penalty, Poker
from tracker.core.ledger import BANK
from tracker.core.night import DUMMY, HELD, LOBBY, PLAY, POKER, SHOWDOWN, STAKES, Deal, Night, TakenPot
from tracker.core.payments import Due, caps_payments, card_dues, check_cards, check_cover, pay, with_paid
from tracker.core.preset import SUITS, Pot
from tracker.core.settlement import require_shared

OFFENCES = ("wrong-lead", "withheld-card")


def with_new_rules(night: Night) -> Night:
    """Return the night with the house rules that were to change with the next hand."""
    return night.with_rules(night.preset.with_options(night.new_rules)) if night.new_rules else night


def hand(night: Night, event: Hand) -> Night:
    """Begin a hand: everybody's antes go into every pot at once, the dealer's share by the preset (RULES P8)."""
    night.require_phase(LOBBY, SHOWDOWN)
    if night.house_rules.poker_when == "session_end" and night.deal and night.deal.poker is not None:
        raise NotAllowed("the poker pool of the whole night is won: end the night, or take that back")
    dealer = night.require_seated(event.dealer)
    for seat in event.sits_out:
        night.require_seated(seat)
    if dealer in event.sits_out:
        raise NotAllowed("{name} deals, so can’t sit this hand out", name=night.name(dealer))
    seats = tuple(seat for seat in night.clockwise_from(dealer) if seat not in event.sits_out)
    if len(seats) < 2:
        raise NotAllowed("a hand needs at least two people")
    check_cover(night, event.cover)
    night = with_new_rules(night)
    draft = night.ledger_draft()
    dues, unpaid = payable_antes(night, seats, event.cover)
    pay(draft, dues, event.cover, is_capped=night.house_rules.shortage == "cap")
    deal = Deal(dealer, seats, unpaid=unpaid)
    begun = night.with_draft(draft, hand=night.hand + 1, dealer=dealer, deal=deal, counted=None)
    first = night.preset.stages[0]
    return replace(begun, phase=begun.stage_after(STAKES) if first == STAKES and not stakes_due(begun) else first)


def stakes_ahead(night: Night, seats: Sequence[str]) -> dict[str, int]:
    """Return the chips that each seat lays freely after its ante, where who can’t sits out or the night ends."""
    asks_before = night.house_rules.shortage in ("sit_out", "end_session")
    return {seat: night.preset.budget(is_dealer=seat == seats[-1]) for seat in seats} if asks_before else {}


def require_stakes(night: Night, event: Hand) -> None:
    """Raise NotEnoughChips for who can't lay the chips of the places freely, where such a one sits out."""
    dealt = with_new_rules(night)
    if dealt.house_rules.shortage != "sit_out":
        return
    seats = tuple(seat for seat in night.clockwise_from(event.dealer) if seat not in event.sits_out)
    owing = stakes_ahead(dealt, seats)
    for due in antes(dealt, seats):
        owing[due.payer] += due.chips
    short = {seat: chips - night.stack(seat) for seat, chips in owing.items() if chips > night.stack(seat)}
    if missing := {seat: chips for seat, chips in short.items() if seat not in event.cover}:
        raise NotEnoughChips(missing, night.names())


def stakes_due(night: Night) -> dict[str, int]:
    """Return how many chips each seat of the hand has still to lay on the places, in the order of the hand.

    Where the house has it so, who has fewer lays what there is, and who has none is not asked.
    """
    deal = night.current_deal()
    is_capped = caps_payments(night) or night.house_rules.shortage == "partial_ante"
    left = [seat for seat in deal.seats if seat not in deal.stakes_placed]
    budgets = {seat: night.preset.budget(is_dealer=seat == deal.dealer) for seat in left}
    due = {seat: min(budget, night.stack(seat)) if is_capped else budget for seat, budget in budgets.items()}
    return {seat: chips for seat, chips in due.items() if chips}


def antes(night: Night, seats: tuple[str, ...]) -> list[Due]:
    """Return what each of `seats` owes to each pot; the dealer is the last of them."""
    return [
        Due(seat, pot.id, night.preset.ante(pot, place, is_dealer=seat == seats[-1]))
        for place, seat in enumerate(seats, start=1)
        if seat == seats[-1] or not _is_exempt(night, seat)
        for pot in night.preset.board.values()
    ]


def payable_antes(
    night: Night, seats: tuple[str, ...], cover: Mapping[str, str]
) -> tuple[list[Due], frozenset[tuple[str, str]]]:
    """Return the antes that are paid, and the (seat, pot) that a partial ante leaves out (RULES P6).

    Where the house allows a partial ante, who is short and has no cover pays for as many pots as the stack goes, in
    the order of the board, each whole.
    """
    dues = antes(night, seats)
    if night.house_rules.shortage != "partial_ante":
        return dues, frozenset()
    left = {seat: night.stack(seat) for seat in seats}
    paid, unpaid = [], set()
    for due in dues:
        if due.payer in cover or due.chips <= left[due.payer]:
            left[due.payer] -= due.chips
            paid.append(due)
        else:
            unpaid.add((due.payer, due.payee))
    return paid, frozenset(unpaid)


def _is_exempt(night: Night, seat: str) -> bool:
    """Return whether the winner of the last hand puts nothing in, where the house has it so (RULES M9)."""
    return night.house_rules.ante_exempt == "last_winner" and night.last_winner == seat


def collect(night: Night, event: Collect) -> Night:
    """The whole pot, IOUs in it too, goes to who played (or, by the house rule, holds) its card."""
    check_collect(night, event)
    return take(with_dummy_left(night), event.pot, [event.seat])


def check_collect(night: Night, event: Collect) -> None:
    """Raise a TableError when the seat can't take the pot now."""
    require_claim(night)
    seat, pot = night.require_in_hand(event.seat), card_pot(night, event.pot)
    require_unbarred(night, seat)
    require_ante(night, seat, pot)
    require_bet(night, seat, pot)
    require_full(night, pot.id)


def with_dummy_left(night: Night) -> Night:
    """Return the night in play where a dummy hand that nobody has bid for is left alone by the first card played."""
    is_next = night.phase == DUMMY and night.stage_after(DUMMY) == PLAY
    return replace(night, phase=PLAY) if is_next and not night.current_deal().auction.bidder else night


def require_claim(night: Night) -> None:
    """WrongMoment unless money cards are paid now: when played, or in the stage for cards that are held."""
    if night.house_rules.claim == "held":
        night.require_phase(HELD)
    else:
        is_late_allowed = night.house_rules.late_claim == "allowed_until_hand_end"
        with_dummy_left(night).require_phase(PLAY, *([SHOWDOWN] if is_late_allowed else []))


def card_pot(night: Night, pot_id: str) -> Pot:
    """Return a pot that a card wins; NotAllowed for the pots that `out` and `poker` win."""
    pot = night.preset.pot(pot_id)
    if pot.won_by in ("out", "poker"):
        how = "going out" if pot.won_by == "out" else "the best poker hand"
        raise NotAllowed("{pot} is won by {how}, not by a card", pot=pot.name, how=how)
    return pot


def require_unbarred(night: Night, seat: str) -> None:
    if seat in night.current_deal().barred:
        raise Barred("{name} is barred from money cards until this hand ends", name=night.name(seat))


def require_ante(night: Night, seat: str, pot: Pot) -> None:
    """Raise NotAllowed for a pot that the seat had too few chips to put its ante in (RULES P6)."""
    if (seat, pot.id) in night.current_deal().unpaid:
        raise NotAllowed("{name} put nothing in {pot}, so can’t win it", name=night.name(seat), pot=pot.name)


def require_bet(night: Night, seat: str, pot: Pot) -> None:
    """NotAllowed for a side pot that the seat has not bet on."""
    if pot.won_by == "side" and (seat, pot.id) not in night.current_deal().bets:
        raise NotAllowed("{name} did not bet on {pot}, so can’t win it", name=night.name(seat), pot=pot.name)


def take(night: Night, pot: str, seats: Sequence[str]) -> Night:
    """Hand a pot to who takes it, or to several in equal parts; refused when it is empty."""
    require_full(night, pot)
    deal = night.current_deal()
    draft = night.ledger_draft()
    draft.share_out(pot, seats)
    after = night.with_draft(draft)
    each = after.worth(seats[0]) - night.worth(seats[0])
    taken = {**deal.taken, pot: TakenPot(seats[0], night.ledger.holds(pot), tuple(seats[1:]), each)}
    return replace(after, deal=replace(deal, taken=taken))


def require_full(night: Night, pot: str) -> None:
    """Raise AlreadyDone for an empty pot that was taken in this hand, NotAllowed for one that is empty otherwise."""
    if not night.ledger.holds(pot):
        require_not_taken(night, pot)
        raise NotAllowed("{pot} is empty", pot=night.name(pot))


def require_not_taken(night: Night, pot: str) -> None:
    """Raise AlreadyDone for a pot that was taken in this hand, whether something is left in it or not."""
    if taken := night.current_deal().taken.get(pot):
        names = ", ".join(map(night.name, (taken.seat, *taken.others)))
        raise AlreadyDone(
            "{name} took {pot} in this hand already; nothing was counted twice", name=names, pot=night.name(pot)
        )


def require_free(night: Night, event: Collect | MatchWithheld | Bet) -> None:
    """Raise AlreadyDone for a pot that was taken in this hand: nobody still holds its card, or bets on it."""
    if event.pot:
        require_not_taken(night, event.pot)


def is_out_of_cards(night: Night, seat: str) -> bool:
    """Return whether the log says that this seat of the hand has played its last card."""
    deal = night.current_deal()
    return seat == deal.winner or seat in deal.out_of_cards


def require_cards(night: Night, seat: str) -> None:
    """Raise NotAllowed for a seat that has no card left."""
    if is_out_of_cards(night, seat):
        raise NotAllowed("{name} has no card left", name=night.name(seat))


def takes_nothing(night: Night, seat: str) -> bool:
    """Return whether this seat, going out first, takes nothing and lets the hand go on (RULES P3, P3b)."""
    is_rule = night.house_rules.barred_out in ("nothing_play_on", "jackpot_carries")
    return is_rule and _loses_by_offence(night, seat)


def loses_jackpot(night: Night, seat: str) -> bool:
    """Return whether this seat, going out, is paid for cards but leaves the jackpot where it is (RULES P3)."""
    if night.house_rules.barred_out == "jackpot_carries":
        return bool(night.current_deal().out_of_cards)
    return night.house_rules.barred_out == "jackpot_only_lost" and _loses_by_offence(night, seat)


def _loses_by_offence(night: Night, seat: str) -> bool:
    """Return whether the seat did what the house rule on going out barred is for: withheld a card, or any offence."""
    deal = night.current_deal()
    if night.house_rules.barred_out_applies == "both":
        return seat in deal.barred
    return seat in {offender for offender, _ in deal.withheld}


def out(night: Night, event: Out) -> Night:
    """Going out wins the jackpot and a payment for every card left, unless the offender's rule says otherwise."""
    check_out(night, event)
    seat, deal = event.seat, night.current_deal()
    if takes_nothing(night, seat):
        return _play_on(night, seat)
    dues = card_dues(night, seat, event.cards or {}, event.excused)
    cards = {one: left for one, left in (event.cards or {}).items() if one not in event.excused}
    return won(night, replace(deal, winner=seat, cards=cards), jackpots(night, seat), dues, event.cover)


def won(night: Night, deal: Deal, pots: Sequence[Pot], dues: Sequence[Due], cover: Mapping[str, str]) -> Night:
    """Return the night after the hand `deal`: its winner has these pots, and is paid these dues."""
    assert deal.winner is not None
    draft = night.ledger_draft()
    taken = {pot.id: TakenPot(deal.winner, night.ledger.holds(pot.id)) for pot in pots}
    for pot in taken:
        draft.share_out(pot, [deal.winner])
    pay(draft, dues, cover, is_capped=caps_payments(night))
    return _finished(night.with_draft(draft, deal=replace(deal, taken={**deal.taken, **taken})))


def _finished(night: Night) -> Night:
    """Return the night after its hand: somebody was out first, or nobody could be."""
    deal = night.current_deal()
    return replace(night, phase=SHOWDOWN, last_winner=deal.winner, dealt_in=night.dealt_in.union(deal.seats))


def check_out(night: Night, event: Out) -> None:
    """Raise a TableError when the seat can't go out like this, whoever is short of chips."""
    night.require_phase(PLAY)
    seat = night.require_in_hand(event.seat)
    if seat in night.current_deal().out_of_cards:
        raise AlreadyDone("{name} is out of cards already", name=night.name(seat))
    if not takes_nothing(night, seat):
        check_cover(night, event.cover)
        check_cards(night, seat, event.cards or {}, event.excused)
    elif event.cards:
        raise NotAllowed("{name} withheld a card, so takes nothing: no cards are counted", name=night.name(seat))


def jackpots(night: Night, seat: str) -> list[Pot]:
    """Return the pots that this seat takes by going out: none for an offender whom the house rule denies them."""
    if loses_jackpot(night, seat):
        return []
    unpaid = night.current_deal().unpaid
    return [pot for pot in night.preset.won_by("out") if (seat, pot.id) not in unpaid]


def _play_on(night: Night, seat: str) -> Night:
    deal = night.current_deal()
    gone = deal.out_of_cards | {seat}
    after = replace(night, deal=replace(deal, out_of_cards=gone), last_transfers=())
    return after if set(deal.seats) - gone else _finished(after)


def poker(night: Night, event: Poker) -> Night:
    """The best poker hand takes the pool; several share it equally and the rest stays (RULES P1, P1b)."""
    pools, deal = night.preset.won_by("poker"), night.deal
    if not pools:
        raise NotAllowed("this board has no poker pool")
    if deal and deal.poker is not None:
        raise AlreadyDone("the poker pool of this hand is decided already")
    when = POKER if POKER in night.preset.stages else SHOWDOWN
    # The pool of the whole night is won between hands, also when the last one was given up.
    night.require_phase(when, *([LOBBY] if night.house_rules.poker_when == "session_end" else []))
    winners = _poker_winners(night, event)
    for seat in winners:
        require_in_poker(night, seat)
        for pool in pools:
            require_ante(night, seat, pool)
    if not any(night.ledger.holds(pool.id) for pool in pools):
        raise NotAllowed("the poker pool is empty")
    draft = night.ledger_draft()
    takers = [seat for seat in night.clockwise_from(night.dealer) if seat in winners]
    for pool in pools if len(winners) == 1 or night.house_rules.poker_tie != "carry_all" else ():
        draft.share_out(pool.id, takers, goes_round=night.house_rules.poker_tie == "split_rest_seat")
    phase = night.stage_after(POKER) if when == POKER else SHOWDOWN
    return night.with_draft(draft, phase=phase, deal=replace(night.current_deal(), poker=tuple(winners)))


def _poker_winners(night: Night, event: Poker) -> list[str]:
    """Return the seats that share the pool; a TableError where nobody or too many are named."""
    if not event.winners or len(set(event.winners)) != len(event.winners):
        raise BadEvent("name who has the best poker hand, each once", field="winners")
    if len(event.winners) > 1 and night.house_rules.poker_hand == "sets":
        raise NotAllowed("of equal sets the one with the trump wins: name one person")
    return [night.require_in_hand(seat) for seat in event.winners]


def require_winners_hold_cards(night: Night, event: Poker) -> None:
    """Raise NotAllowed for a winner without a card, where the best hand of the cards left wins (NIGHT-FORMAT)."""
    for seat in event.winners if night.house_rules.poker_when == "hand_end_left" else ():
        require_cards(night, seat)


def night_pool(night: Night) -> Pot | None:
    """Return the poker pool that is won once, by the end of the night; None where it is empty or won already."""
    if night.house_rules.poker_when != "session_end" or night.deal is None or night.deal.poker is not None:
        return None
    return next((pool for pool in night.preset.won_by("poker") if night.ledger.holds(pool.id)), None)


def may_win_pool(night: Night, pool: Pot) -> tuple[str, ...]:
    """Return who of the last hand, clockwise, is still there to have the best poker hand of the night."""
    deal = night.current_deal()
    return tuple(seat for seat in deal.seats if seat in night.seats and (seat, pool.id) not in deal.unpaid)


def require_end(night: Night, event: End) -> None:
    """Raise NotAllowed while the pool of the night or what is left on the board has nobody who gets it."""
    pool = night_pool(night)
    if pool and may_win_pool(night, pool):
        raise NotAllowed("nobody has won {pot} yet: say who has the best hand of all, or who share it", pot=pool.name)
    require_shared(night, event)


def require_in_poker(night: Night, seat: str) -> None:
    """Raise NotAllowed for a seat that has folded in this hand."""
    if seat in night.current_deal().folded:
        raise NotAllowed("{name} has folded, and a fold is final", name=night.name(seat))


def abandon(night: Night, event: Abandon) -> Night:
    """Give up the hand that is being played: what was bid, taken and paid in it goes back, the antes stay.

    Chips bought, lent, paid back and corrected by hand are no part of the hand. NotAllowed while somebody has too few
    chips left to give back.
    """
    night.require_phase(STAKES, DUMMY, HELD, POKER, PLAY)
    deal, draft = night.current_deal(), night.ledger_draft()
    draft.give_back(deal.change)
    for seat in night.all_seats:
        if not night.people[seat].is_here:
            draft.cash(seat)  # who lent in this hand, and has left
    short = {one: -chips for one, chips in draft.balances.items() if chips < 0 and one != BANK}
    if short:
        facts = Faults(Fault("{name} is {chips} short", name=night.name(one), chips=short[one]) for one in short)
        raise NotAllowed("{who}: buy, borrow or move chips first, then everything can go back", who=facts)
    fresh = Deal(deal.dealer, deal.seats, unpaid=deal.unpaid, is_abandoned=True)
    return night.with_draft(draft, phase=SHOWDOWN, deal=fresh)


def is_part_of_hand(event: Event) -> bool:
    """Return whether an event belongs to the hand in which it is recorded, and is given back with it."""
    return event.kind not in ("sit", "leave", "buy", "borrow", "repay", "move", "hand", "abandon", "end")


def players(night: Night) -> tuple[str, ...]:
    """Return who may still play in this hand; nobody before the first."""
    deal = night.deal
    return tuple(seat for seat in deal.seats if seat not in deal.out_of_cards) if deal else ()


def penalty(night: Night, event: Penalty) -> Night:
    """A wrong lead pays each other player; a withheld card is remembered for its match. Both bar (RULES 2.1.1)."""
    night.require_phase(PLAY, SHOWDOWN)
    if night.house_rules.penalties != "on":
        raise NotAllowed("this board has no penalties")
    if event.offence not in OFFENCES:
        known = " or ".join(OFFENCES)
        raise BadEvent("the offence is {known}, not {what!r}", known=known, what=event.offence, field="offence")
    if (event.offence == "withheld-card") != (event.suit in SUITS):
        raise BadEvent("a withheld card has a suit (C, D, H or S), a wrong lead has none", field="suit")
    seat, deal = night.require_in_hand(event.seat), night.current_deal()
    if event.suit:
        dues = _refunds(night, seat)
        deal = replace(deal, withheld=(*deal.withheld, (seat, event.suit)), taken=_without(deal.taken, seat, dues))
    else:
        require_cards(night, seat)
        dues = wrong_lead_dues(night, seat)
    barred = replace(deal, barred=deal.barred | {seat})
    return with_paid(night, dues, event.cover, is_capped=caps_payments(night), deal=barred)


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


def held(night: Night, event: MatchWithheld) -> Night:
    """The offender matches the pot of the suit withheld for whoever still holds its card; the pot stays (P4b, P4c)."""
    night.require_phase(SHOWDOWN)
    deal, pot = night.current_deal(), night.preset.pot(event.pot)
    seat, offender = night.require_in_hand(event.seat), night.require_in_hand(event.offender)
    if pot.suit is None:
        raise NotAllowed("{pot} is no place of cards of one named suit, so nothing is paid for it", pot=pot.name)
    if (offender, pot.suit) not in deal.withheld:
        raise NotAllowed("{name} withheld no card of {pot}’s suit", name=night.name(offender), pot=pot.name)
    if seat == offender:
        raise NotAllowed("nobody pays for a money card that the offender holds")
    require_cards(night, seat)
    if (pot.id, offender) in deal.matched_cards:
        raise AlreadyDone("{name} has matched {pot} already", name=night.name(offender), pot=pot.name)
    if not night.ledger.holds(pot.id):
        raise NotAllowed("{pot} is empty, so there is nothing to match", pot=pot.name)
    if played := _played_card(night, pot):
        raise NotAllowed("nobody still holds {pot}: {card} was played", pot=pot.name, card=played.name)
    check_cover(night, event.cover)
    deal = replace(deal, matched_cards=deal.matched_cards | {(pot.id, offender)})
    if night.house_rules.withheld_source == "pot":
        return take(replace(night, deal=deal), pot.id, [seat])
    dues = [Due(offender, seat, night.ledger.holds(pot.id))]
    return with_paid(night, dues, event.cover, is_capped=caps_payments(night), deal=deal)


def card_pots_of(night: Night, suit: str) -> list[str]:
    """Return the pots that an offender who withheld a card of `suit` may have to match (RULES P4b)."""
    pots = [pot for pot in night.preset.won_by("card") if pot.suit == suit and night.ledger.holds(pot.id)]
    pots = [pot for pot in pots if pot.id not in night.current_deal().taken]
    return [pot.id for pot in pots if not _played_card(night, pot)]


def _played_card(night: Night, pot: Pot) -> Pot | None:
    """Return the pot of one card of a pair that was collected in this hand: then nobody holds both any more."""
    deal = night.current_deal()
    matched = {one for one, _ in deal.matched_cards}  # taken for a card that is still held
    singles = [one for one in night.preset.won_by("card") if len(one.cards) == 1 and one.id != pot.id]
    played = (one for one in singles if one.id in deal.taken and one.id not in matched)
    return next((one for one in played if set(one.cards) <= set(pot.cards)), None)
