"""Random events of 8 Round Rummy, and what holds in every state; see OWN_MAKERS in tests/support/random_nights.py."""

from random import Random

from support.random_nights import OWN_CHECKS, OWN_MAKERS

from tracker.core.events import Chips, Event
from tracker.core.night import Night
from tracker.extras.rounds.rules import Reverse, Round, RoundWon


def _round(night: Night, chance: Random) -> Event:
    winner, jokers = chance.choice(night.seats), Chips(chance.choice((0, 0, 1, 2)))
    return Round(winner, jokers, seven_alike=chance.random() < 0.1)


def _reverse(_night: Night, _chance: Random) -> Event:
    return Reverse()


def _check(night: Night, _is_by_preset: bool) -> None:
    assert sum(night.points.values()) == sum(sum(won.change.values()) for won in night.deals)
    assert sum(night.points.values()) <= (36 if night.preset["rounds"] == "full" else 20)
    assert len({won.number for won in night.deals if isinstance(won, RoundWon)}) == len(night.deals)


OWN_MAKERS["rounds"] = {_round: 5, _reverse: 0.5}
OWN_CHECKS["rounds"] = _check
