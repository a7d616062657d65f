"""8 Round Rummy: a round card for each winner, the automatic win, ties and the short game."""

from dataclasses import replace
from typing import Any

from support.core_nights import rounds

from tracker.core.preset import RoundCard
from tracker.core.preset_faults import faults
from tracker.core.queries.summary import summary
from tracker.extras.rounds.rules import next_round
from tracker.formats.built_in import built_in


def test_each_round_has_one_winner_and_the_next_follows() -> None:
    night = rounds("ab").record("round", winner="b").record("round", winner="a")
    assert night.scores == {"a": 2, "b": 1}
    following = next_round(night.night)
    assert following is not None
    assert (following.number, following.goal) == (3, "Same shape and colour")
    assert (night.night.phase, night.night.hand) == ("play", 2)


def test_jokers_are_counted_in_whole_numbers() -> None:
    for jokers in (-1, "1", 1.0, True):
        assert rounds("ab").refusal("round", winner="a", jokers=jokers).facts["field"] == "jokers", jokers


def test_r1_a_tie_without_the_holder_of_round_eight_stays_shared() -> None:
    """A wins 2, 5 and 7 (14 points), B wins 1, 3, 4 and 6 (14), C only round 8."""
    night = rounds("abc", tie="round_8")
    for winner in "babbaba":
        night.record("round", winner=winner)
    assert night.record("round", winner="c", jokers=1).winners == ["a", "b"]


def test_r2_by_house_rule_seven_equal_numbers_without_a_joker_win_the_game_in_any_round() -> None:
    night = rounds("ab", auto_win="any_round").record("round", winner="a")
    night.record("round", winner="a", jokers=1, seven_alike=True)
    assert night.night.phase == "play"
    night.record("round", winner="b", seven_alike=True)
    assert (night.night.phase, night.scores, night.winners) == ("ended", {"a": 3, "b": 3}, ["b"])


def test_r2_rounds_that_were_recorded_before_that_house_rule_never_count() -> None:
    night = rounds("abc").record("round", winner="a", seven_alike=True).record("round", winner="b")
    night.record("round", winner="c").record("rule", change={"auto_win": "any_round"})
    assert night.winners == ["c"]
    assert night.record("round", winner="b", jokers=1).night.phase == "play"
    assert (night.scores, night.winners) == ({"a": 1, "b": 6, "c": 3}, ["b"])
    night.record("round", winner="a", seven_alike=True)
    assert (night.night.phase, night.winners) == ("ended", ["a"])


def test_nobody_wins_a_round_alone() -> None:
    assert "at least two people" in str(rounds("a").refusal("round", winner="a"))
    night = rounds("a").opened_with("round", winner="a")  # a stored night still opens
    assert night.scores == {"a": 1}


def test_r5_an_abandoned_game_ranks_by_the_points_so_far() -> None:
    night = rounds("ab").record("round", winner="a").record("round", winner="b").record("end")
    assert (night.night.phase, night.winners) == ("ended", ["b"])
    assert next_round(night.night) is not None


def test_r6_and_reverse_have_no_effect_on_the_score() -> None:
    night = rounds("ab").record("reverse")
    assert (night.night.phase, night.night.is_reversed, night.scores) == ("play", True, {"a": 0, "b": 0})
    assert night.record("round", winner="a").record("reverse").night.is_reversed is False
    assert night.scores == {"a": 1, "b": 0}


def test_no_chips_change_hands() -> None:
    night = rounds("ab").record("round", winner="a").record("end")
    told = summary(night.night)
    assert (told["stacks"], told["bought"], told["pots"], told["notes"], told["payments"]) == ({}, {}, {}, [], [])
    assert told["scores"] == told["net"] == told["worth"] == {"a": 1, "b": 0}
    assert rounds("ab").refusal("sit", seat="c", name="C", chips=5).facts["field"] == "chips"


def test_people_come_and_go_between_rounds_and_keep_their_points() -> None:
    night = rounds("ab").record("round", winner="a").record("leave", seat="a").record("sit", seat="c", name="C")
    for seat in ("a", "nobody"):
        assert night.refusal("round", winner=seat).code == "unknown"
    night.record("round", winner="b").record("sit", seat="a", name="A")
    assert night.scores == {"a": 1, "b": 2, "c": 0}
    assert night.record("leave", seat="b").winners == ["a"]  # c has waited, and played no round
    assert night.night.seats == ("c", "a")


def test_words_of_other_games_are_refused() -> None:
    fields: dict[str, dict[str, Any]] = {
        "hand": {"dealer": "a"},
        "buy": {"seat": "a", "chips": 1},
        "collect": {"seat": "a", "pot": "jackpot"},
        "rummy": {"seat": "a", "hands": {}},
        "penalty": {"seat": "a", "offence": "false-rummy"},
        "exchange": {},
    }
    for kind, said in fields.items():
        refusal = rounds("ab").refusal(kind, **said)
        assert refusal.code == "not-allowed", kind
        assert "8 Round Rummy" in str(refusal), kind


def test_no_round_is_played_twice_by_a_change_of_rules() -> None:
    night = rounds("ab", rounds="short").record("rule", change={"rounds": "full"}).record("round", winner="a")
    assert night.scores["a"] == 1
    assert night.refusal("rule", change={"rounds": "short"}).code == "not-allowed"
    night.record("rule", change={"tie": "round_8"})


def test_score_games_have_no_pots_and_rounds_have_their_cards() -> None:
    eight = built_in("eight-round-rummy")
    assert [*map(str, faults(replace(eight, pots=built_in("michigan-rummy").pots)))] == ["only a game of pots has pots"]
    assert [*map(str, faults(replace(eight, round_cards=())))] == ["a game of rounds needs its round cards"]
    assert faults(replace(eight, round_cards=(RoundCard(1, "Anything", 5),))) == []
    twice = (RoundCard(1, "Anything", 5), RoundCard(1, "Again", 1001))
    told = [str(fault) for fault in faults(replace(eight, round_cards=twice))]
    assert told == ["round 1 stands twice", "round 1: a card has at most 1000 points"]
    assert faults(replace(eight, round_cards=tuple(RoundCard(at, "Anything", 1) for at in range(17))))
