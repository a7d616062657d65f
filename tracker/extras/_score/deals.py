"""What score games have in common: a deal written down, its points added up, and the end that a table may have set."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from tracker.core.apply import leave, sit
from tracker.core.errors import NotAllowed
from tracker.core.events import Leave, Sit
from tracker.core.game import GAMES, Handler
from tracker.core.night import ENDED, PLAY, Night, Settled
from tracker.core.settlement import equal_shares


def require_two_people(night: Night, _event: object = None) -> None:
    """Raise NotAllowed for a round that one person plays alone."""
    if len(night.seats) < 2:
        raise NotAllowed("a round needs at least two people")


def with_deal(night: Night, deal: Settled, **changes: Any) -> Night:
    """Return the night after one more deal, its points added; it is over where the table's own end is reached."""
    points = {**night.points}
    for seat, gained in deal.change.items():
        points[seat] = points.get(seat, 0) + gained
    made = {"hand": night.hand + 1, "deals": (*night.deals, deal), "points": points, **changes}
    after = replace(night, phase=PLAY, faults=(), newcomers=frozenset(), last_transfers=(), **made)
    return replace(after, phase=ENDED) if is_over(after) else after


# Who comes late, leaves, or comes back: the points to begin with decide who wins, and move no money


def with_late_comers(handlers: Mapping[str, Handler]) -> Mapping[str, Handler]:
    """Return the handlers of a game after whose events everybody who waits has the points to begin with."""
    known = {**handlers, "sit": Handler(_sit), "leave": Handler(_leave)}
    return {kind: handler._replace(play=_and_first_points(handler)) for kind, handler in known.items()}


def _and_first_points(handler: Handler) -> Callable[[Night, Any], Night]:
    return lambda night, event: _with_first_points(handler.play(night, event))


def _sit(night: Night, event: Sit) -> Night:
    """Seat a person as in every game; one who has missed a round since the last one played is known by the own sum."""
    after = sit(night, event)
    since = takewhile(lambda one: event.seat not in one.change, reversed(night.deals))
    if event.seat not in night.players or all(event.seat in one.there for one in since):
        return after
    return replace(after, returned={**night.returned, event.seat: night.points[event.seat]})


def _leave(night: Night, event: Leave) -> Night:
    """Leave the table as in every game; one who came back and has not played again keeps the own sum."""
    after = leave(night, event)
    if event.seat not in night.returned:
        return after
    left = {seat: own for seat, own in night.returned.items() if seat != event.seat}
    return replace(after, returned=left, points={**night.points, event.seat: night.returned[event.seat]})


def returned_after(night: Night, deal: Settled) -> dict[str, int]:
    """Return the own sums of who is back or has missed `deal`, the newest one, until the next one that they play."""
    missed = [seat for seat in night.seats if seat in night.players and seat not in deal.there]
    returned = {seat: night.points[seat] for seat in missed} | dict(night.returned)
    return {seat: own for seat, own in returned.items() if seat not in deal.change}


def _with_first_points(night: Night) -> Night:
    """Return the night with what everybody who has come late and waits, or has come back, would begin with now.

    That is 0 for who has left, and of the own sum and what a newcomer would get the worse one for who has come back.
    Who has only paused since the first round has come in time, and begins with 0.
    """
    game = GAMES[night.preset.game]
    players = (seat for seat in night.seats if seat in night.players and seat not in night.returned)
    sums = [night.points[seat] for seat in players if not game.is_out(night, seat)]
    first, worse = game.first_points(night, sums) if sums else 0, max if game.fewest_win(night.preset) else min
    in_time = night.deals[0].there if night.deals else ()
    late = [seat for seat in night.all_seats if seat not in night.players and seat not in in_time]
    waiting = {seat: first if seat in night.seats else 0 for seat in late}
    waiting |= {seat: worse(own, first) for seat, own in night.returned.items()}
    return replace(night, points={**night.points, **waiting}) if waiting else night


def share(change: dict[str, int], seats: Sequence[str], total: int) -> None:
    """Add `total` to `seats` in equal parts; odd points go one by one in the order given."""
    for seat, part in equal_shares(abs(total), seats).items():
        change[seat] += part if total >= 0 else -part


def is_over(night: Night) -> bool:
    """Return whether the end that the house rules set is reached (RULES G8)."""
    if night.house_rules.game == "deals":
        return len(night.deals) >= night.house_rules.game_deals
    if night.house_rules.game == "target":
        return max(night.points.values(), default=0) >= night.house_rules.game_target
    return False
