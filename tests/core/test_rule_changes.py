"""House rules that change during a night: from the next hand on, and with every correction before and after them."""

from __future__ import annotations

from support.core_nights import rounds, rummy, snake

from tracker.core import log
from tracker.formats.codec import amended


def test_a_rule_changes_with_the_next_hand() -> None:
    night = rummy("abc").hand("a").record("rule", change={"ante.dealer": 1, "ante.each": 3})
    night.record("penalty", seat="b", offence="wrong-lead").record("out", seat="a", cards={"b": 0, "c": 0})
    before = night.stacks
    night.record("hand", dealer="b")
    assert {seat: before[seat] - night.stacks[seat] for seat in "abc"} == {"a": 27, "b": 9, "c": 27}


def test_corrections_after_a_change_of_rules_replay_the_first_hands_by_the_old_rules() -> None:
    night = (
        rummy("abc").hand("a").record("out", seat="a", cards={"b": 1, "c": 1}).record("rule", change={"ante.dealer": 5})
    )
    night.hand("b")
    before = night.night
    night.record("buy", seat="c", chips=9).record("undo", event=len(night.entries))
    assert night.night == before
    night.record("amend", event=1, change={"name": "Ada"}).record("undo", event=len(night.entries))
    assert night.night == before == log.replay(night.preset, night.entries, amended).night
    rum = snake("ab").record("rummy", seat="a", hands={"b": 5}).record("rule", change={"fault.points": 7})
    rum.record("penalty", seat="a", offence="false-rummy").record("undo", event=5)
    assert rum.night == log.replay(rum.preset, rum.entries, amended).night


def test_a_rule_taken_back_is_as_if_it_had_never_been() -> None:
    night = rummy("abc").hand("a")
    before = night.night
    night.record("rule", change={"ante.dealer": 1}).record("undo", event=len(night.entries))
    assert night.night == before


def test_a_pot_that_vanishes_with_a_rule_is_empty_when_the_rule_takes_effect() -> None:
    night = rummy("abc").hand("a").record("rule", change={"poker.when": "off"})
    night.record("out", seat="a", cards={"b": 1, "c": 1})
    assert night.refusal("hand", dealer="b").code == "not-allowed"
    night.record("poker", winners=["b"]).record("hand", dealer="b")
    assert "poker" not in night.night.preset.board


def test_a_rule_must_be_one_of_this_game() -> None:
    assert rummy().refusal("rule", change={"ante.all": 1}).code == "bad-preset"
    assert rummy().refusal("rule", change={"ante.each": -1}).code in ("bad-preset", "bad-event")
    assert snake().refusal("rule", change={"ante.each": 1}).code == "bad-preset"


def test_no_round_is_played_twice_by_a_change_of_rules() -> None:
    night = rounds("ab", rounds="short").record("rule", change={"rounds": "full"}).record("round", winner="a")
    assert night.scores["a"] == 1
    assert night.refusal("rule", change={"rounds": "short"}).code == "not-allowed"
    night.record("rule", change={"tie": "round_8"})
