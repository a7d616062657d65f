"""When each kind of event may happen: everywhere else it is refused with a sentence, and nothing changes."""

from typing import Any

import pytest
from support.core_nights import CoreNight, rounds, rummy, score_sheet, snake
from support.event_phases import ALWAYS, POT_EVENTS, POT_PHASES, SCORE_EVENTS, SCORE_PHASES
from support.of_extras import needs

from tracker.core.events import KINDS
from tracker.core.game import GAMES
from tracker.core.queries.prompts import asked_seats, prompt_of


def pots_at(phase: str) -> CoreNight:
    """Return a night in that phase: B owes A, E waits, and from the play on C has withheld a spade."""
    night = rummy("abc").record("borrow", seat="b", source="a", chips=5)
    if phase in ("dummy", "play", "showdown"):
        night.record("hand", dealer="a")
    if phase in ("play", "showdown"):
        night.record("no-sale").withholds("c", "S")
    if phase == "showdown":
        night.out("b", a=1, c=2)
    night.record("sit", seat="e", name="E")
    return night.record("end") if phase == "ended" else night


NIGHTS = {"rounds": rounds, "rum": snake, "points": score_sheet}
FIRST_HANDS: dict[str, tuple[str, dict[str, Any]]] = {
    "rounds": ("round", {"winner": "a"}),
    "rum": ("rummy", {"seat": "a", "hands": {"b": 1}}),
    "points": ("scores", {"points": {"a": 1, "b": 2}}),
}


def scores_at(game: str, phase: str) -> CoreNight:
    night = NIGHTS[game]("ab")
    if phase == "play":
        kind, fields = FIRST_HANDS[game]
        night.record(kind, **fields)
    return night.record("end") if phase == "ended" else night


def check(night: CoreNight, kind: str, fields: dict[str, Any], phases: set[str]) -> None:
    phase = night.night.phase
    if phase not in phases:
        codes = {"wrong-moment"} if phases else {"wrong-moment", "not-allowed", "unknown"}
        assert night.refusal(kind, **fields).code in codes, kind
        return
    night.record(kind, **fields)
    if phases == ALWAYS:  # what may happen at any time is no step of the hand
        assert night.night.phase == phase, kind


def test_every_kind_of_event_is_tried_in_each_phase() -> None:
    tried = {*POT_EVENTS, *(kind for game in SCORE_EVENTS if game in GAMES for kind in SCORE_EVENTS[game])}
    of_table = {word for word, kind in KINDS.items() if kind.__module__.startswith("tracker.core")}
    assert of_table - {"undo", "amend", "rule"} <= tried <= set(KINDS)


@pytest.mark.parametrize("phase", POT_PHASES)
def test_pot_game_events_happen_in_their_phases_only(phase: str) -> None:
    for kind, fields_and_phases in POT_EVENTS.items():
        night = pots_at(phase)
        assert night.night.phase == phase
        check(night, kind, *fields_and_phases)
    foreign = {kind: fields for events in SCORE_EVENTS.values() for kind, (fields, _) in events.items()}
    for kind in ("round", "reverse", "rummy", "stock-out", "scores"):
        if kind not in KINDS:  # its extra was deleted
            continue
        assert pots_at(phase).refusal(kind, **foreign[kind]).code == "not-allowed", kind


@pytest.mark.parametrize("phase", SCORE_PHASES)
@pytest.mark.parametrize("game", SCORE_EVENTS)
def test_score_game_events_happen_in_their_phases_only(game: str, phase: str) -> None:
    needs(game)
    for kind, fields_and_phases in SCORE_EVENTS[game].items():
        night = scores_at(game, phase)
        assert night.night.phase == phase
        check(night, kind, *fields_and_phases)
    for kind in set(POT_EVENTS) - set(SCORE_EVENTS[game]):
        assert scores_at(game, phase).refusal(kind, **POT_EVENTS[kind][0]).code == "not-allowed", kind


@pytest.mark.parametrize("phase", POT_PHASES)
def test_what_was_recorded_can_be_corrected_in_any_phase(phase: str) -> None:
    night = pots_at(phase).amend(1, name="Annie").undo()
    assert night.night.name("a") == "A"


def test_the_question_waits_for_the_seats_that_can_answer_it() -> None:
    night = rummy("abc")

    def asked(out: str | None = None, *waived: str) -> set[str]:
        return set(asked_seats(night.night, prompt_of(night.night, out, waived=frozenset(waived))))

    assert asked() == set(), "the table itself says who deals first"
    night.record("hand", dealer="a")
    assert asked() == {"a"}, "the dealer chooses what becomes of the dummy hand"
    night.record("bid", seat="b", chips=1)
    assert asked() == {"c"}, "whose bid it is"
    night.record("sale", buyer="b", price=1)
    assert asked() == set(), "everybody may take a place, nobody is asked"
    assert asked(out="b") == {"a", "c"}, "who has cards left"
    night.out("b", a=1, c=2)
    assert asked() == set(), "the table itself says who had the best poker hand"
    assert asked(None, "poker") == {"b"}, "who deals next"
    night.record("end")
    assert asked() == set()
