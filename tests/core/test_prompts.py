"""When each kind of event may happen: everywhere else it is refused with a sentence, and nothing changes."""

from __future__ import annotations

from typing import Any

import pytest
from support.core_nights import CoreNight, rounds, rummy, snake
from support.event_phases import POT_EVENTS, POT_PHASES, ROUND_EVENTS, RUM_EVENTS, SCORE_PHASES


def pots_at(phase: str) -> CoreNight:
    """Return a night in that phase: B owes A, E waits, and from the play on C has withheld a spade."""
    night = rummy("abc").record("borrow", seat="b", source="a", chips=5)
    if phase in ("dummy", "play", "showdown"):
        night.record("hand", dealer="a")
    if phase in ("play", "showdown"):
        night.record("no-sale").record("penalty", seat="c", offence="withheld-card", suit="S")
    if phase == "showdown":
        night.record("out", seat="b", cards={"a": 1, "c": 2})
    night.record("sit", seat="e", name="E")
    return night.record("end") if phase == "ended" else night


def scores_at(game: str, phase: str) -> CoreNight:
    night = rounds("ab") if game == "rounds" else snake("ab")
    if phase == "play":
        night.record("round", winner="a") if game == "rounds" else night.record("rummy", seat="a", hands={"b": 1})
    return night.record("end") if phase == "ended" else night


def check(night: CoreNight, kind: str, fields: dict[str, Any], phases: set[str]) -> None:
    if night.night.phase in phases:
        night.record(kind, **fields)
    else:
        assert night.refusal(kind, **fields).code == "wrong-moment"


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
    night.record("amend", event=1, change={"name": "Annie"}).record("undo", event=len(night.entries))
    assert night.night.name("a") == "A"


@pytest.mark.parametrize("phase", POT_PHASES)
@pytest.mark.parametrize("kind", ["round", "reverse", "rummy", "stock-out"])
def test_words_of_the_score_games_belong_to_no_phase_of_a_pot_game(kind: str, phase: str) -> None:
    fields = {**ROUND_EVENTS, **RUM_EVENTS}[kind][0]
    assert pots_at(phase).refusal(kind, **fields).code == "not-allowed"


@pytest.mark.parametrize("phase", SCORE_PHASES)
@pytest.mark.parametrize("game", ["rounds", "rum"])
def test_words_of_the_pot_games_belong_to_no_phase_of_a_score_game(game: str, phase: str) -> None:
    night = scores_at(game, phase)
    foreign = set(POT_EVENTS) - set(ROUND_EVENTS if game == "rounds" else RUM_EVENTS)
    for kind in foreign:
        assert night.refusal(kind, **POT_EVENTS[kind][0]).code == "not-allowed"
