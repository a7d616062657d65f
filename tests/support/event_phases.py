"""The phases of a night in which each kind of event may happen, by game."""

from typing import Any

from support.core_nights import CoreNight

POT_PHASES = ("lobby", "dummy", "play", "showdown", "ended")
ALWAYS = {"lobby", "dummy", "play", "showdown"}
BETWEEN = {"lobby", "showdown"}
NEVER: set[str] = set()
"""Of what only other boards have."""
POT_EVENTS: dict[str, tuple[dict[str, Any], set[str]]] = {
    "sit": ({"seat": "new", "name": "New"}, ALWAYS),
    "leave": ({"seat": "e"}, ALWAYS),  # E came last and waits for the next hand
    "order": ({"seats": ["b", "a", "c", "e"]}, BETWEEN),
    "end": ({}, BETWEEN),
    "paid": ({"source": "a", "target": "b", "cents": 1}, {"ended"}),
    "count": ({"stacks": {"a": 1}}, ALWAYS),
    "buy": ({"seat": "a", "chips": 1}, ALWAYS),
    "borrow": ({"seat": "a", "source": "b", "chips": 1}, ALWAYS),
    "repay": ({"seat": "b", "holder": "a", "chips": 1}, ALWAYS),
    "move": ({"source": "a", "target": "jackpot", "chips": 1}, ALWAYS),
    "hand": ({"dealer": "b"}, BETWEEN),
    "exchange": ({}, {"dummy"}),
    "bid": ({"seat": "b", "chips": 1}, {"dummy"}),
    "pass": ({"seat": "b"}, {"dummy"}),
    "sale": ({"buyer": "b", "price": 1}, {"dummy"}),
    "no-sale": ({}, {"dummy"}),
    "collect": ({"seat": "a", "pot": "king-clubs"}, {"dummy", "play", "showdown"}),
    "penalty": ({"seat": "a", "offence": "wrong-lead"}, {"play", "showdown"}),
    "out": ({"seat": "a", "cards": {"b": 1, "c": 1}}, {"play"}),
    "held": ({"pot": "jack-spades", "seat": "a", "offender": "c"}, {"showdown"}),
    "poker": ({"winners": ["a"]}, {"showdown"}),
    "abandon": ({}, {"dummy", "play"}),
    "share": ({"pot": "seven-eight-nine", "seats": ["b", "a"]}, {"dummy", "play", "showdown"}),
    "place": ({"seat": "a", "pots": {"jack-spades": 1}}, NEVER),
    "go-on": ({}, NEVER),
    "bet": ({"seat": "a", "chips": 1}, NEVER),
    "turn-up": ({"pot": "jack-spades"}, NEVER),
    "fine": ({"seat": "a"}, NEVER),
    "due": ({"seat": "a", "due": "spin"}, NEVER),
    "left": ({"seat": "b", "pot": "jack-spades"}, NEVER),
    "sweep": ({"seat": "a"}, NEVER),
}


def check_in_phase(night: CoreNight, kind: str, fields: dict[str, Any], phases: set[str]) -> None:
    """An event happens in its phases, and is refused in a sentence in all others."""
    phase = night.night.phase
    if phase not in phases:
        codes = {"wrong-moment"} if phases else {"wrong-moment", "not-allowed", "unknown"}
        assert night.refusal(kind, **fields).code in codes, kind
        return
    night.record(kind, **fields)
    if phases == ALWAYS:  # what may happen at any time is no step of the hand
        assert night.night.phase == phase, kind
