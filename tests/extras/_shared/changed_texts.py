"""Texts from outside that are changed at random, for tests that no page breaks by one."""

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from tracker.extras._night_files.codes import pack
from tracker.formats.evening import moment_of

HALF = "\ud800"
ODD: Sequence[Any] = (
    HALF, f"a{HALF}b", "\udfff", "", " ", "\x00", "\u202e", "x" * 5000, -1, 0, 10**30, 1.5, 1e300, True, None, [], {},
    [[]], {"a": HALF}, {HALF: 1}, "0001-01-01", "9999-12-31T23:59:59Z", "1969-01-01T00:00:00Z", "2026-W48-4", "bank",
    "../x", "=1+1", [HALF], {"kind": "undo", "event": 1}, "2026-11-20T20:15:00+99:99", "\u0661",
)  # fmt: skip
"""What stands for a value, or for a key."""
DATES = [one for one in ODD if isinstance(one, str) and moment_of(one) is None]


def mutated(value: Any, chance: Random, odd: Sequence[Any] = ODD) -> Any:
    """Return a value with one part of it replaced by something odd, removed or given another key."""
    whole = json.loads(json.dumps(value))
    places = [*_places(whole)]
    at, key = chance.choice(places)
    what = chance.randrange(4)
    if what == 0 and isinstance(at, dict):
        at[chance.choice([one for one in odd if isinstance(one, str)])] = at.pop(key)
    elif what == 1 and isinstance(at, dict):
        del at[key]
    else:
        at[key] = chance.choice(odd)
    return whole


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from _places(value[key])


def as_code(mark: str, value: Any, dictionary: bytes) -> str:
    return mark + pack(json.dumps(value).encode(), dictionary)
