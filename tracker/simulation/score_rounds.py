"""What might be recorded next in a game that is scored on paper: rounds, deals of the rum game, points of a round."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tracker.core import rounds_game
from tracker.core.cards import RANKS, SUITS, Holding
from tracker.core.events import Chips, Event, Penalty, Reverse, Round, Rummy, Score, Scores, StockOut
from tracker.core.night import Night


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
