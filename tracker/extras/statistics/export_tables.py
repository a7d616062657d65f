"""Tables of all nights to be exported: their hands, and the pots that were taken."""

from collections.abc import Iterable, Iterator, Sequence

from tracker.extras._night_lists import NIGHT_COLUMNS, night_cells
from tracker.extras._night_summaries.night_summary import NightSummary
from tracker.extras._people import People
from tracker.extras.statistics.details import full, rows_of

Rows = Iterator[Sequence[object]]


def hand_rows(summaries: Iterable[NightSummary], _people: People) -> Rows:
    """Yield the names of the columns, then a row for each hand, or for each of several winners of a deal.

    Who counts hands counts different pairs of `code` and `hand`.
    """
    yield [*NIGHT_COLUMNS, "hand", "dealer", "winner"]
    for one in summaries:
        for end in rows_of(one).hands:
            yield [*night_cells(one), end.hand, _name(one, end.dealer), _name(one, end.winner)]


def pot_rows(summaries: Iterable[NightSummary], _people: People) -> Rows:
    """Yield the names of the columns, then a row for each pot that was taken, or for each of those who shared it."""
    yield [*NIGHT_COLUMNS, "hand", "pot", "person", "chips", "grown over hands", "shared by"]
    for one in summaries:
        pots = full(one).figures.pots
        for pot in rows_of(one).taken:
            person = _name(one, pot.seat)
            yield [*night_cells(one), pot.hand, pots[pot.pot].name, person, pot.chips, pot.grown, pot.sharers]


TABLES = {"hands": hand_rows, "pots": pot_rows}


def _name(one: NightSummary, place: int) -> str:
    """Return the name of the seat at a place; empty for nobody."""
    return one.seats[place].name if place >= 0 else ""
