"""Going out, the withheld card that is matched, and the poker pool."""

import pytest
from support.core_nights import CoreNight, rummy

from tracker.core.pot_game import card_pots_of
from tracker.core.queries.options import unanswerable
from tracker.core.queries.prompts import prompt_of


def test_when_everybody_is_barred_and_out_the_jackpot_stays() -> None:
    night = rummy("abc").hand()
    for seat in "abc":
        night.withholds(seat, "C").out(seat)
    assert (night.night.phase, night.pots["jackpot"], night.night.current_deal().winner) == ("showdown", 4, None)
    assert night.record("hand", dealer="b").pots["jackpot"] == 8


def test_the_last_one_left_goes_out_without_cards_to_count() -> None:
    night = rummy("ab").hand().withholds("a", "C").out("a").out("b")
    assert night.last == [("jackpot", "b", 3)]


# The withheld card


def withheld(suit: str = "S") -> CoreNight:
    """Return a hand in which B has withheld a card of that suit, and A was out."""
    return rummy().hand().withholds("b", suit).out("a", b=1, c=1, d=1)


def test_p4b_every_single_card_pot_of_the_suit_and_its_pair_is_matched_and_no_run() -> None:
    night = rummy().hand().withholds("b", "H").out("a", b=1, c=2, d=1)
    for pot in ("ten-hearts", "queen-hearts", "king-queen-hearts", "ace-hearts"):
        asked = prompt_of(night.night)
        assert (asked.name, asked.pot, asked.offender) == ("match", pot, "b")
        night.record("held", pot=pot, seat="c", offender="b")
        assert (night.last, night.pots[pot]) == ([("b", "c", 5)], 5)
    assert prompt_of(night.night).name != "match"
    for pot in ("seven-eight-nine", "jackpot", "poker", "jack-spades"):
        assert night.refusal("held", pot=pot, seat="c", offender="b").code == "not-allowed"


def test_p4b_a_pair_is_not_matched_once_one_of_its_cards_was_played() -> None:
    night = rummy().hand().collect("d", "queen-hearts").withholds("b", "H").out("a", b=1, c=2, d=1)
    said = str(night.refusal("held", pot="king-queen-hearts", seat="c", offender="b"))
    assert said == "nobody still holds King and queen of hearts: Queen of hearts was played"
    assert card_pots_of(night.night, "H") == ["ten-hearts", "ace-hearts"]


def test_p4b_a_pair_is_matched_after_its_card_was_paid_for_out_of_its_place() -> None:
    night = rummy(withheld__source="pot").hand().withholds("b", "H").out("a", b=1, c=2, d=1)
    night.record("held", pot="queen-hearts", seat="c", offender="b")
    assert night.record("held", pot="king-queen-hearts", seat="c", offender="b").pots["king-queen-hearts"] == 0


# The poker pool


def shown(**options: object) -> CoreNight:
    return rummy("abcd", None, **options).hand().out("a", b=1, c=1, d=1)


@pytest.mark.parametrize("seats", [3, 5, 8])
def test_a_seat_without_cards_wins_no_poker_hand_of_the_cards_left(seats: int) -> None:
    names = "abcdefgh"[:seats]
    night = rummy(names).hand().withholds("b", "C").out("b")
    night.record("out", seat="a", cards=dict.fromkeys(names[2:], 1))
    for winners in (["a"], ["b"], ["c", "a"], ["c", "b"]):
        assert "has no card left" in str(night.refusal("poker", winners=winners))
    prompt = prompt_of(night.night, waived=frozenset({"match/king-clubs/b"}))
    asked = {seat: unanswerable(night.night, prompt, seat, {}) for seat in names}
    may_tie = [seat for seat in names if "tie" not in asked[seat]]
    assert may_tie == (list(names[2:]) if len(names[2:]) > 1 else [])  # one alone ties with nobody
    assert [seat for seat in names if "poker" not in asked[seat]] == list(names[2:])
    for seat in names[2:]:
        night.record("poker", winners=[seat]).undo()


def test_going_out_is_not_corrected_to_the_winner_of_the_poker_hand() -> None:
    night = shown().record("poker", winners=["b"])
    out, poker = len(night.entries) - 1, len(night.entries)
    refusal = night.refusal("amend", event=out, change={"seat": "b", "cards": {"a": 1, "c": 1, "d": 1}})
    assert f"event {poker} (poker)" in str(refusal)
    assert f"event {poker} (poker)" in str(night.refusal("amend", event=poker, change={"winners": ["a"]}))


def test_a_stored_night_whose_poker_hand_a_seat_without_cards_won_still_opens() -> None:
    night = shown().opened_with("poker", winners=["a"])
    assert night.last == [("poker", "a", 5)]
    night.amend(1, chips=50).record("hand", dealer="b")
    assert night.stacks["a"] == 50 - 18 + 5 + 3 + 5 - 9


def test_a_seat_without_cards_holds_and_leads_no_money_card() -> None:
    night = rummy("abcd").hand("a").withholds("b", "S").withholds("c", "C").out("c")
    assert night.refusal("penalty", seat="c", offence="wrong-lead").code == "not-allowed"
    night.out("a", b=1, d=0)
    for seat in "ac":
        assert night.refusal("held", pot="jack-spades", seat=seat, offender="b").code == "not-allowed"
        assert night.refusal("penalty", seat=seat, offence="wrong-lead").code == "not-allowed"
    night.record("held", pot="jack-spades", seat="d", offender="b").record("poker", winners=["b"])
