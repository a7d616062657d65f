"""The phases of a night in which each kind of event may happen, by game."""

from typing import Any

POT_PHASES = ("lobby", "dummy", "play", "showdown", "ended")


SCORE_PHASES = ("lobby", "play", "ended")


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
    "collect": ({"seat": "a", "pot": "king-clubs"}, {"play", "showdown"}),
    "penalty": ({"seat": "a", "offence": "wrong-lead"}, {"play", "showdown"}),
    "out": ({"seat": "a", "cards": {"b": 1, "c": 1}}, {"play"}),
    "held": ({"pot": "jack-spades", "seat": "a", "offender": "c"}, {"showdown"}),
    "poker": ({"winners": ["a"]}, {"showdown"}),
    "abandon": ({}, {"dummy", "play"}),
    "share": ({"pot": "seven-eight-nine", "seats": ["b", "a"]}, {"play", "showdown"}),
    "place": ({"seat": "a", "pots": {"jack-spades": 1}}, NEVER),
    "go-on": ({}, NEVER),
    "bet": ({"seat": "a", "chips": 1}, NEVER),
    "turn-up": ({"pot": "jack-spades"}, NEVER),
    "fine": ({"seat": "a"}, NEVER),
    "due": ({"seat": "a", "due": "spin"}, NEVER),
    "left": ({"seat": "b", "pot": "jack-spades"}, NEVER),
    "sweep": ({"seat": "a"}, NEVER),
}


ROUND_EVENTS: dict[str, tuple[dict[str, Any], set[str]]] = {
    "sit": ({"seat": "new", "name": "New"}, {"lobby", "play"}),
    "leave": ({"seat": "a"}, {"lobby", "play"}),
    "order": ({"seats": ["b", "a"]}, {"lobby", "play"}),
    "end": ({}, {"lobby", "play"}),
    "paid": ({"source": "a", "target": "b", "cents": 1}, {"ended"}),
    "count": ({"stacks": {"a": 1}}, {"lobby", "play"}),
    "round": ({"winner": "a"}, {"lobby", "play"}),
    "reverse": ({}, {"lobby", "play"}),
}


POINTS_EVENTS: dict[str, tuple[dict[str, Any], set[str]]] = {
    **{kind: ROUND_EVENTS[kind] for kind in ("sit", "leave", "order", "end", "paid", "count")},
    "scores": ({"points": {"a": 3, "b": -5}}, {"lobby", "play"}),
}


RUM_EVENTS: dict[str, tuple[dict[str, Any], set[str]]] = {
    **{kind: ROUND_EVENTS[kind] for kind in ("sit", "leave", "order", "end", "paid", "count")},
    "penalty": ({"seat": "a", "offence": "false-rummy"}, {"lobby", "play"}),
    "rummy": ({"seat": "a", "hands": {"b": 5}}, {"lobby", "play"}),
    "stock-out": ({"hands": {"a": 3, "b": 5}}, {"lobby", "play"}),
}


SCORE_EVENTS = {"rounds": ROUND_EVENTS, "rum": RUM_EVENTS, "points": POINTS_EVENTS}
"""The events of each score game that has no test of this of its own."""
