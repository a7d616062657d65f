"""Random rounds of a score sheet, and what holds in every state; see OWN_MAKERS in tests/support/random_nights.py."""

from random import Random

from extras._shared.score_nights import scores, seats_of_a_deal
from support.random_nights import OWN_CHECKS, OWN_MAKERS

from tracker.core.events import Event, Score
from tracker.core.night import Night
from tracker.core.payment_list import nets


def _scores(night: Night, chance: Random) -> Event:
    players = seats_of_a_deal(night, chance)
    resting = chance.sample(players, chance.randint(0, len(players) - 2)) if chance.random() < 0.3 else []
    players = [seat for seat in players if seat not in resting]
    if night.preset["points.entry"] == "winner":
        winner = chance.choice(players)
        return scores({seat: Score(int(seat == winner)) for seat in players}, tuple(resting))
    return scores({seat: Score(chance.randint(-30, 120)) for seat in players}, tuple(resting))


def _check(night: Night, _is_by_preset: bool) -> None:
    first = [
        seat for seat in (night.deals[0].players if night.deals else night.seats) if not _has_come_back(night, seat)
    ]
    assert all(night.points[seat] == sum(one.change.get(seat, 0) for one in night.deals) for seat in first)
    assert sum(nets(night).values()) == 0
    assert not any(net for seat, net in nets(night).items() if seat not in night.players)


def _has_come_back(night: Night, seat: str) -> bool:
    """Return whether somebody was away for a round and is there again, with other points than the own sum perhaps."""
    there = [seat in one.there for one in night.deals]
    away = there.index(False) if False in there else len(there)
    return seat in night.returned or any(there[away:])


OWN_MAKERS["points"] = {_scores: 4}
OWN_CHECKS["points"] = _check
