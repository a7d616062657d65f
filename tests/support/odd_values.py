"""Values and events that a file may hold: of any kind, or nearly right."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from support.random_nights import random_event

from tracker.core.night import Night
from tracker.formats.built_in import built_in

SEATS = st.sampled_from(["ann", "bob", "c", "bank", "jackpot", "nobody", ""])
SMALL = st.integers(0, 50) | st.sampled_from([-1, 1_000_000, 1_000_001])
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=20) | SEATS | SMALL,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8) | SEATS, inner, max_size=4),
    max_leaves=12,
)
TEXTS = {"name": st.text(max_size=45), "why": st.text(max_size=210)}
LABELS = {"id": st.sampled_from(["x1", "x2", "x3", ""]), "by": st.text(max_size=5), "at": VALUES}
NIGHT = Night(built_in("michigan-rummy"))


@st.composite
def likely_events(draw: st.DrawFn) -> dict[str, Any]:
    """Events that are nearly right: known kinds and fields, mostly with values of their sort."""
    raw = random_event(NIGHT, draw(st.randoms()))
    for name in [*raw][1:]:
        if (chance := draw(st.integers(0, 9))) == 0:
            del raw[name]
        elif chance == 1 or name in TEXTS:
            raw[name] = draw(VALUES if chance == 1 else TEXTS[name])
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
