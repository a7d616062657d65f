"""Simulated players of a night: what is recorded next, from the first antes to the payments after the end."""

from collections.abc import Iterator
from random import Random

from tracker.core import rounds_game
from tracker.core.apply import apply
from tracker.core.cards import RANKS, SUITS, Holding
from tracker.core.errors import TableError
from tracker.core.events import Amount, Buy, Chips, End, Event, Penalty, Reverse, Round, Rummy, Score, Scores, StockOut
from tracker.core.night import LOBBY, Night
from tracker.core.queries.prompts import ante_prompt, planned_hand
from tracker.core.rum_game import fault_booking, fault_payees, waiting_faults
from tracker.core.settlement import leftover_shares, odd_chips, odd_moves
from tracker.simulation.pot_hands import hand_events


def next_event(night: Night, seed: str, *, is_last: bool = False) -> Event | None:
    """Return what the players record next; None once the night is over or fewer than two people are at the table.

    The same state and seed return the same event. With `is_last` the night is ended where the next hand would begin.
    """
    return next(next_events(night, seed, is_last=is_last), None)


def next_events(night: Night, seed: str, *, is_last: bool = False) -> Iterator[Event]:
    """Yield what the players might record next, in order; the first is what `next_event` returns."""
    if night.is_over or len(night.seats) < 2:
        return
    if night.preset.game == "pots":
        if night.phase != LOBBY:
            yield from hand_events(night, seed)
        if night.is_between_hands:
            yield from _ended(night, seed) if is_last else _next_hand(night, seed)
    else:
        if not is_last:
            yield from score_events(night, seed)
        elif waiting_faults(night):
            yield fault_booking(night, fault_payees(night)[0])
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
    hand = planned_hand(night, {**plan, **lent})
    if is_possible(night, hand):
        yield hand
    else:
        yield from _ended(night, seed)


def _ended(night: Night, seed: str) -> Iterator[Event]:
    """Yield the end of the night, and before it what must be decided on the last hand and on odd chips."""
    chance = Random(f"{seed}/{night.hand}/end")
    asks = night.house_rules.end == "poker_hand"
    winners = (chance.choice(night.seats),) if asks else ()
    shares = leftover_shares(night, winners)
    if odd := odd_chips(night, len(shares)):
        yield from odd_moves(night, chance.choice(night.seats), odd)
    yield End(winners)


def is_possible(night: Night, event: Event) -> bool:
    """Return whether the event can be recorded now, with the chips there are."""
    try:
        apply(night, event)
    except TableError:
        return False
    return True


def score_events(night: Night, seed: str) -> Iterator[Event]:
    """Yield what might be recorded in the present round; nothing when all rounds are won."""
    chance = Random(f"{seed}/{night.hand}/{len(night.faults)}")
    yield from _GAMES[night.preset.game](night, chance)


def _round(night: Night, chance: Random) -> Iterator[Event]:
    card = rounds_game.next_round(night)
    if card is None:
        return
    if night.is_reversed != (chance.random() < 0.15):
        yield Reverse()
    jokers = chance.choices((0, 1, 2), (2, 5, 2))[0] if card.number == rounds_game.LAST_ROUND else 0
    yield Round(chance.choice(night.seats), Chips(jokers))


def _rum_deal(night: Night, chance: Random) -> Iterator[Event]:
    if chance.random() < 0.06:
        yield Penalty(chance.choice(night.seats), chance.choice(("false-rummy", "unused-purchase")))
    pack = chance.sample([rank + suit for suit in SUITS for rank in RANKS], 52)
    held = {seat: Holding(tuple(pack[place * 6 :][: chance.randint(1, 6)])) for place, seat in enumerate(night.seats)}
    if chance.random() < 0.12:
        yield StockOut(held)
    winner = chance.choice(night.seats)
    yield Rummy(winner, {seat: hand for seat, hand in held.items() if seat != winner})


def _points_round(night: Night, chance: Random) -> Iterator[Event]:
    winner = chance.choice(night.seats)
    if night.house_rules.points_entry == "winner":
        yield Scores({seat: Score(int(seat == winner)) for seat in night.seats})
    elif night.house_rules.points_wins == "low":
        yield Scores({seat: Score(0 if seat == winner else chance.randint(1, 12) * 2) for seat in night.seats})
    else:
        yield Scores({seat: Score(chance.randint(0, 11) * 5 + 20 * (seat == winner)) for seat in night.seats})


_GAMES = {"rounds": _round, "rum": _rum_deal, "points": _points_round}
