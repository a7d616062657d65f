"""Text for spreadsheets: what one of them would run, or take for a number. No extra itself."""

import re

BOM = "\ufeff"
"""Tells spreadsheets that a CSV file is UTF-8."""
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


def safe(cell: object) -> object:
    """Return a cell that no spreadsheet runs: text gets an apostrophe where a formula could begin; numbers stay."""
    return _FORMULA.sub("'", cell) if isinstance(cell, str) else cell
