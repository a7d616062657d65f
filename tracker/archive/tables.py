"""All nights as tables: their people, their hands, and the pots that were taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tracker.archive.night_summary import NightSummary

Rows = Iterator[Sequence[object]]
_NIGHT = ("code", "night", "day", "game")


def night_rows(summaries: Iterable[NightSummary]) -> Rows:
    """Yield the names of the columns, then a row for each person of each night; the net is in chips or points."""
    yield [*_NIGHT, "ended", "hands", "person", "hands dealt in", "net", "cents", "won"]
    for one in summaries:
        for seat in one.seats:
            won = int(one.is_over and seat.seat in one.winners)
            night = [*_night(one), int(one.is_over), one.hand]
            yield [*night, seat.name, seat.hands, seat.net, seat.cents if one.money[1] else "", won]


def hand_rows(summaries: Iterable[NightSummary]) -> Rows:
    """Yield the names of the columns, then a row for each hand, or for each of several winners of a deal."""
    yield [*_NIGHT, "hand", "dealer", "winner"]
    for one in summaries:
        for end in one.details.hands:
            yield [*_night(one), end.hand, _name(one, end.dealer), _name(one, end.winner)]


def pot_rows(summaries: Iterable[NightSummary]) -> Rows:
    """Yield the names of the columns, then a row for each pot that was taken, or for each of those who shared it."""
    yield [*_NIGHT, "hand", "pot", "person", "chips", "grown over hands", "shared by"]
    for one in summaries:
        for pot in one.details.taken:
            person = _name(one, pot.seat)
            yield [*_night(one), pot.hand, one.details.pots[pot.pot].name, person, pot.chips, pot.grown, pot.sharers]


TABLES: Mapping[str, Callable[[Iterable[NightSummary]], Rows]] = {
    "nights": night_rows,
    "hands": hand_rows,
    "pots": pot_rows,
}
"""By name, what makes each table."""


def _night(one: NightSummary) -> list[object]:
    return [one.code, one.name, one.evening or "", one.game_name]


def _name(one: NightSummary, place: int) -> str:
    """Return the name of the seat at a place; empty for nobody."""
    return one.seats[place].name if place >= 0 else ""
