"""All nights as tables: their people, and what other extras add."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tracker import extras
from tracker.extras._night_lists import NIGHT_COLUMNS, night_cells
from tracker.extras._night_summaries.night_summary import NightSummary
from tracker.extras._people import People
from tracker.extras._spreadsheets import BOM, NOT_TEXT, safe

Rows = Iterator[Sequence[object]]
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}
"""What may be between the cells that we write."""


def csv_text(rows: Iterable[Sequence[object]], delimiter: str = ",") -> str:
    """Return rows as CSV for a spreadsheet; each `str` is quoted and can't be taken for a formula."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerows([_as_text(cell) for cell in row] for row in rows)
    return BOM + sheet.getvalue()


def _as_text(cell: object) -> object:
    shown = safe(cell)
    is_taken = isinstance(cell, str) and NOT_TEXT.fullmatch(cell.strip()) and not str(shown).startswith("'")
    return f"'{shown}" if is_taken else shown


def night_rows(summaries: Iterable[NightSummary], people: People) -> Rows:
    """Yield the names of the columns, then a row for each person of each night; the net is in chips or points.

    `hands` are those that were finished. `place` is that of the night's ranking, equal results the same; nothing for
    somebody who has no part in it. `known as` is what the person of a seat is called today, `open cents` what of the
    settlement is not ticked off. A cent is the smallest unit of money: 10 to the power of `decimals` of them are one
    whole.
    """
    about = ["ended", "hands", "chips", "worth cents"]
    columns = ["person", "known as", "hands dealt in", "net", "cents", "open cents", "won", "place", "decimals"]
    yield [*NIGHT_COLUMNS, *about, *columns]
    for one in summaries:
        chips, cents = one.money if one.money[1] else ("", "")
        for seat in one.seats:
            won = int(one.is_over and seat.seat in one.winners)
            night = [*night_cells(one), int(one.is_over), one.hands, chips, cents]
            person = people.person_of(one.code, seat.seat)
            open_ = sum(due.cents for due in one.unpaid if seat.seat in (due.source, due.target))
            sums = [seat.cents, open_] if one.money[1] else ["", ""]
            figures = [seat.hands, seat.net, *sums, won, seat.place or "", one.decimals]
            yield [*night, seat.name, person.name if person else "", *figures]


TABLES: Mapping[str, Callable[[Iterable[NightSummary], People], Rows]] = {
    "nights": night_rows,
    **{name: rows for module in extras.modules("export_tables") for name, rows in module.TABLES.items()},
}
"""By name, what makes each table; a module `export_tables` of an extra has more."""
