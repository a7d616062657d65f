"""The plain score sheet: points of rounds added up, its ends, who wins, and what it comes to in money."""

from collections.abc import Callable
from typing import Any

import pytest
from extras._shared.score_nights import check_score_game, score_sheet
from support.core_nights import CoreNight

from tracker.core import events, log
from tracker.core.house_rules import HOUSE_RULES
from tracker.core.night import PAUSES, PLAYS
from tracker.core.payment_list import nets, nets_in_cents, payment_list
from tracker.core.queries.summary import ranking, summary
from tracker.extras.points.rules import is_odd_sum, pausing, proposed_pauses
from tracker.formats.built_in import built_in, built_in_ids
from tracker.formats.codec import amended, entry_from


def round_(night: CoreNight, *points: int) -> CoreNight:
    return night.record("scores", points=dict(zip(night.night.seats, points, strict=True)))


def test_the_fewest_points_win_where_a_house_rule_says_so() -> None:
    night = round_(score_sheet("wxy", **{"points.wins": "low"}), 3, 0, 12)
    assert night.night.deals[-1].winners == ("x",)
    assert summary(night.night)["winners"] == ["x"]


def test_everybody_at_the_table_has_points_and_nobody_else() -> None:
    for points in ({}, {"w": 1, "x": 2}, {"w": 1, "x": 2, "y": 3, "z": 4}, {"w": 1, "x": 2, "nobody": 3}):
        assert score_sheet("wxy").refusal("scores", points=points).facts["field"] == "points", points


@pytest.mark.parametrize("points", [{"w": 1, "x": 0, "y": -5}, {"w": 1, "x": -1, "y": -1}])
def test_where_only_the_winner_is_written_down_the_others_get_nothing_else(points: dict[str, int]) -> None:
    night = score_sheet("wxy", **{"points.entry": "winner"})
    assert "gets 1 point, the others 0" in str(night.refusal("scores", points=points))
    entry = entry_from({"kind": "scores", "points": points}, 4)
    _, opened = log.replay_accepted(night.preset, [*night.entries, entry], amended)  # a stored night opens
    assert (opened.failure is None) == (points["x"] == 0)  # the second was never taken


@pytest.mark.parametrize(
    ("points", "is_odd"),
    [((20, 6, 0), False), ((0, 26, 26), False), ((-26, 0, 0), False), ((26, 0, 0), False), ((20, 7, 0), True),
     ((26, 26, 0), False), ((26, 26, 26), True), ((26, 0, -26), True), ((0, 0, 0), True)],
)  # fmt: skip
def test_a_sum_is_odd_unless_one_person_took_it_all_or_it_is_that_of_the_house(
    points: tuple[int, ...], *, is_odd: bool
) -> None:
    said = dict(zip("wxy", points, strict=True))
    assert is_odd_sum(score_sheet("wxy", **{"points.sum": 26}).night, said) == is_odd
    assert not is_odd_sum(score_sheet("wxy").night, said)


def test_a_person_who_left_keeps_the_points_and_wins_no_more() -> None:
    night = round_(score_sheet("wxy", **{"points.wins": "low"}), 0, 10, 20).record("leave", seat="w")
    assert summary(night.night)["winners"] == ["x"]
    assert summary(round_(night, 5, 5).night)["scores"] == {"w": 0, "x": 15, "y": 25}


def test_without_money_nobody_pays() -> None:
    night = round_(score_sheet("wxy"), 10, 20, 30).record("end").night
    assert (summary(night)["payments"], payment_list(night)) == ([], [])


MONEY = {"money.chips": 1, "money.cents": 5}


def test_tied_winners_share_the_payments_odd_points_clockwise() -> None:
    night = round_(score_sheet("wxy", **MONEY, **{"points.pay": "winner"}), 12, 12, 5).night
    assert nets_in_cents(night) == {"w": 20, "x": 15, "y": -35}


def test_a_round_that_comes_to_zero_is_asked_for_and_any_sum_is_not() -> None:
    zero = score_sheet("wxy", **{"points.sum": 0}).night
    assert not is_odd_sum(zero, {"w": 20, "x": -10, "y": -10})
    assert is_odd_sum(zero, {"w": 20, "x": -10, "y": -9})
    assert not is_odd_sum(score_sheet("wxy", **{"points.sum": "any"}).night, {"w": 20, "x": -10, "y": -9})
    assert HOUSE_RULES["points"]["points.sum"].default == "any"
    for wrong in ("none", -1, True, 1.5, None):
        assert HOUSE_RULES["points"]["points.sum"].fault(wrong), wrong


def test_whoever_completes_the_tenth_phase_wins_and_of_several_the_fewest_points() -> None:
    night = CoreNight("ten-phases", "abc").record("scores", points={"a": 10, "b": 50, "c": 60})
    assert night.preview(events.End(("b",))).completed == {"b"}
    for winners, won, places in (
        ([], ["a"], {"a": 1, "b": 2, "c": 3}),
        (["b"], ["b"], {"b": 1, "a": 2, "c": 3}),
        (["c", "b"], ["b"], {"b": 1, "c": 2, "a": 3}),
    ):
        ended = CoreNight("ten-phases", "abc").record("scores", points={"a": 10, "b": 50, "c": 60})
        ended.record("end", winners=winners)
        assert (ended.winners, {one.seat: one.place for one in ranking(ended.night)}) == (won, places)
        assert nets(ended.night) == {"a": 90, "b": -30, "c": -60}
    late = night.record("sit", seat="d", name="D")
    assert str(late.refusal("end", winners=["d"])) == "D has played nothing, so can’t win"
    assert str(score_sheet("wx").refusal("end", winners=["w"])) == "at this table the points alone decide who has won"


def test_the_dealer_is_proposed_to_pause_from_three_people_on() -> None:
    rules = {"points.dealer": "on", "points.pause": "dealer"}
    night = score_sheet("wxy", **rules)
    assert proposed_pauses(night.night) == ("w",)
    night.record("scores", points={"x": 1, "y": 2}, sits_out=["w"])
    assert (proposed_pauses(night.night), night.night.dealer) == (("x",), "w")
    assert pausing(night.night, {"x": PLAYS, "y": PAUSES}) == ("y",)
    assert proposed_pauses(score_sheet("wx", **rules).night) == ()
    assert proposed_pauses(score_sheet("wxy", **{**rules, "points.dealer": "off"}).night) == ()


def test_its_events_happen_until_the_end_and_in_no_game_of_pots() -> None:
    check_score_game("score-sheet", "scores", scores={"points": {"a": 3, "b": -5}})


# Score games: who sits down in the middle of a deal waits for the next one, and is not charged with this one.


SNAKE = "michigan-rummy-snake"
SHEETS = [one for one in built_in_ids() if built_in(one).game == "points"]


def later(preset: str, first: dict[str, Any], **rules: Any) -> CoreNight:
    """Return a night of three with one deal, at which somebody has sat down since."""
    night = CoreNight(preset, "abc", options={key.replace("__", "."): value for key, value in rules.items()})
    return night.record(**first).record("sit", seat="d", name="D")


def snake(**rules: Any) -> CoreNight:
    return later(SNAKE, {"kind": "rummy", "seat": "a", "hands": {"b": 10, "c": 20}}, **rules)


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
