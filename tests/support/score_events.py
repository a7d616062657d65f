"""Events of score games by their words: tests of the table know them without the extras that declare them."""

from collections.abc import Mapping, Sequence
from typing import Any

from support.of_extras import needs

from tracker.core.events import Event
from tracker.formats.codec import event_from

EXTRA_BY_KIND = {"round": "rounds", "reverse": "rounds", "rummy": "rum", "stock-out": "rum", "scores": "points"}


def event(kind: str, **facts: Any) -> Event:
    """Return an event of that kind; skip the test where no extra declares it."""
    if kind in EXTRA_BY_KIND:
        needs(EXTRA_BY_KIND[kind])
    return event_from({"kind": kind, **facts})


def round_won(winner: str, jokers: int = 0, *, seven_alike: bool = False) -> Event:
    return event("round", winner=winner, jokers=jokers, seven_alike=seven_alike)


def rummy(seat: str, hands: Mapping[str, Any], *, one_turn: bool = False) -> Event:
    return event("rummy", seat=seat, hands=dict(hands), one_turn=one_turn)


def stock_out(hands: Mapping[str, Any]) -> Event:
    return event("stock-out", hands=dict(hands))


def scores(points: Mapping[str, int], sits_out: Sequence[str] = ()) -> Event:
    return event("scores", points=dict(points), sits_out=list(sits_out))
