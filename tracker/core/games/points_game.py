"""A plain score sheet for any card game that is scored in rounds: everybody's points of a round are added up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tracker.core.errors import BadEvent, NotAllowed
from tracker.core.events import Scores
from tracker.core.games.rum_game import is_over, share
from tracker.core.night import ENDED, LOBBY, PLAY, Night, Settled


def scores(night: Night, event: Scores) -> Night:
    """Write down the points of a round. BadEvent unless everybody at the table has some, and nobody else.

    Newcomers without points wait for the next round.
    """
    night.demand(LOBBY, PLAY)
    if len(night.seats) < 2:
        raise NotAllowed("a round needs at least two people")
    for seat in event.points:
        if seat not in night.seats:
            raise BadEvent("{seat} plays no part in this round", seat=night.name(seat), field="points")
    missing = [night.name(seat) for seat in night.seats if seat not in event.points and seat not in night.newcomers]
    if missing:
        raise BadEvent("how many points for {names}?", names=", ".join(missing), field="points")
    if len(event.points) < 2:
        raise NotAllowed("a round needs at least two people")
    points: dict[str, int] = {seat: event.points[seat] for seat in night.seats if seat in event.points}
    if night.house_rules.points_entry == "winner" and sorted(points.values())[-2:] != [0, 1]:
        raise BadEvent("at this table one person wins the round and gets 1 point, the others 0", field="points")
    best = _best(night, list(points.values()))
    round_ = Settled(tuple(seat for seat in points if points[seat] == best), points, (), points)
    totals = {**night.points, **{seat: night.points.get(seat, 0) + gained for seat, gained in points.items()}}
    deals, dealer = (*night.deals, round_), dealer_now(night)
    after = replace(
        night, phase=PLAY, hand=night.hand + 1, dealer=dealer, deals=deals, points=totals, last_transfers=()
    )
    after = replace(after, newcomers=frozenset())
    return replace(after, phase=ENDED) if is_over(after) else after


def _best(night: Night, points: Sequence[int]) -> int:
    return min(points) if night.house_rules.points_wins == "low" else max(points)


def dealer_now(night: Night) -> str | None:
    """Return who deals the present round: the first who sat down, then clockwise; None at an empty table."""
    return night.next_dealer() or next(iter(night.seats), None)


def winners(night: Night) -> list[str]:
    """Return who has the best total of those at the table, clockwise; several on a tie."""
    seats = night.seats or night.all_seats
    totals = {seat: night.points.get(seat, 0) for seat in seats}
    return [seat for seat in seats if totals[seat] == _best(night, list(totals.values()))]


def differences(night: Night) -> dict[str, int]:
    """Return what each seat gets (+) or pays (-) in points; these sum to zero.

    Everybody settles the difference with everybody else, or only with the winners: then odd points go clockwise.
    """
    totals = {seat: night.points.get(seat, 0) for seat in night.all_seats}
    sign = -1 if night.house_rules.points_wins == "low" else 1
    if night.house_rules.points_pay == "each":
        return {seat: sign * (len(totals) * points - sum(totals.values())) for seat, points in totals.items()}
    won = winners(night)
    change = {seat: 0 if seat in won else -abs(points - totals[won[0]]) for seat, points in totals.items()}
    if won:
        share(change, won, -sum(change.values()))
    return change
