"""House rules that a sheet leaves open (RULES 2.1.4): what each value does, in nights worked out by hand."""

from typing import Any

import pytest
from support.core_nights import CoreNight, board, kitty, rummy

from tracker.core.ledger import BANK
from tracker.core.payment_list import payment_list, settling
from tracker.core.queries.prompts import prompt_of
from tracker.core.settlement import kept_board


def chips_in_play(night: CoreNight) -> int:
    return sum(night.stacks.values()) + night.board


# P4: what is barred, and from when


def test_an_offender_gives_back_the_pots_that_cards_won_in_this_hand() -> None:
    night = rummy(bar__scope="whole_hand_refund").hand()
    night.collect("b", "jack-spades").collect("b", "ace-hearts").collect("c", "king-clubs")
    night.withholds("b", "D")
    assert night.last == [("b", "ace-hearts", 5), ("b", "jack-spades", 5)]
    assert (night.pots["jack-spades"], night.pots["ace-hearts"], night.pots["king-clubs"]) == (5, 5, 0)
    assert set(night.night.current_deal().taken) == {"king-clubs"}
    assert chips_in_play(night) == 400


def test_an_offender_keeps_earlier_wins_by_default_and_after_a_wrong_lead() -> None:
    night = rummy().hand().collect("b", "jack-spades")
    assert night.withholds("b", "D").last == []
    lead = rummy(bar__scope="whole_hand_refund").hand().collect("b", "jack-spades")
    lead.leads_wrongly("b")
    assert lead.last == [("b", "c", 1), ("b", "d", 1), ("b", "a", 1)]


def test_of_a_shared_pot_an_offender_gives_back_their_own_part() -> None:
    night = board("hearts-three-stages", penalties="on", bar__scope="whole_hand_refund").record("hand", dealer="a")
    night.record("share", pot="eight-nine-ten", seats=["a", "c", "d"])  # 4 chips: one each, one stays
    night.record("go-on").record("go-on").withholds("a", "S")
    assert night.last == [("a", "eight-nine-ten", 1)]
    taken = night.night.current_deal().taken["eight-nine-ten"]
    assert (taken.seat, taken.others, taken.chips) == ("c", ("d",), 3)
    assert chips_in_play(night) == 400


def test_an_offender_too_short_to_give_earlier_wins_back_buys_the_chips() -> None:
    night = rummy(bar__scope="whole_hand_refund").hand().collect("b", "jack-spades")
    night.moves("b", a=night.stacks["b"] - 2)
    assert night.refusal("penalty", seat="b", suit="D", offence="withheld-card").facts["short"] == {"b": 3}
    night.withholds("b", "D", cover={"b": "bank"})
    assert night.pots["jack-spades"] == 5


# P4c: who pays for a withheld card


def withheld(**options: Any) -> CoreNight:
    night = rummy(**options).hand().withholds("b", "S")
    return night.out("a", b=2, c=1, d=3)


def test_by_a_house_rule_the_pot_itself_pays_for_a_withheld_card_with_the_ious_in_it() -> None:
    night = withheld(withheld__source="pot").record("borrow", seat="c", source="jack-spades", chips=2)
    night.record("held", pot="jack-spades", seat="d", offender="b")
    assert (night.last, night.pots["jack-spades"], night.notes) == ([("jack-spades", "d", 3)], 0, {("c", "d"): 2})
    assert night.refusal("held", pot="jack-spades", seat="c", offender="b").code == "already-done"
    assert prompt_of(night.night).name != "match"
    assert chips_in_play(night) == 400


# P3: out first after a penalty


def test_the_jackpot_waits_for_the_next_hand_when_an_offender_was_out_first() -> None:
    night = rummy(barred_out="jackpot_carries").hand().withholds("a", "D").out("a")
    assert (night.last, night.night.phase) == ([], "play")
    night.out("c", b=2, d=4)
    assert (night.last, night.pots["jackpot"]) == ([("d", "c", 4), ("b", "c", 2)], 5)


def test_the_jackpot_is_won_when_the_offender_is_not_the_first_one_out() -> None:
    night = rummy(barred_out="jackpot_carries").hand().withholds("a", "D").out("c", a=1, b=2, d=4)
    assert night.last[0] == ("jackpot", "c", 5)


# P6: somebody can't pay


def poor(chips: int, **options: Any) -> CoreNight:
    """Return a night of four in which B has so many chips, and the others 100."""
    night = rummy(**options)
    return night.moves("b", bank=100 - chips)


def test_a_partial_ante_goes_into_the_first_places_and_wins_no_other() -> None:
    night = poor(4, shortage="partial_ante").record("hand", dealer="a").record("no-sale")
    assert night.stacks["b"] == 0
    assert list(night.pots.values()) == [5, 5, 5, 5, 4, 4, 4, 4, 4]
    assert night.collect("b", "ten-hearts").stacks["b"] == 5
    assert "put nothing in Jack of spades" in str(night.refusal("collect", seat="b", pot="jack-spades"))
    night.out("b", a=1, c=1, d=1)
    assert (night.stacks["b"], night.pots["jackpot"]) == (8, 4)
    night.record("poker", winners=["c"]).record("hand", dealer="b", cover={"b": "bank"})
    assert night.night.current_deal().unpaid == frozenset()


def test_a_poker_pool_without_ones_ante_is_won_by_another() -> None:
    night = poor(4, shortage="partial_ante").hand("a").out("d", a=1, b=0, c=1)
    assert "put nothing in Poker pool" in str(night.refusal("poker", winners=["b"]))
    night.record("poker", winners=["c"])


def test_a_dealer_who_antes_double_pays_whole_places_only() -> None:
    night = rummy("abc", shortage="partial_ante").moves("a", bank=95).record("hand", dealer="a")
    assert (night.stacks["a"], list(night.pots.values())[:3]) == (1, [4, 4, 2])
    assert len(night.night.current_deal().unpaid) == 7


def test_a_partial_ante_passes_over_a_dear_place_and_pays_the_cheaper_ones_after_it() -> None:
    night = board("pope-joan", "abc", 20, shortage="partial_ante").moves("a", bank=15)
    night.record("hand", dealer="a")
    assert list(night.pots.items())[:5] == [("pope", 0), ("matrimony", 2), ("intrigue", 2), ("ace", 1), ("king", 0)]
    assert night.stacks["a"] == 0
    assert {pot for _, pot in night.night.current_deal().unpaid} == {"pope", "king", "queen", "jack", "game"}
    assert night.collect("a", "ace").last == [("ace", "a", 1)]
    assert "put nothing in Pope" in str(night.refusal("collect", seat="a", pot="pope"))


def test_a_person_who_lends_is_asked_for_no_partial_ante() -> None:
    night = poor(4, shortage="partial_ante").record("hand", dealer="a", cover={"b": "bank"})
    assert night.night.current_deal().unpaid == frozenset()
    assert set(night.pots.values()) == {5}


def test_a_capped_payment_takes_the_whole_stack_and_leaves_no_debt() -> None:
    night = poor(12, shortage="cap").hand()
    assert night.stacks["b"] == 3
    assert night.out("a", b=7, c=1, d=0).last == [
        ("jackpot", "a", 5),
        ("c", "a", 1),
        ("b", "a", 3),
    ]
    assert (night.stacks["b"], night.notes, chips_in_play(night)) == (0, {}, 312)
    night.record("poker", winners=["c"]).record("hand", dealer="c")  # B has nothing left to put in, and plays on
    assert "b" in night.night.current_deal().seats


def test_a_capped_penalty_is_paid_clockwise_as_far_as_it_goes() -> None:
    night = poor(11, shortage="cap").hand().leads_wrongly("b")
    assert night.last == [("b", "c", 1), ("b", "d", 1)]


def test_a_capped_payment_may_still_be_covered_and_a_price_is_never_capped() -> None:
    night = poor(12, shortage="cap").record("hand", dealer="a")
    assert night.refusal("sale", buyer="b", price=4).code == "not-enough-chips"
    night.record("no-sale").record("out", seat="a", cards={"b": 7, "c": 0, "d": 0}, cover={"b": "c"})
    assert night.notes == {("b", "c"): 4}


def test_where_the_night_ends_with_the_first_who_is_broke_a_hand_is_paid_as_far_as_it_goes() -> None:
    night = poor(12, shortage="end_session").hand().out("a", b=7, c=0, d=0)
    assert night.stacks["b"] == 0
    assert night.refusal("hand", dealer="b").facts["short"] == {"b": 18}
    assert prompt_of(night.night, waived=frozenset({"poker"})).ends_night
    assert not prompt_of(poor(99, shortage="end_session").night).ends_night
    assert night.record("end").night.phase == "ended"


@pytest.mark.parametrize(("rule", "short"), [("buy_in", {"b": 5}), ("partial_ante", {}), ("cap", {})])
def test_the_prompt_names_short_seats_unless_a_house_rule_lets_them_pay_less(rule: str, short: dict[str, int]) -> None:
    asked = prompt_of(poor(4, shortage=rule).night, plan={"dealer": "a"})
    assert (asked.short, asked.needs["b"]) == (short, 9 if short else 4)


# P7: what is left on the board


def test_the_remaining_chips_may_stay_on_the_board_and_its_ious_are_paid_into_it() -> None:
    night = rummy("abc", end="leave").hand().record("borrow", seat="b", source="jack-spades", chips=2)
    night.out("a", b=0, c=0).record("poker", winners=["c"]).record("end")
    assert night.board == 28  # nine places of 4, without the jackpot and the poker pool
    assert night.notes == {}
    assert sum(night.nets.values()) == -28
    assert sum(one.chips for one in settling(night.night) if one.creditor == BANK) == 28
    assert chips_in_play(night) == 300


def test_what_nobody_has_chips_to_pay_into_a_kept_board_is_owed_to_the_box() -> None:
    night = rummy("abc", 20, end="leave").moves("b", a=20).record("borrow", seat="c", source="a", chips=10)
    night.record("move", source="a", target="jackpot", chips=3).record("borrow", seat="b", source="jackpot", chips=3)
    worths, nets = night.worths, night.nets
    night.moves("b", c=3).record("end")
    assert night.notes == {}
    assert night.worths == worths | {"b": worths["b"] - 3, "c": worths["c"] + 3}
    assert night.nets["b"] == nets["b"] - 3
    assert kept_board(night.night) == {"jackpot": 3}
    assert [(one.event.source, one.event.target, one.event.cents) for one in payment_list(night.night)] == [
        ("b", BANK, 3)
    ]


def test_the_odd_chips_are_given_to_the_highest_card_before_the_rest_is_shared() -> None:
    night = rummy("abc", end__rest="high_card").hand()
    night.out("a", b=0, c=0).record("poker", winners=["c"])
    assert night.board == 28
    assert night.refusal("end").facts["count"] == 1
    before = night.record("move", source="king-clubs", target="b", chips=1, why="high card").stacks
    night.record("end")
    assert {seat: chips - before[seat] for seat, chips in night.stacks.items()} == {"a": 9, "b": 9, "c": 9}


def test_no_card_is_drawn_where_nothing_is_odd_or_one_person_takes_all() -> None:
    for night in (rummy("abcd", end__rest="high_card"), kitty("pqr", end__rest="high_card")):
        assert night.record("end").night.phase == "ended"


# A stake multiplier


def test_for_double_everybody_puts_twice_as_much_in_from_the_next_hand_on() -> None:
    night = rummy("abc").hand("a").record("rule", change={"ante.times": 2})
    assert (night.stacks["a"], night.stacks["b"]) == (82, 91)
    night.out("b", a=1, c=1)
    assert night.stacks["b"] == 91 + 4 + 2  # a card left costs as before
    night.record("poker", winners=["c"]).record("hand", dealer="b")
    assert [night.stacks[seat] for seat in "abc"] == [81 - 18, 97 - 36, 90 + 4 - 18]


@pytest.mark.parametrize(("preset", "places"), [("nain-jaune", [6, 12, 18, 24, 30]), ("pope-joan", [12, 4, 4, 2, 2])])
def test_places_with_antes_of_their_own_are_doubled_too(preset: str, places: list[int]) -> None:
    night = board(preset, "abc", 100, ante__times=2).record("hand", dealer="a")
    assert list(night.pots.values())[:5] == places


def test_chips_laid_freely_are_doubled_too() -> None:
    night = board("newmarket", "abc", ante__times=2).record("hand", dealer="a")
    assert night.pots["kitty"] == 6
    assert night.refusal("place", seat="b", pots={"ace-hearts": 4}).code == "bad-event"
    assert night.record("place", seat="b", pots={"ace-hearts": 8}).pots["ace-hearts"] == 8
