"""Random nights that could have been played: one generator for property tests, browser tests and benchmarks.

Everything is drawn from the `Random` handed in: a seed makes the same night again, and Hypothesis's own one shrinks.
"""

# ruff: noqa: ARG001 - every maker takes the same, also one that has nothing to choose

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any, cast

from support.random_scores import SCORE_MAKERS
from support.random_stages import MAKERS, WithCover, claimed_now, full_pots, has_paid, playing_seats, rules_fit
from support.random_stages import rule as new_rule

from tracker.core import auction, events, pot_game, rum_game
from tracker.core.apply import apply
from tracker.core.cards import SUITS
from tracker.core.errors import NotEnoughChips, TableError
from tracker.core.events import Amount, Cents, Chips, Event, Name, SeatId
from tracker.core.ledger import BANK
from tracker.core.night import DUMMY, LOBBY, PLAY, POKER, SHOWDOWN, Night
from tracker.core.payment_list import payment_list
from tracker.core.payments import may_excuse
from tracker.core.pot_game import card_pots_of
from tracker.core.preset import Preset
from tracker.core.settlement import leftover_shares, odd_chips

NAMES = {seat: seat.capitalize() for seat in ("ann", "bob", "cara", "dan", "eve", "finn", "gus", "hal", "ida", "jo")}

Maker = Callable[[Night, Random], Event | None]
"""Makes one kind of event that is legal now, or None when there is none."""


def random_night(preset: Preset, chance: Random, length: int, people: int = 4) -> list[Event]:
    """Return that many legal events, the first of which seat `people` people; fewer when the night ends before."""
    night = Night(preset)
    played: list[Event] = []
    for seat in list(NAMES)[:people]:
        played.append(events.Sit(SeatId(seat), Name(NAMES[seat])))
        night = apply(night, played[-1])
    while len(played) < length and not night.is_over:
        event = legal_event(night, chance, may_end=False)
        night = apply(night, event)
        played.append(event)
    return played


def legal_event(night: Night, chance: Random, *, may_end: bool = True) -> Event:
    """Return something that may happen now; the likelier, the more it moves the night on. AssertionError if nothing."""
    if night.is_over:
        return _paid(night, chance)
    if len(night.seats) < 2:
        return _sit(night, chance) or events.Count({})
    makers = dict(_MAKERS[night.preset.game])
    if not may_end:
        del makers[end_event]
    while makers:
        kinds = list(makers)
        make = chance.choices(kinds, [makers[kind] for kind in kinds])[0]
        event = make(night, chance)
        if event is not None:
            return event
        del makers[make]
    raise AssertionError(f"nothing can happen in {night.phase}")


def with_cover(night: Night, event: Any, chance: Random) -> Event:
    """Return the event with a way out for everybody who is short: the bank, a pot or somebody at the table."""
    for attempt in range(4):
        try:
            apply(night, event)
        except NotEnoughChips as error:
            payers = [seat for seat in error.short if seat in night.seats and seat not in event.cover]
            places = [BANK, *night.preset.board, *night.seats] if attempt == 0 else [BANK]
            lent = {seat: chance.choice([place for place in places if place != seat]) for seat in payers}
            kept = event.cover if payers else dict.fromkeys(event.cover, BANK)
            event = replace(event, cover={**kept, **lent})
    return cast("Event", event)


# Every kind of game


def _sit(night: Night, chance: Random) -> Event | None:
    free = [seat for seat in NAMES if seat not in night.seats]
    if not free:
        return None
    seat = chance.choice(free)
    chips = Chips(chance.choice((0, 20, 100))) if night.preset.game == "pots" and chance.random() < 0.5 else None
    return events.Sit(SeatId(seat), Name(NAMES[seat]), chips)


def _leave(night: Night, chance: Random) -> Event | None:
    bound = night.deal.seats if night.deal and not night.is_between_hands else ()
    able = [seat for seat in night.seats if seat not in bound]
    return events.Leave(chance.choice(able)) if able and len(night.seats) > 2 else None


def _order(night: Night, chance: Random) -> Event | None:
    return events.Order(tuple(chance.sample(night.seats, len(night.seats)))) if night.is_between_hands else None


def _count(night: Night, chance: Random) -> Event | None:
    return events.Count({seat: Chips(chance.randint(0, 200)) for seat in some(night.seats, chance)})


def end_event(night: Night, chance: Random) -> Event | None:
    """Return the end of the night, or what is settled before: odd chips, waiting faults; None in mid-hand."""
    if not night.is_between_hands:
        return None
    if rum_game.waiting_faults(night):
        return rum_game.fault_booking(night, chance.choice(rum_game.fault_payees(night)))
    asks = night.preset.game == "pots" and night.preset["end"] == "poker_hand"
    winners = tuple(chance.sample(night.seats, chance.randint(1, 2))) if asks else ()
    shares = leftover_shares(night, winners) if night.preset.game == "pots" else {}
    if odd := odd_chips(night, len(shares)):
        pot = max(night.preset.board, key=night.pot)
        return events.Move(pot, chance.choice(night.seats), Amount(min(odd, night.pot(pot))))
    return events.End(winners)


def _paid(night: Night, chance: Random) -> Event:
    """Return a payment of the settlement that is open, now and then any other."""
    still_due = [one.event for one in payment_list(night) if not one.is_made]
    if still_due and chance.random() < 0.8:
        return chance.choice(still_due)
    source, target = chance.sample([*night.all_seats, BANK], 2)
    known = [one.cents for one in night.payments_made]
    return events.Paid(source, target, Cents(max(known, default=0) + chance.randint(1, 90)))


def some(seats: tuple[str, ...], chance: Random) -> tuple[str, ...]:
    """Return some of the seats, perhaps none, in any order."""
    return tuple(chance.sample(seats, chance.randint(0, len(seats))))


# Pot games


def _buy(night: Night, chance: Random) -> Event | None:
    return events.Buy(chance.choice(night.seats), Amount(chance.randint(1, 50)))


def _borrow(night: Night, chance: Random) -> Event | None:
    seat = chance.choice(night.seats)
    sources = [one for one in (*night.seats, *night.preset.board) if one != seat and night.ledger.balance(one)]
    if not sources:
        return None
    source = chance.choice(sources)
    return events.Borrow(seat, source, Amount(chance.randint(1, night.ledger.balance(source))))


def _repay(night: Night, chance: Random) -> Event | None:
    owed = [note for note in night.ledger.notes() if note.debtor in night.seats and night.stack(note.debtor)]
    if not owed:
        return None
    note = chance.choice(owed)
    return events.Repay(note.debtor, note.holder, Amount(chance.randint(1, min(note.chips, night.stack(note.debtor)))))


def _move(night: Night, chance: Random) -> Event | None:
    """Make a correction that leaves the bank alone: what the bank adds to a board is nobody's loss."""
    places = [*night.seats, *night.preset.board]
    source = chance.choice([place for place in places if night.ledger.balance(place)] or [BANK])
    if source == BANK:
        return events.Move(BANK, chance.choice(night.seats), Amount(5))
    target = chance.choice([place for place in places if place != source])
    return events.Move(source, target, Amount(chance.randint(1, night.ledger.balance(source))))


def _hand(night: Night, chance: Random) -> Event | None:
    if night.phase not in (LOBBY, SHOWDOWN) or not rules_fit(night) or _has_won_last_pool(night):
        return None
    dealer = night.next_dealer() or chance.choice(night.seats)
    others = [seat for seat in night.seats if seat != dealer]
    resting = chance.sample(others, chance.randint(0, len(others) - 1)) if chance.random() < 0.2 else []
    return with_cover(night, events.Hand(dealer, tuple(resting)), chance)


def _has_won_last_pool(night: Night) -> bool:
    """Return whether the poker pool of the whole night is won: no hand follows."""
    return night.preset["poker.when"] == "session_end" and night.deal is not None and night.deal.poker is not None


def _dummy(night: Night, chance: Random) -> Event | None:
    if night.phase != DUMMY:
        return None
    rule, deal = night.preset["dummy"], night.current_deal()
    kinds = ["no-sale"]
    kinds += ["exchange"] if rule not in ("sell_only", "passed_round") else []
    kinds += ["sale", "bid", "bid", "bid"] if rule != "exchange_only" else []
    kind = "bid" if deal.auction.bidder or deal.auction.passed else chance.choice(kinds)
    if kind == "sale":
        buyer = chance.choice([seat for seat in deal.seats if seat != deal.dealer])
        least = night.house_rules.auction_min
        most = least if rule == "passed_round" else least + 9
        return with_cover(night, events.Sale(buyer, Amount(chance.randint(least, most))), chance)
    return _turn(night, chance) if kind == "bid" else events.Exchange() if kind == "exchange" else events.NoSale()


def _turn(night: Night, chance: Random) -> Event:
    seat, last = auction.whose_bid(night), night.current_deal().auction
    assert seat is not None
    least = last.chips + night.house_rules.auction_step if last.bidder else night.house_rules.auction_min
    most = least if night.preset["dummy"] == "passed_round" else least + 5
    if night.stack(seat) >= least and chance.random() < 0.6:
        return events.Bid(seat, Amount(chance.randint(least, min(night.stack(seat), most))))
    return with_cover(night, events.Pass(seat), chance)


def _exchange_late(night: Night, chance: Random) -> Event | None:
    is_unsold = night.deal and night.deal.dummy == "dead" and night.phase == night.stage_after(DUMMY)
    return events.Exchange() if is_unsold and night.preset["dummy.after_no_bid"] == "dealer_may_exchange" else None


def _collect(night: Night, chance: Random) -> Event | None:
    if not claimed_now(night):
        return None
    seats = [one for one in playing_seats(night) if one not in night.current_deal().barred]
    able = [(seat, pot) for seat in seats for pot in full_pots(night, "card") if has_paid(night, pot, seat)]
    return events.Collect(*chance.choice(able)) if able else None


def _penalty(night: Night, chance: Random) -> Event | None:
    seats = playing_seats(night)
    if night.phase not in (PLAY, SHOWDOWN) or night.preset["penalties"] != "on" or not seats:
        return None
    seat = chance.choice(seats)
    if chance.random() < 0.5 or pot_game.is_out_of_cards(night, seat):
        return with_cover(night, events.Penalty(seat, "withheld-card", chance.choice(list(SUITS))), chance)
    return with_cover(night, events.Penalty(seat, "wrong-lead"), chance)


def _out(night: Night, chance: Random) -> Event | None:
    if night.phase != PLAY:
        return None
    gone = night.current_deal().out_of_cards
    seat = chance.choice([one for one in night.current_deal().seats if one not in gone])
    if pot_game.takes_nothing(night, seat):
        return events.Out(seat)
    payers = [one for one in night.current_deal().seats if one != seat]
    left = {payer: Chips(0 if payer in gone else chance.randint(0, 9)) for payer in payers}
    holder = chance.choice(payers) if may_excuse(night) and chance.random() < 0.5 else None
    return with_cover(night, events.Out(seat, left, (holder,) if holder else ()), chance)


def _held(night: Night, chance: Random) -> Event | None:
    if night.phase != SHOWDOWN:
        return None
    deal, seats = night.current_deal(), playing_seats(night)
    due = [
        (pot, seat, offender)
        for offender, suit in deal.withheld
        for pot in card_pots_of(night, suit)
        for seat in seats
        if not pot_game.is_out_of_cards(night, seat)
        if offender in seats and seat != offender and (pot, offender) not in deal.matched_cards
    ]
    return with_cover(night, events.MatchWithheld(*chance.choice(due)), chance) if due else None


def _poker(night: Night, chance: Random) -> Event | None:
    when = POKER if POKER in night.preset.stages else SHOWDOWN
    counts_left = night.preset["poker.when"] == "hand_end_left"
    in_poker = [seat for seat in playing_seats(night) if seat not in night.current_deal().folded] if night.deal else []
    seats = tuple(seat for seat in in_poker if not (counts_left and pot_game.is_out_of_cards(night, seat)))
    if night.phase != when or not full_pots(night, "poker") or not seats or night.current_deal().poker is not None:
        return None
    most = 1 if night.preset["poker.hand"] == "sets" else len(seats)
    winners = tuple(chance.sample(seats, chance.choice((1, 1, min(2, most), most))))
    pools = night.preset.won_by("poker")
    return events.Poker(winners) if all(has_paid(night, pool.id, *winners) for pool in pools) else None


def _abandon(night: Night, chance: Random) -> Event | None:
    if night.is_between_hands or night.is_over:
        return None
    try:
        apply(night, events.Abandon())
    except TableError:  # somebody has too few chips left to give back
        return None
    return events.Abandon()


def _rule(night: Night, chance: Random) -> Event | None:
    return new_rule(night, chance, with_cover)


def _covered(make: Callable[[Night, Random, WithCover], Event | None]) -> Maker:
    return lambda night, chance: make(night, chance, with_cover)


_EVERY_GAME: dict[Maker, float] = {_sit: 0.4, _leave: 0.3, _order: 0.2, _count: 0.2, end_event: 0.1, _rule: 0.1}
_MAKERS: Mapping[str, Mapping[Maker, float]] = {
    "pots": _EVERY_GAME
    | {_buy: 0.3, _borrow: 0.4, _repay: 0.8, _move: 0.3, _hand: 4, _dummy: 12, _exchange_late: 1}
    | {_collect: 5, _penalty: 1.5, _out: 3, _held: 4, _poker: 3, _abandon: 0.2}
    | {_covered(make): weight for make, weight in MAKERS.items()},
    **{game: _EVERY_GAME | makers for game, makers in SCORE_MAKERS.items()},
}
