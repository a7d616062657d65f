"""Values and events that a file may hold: of any kind, or nearly right."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from hypothesis import strategies as st

from tracker.core.events import KINDS

SEATS = st.sampled_from(["ann", "bob", "c", "bank", "jackpot", "nobody", ""])
SMALL = st.integers(0, 50) | st.sampled_from([-1, 1_000_000, 1_000_001])
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=20) | SEATS | SMALL,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8) | SEATS, inner, max_size=4),
    max_leaves=12,
)
CARDS = st.lists(st.sampled_from(["KH", "7C", "JK", "10S", "AH", "2H", "3H", "1H", "", "h"]), max_size=5)
HANDS = st.dictionaries(
    SEATS, SMALL | st.fixed_dictionaries({}, optional={"cards": CARDS, "sequences": st.lists(CARDS)})
)
LIKELY: dict[str, st.SearchStrategy[Any]] = {
    "name": st.text(max_size=45),
    "chips": SMALL,
    "price": SMALL,
    "jokers": SMALL,
    "cards": st.dictionaries(SEATS, SMALL),
    "stacks": st.dictionaries(SEATS, SMALL),
    "cover": st.dictionaries(SEATS, SEATS),
    "hands": HANDS,
    "seats": st.lists(SEATS),
    "winners": st.lists(SEATS),
    "sits_out": st.lists(SEATS),
    "suit": st.sampled_from(["C", "D", "H", "S", "x"]),
    "offence": st.sampled_from(["wrong-lead", "withheld-card", "false-rummy", "x"]),
    "event": st.integers(-1, 9) | st.sampled_from(["x1", "x2", ""]),
    "change": st.dictionaries(st.sampled_from(["chips", "seat", "name", "hands", "x"]), VALUES, max_size=2),
    "why": st.text(max_size=210),
    "one_turn": st.booleans(),
    "pot": st.sampled_from(["jackpot", "poker", "king-clubs", "kitty", "x"]),
}
LABELS = {"id": st.sampled_from(["x1", "x2", "x3", ""]), "by": st.text(max_size=5), "at": VALUES}


@st.composite
def likely_events(draw: st.DrawFn) -> dict[str, Any]:
    """Events that are nearly right: known kinds and fields, mostly with values of their sort."""
    kind = draw(st.sampled_from(sorted(KINDS)))
    raw: dict[str, Any] = {"kind": kind}
    for one in fields(KINDS[kind]):
        if draw(st.integers(0, 9)) < 9:
            raw[one.name] = draw(VALUES if draw(st.integers(0, 9)) == 0 else LIKELY.get(one.name, SEATS))
    for label, values in LABELS.items():
        if draw(st.integers(0, 9)) == 0:
            raw[label] = draw(values)
    return raw


def expect_outcome(work: Callable[[], Any], *known: type[Exception]) -> Any:
    """Return what `work` gives, or the refusal it raises: one of the known kinds, and in words."""
    try:
        return work()
    except known as refusal:
        if not str(refusal):
            raise
        return refusal
