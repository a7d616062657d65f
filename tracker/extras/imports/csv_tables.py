"""Tables of other programs: read as programs and spreadsheets of any language write them."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice

from tracker.extras._night_files.json_text import UnreadableError
from tracker.extras._spreadsheets import BOM, NOT_TEXT, safe

DELIMITERS = ",;\t|"


def rows_of(text: str) -> list[list[str]]:
    """Return the rows of a table that are not empty, without the columns that are; none for a text that is no table.

    What parts the cells is told by a line `sep=`, else by the line among the first that has most of it. Raises
    UnreadableError for a table whose quotes don't fit.
    """
    text = text.removeprefix(BOM)
    said = re.match(r'"?sep=(.)"?\s*?(?:\r\n|\n|\r)', text, re.IGNORECASE)
    text = text[said.end() :] if said else text
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=said[1] if said else _delimiter(text))
        rows = [[unguarded(cell.strip()).strip() for cell in row] for row in reader]
    except csv.Error:
        raise UnreadableError("this table can’t be read: a quotation mark is missing") from None
    rows = [row for row in rows if any(row)]
    width = max((place for row in rows for place, cell in enumerate(row, 1) if cell), default=0)
    return [row[:width] for row in rows] if width > 1 else []


def _delimiter(text: str) -> str:
    """Return what parts the cells of a table: what makes the most of them in its first rows, and fits its quotes."""
    counts = {one: (_columns(text, one, is_strict=True), _columns(text, one, is_strict=False)) for one in DELIMITERS}
    return max(counts, key=lambda one: counts[one])


def _columns(text: str, delimiter: str, *, is_strict: bool) -> int:
    """Return how many columns the first rows have; 0 where the quotes don't fit, if that is asked for strictly."""
    reader = csv.reader(io.StringIO(text[:20_000], newline=""), delimiter=delimiter, strict=is_strict)
    try:
        return max((len(row) for row in islice(reader, 5)), default=0)
    except csv.Error:
        return 0


def unguarded(cell: str) -> str:
    """Return a cell without the apostrophe by which a program has kept it from being a formula."""
    return cell[1:] if cell.startswith("'") and (safe(cell[1:]) != cell[1:] or NOT_TEXT.fullmatch(cell[1:])) else cell


# Numbers

_NUMBER = re.compile(r"(?P<minus>-)?\s*(?P<digits>\d[\d.,']*|[.,]\d+)")
_SPACES = str.maketrans({" ": "", "\u00a0": "", "\u202f": "", "\u2009": "", "’": "'", "−": "-", "–": "-", "\u200e": ""})


def numbers_in(cells: Iterable[str], decimals: int | None = None) -> Iterator[Fraction | None]:
    """Yield each cell's number, whatever its sign for decimals; None for no number. `decimals` is the currency's."""
    listed = [*cells]
    sign = _decimal_sign(listed, decimals)
    return (_number(cell, sign) for cell in listed)


def _bare(cell: str) -> str:
    """Return a number without spaces, currency and brackets, which stand for a minus; empty where it is no number."""
    text = cell.translate(_SPACES)
    text = re.sub(r"^\((.*)\)$", r"-\1", text)
    text = re.sub(r"^(-?)(?:[^\W\d_]{1,4}|[€$£¥₩₹₺₽฿₫₴]|[A-Z]{0,3}\$)\.?(-?)(?=[\d.,])", r"\1\2", text)
    text = re.sub(r"(?<=\d)(?:[^\W\d_]{1,4}|[€$£¥₩₹₺₽฿₫₴])\.?$", "", text)
    text = re.sub(r"^(.*\d)-$", r"-\1", text).removeprefix("+")
    return text if _NUMBER.fullmatch(text) and not re.search(r"\de\d", cell, re.IGNORECASE) else ""


def _decimal_sign(cells: Iterable[str], decimals: int | None) -> str:
    """Return the sign before decimals: the last of two signs, or one that can't stand before thousands."""
    unsure = ""
    for cell in cells:
        signs: list[str] = re.findall(r"[.,]", bare := _bare(cell))
        if len(set(signs)) == 2:
            return signs[-1]
        if len(signs) > 1:
            return "," if signs[0] == "." else "."
        if signs and not re.fullmatch(r"-?[1-9]\d{0,2}[.,]\d{3}", bare):
            return signs[0]
        unsure = unsure or "".join(signs)
    if not unsure or decimals == 3:
        return unsure or "."
    return "," if unsure == "." else "."


def _number(cell: str, sign: str) -> Fraction | None:
    bare = _bare(cell)
    whole, _, rest = bare.partition(sign)
    group = "," if sign == "." else "."
    if not bare or group in rest or sign in rest or len(bare) > 40:
        return None
    if not re.fullmatch(rf"-?(\d*|\d{{1,3}}([{group}']\d{{2,3}})+)", whole):
        return None
    digits = re.sub(rf"[{group}']", "", whole)
    return Fraction(f"{digits if digits not in ('', '-') else digits + '0'}.{rest or '0'}")
