"""What score games have in common: a deal written down, its points added up, and the end that a table may have set."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tracker.core.errors import NotAllowed
from tracker.core.night import ENDED, PLAY, Night, Settled
from tracker.core.settlement import equal_shares

PAUSES, PLAYS = "pauses", "plays"
"""What can be said of somebody's part in the round that is counted."""


def require_two_people(night: Night, _event: object = None) -> None:
    """Raise NotAllowed for a round that one person plays alone."""
    if len(night.seats) < 2:
        raise NotAllowed("a round needs at least two people")


def with_deal(night: Night, deal: Settled, **changes: Any) -> Night:
    """Return the night after one more deal or round, its points added and other fields changed.

    It is over where the table's own end is reached.
    """
    points = {**night.points}
    for seat, gained in deal.change.items():
        points[seat] = points.get(seat, 0) + gained
    made = {"hand": night.hand + 1, "deals": (*night.deals, deal), "points": points, **changes}
    after = replace(night, phase=PLAY, faults=(), newcomers=frozenset(), last_transfers=(), **made)
    return replace(after, phase=ENDED) if is_over(after) else after


def share(change: dict[str, int], seats: Sequence[str], total: int) -> None:
    """Add `total` to `seats` in equal parts; odd points go one by one in the order given."""
    for seat, part in equal_shares(abs(total), seats).items():
        change[seat] += part if total >= 0 else -part


def starting_points(night: Night, seat: str) -> int:
    """Return the points that `seat` was given by coming late or back: 0 for whoever played every round."""
    return night.points.get(seat, 0) - sum(one.change.get(seat, 0) for one in night.deals)


def is_over(night: Night) -> bool:
    """Return whether the end that the house rules set is reached (RULES G8)."""
    if night.house_rules.game == "deals":
        return len(night.deals) >= night.house_rules.game_deals
    if night.house_rules.game == "target":
        return max(night.points.values(), default=0) >= night.house_rules.game_target
    return False
