"""Text that comes from outside: printable and short enough."""

import json
import re
import unicodedata

from tracker.core.errors import Malformed, TableError

LONGEST_TEXT = 1000
"""In characters."""
UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, TableError)
"""What reading a stored text may raise when it is not what was written."""
_DIRECTION = "\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"


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
