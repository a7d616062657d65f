"""The ladder of a club: the nights of all tables whose hosts agreed to be in it, and what each seat gets for one.

People are told apart by their names alone: most of them are guests of a host, of whom the house keeps no list.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from tracker.app.person_names import comparison_key
from tracker.archive.night_summary import NightSummary, SeatSummary
from tracker.archive.statistics import NO_ONE, PlayedNight, Unit, played_nights

POINTS, CHIPS = "points", "chips"
KINDS = (POINTS, CHIPS)
"""What a host may agree to: points by the places at the table, or the chips won and lost, whatever they are worth."""
LADDER_POINTS = Unit("points", game="ladder")


def ladder_nights(summaries: Sequence[NightSummary], kind: str) -> list[PlayedNight]:
    """Return the nights that count in a ladder, the oldest first, with each seat's result as it counts there."""
    known = {(one.code, seat.seat): person_of(seat) for one in summaries for seat in one.seats}
    played = played_nights((replace(one, money=(1, 0)) for one in summaries), lambda code, seat: known[code, seat])
    if kind == CHIPS:
        return [night for night in played if night.unit.kind == "chips"]
    return [replace(night, unit=LADDER_POINTS, summary=_with_points(night)) for night in played]


def standings(nights: Sequence[PlayedNight]) -> list[tuple[str, int]]:
    """Return everybody of these nights by name, with the sum of the results, who has most first."""
    names, sums = dict[str, str](), Counter[str]()
    for night in nights:
        for seat, person in zip(night.summary.seats, night.people, strict=True):
            if person != NO_ONE:
                names[person] = seat.name
                sums[person] += seat.net if night.unit.kind == "chips" else seat.score
    return sorted(((names[person], total) for person, total in sums.items()), key=lambda one: (-one[1], one[0]))


def person_of(seat: SeatSummary) -> str:
    """Return by what somebody is known in a ladder: the name, however it is written."""
    return comparison_key(seat.name)


def _with_points(night: PlayedNight) -> NightSummary:
    """Return a night's summary with ladder points for scores: two for each who did worse, one for each as good."""
    summary = night.summary
    ranks = [(seat.seat in summary.winners, seat.net) for seat in summary.seats]
    there = [rank for rank, person in zip(ranks, night.people, strict=True) if person != NO_ONE]
    points = [2 * sum(one < rank for one in there) + there.count(rank) - 1 for rank in ranks]
    seats = (seat._replace(score=score) for seat, score in zip(summary.seats, points, strict=True))
    return replace(summary, seats=tuple(seats))
