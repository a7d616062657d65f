"""Tables as CSV text for spreadsheets."""

import csv
import io
from collections.abc import Iterable, Sequence

DANGEROUS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r", "\n")
"""Signs with which a cell begins that a spreadsheet takes for a formula; some take the full-width ones for it, too."""
BOM = "\ufeff"
"""Tells spreadsheets that a CSV file is UTF-8."""


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV; no cell of it can be taken for a formula."""
    sheet = io.StringIO()
    csv.writer(sheet, lineterminator="\r\n").writerows([safe(cell) for cell in row] for row in rows)
    return sheet.getvalue()


def safe(cell: object) -> object:
    """Return a cell that no spreadsheet runs: text that begins like a formula gets an apostrophe; numbers stay."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(DANGEROUS) else cell
