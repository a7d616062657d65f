"""House rules that change during a night: from the next hand on, and with every correction before and after them."""

import pytest
from support.core_nights import board, kitty, rummy, snake

from tracker.core import log
from tracker.core.errors import PresetError
from tracker.core.payment_list import payment_list
from tracker.core.preset_faults import with_new_options
from tracker.formats.codec import amended


def test_a_rule_changes_with_the_next_hand() -> None:
    night = rummy("abc").hand("a").record("rule", change={"ante.dealer": 1, "ante.each": 3})
    night.leads_wrongly("b").out("a", b=0, c=0)
    before = night.stacks
    night.record("hand", dealer="b")
    assert {seat: before[seat] - night.stacks[seat] for seat in "abc"} == {"a": 27, "b": 9, "c": 27}


def test_corrections_after_a_change_of_rules_replay_the_first_hands_by_the_old_rules() -> None:
    night = rummy("abc").hand("a").out("a", b=1, c=1).record("rule", change={"ante.dealer": 5})
    night.hand("b")
    before = night.night
    night.record("buy", seat="c", chips=9).undo()
    assert night.night == before
    night.amend(1, name="Ada").undo()
    assert night.night == before == log.replay(night.preset, night.entries, amended).night
    rum = snake("ab").record("rummy", seat="a", hands={"b": 5}).record("rule", change={"fault.points": 7})
    rum.record("penalty", seat="a", offence="false-rummy").undo(5)
    assert rum.night == log.replay(rum.preset, rum.entries, amended).night


def test_a_pot_that_vanishes_with_a_rule_is_empty_when_the_rule_takes_effect() -> None:
    night = rummy("abc").hand("a").record("rule", change={"poker.when": "off"}).out("a", b=1, c=1)
    assert night.refusal("hand", dealer="b").code == "not-allowed"
    night.record("poker", winners=["b"]).record("hand", dealer="b")
    assert "poker" not in night.night.preset.board


def test_a_rule_must_be_one_of_this_game() -> None:
    assert rummy().refusal("rule", change={"ante.all": 1}).code == "bad-preset"
    assert rummy().refusal("rule", change={"ante.each": -1}).code in ("bad-preset", "bad-event")
    assert snake().refusal("rule", change={"ante.each": 1}).code == "bad-preset"


def test_what_a_chip_is_worth_holds_at_once_and_until_somebody_has_paid() -> None:
    night = rummy().hand().record("rule", change={"money.cents": 5, "out.per_card": 2})
    assert (night.night.house_rules.money_cents, night.night.house_rules.out_per_card) == (5, 1)
    assert night.night.new_rules == {"out.per_card": 2}
    assert night.night.last_transfers == ()
    night.out("a", b=4, c=3, d=2).record("end")
    assert night.refusal("rule", change={"money.cents": 10, "out.per_card": 3}).code == "wrong-moment"
    night.record("rule", change={"money.cents": 10})
    due = payment_list(night.night)[0].event
    assert due.cents % 10 == 0
    night.record("paid", source=due.source, target=due.target, cents=due.cents)
    assert "somebody has paid already" in str(night.refusal("rule", change={"money.cents": 20}))
    night.undo().record("rule", change={"money.cents": 20})
    assert payment_list(night.night)[0].event.cents == 2 * due.cents


def test_parts_of_a_debt_may_be_equal_and_no_more_than_it_is_paid() -> None:
    night = rummy("ab", money__cents=10).moves("a", b=10).record("end")
    for _ in range(2):
        night.record("paid", source="a", target="b", cents=50)
    assert night.refusal("paid", source="a", target="b", cents=50).code == "already-done"
    assert [(one.is_made, one.nth) for one in payment_list(night.night)] == [(True, 1), (True, 2)]


def test_house_rules_that_cannot_be_played_together_are_refused() -> None:
    refused: list[tuple[str, dict[str, int | str], str]] = [
        ("michigan", {"out.per_card": 0}, "going out wins nothing"),
        ("newmarket", {"stakes.cover_all": "on", "stakes.budget": 3}, "a chip for each place"),
        ("michigan-kitty", {"ante.each": 2}, "say ante.dealer too"),
    ]
    for preset, change, said in refused:
        night = board(preset, "abc")
        assert said in str(night.refusal("rule", change=change))
        with pytest.raises(PresetError, match=said):
            with_new_options(night.preset, change)
        night.opened_with("rule", reason="bad-preset", change=change)
    kitty().record("rule", change={"ante.each": 2, "ante.dealer": 1})
