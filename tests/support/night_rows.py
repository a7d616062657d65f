"""Sentences of the night format, each with events that it speaks of, and what they make."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from support.replay_command import Raw, final, refusal


def sit(seats: str, **more: Any) -> list[Raw]:
    return [{"kind": "sit", "seat": seat, "name": seat.upper(), **more} for seat in seats]


def event(kind: str, **fields: Any) -> Raw:
    return {"kind": kind, **fields}


HAND, NO_SALE = event("hand", dealer="a"), event("no-sale")
OUT = event("out", seat="b", cards={"a": 0, "c": 0})
PLAY = [*sit("abc"), HAND, NO_SALE]


class Row(NamedTuple):
    sentence: str
    events: list[Raw]
    expected: Mapping[str, Any] | str
    """Parts of the final state, or of the line that says why an event is refused."""
    more: Mapping[str, Any] = {}


def sentence_of(row: Row) -> str:
    return row.sentence


def part(state: Any, path: str) -> Any:
    for name in path.split("."):
        state = state[int(name)] if isinstance(state, list) else state[name]
    return state


def check(row: Row) -> None:
    if isinstance(row.expected, str):
        assert row.expected in refusal(*row.events, **row.more)
        return
    state = final(*row.events, **row.more)
    assert {path: part(state, path) for path in row.expected} == row.expected
