"""Text that comes from outside: printable, short enough, and JSON as strict readers read it; text for spreadsheets."""

import codecs
import json
import re
import unicodedata
from math import isfinite
from typing import Any

from tracker.core.errors import Fault, Malformed, TableError

LONGEST_TEXT, LARGEST_FILE = 1000, 4_000_000
"""In characters."""
DEEPEST = 30
FEWEST_VALUES, CHARACTERS_A_VALUE = 10_000, 6
"""A text may always have so many values; one of the greatest length has no more than one in so many characters. Each
takes some hundred bytes of memory: `[],[],…` has seven times as many as any night."""
UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, TableError)
"""What reading a stored text may raise when it is not what was written."""
HALF_CHARACTER = re.compile(r"[\ud800-\udfff]|\\u[dD][89a-fA-F]")
"""A surrogate or its escape: two of them are a character, one alone is refused by every encoder."""
_DIRECTION = "\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"


class UnreadableError(Malformed):
    """The text is no night or preset: it can't be read, or its frame is wrong."""


def clean_text(text: object, longest: int) -> str:
    """Return printable text of at most `longest` characters, in normal form; ValueError says what is wrong."""
    if len(whole_string(text)) > 4 * LONGEST_TEXT:
        raise Malformed("must have at most {longest} characters, not {count}", longest=longest, count=len(str(text)))
    return printable(unicodedata.normalize("NFC", whole_string(text)).strip(), longest)


def typed_line(text: str, longest: int) -> str:
    """Return what somebody typed as one line in normal form, cut to its length; empty where nothing can show it."""
    line = unicodedata.normalize("NFC", " ".join(text.split()))[:longest].strip()
    try:
        return clean_text(line, longest)
    except Malformed:
        return ""


def printable(text: object, longest: int = LONGEST_TEXT) -> str:
    """Return text as it came if it is short enough and nothing in it is unseen; ValueError says what is wrong."""
    whole = whole_string(text)
    if len(whole) > longest:
        raise Malformed("must have at most {longest} characters, not {count}", longest=longest, count=len(whole))
    if not whole.isprintable() and any(  # which takes a hundredth of the time
        unicodedata.category(char) in ("Cc", "Cs", "Co", "Cn") or char in _DIRECTION for char in whole
    ):
        raise Malformed("must not hold control characters")
    return whole


_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i"})
"""Letters that Unicode does not take apart, as it does `é`."""


def without_marks(text: str) -> str:
    """Return text in small letters without their marks, as people type it who have no such keys: `jurgen`."""
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold()).translate(_LETTERS)
    return "".join(char for char in parts if not unicodedata.combining(char))


def name_order(text: str) -> tuple[str, str, str]:
    """Return what sorts names as an alphabet does, whatever their case; a letter with marks stands beside the bare."""
    return without_marks(text), text.casefold(), text


def slug(text: str, longest: int) -> str:
    """Return text as small ASCII letters, digits and dashes; empty when none of it can be written so."""
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss")).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:longest].strip("-")


def file_name(text: str) -> str:
    """Return a text as a file name that every system takes."""
    return slug(text, 80) or "night"


def whole_string(value: object) -> str:
    if not isinstance(value, str):
        raise Malformed("must be text, not {value}", value=brief(value))
    return value


def brief(value: object) -> str:
    """Return a value as JSON, cut short: what a sentence about a fault can show."""
    shown = json.dumps(value, default=str)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def decoded(raw: bytes) -> str:
    """Return the text of a file in UTF-8, or UTF-16 as some systems write. Raises UnicodeDecodeError."""
    encoding = "utf-8-sig"
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif raw[:200].count(0) * 3 > len(raw[:200]):
        encoding = "utf-16-le" if raw[1:2] == b"\0" else "utf-16-be"
    return raw.decode(encoding)


def json_value(text: str, longest: float = LARGEST_FILE) -> Any:
    """Return what a JSON text says, refusing what a strict reader refuses; UnreadableError says why."""
    if len(text) > longest:
        raise UnreadableError("the file is larger than {most} characters", most=f"{longest:,}")
    # Counted before anything is built; signs within texts count too.
    if sum(map(text.count, "[{,")) > max(FEWEST_VALUES, longest / CHARACTERS_A_VALUE):
        raise UnreadableError("the file is nested too deeply, or holds far more lists and values than any night")
    try:
        value = json.loads(
            text.removeprefix("\ufeff"),
            parse_constant=_refuse_constant,
            parse_int=_number,
            parse_float=_finite,
            object_pairs_hook=_distinct_keys,
        )
    except RecursionError:
        raise UnreadableError("the file is nested too deeply") from None
    except json.JSONDecodeError as error:
        where = {"line": error.lineno, "column": error.colno, "what": error.msg}
        raise UnreadableError("this is not JSON: line {line}, column {column} ({what})", **where) from None
    except ValueError as error:
        why = error if isinstance(error, Malformed) else Fault("it can’t be read")
        raise UnreadableError("this is not JSON: {why}", why=why) from None
    if _is_deeper_than(DEEPEST, value):
        raise UnreadableError("the file is nested too deeply")
    if HALF_CHARACTER.search(text) and not _is_encodable(value):
        raise UnreadableError("the file holds half a character, which nothing can show")
    return value


def _refuse_constant(word: str) -> None:
    raise Malformed("{word} is no number here", word=word)


def _finite(number: str) -> float:
    if not isfinite(found := float(number)):
        raise Malformed("{word} is no number here", word=number[:40])
    return found


def _is_encodable(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _number(digits: str) -> int:
    # Nothing here goes beyond a million, and thousands of digits would take long to read, if they may be read at all.
    return int(digits[:40])


def _distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise Malformed("the key {key} stands twice in one object", key=brief(key))
        found[key] = value
    return found


def _is_deeper_than(most: int, value: object) -> bool:
    level = [value]
    for _ in range(most):
        nested = (one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list))
        level = [inner for one in nested for inner in one if isinstance(inner, dict | list)]
    return bool(level)


# For spreadsheets

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
