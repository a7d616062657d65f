"""When each kind of event may happen: everywhere else it is refused with a sentence, and nothing changes."""

from __future__ import annotations

from typing import Any

import pytest
from played import Played, rounds, rummy, snake

POT_PHASES = ("lobby", "dummy", "play", "showdown", "ended")
SCORE_PHASES = ("lobby", "play", "ended")

ALWAYS = {"lobby", "dummy", "play", "showdown"}
BETWEEN = {"lobby", "showdown"}

POT_EVENTS: dict[str, tuple[dict[str, Any], set[str]]] = {
    "sit": ({"seat": "new", "name": "New"}, ALWAYS),
    "leave": ({"seat": "e"}, ALWAYS),  # E came last and waits for the next hand
    "order": ({"seats": ["b", "a", "c", "e"]}, BETWEEN),
    "end": ({}, BETWEEN),
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
}
ROUND_EVENTS: dict[str, tuple[dict[str, Any], set[str]]] = {
    "sit": ({"seat": "new", "name": "New"}, {"lobby", "play"}),
    "leave": ({"seat": "a"}, {"lobby", "play"}),
    "order": ({"seats": ["b", "a"]}, {"lobby", "play"}),
    "end": ({}, {"lobby", "play"}),
    "count": ({"stacks": {"a": 1}}, {"lobby", "play"}),
    "round": ({"winner": "a"}, {"lobby", "play"}),
    "reverse": ({}, {"lobby", "play"}),
}
RUM_EVENTS: dict[str, tuple[dict[str, Any], set[str]]] = {
    **{kind: ROUND_EVENTS[kind] for kind in ("sit", "leave", "order", "end", "count")},
    "penalty": ({"seat": "a", "offence": "false-rummy"}, {"lobby", "play"}),
    "rummy": ({"seat": "a", "hands": {"b": 5}}, {"lobby", "play"}),
    "stock-out": ({"hands": {"a": 3, "b": 5}}, {"lobby", "play"}),
}


def pots_at(phase: str) -> Played:
    """Return a night in that phase: B owes A, E waits, and from the play on C has withheld a spade."""
    night = rummy("abc").does("borrow", seat="b", source="a", chips=5)
    if phase in ("dummy", "play", "showdown"):
        night.does("hand", dealer="a")
    if phase in ("play", "showdown"):
        night.does("no-sale").does("penalty", seat="c", offence="withheld-card", suit="S")
    if phase == "showdown":
        night.does("out", seat="b", cards={"a": 1, "c": 2})
    night.does("sit", seat="e", name="E")
    return night.does("end") if phase == "ended" else night


def scores_at(game: str, phase: str) -> Played:
    night = rounds("ab") if game == "rounds" else snake("ab")
    if phase == "play":
        night.does("round", winner="a") if game == "rounds" else night.does("rummy", seat="a", hands={"b": 1})
    return night.does("end") if phase == "ended" else night


def check(night: Played, kind: str, fields: dict[str, Any], phases: set[str]) -> None:
    if night.night.phase in phases:
        night.does(kind, **fields)
    else:
        assert night.refuses(kind, **fields).code == "wrong-moment"


@pytest.mark.parametrize("phase", POT_PHASES)
@pytest.mark.parametrize("kind", POT_EVENTS)
def test_pot_game_events_happen_in_their_phases_only(kind: str, phase: str) -> None:
    night = pots_at(phase)
    assert night.night.phase == phase
    check(night, kind, *POT_EVENTS[kind])


@pytest.mark.parametrize("phase", SCORE_PHASES)
@pytest.mark.parametrize("kind", ROUND_EVENTS)
def test_eight_rounds_events_happen_in_their_phases_only(kind: str, phase: str) -> None:
    night = scores_at("rounds", phase)
    assert night.night.phase == phase
    check(night, kind, *ROUND_EVENTS[kind])


@pytest.mark.parametrize("phase", SCORE_PHASES)
@pytest.mark.parametrize("kind", RUM_EVENTS)
def test_rum_events_happen_in_their_phases_only(kind: str, phase: str) -> None:
    night = scores_at("rum", phase)
    assert night.night.phase == phase
    check(night, kind, *RUM_EVENTS[kind])


@pytest.mark.parametrize("phase", POT_PHASES)
def test_what_was_recorded_can_be_corrected_in_any_phase(phase: str) -> None:
    night = pots_at(phase)
    night.does("amend", event=1, change={"name": "Annie"}).does("undo", event=len(night.entries))
    assert night.night.name("a") == "A"


@pytest.mark.parametrize("phase", POT_PHASES)
@pytest.mark.parametrize("kind", ["round", "reverse", "rummy", "stock-out"])
def test_words_of_the_score_games_belong_to_no_phase_of_a_pot_game(kind: str, phase: str) -> None:
    fields = {**ROUND_EVENTS, **RUM_EVENTS}[kind][0]
    assert pots_at(phase).refuses(kind, **fields).code == "not-allowed"


@pytest.mark.parametrize("phase", SCORE_PHASES)
@pytest.mark.parametrize("game", ["rounds", "rum"])
def test_words_of_the_pot_games_belong_to_no_phase_of_a_score_game(game: str, phase: str) -> None:
    night = scores_at(game, phase)
    foreign = set(POT_EVENTS) - set(ROUND_EVENTS if game == "rounds" else RUM_EVENTS)
    for kind in foreign:
        assert night.refuses(kind, **POT_EVENTS[kind][0]).code == "not-allowed"
