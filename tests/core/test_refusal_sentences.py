"""Refusals that once misled: each says what is so, and names what can be done about it."""

from typing import Any

import pytest
from support.core_nights import CoreNight, board, rummy, snake

WITHHELD = {"offence": "withheld-card"}


def test_a_combination_is_not_said_to_be_of_a_suit_that_nobody_withheld() -> None:
    night = rummy().hand().record("penalty", seat="a", suit="H", **WITHHELD)
    night.record("out", seat="b", cards={"a": 1, "c": 2, "d": 1})
    refused = night.refusal("held", pot="seven-eight-nine", seat="c", offender="a")
    assert str(refused) == (
        "Seven, eight, nine of one suit is no place of cards of one named suit, so nothing is paid for it"
    )
    assert str(night.refusal("held", pot="jack-spades", seat="c", offender="a")) == (
        "A withheld no card of Jack of spades's suit"
    )


@pytest.mark.parametrize("kind", ["sale", "bid", "pass", "no-sale", "exchange"])
def test_once_the_dummy_is_decided_nobody_is_told_to_wait(kind: str) -> None:
    sale: dict[str, Any] = {"buyer": "b", "price": 2}
    fields = {"sale": sale, "bid": {"seat": "b", "chips": 2}, "pass": {"seat": "b"}}.get(kind, {})
    refused = rummy().hand().refusal(kind, **fields)
    assert (refused.code, str(refused)) == (
        "wrong-moment",
        "the dummy hand is decided already: take that back to change it",
    )
    refused = rummy(dummy="unused").hand().refusal(kind, **fields)
    assert (refused.code, str(refused)) == ("not-allowed", "on this board no dummy hand is dealt")


def test_the_winner_is_said_to_be_out_and_somebody_who_sits_out_to_pay_nothing() -> None:
    night = rummy().hand("a", sits_out=["d"])
    refused = night.refusal("out", seat="b", cards={"a": 1, "b": 1, "c": 0})
    assert str(refused) == "B is out of cards, so pays for none"
    refused = night.refusal("out", seat="b", cards={"a": 1, "c": 0, "d": 2})
    assert str(refused) == "D does not pay for cards in this hand"


def test_people_of_one_name_are_told_apart_by_their_seats() -> None:
    night = CoreNight("michigan-rummy", "", 100)
    for seat, chips in (("x", 100), ("y", 3), ("z", 100)):
        night.record("sit", seat=seat, name="Ann", chips=chips)
    assert str(night.refusal("hand", dealer="x")).startswith("Ann (y) is 6 short:")


def test_missing_hands_are_named_in_a_sentence_for_one_and_for_many() -> None:
    assert str(snake("abc").refusal("rummy", seat="a", hands={"b": 4})) == "cards or points are missing: C"
    assert str(snake("abc").refusal("rummy", seat="a", hands={})) == "cards or points are missing: B, C"


def test_chips_of_a_pool_that_nobody_can_win_any_more_are_not_to_be_won() -> None:
    night = rummy("abc").hand().record("out", seat="a", cards={"b": 2, "c": 1})
    night.record("rule", change={"poker.when": "off"})
    assert "let somebody win them first" in str(night.refusal("hand", dealer="b"))
    night.moves("a", poker=1).record("poker", winners=["b", "c"])
    assert night.pots["poker"] == 1
    assert "that nobody can win any more: move them by hand" in str(night.refusal("hand", dealer="b"))
    assert night.moves("poker", b=1).record("hand", dealer="b").night.hand == 2


def test_on_a_board_with_stakes_of_ones_own_a_dummy_not_yet_open_is_no_decided_one() -> None:
    night = board("newmarket", "abc", 20).record("hand", dealer="a")
    assert str(night.refusal("no-sale")).startswith("the stakes are still being placed")
