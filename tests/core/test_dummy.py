"""The dummy hand: exchanged, sold bid by bid or in one event, or left dead."""

from typing import Any

import pytest
from support.core_nights import CoreNight, kitty, rummy


def dealt(seats: str = "abcd", chips: int | None = None, **options: object) -> CoreNight:
    return rummy(seats, chips, **options).record("hand", dealer="a")


def decided(night: CoreNight) -> tuple[str | None, str | None, int]:
    deal = night.night.current_deal()
    return deal.dummy, deal.buyer, deal.price


def test_an_exchange_and_no_sale_move_no_chips_and_the_play_begins() -> None:
    for kind, becomes in (("exchange", "exchanged"), ("no-sale", "dead")):
        night = dealt().record(kind)
        assert (night.last, night.night.phase, decided(night)) == ([], "play", (becomes, None, 0))


def test_a_sale_in_one_event_pays_the_dealer() -> None:
    night = dealt().record("sale", buyer="d", price=5)
    assert night.last == [("d", "a", 5)]
    assert decided(night) == ("sold", "d", 5)
    assert night.night.phase == "play"


def test_the_dummy_is_decided_once() -> None:
    decisions: dict[str, dict[str, Any]] = {"exchange": {}, "no-sale": {}, "sale": {"buyer": "c", "price": 9}}
    calls: dict[str, dict[str, Any]] = {"bid": {"seat": "b", "chips": 9}, "pass": {"seat": "b"}}
    for kind, fields in decisions.items():
        night = dealt().record(kind, **fields)
        for again, said in (decisions | calls).items():
            assert night.refusal(again, **said).code == "wrong-moment", (kind, again)


def test_p5_bids_go_round_from_the_dealers_left() -> None:
    night = dealt()
    assert "B" in str(night.refusal("bid", seat="c", chips=1))
    night.record("bid", seat="b", chips=1)
    assert night.refusal("bid", seat="b", chips=2).code == "wrong-moment"
    assert night.refusal("bid", seat="d", chips=2).code == "wrong-moment"
    night.record("bid", seat="c", chips=2).record("bid", seat="d", chips=3)
    assert night.refusal("bid", seat="c", chips=4).code == "wrong-moment"
    night.record("bid", seat="b", chips=4)
    assert night.last == []
    assert night.night.phase == "dummy"


def test_the_auction_is_over_when_one_bidder_is_left() -> None:
    night = dealt().record("bid", seat="b", chips=1).record("pass", seat="c").record("bid", seat="d", chips=2)
    night.record("bid", seat="b", chips=3).record("bid", seat="d", chips=4).record("pass", seat="b")
    assert night.last == [("d", "a", 4)]
    assert decided(night) == ("sold", "d", 4)


def test_holders_of_a_money_card_may_pass_before_their_turn() -> None:
    night = dealt().record("pass", seat="d").record("bid", seat="b", chips=1).record("pass", seat="c")
    assert decided(night) == ("sold", "b", 1)


def test_a_single_bidder_has_bought_it_at_once() -> None:
    assert decided(dealt("ab").record("bid", seat="b", chips=1)) == ("sold", "b", 1)
    night = dealt("abc").record("pass", seat="b")
    assert night.night.phase == "dummy"
    assert decided(night.record("bid", seat="c", chips=2)) == ("sold", "c", 2)


def test_p5b_when_all_have_passed_there_is_no_sale_and_the_dummy_is_dead_by_default() -> None:
    night = dealt().record("pass", seat="c").record("pass", seat="b")
    assert night.night.phase == "dummy"
    night.record("pass", seat="d")
    assert (night.last, night.night.phase, decided(night)) == ([], "play", ("dead", None, 0))
    assert night.refusal("exchange").code == "wrong-moment"


def test_p5_a_pass_is_final() -> None:
    night = dealt().record("pass", seat="b")
    assert night.refusal("bid", seat="b", chips=5).code == "not-allowed"
    assert night.refusal("pass", seat="b").code == "wrong-moment"


def test_p5_each_bid_is_above_the_last() -> None:
    night = dealt().record("bid", seat="b", chips=3)
    for chips in (1, 2, 3):
        assert night.refusal("bid", seat="c", chips=chips).code == "not-allowed"
    night.record("bid", seat="c", chips=4)


def test_p5_the_lowest_bid_and_the_step_are_house_rules() -> None:
    night = dealt(auction__min=5, auction__step=3)
    assert night.refusal("bid", seat="b", chips=4).facts["least"] == 5
    assert night.refusal("sale", buyer="b", price=4).facts["least"] == 5
    night.record("bid", seat="b", chips=5)
    assert night.refusal("bid", seat="c", chips=7).facts["least"] == 8
    night.record("bid", seat="c", chips=8)


def test_neither_the_dealer_who_sells_bids_passes_or_buys_nor_does_the_highest_bidder_pass() -> None:
    for kind, fields in (
        ("bid", {"seat": "a", "chips": 1}),
        ("pass", {"seat": "a"}),
        ("sale", {"buyer": "a", "price": 1}),
    ):
        assert dealt().refusal(kind, **fields).code == "not-allowed", kind
    assert dealt().record("bid", seat="b", chips=1).refusal("pass", seat="b").code == "not-allowed"


def test_only_players_of_the_hand_bid() -> None:
    night = rummy("abcd").record("hand", dealer="a", sits_out=["c"]).record("sit", seat="e", name="E")
    for seat in ("c", "e", "nobody"):
        assert night.refusal("bid", seat=seat, chips=1).code in ("wrong-moment", "unknown")
        assert night.refusal("sale", buyer=seat, price=1).code in ("wrong-moment", "unknown")
    night.record("bid", seat="b", chips=1).record("pass", seat="d")
    assert decided(night) == ("sold", "b", 1)


def test_a_bid_above_the_bidders_chips_needs_a_lender() -> None:
    night = dealt("abc", 20)
    assert night.refusal("bid", seat="b", chips=12).facts["short"] == {"b": 1}
    night.record("bid", seat="b", chips=15, cover={"b": "c"})
    assert night.stacks == {"a": 2, "b": 11, "c": 11}
    night.record("pass", seat="c")
    assert night.stacks == {"a": 17, "b": 0, "c": 7}
    assert night.notes == {("b", "c"): 4}


def test_a_later_bid_needs_a_cover_of_its_own() -> None:
    night = dealt("abc", 20).record("bid", seat="b", chips=12, cover={"b": "c"})
    night.record("bid", seat="c", chips=13, cover={"c": "bank"})
    assert night.refusal("bid", seat="b", chips=14).facts["short"] == {"b": 3}
    night.record("pass", seat="b")
    assert (night.notes, night.night.ledger.bought["c"]) == ({}, 22)


def test_the_pass_that_ends_an_auction_may_cover_the_price() -> None:
    night = dealt("abc", 20).record("bid", seat="b", chips=11).record("borrow", seat="c", source="b", chips=5)
    assert night.refusal("pass", seat="c").facts["short"] == {"b": 5}
    night.record("pass", seat="c", cover={"b": "bank"})
    assert (night.stacks["a"], night.stacks["b"]) == (13, 0)


def test_the_lender_of_a_bid_must_be_at_the_table() -> None:
    for source in ("b", "nobody", "no-pot"):
        for kind, fields in (
            ("bid", {"seat": "b", "chips": 15}),
            ("sale", {"buyer": "b", "price": 15}),
            ("pass", {"seat": "c"}),
        ):
            refusal = dealt("abc", 20).refusal(kind, **fields, cover={"b": source})
            assert refusal.code in ("unknown", "not-allowed"), (kind, source)


def test_a_sale_may_be_paid_with_an_iou_to_the_dealer() -> None:
    night = dealt("abc", 20).record("sale", buyer="b", price=15, cover={"b": "a"})
    assert night.stacks == {"a": 13, "b": 0, "c": 11}
    assert night.notes == {("b", "a"): 4}


@pytest.mark.parametrize(
    ("dummy", "exchange", "sale"),
    [("exchange_or_sell", True, True), ("exchange_only", True, False), ("sell_only", False, True)],
)
def test_p5b_what_the_dealer_may_do_is_a_house_rule(dummy: str, exchange: bool, sale: bool) -> None:
    for kind, fields, is_allowed in (
        ("exchange", {}, exchange),
        ("sale", {"buyer": "b", "price": 1}, sale),
        ("bid", {"seat": "b", "chips": 1}, sale),
        ("pass", {"seat": "b"}, sale),
        ("no-sale", {}, True),
    ):
        night = dealt(dummy=dummy)
        if is_allowed:
            night.record(kind, **fields)
        else:
            assert night.refusal(kind, **fields).code == "not-allowed"


@pytest.mark.parametrize("dummy", ["exchange_or_sell", "sell_only"])
def test_p5b_when_nobody_bids_a_house_rule_may_let_the_dealer_exchange(dummy: str) -> None:
    night = dealt("abc", dummy=dummy, dummy__after_no_bid="dealer_may_exchange")
    night.record("pass", seat="b").record("pass", seat="c")
    assert night.night.phase == "play"
    night.record("exchange")
    assert (night.night.phase, decided(night)) == ("play", ("exchanged", None, 0))
    assert night.refusal("exchange").code == "wrong-moment"


def test_p5b_a_sold_dummy_is_not_exchanged_afterwards() -> None:
    night = dealt(dummy__after_no_bid="dealer_may_exchange").record("sale", buyer="b", price=1)
    assert night.refusal("exchange").code == "wrong-moment"


def test_the_kitty_table_sells_from_one_penny_up() -> None:
    night = kitty("pqrs", 20).record("hand", dealer="p").record("pass", seat="q").record("pass", seat="s")
    night.record("bid", seat="r", chips=1)
    assert night.stacks == {"p": 13, "q": 12, "r": 11, "s": 12}


def test_once_somebody_has_bid_the_dummy_is_sold_as_the_bids_say() -> None:
    night = dealt().record("bid", seat="b", chips=2).record("pass", seat="c")
    for kind in ("no-sale", "exchange"):
        assert night.refusal(kind).code == "not-allowed"
    for buyer, price in (("b", 3), ("d", 2), ("c", 5)):
        assert night.refusal("sale", buyer=buyer, price=price).code == "not-allowed"
    assert decided(night.record("sale", buyer="b", price=2)) == ("sold", "b", 2)


def test_before_any_bid_the_dummy_is_not_sold_to_somebody_who_passed() -> None:
    night = dealt().record("pass", seat="c")
    assert night.refusal("sale", buyer="c", price=5).code == "not-allowed"
    assert decided(night.record("exchange")) == ("exchanged", None, 0)


def offered(seats: str = "abcd", chips: int | None = None, **options: object) -> CoreNight:
    return dealt(seats, chips, dummy="passed_round", auction__min=2, **options)


def test_m14_a_dummy_passed_round_goes_to_the_first_who_pays_its_price_to_the_dealer() -> None:
    night = offered()
    assert night.refusal("bid", seat="c", chips=2).code == "wrong-moment"
    night.record("pass", seat="b")
    for chips in (1, 3):
        assert night.refusal("bid", seat="c", chips=chips).code == "not-allowed"
    night.record("bid", seat="c", chips=2)
    assert night.last == [("c", "a", 2)]
    assert decided(night) == ("sold", "c", 2)
    assert night.night.phase == "play"


def test_m14_a_dummy_passed_round_may_be_recorded_in_one_event() -> None:
    for price in (1, 3):
        assert offered().refusal("sale", buyer="d", price=price).code == "not-allowed"
    assert decided(offered().record("sale", buyer="d", price=2)) == ("sold", "d", 2)
    assert decided(offered().record("no-sale")) == ("dead", None, 0)
    assert offered().refusal("exchange").code == "not-allowed"


def test_m14_a_dummy_that_everybody_passes_on_is_dead_or_the_dealers_by_house_rule() -> None:
    for after, may_exchange in (("dead", False), ("dealer_may_exchange", True)):
        night = offered("abc", dummy__after_no_bid=after).record("pass", seat="b").record("pass", seat="c")
        assert decided(night) == ("dead", None, 0)
        if may_exchange:
            assert decided(night.record("exchange")) == ("exchanged", None, 0)
        else:
            assert night.refusal("exchange").code == "wrong-moment"


def test_m14_who_is_short_of_the_price_may_borrow_it() -> None:
    night = offered("abc", chips=20).moves("b", c=10)
    assert night.refusal("bid", seat="b", chips=2).facts["short"] == {"b": 1}
    night.record("bid", seat="b", chips=2, cover={"b": "a"})
    assert night.notes == {("b", "a"): 1}
