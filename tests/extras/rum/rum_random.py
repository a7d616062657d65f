"""Random events of the snake, and what holds in every state; see OWN_MAKERS in tests/support/random_nights.py."""

from random import Random
from typing import Any

from extras._shared.score_nights import event, rummy, seats_of_a_deal
from support.random_nights import OWN_CHECKS, OWN_MAKERS

from tracker.core.events import Event, Penalty
from tracker.core.night import Night
from tracker.core.preset import RANKS, SUITS
from tracker.core.queries.summary import leaders


def _fault(night: Night, chance: Random) -> Event:
    return Penalty(chance.choice(night.seats), chance.choice(("false-rummy", "unused-purchase")))


def _rummy(night: Night, chance: Random) -> Event:
    players = seats_of_a_deal(night, chance)
    seat = chance.choice(players)
    doubles = night.preset["one_turn"] == 2 and chance.random() < 0.3
    hands = {one: _hand(night, chance) for one in players if one != seat}
    return rummy(seat, hands, one_turn=doubles)


def _stock_out(night: Night, chance: Random) -> Event:
    return event("stock-out", hands={seat: _hand(night, chance) for seat in seats_of_a_deal(night, chance)})


def _hand(night: Night, chance: Random) -> int | dict[str, Any]:
    """Return what somebody may still hold: points, or cards and perhaps a sequence."""
    if chance.random() < 0.5:
        return chance.randint(0, 60)
    loose = [chance.choice(list(RANKS)) + chance.choice(list(SUITS)) for _ in range(chance.randint(0, 5))]
    loose += ["JK"] if night.preset["joker"] and chance.random() < 0.3 else []
    suit, lowest = chance.choice(list(SUITS)), chance.randint(0, 10)
    ranks = ["A", *RANKS][lowest : lowest + chance.randint(3, 4)]
    laid = [[rank + suit for rank in ranks]] if len(ranks) > 2 and chance.random() < 0.5 else []
    return {"cards": loose, "sequences": laid}


def _check(night: Night, is_by_preset: bool) -> None:
    if is_by_preset and "sheet" not in (night.preset["fault.to"], night.preset["fault.own"]):
        assert sum(night.points.values()) == 0
    for deal in night.deals:
        assert {seat for seat, points in deal.change.items() if points} <= {
            *deal.hands,
            *deal.winners,
            *dict(deal.faults),
        }
    played = [seat for seat in night.seats if seat in night.players]
    best = max((night.points[seat] for seat in played), default=0)
    assert leaders(night) == [seat for seat in played if night.points[seat] == best]


OWN_MAKERS["rum"] = {_fault: 2, _rummy: 4, _stock_out: 1.5}
OWN_CHECKS["rum"] = _check
