"""The dummy hand: exchanged, sold bid by bid or in one event, or left dead."""

from __future__ import annotations

import pytest
from played import Played, kitty, rummy


def dealt(seats: str = "abcd", chips: int | None = None, **options: object) -> Played:
    return rummy(seats, chips, **options).does("hand", dealer="a")


def decided(night: Played) -> tuple[str | None, str | None, int]:
    deal = night.night.the_deal()
    return deal.dummy, deal.buyer, deal.price


def test_an_exchange_moves_no_chips_and_the_play_begins() -> None:
    night = dealt().does("exchange")
    assert night.last == []
    assert night.night.phase == "play"
    assert decided(night) == ("exchanged", None, 0)


def test_a_sale_in_one_event_pays_the_dealer() -> None:
    night = dealt().does("sale", buyer="d", price=5)
    assert night.last == [("d", "a", 5)]
    assert decided(night) == ("sold", "d", 5)
    assert night.night.phase == "play"


def test_no_sale_leaves_the_dummy_dead() -> None:
    night = dealt().does("no-sale")
    assert night.last == []
    assert decided(night) == ("dead", None, 0)


def test_the_dummy_is_decided_once() -> None:
    for kind, fields in (("exchange", {}), ("no-sale", {}), ("sale", {"buyer": "b", "price": 1})):
        night = dealt().does(kind, **fields)
        for again in ("exchange", "no-sale"):
            assert night.refuses(again).code == "wrong-moment"
        assert night.refuses("sale", buyer="c", price=9).code == "wrong-moment"
        assert night.refuses("bid", seat="b", chips=9).code == "wrong-moment"
        assert night.refuses("pass", seat="b").code == "wrong-moment"


def test_p5_bids_go_round_from_the_dealers_left() -> None:
    night = dealt()
    assert "B" in str(night.refuses("bid", seat="c", chips=1))
    night.does("bid", seat="b", chips=1)
    assert night.refuses("bid", seat="b", chips=2).code == "wrong-moment"
    assert night.refuses("bid", seat="d", chips=2).code == "wrong-moment"
    night.does("bid", seat="c", chips=2).does("bid", seat="d", chips=3)
    assert night.refuses("bid", seat="c", chips=4).code == "wrong-moment"
    night.does("bid", seat="b", chips=4)
    assert night.last == []
    assert night.night.phase == "dummy"


def test_the_auction_is_over_when_one_bidder_is_left() -> None:
    night = dealt().does("bid", seat="b", chips=1).does("pass", seat="c").does("bid", seat="d", chips=2)
    night.does("bid", seat="b", chips=3).does("bid", seat="d", chips=4).does("pass", seat="b")
    assert night.last == [("d", "a", 4)]
    assert decided(night) == ("sold", "d", 4)


def test_holders_of_a_money_card_may_pass_before_their_turn() -> None:
    night = dealt().does("pass", seat="d").does("bid", seat="b", chips=1).does("pass", seat="c")
    assert decided(night) == ("sold", "b", 1)


def test_a_single_bidder_has_bought_it_at_once() -> None:
    assert decided(dealt("ab").does("bid", seat="b", chips=1)) == ("sold", "b", 1)
    night = dealt("abc").does("pass", seat="b")
    assert night.night.phase == "dummy"
    assert decided(night.does("bid", seat="c", chips=2)) == ("sold", "c", 2)


def test_when_all_have_passed_there_is_no_sale() -> None:
    night = dealt().does("pass", seat="c").does("pass", seat="b")
    assert night.night.phase == "dummy"
    night.does("pass", seat="d")
    assert night.last == []
    assert decided(night) == ("dead", None, 0)
    assert night.night.phase == "play"


def test_p5_a_pass_is_final() -> None:
    night = dealt().does("pass", seat="b")
    assert night.refuses("bid", seat="b", chips=5).code == "not-allowed"
    assert night.refuses("pass", seat="b").code == "wrong-moment"


def test_p5_each_bid_is_above_the_last() -> None:
    night = dealt().does("bid", seat="b", chips=3)
    for chips in (1, 2, 3):
        assert night.refuses("bid", seat="c", chips=chips).code == "not-allowed"
    night.does("bid", seat="c", chips=4)


def test_p5_the_lowest_bid_and_the_step_are_house_rules() -> None:
    night = dealt(auction__min=5, auction__step=3)
    assert night.refuses("bid", seat="b", chips=4).facts["least"] == 5
    assert night.refuses("sale", buyer="b", price=4).facts["least"] == 5
    night.does("bid", seat="b", chips=5)
    assert night.refuses("bid", seat="c", chips=7).facts["least"] == 8
    night.does("bid", seat="c", chips=8)


def test_the_dealer_sells_and_so_neither_bids_nor_passes_nor_buys() -> None:
    night = dealt()
    assert night.refuses("bid", seat="a", chips=1).code == "not-allowed"
    assert night.refuses("pass", seat="a").code == "not-allowed"
    assert night.refuses("sale", buyer="a", price=1).code == "not-allowed"


def test_the_highest_bidder_can_not_pass() -> None:
    assert dealt().does("bid", seat="b", chips=1).refuses("pass", seat="b").code == "not-allowed"


def test_only_who_is_in_the_hand_bids() -> None:
    night = rummy("abcd").does("hand", dealer="a", sits_out=["c"]).does("sit", seat="e", name="E")
    for seat in ("c", "e", "nobody"):
        assert night.refuses("bid", seat=seat, chips=1).code in ("wrong-moment", "unknown")
        assert night.refuses("sale", buyer=seat, price=1).code in ("wrong-moment", "unknown")
    night.does("bid", seat="b", chips=1).does("pass", seat="d")
    assert decided(night) == ("sold", "b", 1)


def test_a_bid_is_not_more_than_the_bidders_chips() -> None:
    refusal = dealt("abc", 20).refuses("bid", seat="b", chips=12)
    assert refusal.facts["short"] == {"b": 1}


def test_a_bid_may_name_who_lends_what_is_missing() -> None:
    night = dealt("abc", 20).does("bid", seat="b", chips=15, cover={"b": "c"})
    assert night.stacks == {"a": 2, "b": 11, "c": 11}
    night.does("pass", seat="c")
    assert night.stacks == {"a": 17, "b": 0, "c": 7}
    assert night.notes == {("b", "c"): 4}


def test_a_later_bid_needs_a_cover_of_its_own() -> None:
    night = (
        dealt("abc", 20)
        .does("bid", seat="b", chips=12, cover={"b": "c"})
        .does("bid", seat="c", chips=13, cover={"c": "bank"})
    )
    assert night.refuses("bid", seat="b", chips=14).facts["short"] == {"b": 3}
    night.does("pass", seat="b")
    assert night.notes == {}
    assert night.night.ledger.bought["c"] == 22


def test_the_pass_that_ends_an_auction_may_cover_the_price() -> None:
    night = dealt("abc", 20).does("bid", seat="b", chips=11).does("borrow", seat="c", source="b", chips=5)
    assert night.refuses("pass", seat="c").facts["short"] == {"b": 5}
    night.does("pass", seat="c", cover={"b": "bank"})
    assert (night.stacks["a"], night.stacks["b"]) == (13, 0)


@pytest.mark.parametrize("source", ["b", "nobody", "no-pot"])
def test_who_lends_for_a_bid_must_be_there(source: str) -> None:
    night = dealt("abc", 20)
    assert night.refuses("bid", seat="b", chips=15, cover={"b": source}).code in ("unknown", "not-allowed")
    assert night.refuses("sale", buyer="b", price=15, cover={"b": source}).code in ("unknown", "not-allowed")
    assert night.refuses("pass", seat="c", cover={"b": source}).code in ("unknown", "not-allowed")


def test_a_sale_may_be_paid_with_an_iou_to_the_dealer() -> None:
    night = dealt("abc", 20).does("sale", buyer="b", price=15, cover={"b": "a"})
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
            night.does(kind, **fields)
        else:
            assert night.refuses(kind, **fields).code == "not-allowed"


def test_p5b_when_nobody_bids_the_dummy_is_dead_by_default() -> None:
    night = dealt().does("pass", seat="b").does("pass", seat="c").does("pass", seat="d")
    assert night.refuses("exchange").code == "wrong-moment"


@pytest.mark.parametrize("dummy", ["exchange_or_sell", "sell_only"])
def test_p5b_when_nobody_bids_a_house_may_let_the_dealer_exchange(dummy: str) -> None:
    night = dealt("abc", dummy=dummy, dummy__after_no_bid="dealer_may_exchange")
    night.does("pass", seat="b").does("pass", seat="c")
    assert night.night.phase == "play"
    night.does("exchange")
    assert (night.night.phase, decided(night)) == ("play", ("exchanged", None, 0))
    assert night.refuses("exchange").code == "wrong-moment"


def test_p5b_a_sold_dummy_is_not_exchanged_afterwards() -> None:
    night = dealt(dummy__after_no_bid="dealer_may_exchange").does("sale", buyer="b", price=1)
    assert night.refuses("exchange").code == "wrong-moment"


def test_the_kitty_table_sells_from_one_penny_up() -> None:
    night = kitty("pqrs", 20).does("hand", dealer="p").does("pass", seat="q").does("pass", seat="s")
    night.does("bid", seat="r", chips=1)
    assert night.stacks == {"p": 13, "q": 12, "r": 11, "s": 12}
