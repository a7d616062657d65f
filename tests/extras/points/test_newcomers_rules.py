"""Score games: who sits down in the middle of a deal waits for the next one, and is not charged with this one."""

from collections.abc import Callable
from typing import Any

import pytest
from support.core_nights import CoreNight

from tracker.formats.built_in import built_in, built_in_ids

SNAKE = "michigan-rummy-snake"
SHEETS = [one for one in built_in_ids() if built_in(one).game == "points"]


def later(preset: str, first: dict[str, Any], **rules: Any) -> CoreNight:
    """Return a night of three with one deal, at which somebody has sat down since."""
    night = CoreNight(preset, "abc", options={key.replace("__", "."): value for key, value in rules.items()})
    return night.record(**first).record("sit", seat="d", name="D")


def snake(**rules: Any) -> CoreNight:
    return later(SNAKE, {"kind": "rummy", "seat": "a", "hands": {"b": 10, "c": 20}}, **rules)


def test_somebody_out_is_paid_by_those_who_played_the_deal() -> None:
    night = snake().record("rummy", seat="b", hands={"a": 7, "c": 5})
    assert night.scores == {"a": 23, "b": 2, "c": -25, "d": 0}
    assert "d" not in night.night.deals[-1].change


def test_a_used_up_stock_is_won_by_one_of_those_who_played_the_deal() -> None:
    night = snake().record("stock-out", hands={"a": 4, "b": 9, "c": 9})
    assert night.night.deals[-1].winners == ("a",)
    assert night.scores["d"] == 0


def test_a_fault_is_paid_to_those_who_played_the_deal() -> None:
    night = snake(fault__to="each").record("penalty", seat="c", offence="false-rummy")
    night.record("rummy", seat="a", hands={"b": 0, "c": 0})
    assert night.night.deals[-1].change == {"a": 20, "b": 20, "c": -40}


def test_a_newcomer_who_plays_at_once_is_counted_like_everybody() -> None:
    assert snake().record("rummy", seat="b", hands={"a": 7, "c": 5, "d": 3}).scores["d"] == -3
    assert snake().record("rummy", seat="d", hands={"a": 7, "b": 1, "c": 5}).scores["d"] == 13


def test_from_the_next_deal_on_a_newcomers_hand_is_asked_for() -> None:
    night = snake().record("rummy", seat="b", hands={"a": 7, "c": 5})
    assert night.refusal("rummy", seat="b", hands={"a": 7, "c": 5}).facts["names"] == "D"


def test_nobody_but_a_newcomer_may_lack_a_hand() -> None:
    assert snake().refusal("rummy", seat="a", hands={"c": 5, "d": 3}).facts["names"] == "B"
    assert CoreNight(SNAKE, "abc").refusal("rummy", seat="a", hands={"b": 5}).facts["names"] == "C"
    alone = snake().record("leave", seat="b").record("leave", seat="c")
    assert alone.refusal("rummy", seat="a", hands={}).code == "not-allowed"


@pytest.mark.parametrize("preset", SHEETS)
def test_on_a_score_sheet_a_newcomer_waits_for_the_next_round(preset: str) -> None:
    night = later(preset, {"kind": "scores", "points": {"a": 1, "b": 2, "c": 3}})
    night.record("scores", points={"a": 4, "b": 5, "c": 6})
    assert night.scores == {"a": 5, "b": 7, "c": 9, "d": 9 if night.preset["points.wins"] == "low" else 0}
    assert night.night.deals[-1].change == {"a": 4, "b": 5, "c": 6}
    assert night.refusal("scores", points={"a": 1, "b": 1, "c": 1}).facts["names"] == "D"


def test_a_round_of_one_person_and_newcomers_is_none() -> None:
    night = later("score-sheet", {"kind": "scores", "points": {"a": 1, "b": 2, "c": 3}})
    night.record("leave", seat="b").record("leave", seat="c")
    assert night.refusal("scores", points={"a": 1}).code == "not-allowed"


def test_in_8_round_rummy_a_newcomer_wins_nothing_and_pays_nothing() -> None:
    night = later("eight-round-rummy", {"kind": "round", "winner": "a"}).record("round", winner="b")
    assert night.scores == {"a": 1, "b": 2, "c": 0, "d": 0}


EVENTS: dict[str, Callable[[str], dict[str, Any]]] = {
    SNAKE: lambda people: {"kind": "rummy", "seat": people[0], "hands": dict.fromkeys(people[1:], 5)},
    "eight-round-rummy": lambda people: {"kind": "round", "winner": people[0]},
    "score-sheet": lambda people: {"kind": "scores", "points": dict.fromkeys(people, 5)},
}


def test_two_to_six_people_play_a_deal_and_one_alone_none() -> None:
    for preset, event in EVENTS.items():
        assert CoreNight(preset, "a").refusal(**event("a")).code == "not-allowed", preset
        for count in range(2, 7):
            people = "abcdef"[:count]
            assert CoreNight(preset, people).record(**event(people)).night.hand == 1, (preset, people)
