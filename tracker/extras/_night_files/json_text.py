"""JSON from outside, as strict readers read it, and the encodings in which systems write it."""

import codecs
import json
import re
from math import isfinite
from typing import Any

from tracker.core.errors import Fault, Malformed
from tracker.formats.night_file import LARGEST_FILE
from tracker.formats.text import brief

DEEPEST = 30
FEWEST_VALUES, CHARACTERS_A_VALUE = 10_000, 6
"""A text may always have so many values; one of the greatest length has no more than one in so many characters. Each
takes some hundred bytes of memory: `[],[],…` has seven times as many as any night."""
HALF_CHARACTER = re.compile(r"[\ud800-\udfff]|\\u[dD][89a-fA-F]")
"""A surrogate or its escape: two of them are a character, one alone is refused by every encoder."""


class UnreadableError(Malformed):
    """The text is no night or preset: it can't be read, or its frame is wrong."""


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
