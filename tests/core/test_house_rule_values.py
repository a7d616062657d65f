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


# P6: somebody can't pay


def poor(chips: int, **options: Any) -> CoreNight:
    """Return a night of four in which B has so many chips, and the others 100."""
    night = rummy(**options)
    return night.moves("b", bank=100 - chips)


def test_a_poker_pool_without_ones_ante_is_won_by_another() -> None:
    night = poor(4, shortage="partial_ante").hand("a").out("d", a=1, b=0, c=1)
    assert "put nothing in Poker pool" in str(night.refusal("poker", winners=["b"]))
    night.record("poker", winners=["c"])


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


def test_a_capped_payment_may_still_be_covered_and_a_price_is_never_capped() -> None:
    night = poor(12, shortage="cap").record("hand", dealer="a")
    assert night.refusal("sale", buyer="b", price=4).code == "not-enough-chips"
    night.record("no-sale").record("out", seat="a", cards={"b": 7, "c": 0, "d": 0}, cover={"b": "c"})
    assert night.notes == {("b", "c"): 4}


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


def test_no_card_is_drawn_where_nothing_is_odd_or_one_person_takes_all() -> None:
    for night in (rummy("abcd", end__rest="high_card"), kitty("pqr", end__rest="high_card")):
        assert night.record("end").night.phase == "ended"
