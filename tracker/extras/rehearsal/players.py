"""Simulated players of a night: what they record next follows from the cards dealt and the state alone."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from random import Random

from tracker.core import events, pot_game, stages
from tracker.core.apply import apply
from tracker.core.errors import NotEnoughChips
from tracker.core.events import Amount, Buy, End, Event, Poker
from tracker.core.game import game_of
from tracker.core.ledger import BANK
from tracker.core.night import DUMMY, HELD, LOBBY, PLAY, POKER, SHOWDOWN, STAKES, Night
from tracker.core.preset import RANKS, SUITS, Pot
from tracker.core.queries.consent import with_default_cover
from tracker.core.queries.options import going_out, may_happen
from tracker.core.queries.prompts import ante_fault, ante_prompt, calls, planned_hand, prompt_of
from tracker.core.settlement import heirs, leftover_shares, odd_chips, odd_moves


def next_event(night: Night, seed: str, *, is_last: bool = False) -> Event | None:
    """Return what the players record next, the same for one state and seed; `is_last` ends the night."""
    return next(next_events(night, seed, is_last=is_last), None)


def next_events(night: Night, seed: str, *, is_last: bool = False) -> Iterator[Event]:
    """Yield what the players might record next, in order; the first is what `next_event` returns."""
    if night.is_over or len(night.seats) < 2:
        return
    game = game_of(night)
    if night.preset.is_pot_game:
        if night.phase != LOBBY:
            for make in _STAGES[night.phase]:
                yield from (with_cover(night, event) for event in make(night, seed))
        if night.is_between_hands:
            yield from _ended(night, seed) if is_last else _next_hand(night, seed)
    else:
        if not is_last:
            yield from game.rehearse(night, Random(f"{seed}/{night.hand}/{len(night.faults)}"))
        elif booking := game.before_end(night):
            yield booking
        yield End()


def _next_hand(night: Night, seed: str) -> Iterator[Event]:
    """Yield the next hand's antes, and before them what somebody who is short buys; else the end of the night."""
    plan = {} if night.dealer else {"dealer": night.seats[-1]}
    prompt = ante_prompt(night, plan)
    how = night.house_rules.shortage
    if prompt.ends_night:
        yield from _ended(night, seed)
    for seat in prompt.short if how != "sit_out" else ():
        if how != "iou":
            yield Buy(seat, Amount(max(night.preset.stack, prompt.short[seat])))
    lender = max(night.seats, key=night.stack)
    lent = {seat: lender for seat in prompt.short if how == "iou" and seat != lender}
    plan = {**plan, **lent}
    if ante_fault(night, plan):
        yield from _ended(night, seed)
    else:
        yield planned_hand(night, plan)


def _ended(night: Night, seed: str) -> Iterator[Event]:
    """Yield the end of the night, and before it what must be decided on the last hand and on odd chips."""
    chance = Random(f"{seed}/{night.hand}/end")
    asks = night.house_rules.end == "poker_hand"
    winners = (chance.choice(heirs(night)),) if asks else ()
    shares = leftover_shares(night, winners)
    if (pool := pot_game.night_pool(night)) and (able := pot_game.may_win_pool(night, pool)):
        yield Poker((chance.choice(able),))
    if odd := odd_chips(night, len(shares)):
        yield from odd_moves(night, chance.choice(night.seats), odd)
    yield End(winners)


# A hand of a pot game

DUMMY_HAND = "dummy hand"
_PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)
_PLACE = {card: place for place, card in enumerate(_PACK)}


@dataclass(frozen=True)
class CardPlay:
    """One deal: what everybody held, the card turned up, and the order in which the cards were played."""

    hands: Mapping[str, tuple[str, ...]]
    """Each player's cards as they were played, after the dummy hand was exchanged or bought."""
    turned_up: str
    plays: Sequence[tuple[str, str]]
    """(seat, card) in the order of play, until one player at most has cards left."""
    finishes: Mapping[str, int]
    """How many cards had been played when each of these seats was out of cards, earliest first."""

    @property
    def trumps(self) -> str:
        """The suit of the card turned up."""
        return self.turned_up[-1]

    def holder(self, cards: Sequence[str]) -> str | None:
        return next((seat for seat, hand in self.hands.items() if set(cards) <= set(hand)), None)

    def played_at(self, cards: Sequence[str]) -> int:
        """Return how many cards had been played when the last of these was."""
        places = [place for place, (_, card) in enumerate(self.plays, start=1) if card in cards]
        return places[-1] if len(places) == len(cards) else len(_PACK)

    def left(self, seat: str, count: int) -> tuple[str, ...]:
        """Return what a player still held when `count` cards had been played."""
        played = {card for _, card in self.plays[:count]}
        return tuple(card for card in self.hands[seat] if card not in played)


@lru_cache(maxsize=64)
def play_cards(seed: str, seats: tuple[str, ...], leader: str, exchanged_by: str | None) -> CardPlay:
    """Return a deal played as a game of stops from the leader on; `exchanged_by` took the dummy hand."""
    chance = Random(seed)
    pack = chance.sample(_PACK, len(_PACK))
    places = (*seats, DUMMY_HAND)
    hands = {seat: tuple(pack[place :: len(places)]) for place, seat in enumerate(places)}
    dummy = hands.pop(DUMMY_HAND)
    if exchanged_by in hands:
        hands[exchanged_by] = dummy
    plays = _played_cards(hands, leader, chance)
    counts = {seat: list(accumulate(one == seat for one, _ in plays)) for seat in seats}
    ends = {seat: bisect_right(counts[seat], len(hands[seat]) - 1) + 1 for seat in seats}
    finishes = {seat: end for seat, end in sorted(ends.items(), key=lambda item: item[1]) if end <= len(plays)}
    return CardPlay(hands, pack[-1], plays, finishes)


def _played_cards(hands: Mapping[str, Sequence[str]], leader: str, chance: Random) -> list[tuple[str, str]]:
    """Return the order of play: runs upwards in one suit, each until the next card is missing."""
    holders = {card: seat for seat, cards in hands.items() for card in cards}
    left = {seat: len(cards) for seat, cards in hands.items()}
    seats, suit, plays = list(hands), "", list[tuple[str, str]]()
    while sum(count > 0 for count in left.values()) > 1:
        while not left[leader]:
            leader = seats[(seats.index(leader) + 1) % len(seats)]
        own = [card for card, holder in holders.items() if holder == leader]
        suit = chance.choice(sorted({card[-1] for card in own} - {suit}) or [suit])
        card: str | None = min((card for card in own if card[-1] == suit), key=_PLACE.__getitem__)
        while card in holders:
            leader = holders.pop(card)
            left[leader] -= 1
            plays.append((leader, card))
            card = _next(card)
    return plays


def _next(card: str) -> str | None:
    """Return the next higher card of the suit; None after the ace."""
    place = _PLACE[card] + 1
    return _PACK[place] if place % len(RANKS) else None


def winning_cards(cards: Sequence[str], trumps: str) -> list[tuple[str, ...]]:
    """Return the sets of cards that win a pot; ranks alone mean trumps, three or more a run in any suit."""
    if all(card in _PLACE for card in cards):
        return [tuple(cards)]
    suits = tuple(SUITS) if len(cards) > 2 else (trumps,)
    return [tuple(rank + suit for rank in cards) for suit in suits]


MOST_BID = 9
_POINTS = {"A": 1, "J": 10, "Q": 10, "K": 10}


def with_cover(night: Night, event: events.Event) -> events.Event:
    """Return the event with a cover for whoever is short, by the house rule `shortage`."""
    if not isinstance(event, events.Out) or event.cover:
        return with_default_cover(night, event)
    try:
        apply(night, event)
    except NotEnoughChips as error:
        owed = night.house_rules.shortage == "iou"
        return replace(event, cover=dict.fromkeys(error.short, event.seat if owed else BANK))
    return event


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


def poker_won(night: Night, seats: list[str]) -> Iterator[events.Event]:
    """Yield that the first of these who may takes the poker pool."""
    yield from (won for seat in seats if may_happen(night, won := events.Poker((seat,))))


# The stages


def _turned_up(night: Night, seed: str) -> Iterator[events.Event]:
    deal = night.current_deal()
    if night.house_rules.turn_up == "off" or deal.turned_up or deal.taken:
        return
    cards = cards_of(night, seed)
    for pot in night.preset.won_by("card"):
        if cards.turned_up in [one for (one, *more) in winning_cards(pot.cards, cards.trumps) if not more]:
            others = {seat: events.Chips(len(hand)) for seat, hand in cards.hands.items() if seat != deal.dealer}
            event = events.TurnUp(pot.id, others if night.preset.ends_hand(pot) else None)
            if may_happen(night, event):
                yield event


def _side_bets(night: Night, seed: str) -> Iterator[events.Event]:
    deal = night.current_deal()
    for pot in night.preset.won_by("side") if not deal.taken else ():
        for seat in deal.seats:
            chance = chance_of(seed, night, f"{seat} on {pot.id}")
            chips = min(chance.randint(1, 2), night.stack(seat))
            if chance.random() < 0.25 and chips and (seat, pot.id) not in deal.bets:
                yield events.Bet(seat, events.Amount(chips), pot.id)


def _stakes(night: Night, seed: str) -> Iterator[events.Event]:
    pots = [pot.id for pot in night.preset.stake_places]
    for seat, budget in pot_game.stakes_due(night).items():
        stakes = dict.fromkeys(pots, events.Amount(1)) if len(pots) <= budget else {}
        for pot in chance_of(seed, night, seat).choices(pots, k=budget - len(stakes)):
            stakes[pot] = events.Amount(stakes.get(pot, 0) + 1)
        yield events.Place(seat, stakes)
    yield events.GoOn()


def _dummy(night: Night, seed: str) -> Iterator[events.Event]:
    deal, rule = night.current_deal(), night.house_rules.dummy
    is_open = not deal.auction.bidder and not deal.auction.passed
    chance = chance_of(seed, night, "dummy")
    wish = chance.choices(("exchange", "sale", "bids", "no-sale"), (5, 3, 4, 8))[0]
    if rule == "passed_round":
        yield from _bids(night, seed)
    elif is_open and rule != "sell_only" and (wish == "exchange" or rule == "exchange_only"):
        yield events.Exchange()
    elif is_open and wish == "sale":
        yield from _sale(night, chance)
    elif rule != "exchange_only" and (wish == "bids" or not is_open):
        yield from _bids(night, seed)
    yield events.NoSale()


def _sale(night: Night, chance: Random) -> Iterator[events.Event]:
    deal, least = night.current_deal(), night.house_rules.auction_min
    able = [seat for seat in deal.seats if seat != deal.dealer and night.stack(seat) >= least]
    if able:
        buyer = chance.choice(able)
        yield events.Sale(buyer, events.Amount(chance.randint(least, max(least, min(MOST_BID, night.stack(buyer))))))


def _bids(night: Night, seed: str) -> Iterator[events.Event]:
    seat, least = stages.whose_bid(night), stages.least_bid(night)
    if seat is None:
        return
    wants = chance_of(seed, night, f"{seat} for {least}").random() < 0.5
    if wants and least <= min(night.stack(seat), max(MOST_BID, night.house_rules.auction_min)):
        yield events.Bid(seat, events.Amount(least))
    yield events.Pass(seat)


def _held(night: Night, seed: str) -> Iterator[events.Event]:
    deal, cards = night.current_deal(), cards_of(night, seed)
    for pot in open_pots(night):
        holders = [one for each in winning_cards(pot.cards, cards.trumps) if (one := cards.holder(each))]
        able = [seat for seat in deal.seats if seat in holders and may_happen(night, events.Collect(seat, pot.id))]
        if len(able) > 1 and night.house_rules.claim_tie == "share":
            yield events.Share(pot.id, tuple(able))
        elif able:
            yield events.Collect(able[0], pot.id)
    yield events.GoOn()


def _poker_stage(night: Night, seed: str) -> Iterator[events.Event]:
    deal = night.current_deal()
    strength = {seat: chance_of(seed, night, f"{seat}'s poker hand").random() for seat in deal.seats}
    left = sorted((seat for seat in deal.seats if seat not in deal.folded), key=strength.__getitem__)
    best = left[-1]
    if night.house_rules.poker_when == "before_betting":
        pool = night.preset.won_by("poker")[0].id
        most = min(night.house_rules.bet_limit or 3, night.stack(best))
        if most and not any((seat, pool) in deal.bets for seat in deal.seats):
            yield events.Bet(best, events.Amount(chance_of(seed, night, "bet").randint(1, most)), pool)
        for seat, lacks in calls(night).items():
            follows = strength[seat] > 0.45 and lacks <= min(night.stack(seat), night.house_rules.bet_limit or lacks)
            yield events.Bet(seat, events.Amount(lacks), pool) if follows else events.Pass(seat)
    yield from poker_won(night, left[::-1])
    yield events.GoOn()


# The play


def _play(night: Night, seed: str) -> Iterator[events.Event]:
    deal, cards = night.current_deal(), cards_of(night, seed)
    able = [seat for seat in cards.finishes if seat in night.seats and seat not in deal.out_of_cards]
    winner = able[0] if able else pot_game.players(night)[0]
    end = cards.finishes.get(winner, len(cards.plays))
    if not deal.taken and not deal.paid_dues:
        yield from _wrong_lead(night, seed)
    yield from _stuck(night, seed)
    timed = [*_takes(night, cards), *_dues(night, cards, seed)]
    in_order = sorted(((at, event) for at, event in timed if at <= end), key=lambda pair: pair[0])
    yield from (event for _, event in in_order if may_happen(night, event))
    yield _out(night, cards, winner, end)


def _wrong_lead(night: Night, seed: str) -> Iterator[events.Event]:
    chance, deal = chance_of(seed, night, "wrong lead"), night.current_deal()
    if chance.random() < 0.08 and not deal.barred:
        event = events.Penalty(chance.choice(deal.seats), "wrong-lead")
        if may_happen(night, event):
            yield event


def _stuck(night: Night, seed: str) -> Iterator[events.Event]:
    """Yield the fine of somebody who can't lead; what the stacks hold says how often that was drawn."""
    chance = chance_of(seed, night, f"stuck with {sorted(night.ledger.balances.items())}")
    event = events.Fine(chance.choice(night.current_deal().seats))
    if night.house_rules.stop_fine and chance.random() < 0.2 and night.stack(event.seat):
        yield event


def _takes(night: Night, cards: CardPlay) -> Iterator[tuple[int, events.Event]]:
    """Yield who could take which pot, with the number of cards played until then."""
    for pot in open_pots(night) if night.house_rules.claim == "played" else ():
        for each in winning_cards(pot.cards, cards.trumps):
            if seat := cards.holder(each):
                yield cards.played_at(each), events.Collect(seat, pot.id)


def _dues(night: Night, cards: CardPlay, seed: str) -> Iterator[tuple[int, events.Event]]:
    paid = night.current_deal().paid_dues
    for due in night.preset.dues:
        at = chance_of(seed, night, due.id).randrange(len(cards.plays) * 5 // 4)
        if due.id not in paid and at < len(cards.plays):
            yield at, events.PayDue(cards.plays[at][0], due.id)


def _out(night: Night, cards: CardPlay, winner: str, end: int) -> events.Event:
    if pot_game.takes_nothing(night, winner):
        return going_out(night, winner)
    gone = night.current_deal().out_of_cards
    payers = {seat: cards.left(seat, end) for seat in cards.hands if seat != winner}
    worth = _points if night.house_rules.out_count == "points" else len
    left = {seat: events.Chips(0 if seat in gone else worth(hand)) for seat, hand in payers.items()}
    return events.Out(winner, left, _excused(night, payers))


def _points(hand: tuple[str, ...]) -> int:
    return sum(_POINTS.get(card[:-1]) or int(card[:-1]) for card in hand)


def _excused(night: Night, left: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return who still holds the card that excuses from paying, where the house has it so."""
    cards = {card for pot in night.preset.pots if pot.ends_hand for card in pot.cards}
    holders = [seat for seat, hand in left.items() if cards & set(hand)]
    return tuple(holders[:1]) if night.house_rules.out_excuse == "holder" else ()


# After the play


def _showdown(night: Night, seed: str) -> Iterator[events.Event]:
    deal = night.current_deal()
    if night.house_rules.left_in_hand != "off" and deal.winner and deal.dealer in night.seats:
        yield from _left_in_hands(night, seed)
    if prompt_of(night).name == "poker":
        chance = chance_of(seed, night, "poker")
        yield from poker_won(night, chance.sample(deal.seats, len(deal.seats)))


def _left_in_hands(night: Night, seed: str) -> Iterator[events.Event]:
    cards, deal = cards_of(night, seed), night.current_deal()
    end = cards.finishes.get(deal.winner or "", 0)
    for pot in night.preset.won_by("card"):
        for seat in deal.seats:
            held = cards.left(seat, end)
            is_left = any(set(each) <= set(held) for each in winning_cards(pot.cards, cards.trumps))
            if is_left and may_happen(night, events.Left(seat, pot.id)) and night.ledger.holds(pot.id):
                yield events.Left(seat, pot.id)


_STAGES: Mapping[str, Sequence[Callable[[Night, str], Iterator[events.Event]]]] = {
    STAKES: (_turned_up, _side_bets, _stakes),
    DUMMY: (_turned_up, _side_bets, _dummy),
    HELD: (_turned_up, _side_bets, _held),
    POKER: (_turned_up, _side_bets, _poker_stage),
    PLAY: (_turned_up, _side_bets, _play),
    SHOWDOWN: (_showdown,),
}
"""By phase, what makes the events that are still to be recorded in a hand, in order.

Only the first is sure to fit. The others are what would follow if the first were left out.
"""
