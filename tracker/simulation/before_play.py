"""What might be recorded in the stages of a hand before the play, and what the players of a hand know."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random

from tracker.core import auction
from tracker.core.events import (
    Amount,
    Bet,
    Bid,
    Chips,
    Collect,
    Event,
    Exchange,
    GoOn,
    NoSale,
    Pass,
    Place,
    Poker,
    Sale,
    Share,
    TurnUp,
)
from tracker.core.night import DUMMY, HELD, POKER, STAKES, Night
from tracker.core.preset import Pot
from tracker.core.queries.options import may_happen
from tracker.core.queries.prompts import calls
from tracker.simulation.card_play import CardPlay, play_cards, winning_cards

MOST_BID = 9


def chance_of(seed: str, night: Night, what: str) -> Random:
    """Return the random numbers for one decision of the present hand: the same whenever it is asked for."""
    return Random(f"{seed}/{night.hand}/{what}")


def cards_of(night: Night, seed: str) -> CardPlay:
    """Return the cards of the present hand and the order in which they are played."""
    deal = night.current_deal()
    exchanged_by = {"exchanged": deal.dealer, "sold": deal.buyer}.get(deal.dummy or "")
    return play_cards(f"{seed}/{night.hand}", deal.seats, deal.seats[0], exchanged_by)


def open_pots(night: Night) -> list[Pot]:
    """Return the pots that cards win, that hold something and that nobody has taken in this hand."""
    taken = night.current_deal().taken
    pots = (*night.preset.won_by("card"), *night.preset.won_by("side"))
    return [pot for pot in pots if pot.id not in taken and night.ledger.holds(pot.id)]


def poker_won(night: Night, seats: list[str]) -> Iterator[Event]:
    """Yield that the first of these who may takes the poker pool."""
    yield from (won for seat in seats if may_happen(night, won := Poker((seat,))))


# The stages


def before_play(make: Callable[[Night, str], Iterator[Event]]) -> Callable[[Night, str], Iterator[Event]]:
    """Return the events of a stage after those that may come in any stage before the play."""

    def made(night: Night, seed: str) -> Iterator[Event]:
        yield from _turned_up(night, seed)
        yield from _side_bets(night, seed)
        yield from make(night, seed)

    return made


def _turned_up(night: Night, seed: str) -> Iterator[Event]:
    deal = night.current_deal()
    if night.house_rules.turn_up == "off" or deal.turned_up or deal.taken:
        return
    cards = cards_of(night, seed)
    for pot in night.preset.won_by("card"):
        if cards.turned_up in [one for (one, *more) in winning_cards(pot.cards, cards.trumps) if not more]:
            others = {seat: Chips(len(hand)) for seat, hand in cards.hands.items() if seat != deal.dealer}
            event = TurnUp(pot.id, others if night.preset.ends_hand(pot) else None)
            if may_happen(night, event):
                yield event


def _side_bets(night: Night, seed: str) -> Iterator[Event]:
    deal = night.current_deal()
    for pot in night.preset.won_by("side") if not deal.taken else ():
        for seat in deal.seats:
            chance = chance_of(seed, night, f"{seat} on {pot.id}")
            chips = min(chance.randint(1, 2), night.stack(seat))
            if chance.random() < 0.25 and chips and (seat, pot.id) not in deal.bets:
                yield Bet(seat, Amount(chips), pot.id)


def _stakes(night: Night, seed: str) -> Iterator[Event]:
    deal, preset = night.current_deal(), night.preset
    pots = [pot.id for pot in preset.won_by("card")] or list(preset.board)
    for seat in deal.seats:
        if seat in deal.stakes_placed:
            continue
        budget = preset.budget(is_dealer=seat == deal.dealer)
        stakes = dict.fromkeys(pots, Amount(1)) if len(pots) <= budget else {}
        for pot in chance_of(seed, night, seat).choices(pots, k=budget - len(stakes)):
            stakes[pot] = Amount(stakes.get(pot, 0) + 1)
        yield Place(seat, stakes)
    yield GoOn()


def _dummy(night: Night, seed: str) -> Iterator[Event]:
    deal, rule = night.current_deal(), night.house_rules.dummy
    is_open = not deal.auction.bidder and not deal.auction.passed
    chance = chance_of(seed, night, "dummy")
    wish = chance.choices(("exchange", "sale", "bids", "no-sale"), (5, 3, 4, 8))[0]
    if rule == "passed_round":
        yield from _bids(night, seed)
    elif is_open and rule != "sell_only" and (wish == "exchange" or rule == "exchange_only"):
        yield Exchange()
    elif is_open and wish == "sale":
        yield from _sale(night, chance)
    elif rule != "exchange_only" and (wish == "bids" or not is_open):
        yield from _bids(night, seed)
    yield NoSale()


def _sale(night: Night, chance: Random) -> Iterator[Event]:
    deal, least = night.current_deal(), night.house_rules.auction_min
    able = [seat for seat in deal.seats if seat != deal.dealer and night.stack(seat) >= least]
    if able:
        buyer = chance.choice(able)
        yield Sale(buyer, Amount(chance.randint(least, max(least, min(MOST_BID, night.stack(buyer))))))


def _bids(night: Night, seed: str) -> Iterator[Event]:
    seat, least = auction.whose_bid(night), auction.least_bid(night)
    if seat is None:
        return
    wants = chance_of(seed, night, f"{seat} for {least}").random() < 0.5
    if wants and least <= min(night.stack(seat), max(MOST_BID, night.house_rules.auction_min)):
        yield Bid(seat, Amount(least))
    yield Pass(seat)


def _held(night: Night, seed: str) -> Iterator[Event]:
    deal, cards = night.current_deal(), cards_of(night, seed)
    for pot in open_pots(night):
        holders = [one for each in winning_cards(pot.cards, cards.trumps) if (one := cards.holder(each))]
        able = [seat for seat in deal.seats if seat in holders and may_happen(night, Collect(seat, pot.id))]
        if len(able) > 1 and night.house_rules.claim_tie == "share":
            yield Share(pot.id, tuple(able))
        elif able:
            yield Collect(able[0], pot.id)
    yield GoOn()


def _poker_stage(night: Night, seed: str) -> Iterator[Event]:
    deal = night.current_deal()
    strength = {seat: chance_of(seed, night, f"{seat}'s poker hand").random() for seat in deal.seats}
    left = sorted((seat for seat in deal.seats if seat not in deal.folded), key=strength.__getitem__)
    best = left[-1]
    if night.house_rules.poker_when == "before_betting":
        pool = night.preset.won_by("poker")[0].id
        most = min(night.house_rules.bet_limit or 3, night.stack(best))
        if most and not any((seat, pool) in deal.bets for seat in deal.seats):
            yield Bet(best, Amount(chance_of(seed, night, "bet").randint(1, most)), pool)
        for seat, lacks in calls(night).items():
            follows = strength[seat] > 0.45 and lacks <= min(night.stack(seat), night.house_rules.bet_limit or lacks)
            yield Bet(seat, Amount(lacks), pool) if follows else Pass(seat)
    yield from poker_won(night, left[::-1])
    yield GoOn()


BEFORE_PLAY: Mapping[str, Callable[[Night, str], Iterator[Event]]] = {
    STAKES: before_play(_stakes),
    DUMMY: before_play(_dummy),
    HELD: before_play(_held),
    POKER: before_play(_poker_stage),
}
