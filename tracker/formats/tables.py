"""Tables as CSV, written so that spreadsheets of any language open them as what they are."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

BOM = "\ufeff"
"""Tells spreadsheets that a CSV file is UTF-8."""
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}
"""What may be between the cells that we write."""

SIGNS = r"=+\-@\uff1d\uff0b\uff0d\uff20"
"""With which a cell begins that a spreadsheet takes for a formula; some take the full-width ones for it, too."""
_FORMULA = re.compile(rf"(?:^|(?<=[,;|\t\r\n]))(?=[\s\"']*[{SIGNS}])|^(?=[\t\r\n])")
"""Where a formula could begin: with the cell, or behind what another spreadsheet takes for the end of a cell."""
_MONTH = (
    r"(?:jan|feb|f[eé]v|m[aä]r|apr|abr|avr|ma[iy]|mayo|jun|juin|jul|juil|aug|ago|ao[uû]|sep|o[ck]t|nov|d[eé][cz]|dic|ene)"
    r"[a-zéûä]*\.?"
)
NOT_TEXT = re.compile(
    r"[\s\d.,:/'’%€$£-]*\d[\s\d.,:/'’%€$£-]*(?:e[+-]?\d+)?(?:\s*[ap]m?)?"
    rf"|\d+\.?[\s-]*(?:de\s)?{_MONTH}(?:[\s-]*\d+)?|{_MONTH}[\s-]*\d+(?:,?\s*\d+)?"
    "|true|false|wahr|falsch|vrai|faux|verdadero|falso",
    re.IGNORECASE,
)
"""Text that a spreadsheet of one of our languages takes for a number, a date, a time or a truth value."""


def csv_text(rows: Iterable[Sequence[object]], delimiter: str = ",") -> str:
    """Return rows as CSV for a spreadsheet: text stays text there, and no cell can be taken for a formula.

    Every cell is in quotes. Cells that are no `str`, as numbers and days, stay what they are.
    """
    sheet = io.StringIO()
    writer = csv.writer(sheet, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerows([_as_text(cell) for cell in row] for row in rows)
    return BOM + sheet.getvalue()


def safe(cell: object) -> object:
    """Return a cell that no spreadsheet runs: text gets an apostrophe where a formula could begin; numbers stay."""
    return _FORMULA.sub("'", cell) if isinstance(cell, str) else cell


def _as_text(cell: object) -> object:
    shown = safe(cell)
    is_taken = isinstance(cell, str) and NOT_TEXT.fullmatch(cell.strip()) and not str(shown).startswith("'")
    return f"'{shown}" if is_taken else shown
