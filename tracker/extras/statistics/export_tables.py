"""Tables of all nights to be exported: their hands, and the pots that were taken."""

from collections.abc import Iterable, Iterator, Sequence

from tracker.archive.night_summary import NightSummary
from tracker.extras._people import People
from tracker.extras.statistics.details import full, rows_of

Rows = Iterator[Sequence[object]]
_NIGHT = ("code", "night", "day", "game")


def hand_rows(summaries: Iterable[NightSummary], _people: People) -> Rows:
    """Yield the names of the columns, then a row for each hand, or for each of several winners of a deal.

    Who counts hands counts different pairs of `code` and `hand`.
    """
    yield [*_NIGHT, "hand", "dealer", "winner"]
    for one in summaries:
        for end in rows_of(one).hands:
            yield [*_night(one), end.hand, _name(one, end.dealer), _name(one, end.winner)]


def pot_rows(summaries: Iterable[NightSummary], _people: People) -> Rows:
    """Yield the names of the columns, then a row for each pot that was taken, or for each of those who shared it."""
    yield [*_NIGHT, "hand", "pot", "person", "chips", "grown over hands", "shared by"]
    for one in summaries:
        pots = full(one).figures.pots
        for pot in rows_of(one).taken:
            person = _name(one, pot.seat)
            yield [*_night(one), pot.hand, pots[pot.pot].name, person, pot.chips, pot.grown, pot.sharers]


TABLES = {"hands": hand_rows, "pots": pot_rows}


def _night(one: NightSummary) -> list[object]:
    return [one.code, one.name, one.evening or "", one.game_name]


def _name(one: NightSummary, place: int) -> str:
    """Return the name of the seat at a place; empty for nobody."""
    return one.seats[place].name if place >= 0 else ""
