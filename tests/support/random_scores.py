"""Random events of the three score games."""

# ruff: noqa: ARG001 - every maker takes the same, also one that has nothing to choose

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from tracker.core import events, rounds_game
from tracker.core.cards import RANKS, SUITS, Holding
from tracker.core.events import Chips, Event, Held_Hand, Score
from tracker.core.night import Night


def _round(night: Night, chance: Random) -> Event | None:
    if rounds_game.next_round(night) is None:
        return None
    return events.Round(chance.choice(night.seats), Chips(chance.choice((0, 0, 1, 2))), chance.random() < 0.1)


def _reverse(night: Night, chance: Random) -> Event | None:
    return events.Reverse()


def _fault(night: Night, chance: Random) -> Event | None:
    return events.Penalty(chance.choice(night.seats), chance.choice(("false-rummy", "unused-purchase")))


def _players(night: Night, chance: Random) -> list[str]:
    """Return who plays the present deal: everybody, or without some of those who have sat down since the last."""
    waiting = [seat for seat in night.seats if seat in night.newcomers and chance.random() < 0.5]
    players = [seat for seat in night.seats if seat not in waiting]
    return players if len(players) > 1 else list(night.seats)


def _rummy(night: Night, chance: Random) -> Event | None:
    players = _players(night, chance)
    seat = chance.choice(players)
    doubles = night.house_rules.one_turn > 1 and chance.random() < 0.3
    return events.Rummy(seat, {one: random_hand(night, chance) for one in players if one != seat}, doubles)


def _stock_out(night: Night, chance: Random) -> Event | None:
    return events.StockOut({seat: random_hand(night, chance) for seat in _players(night, chance)})


def _scores(night: Night, chance: Random) -> Event | None:
    players = _players(night, chance)
    if night.house_rules.points_entry == "winner":
        winner = chance.choice(players)
        return events.Scores({seat: Score(int(seat == winner)) for seat in players})
    return events.Scores({seat: Score(chance.randint(-30, 120)) for seat in players})


def random_hand(night: Night, chance: Random) -> Held_Hand:
    """Return what somebody may still hold: points, or cards and perhaps a sequence."""
    if chance.random() < 0.5:
        return Chips(chance.randint(0, 60))
    loose = [chance.choice(list(RANKS)) + chance.choice(list(SUITS)) for _ in range(chance.randint(0, 5))]
    loose += ["JK"] if night.preset["joker"] and chance.random() < 0.3 else []
    suit, lowest = chance.choice(list(SUITS)), chance.randint(0, 10)
    ranks = ["A", *RANKS][lowest : lowest + chance.randint(3, 4)]
    laid = (tuple(rank + suit for rank in ranks),) if len(ranks) > 2 and chance.random() < 0.5 else ()
    return Holding(tuple(loose), laid)


SCORE_MAKERS: Mapping[str, dict[Callable[[Night, Random], Event | None], float]] = {
    "rounds": {_round: 5, _reverse: 0.5},
    "rum": {_fault: 2, _rummy: 4, _stock_out: 1.5},
    "points": {_scores: 4},
}
"""Makers of the events of each score game, and how likely each is."""
