"""The dummy hand: exchanged, sold bid by bid or in one event, or left dead."""

from support.core_nights import CoreNight, rummy


def dealt(seats: str = "abcd", chips: int | None = None, **options: object) -> CoreNight:
    return rummy(seats, chips, **options).record("hand", dealer="a")


def decided(night: CoreNight) -> tuple[str | None, str | None, int]:
    deal = night.night.current_deal()
    return deal.dummy, deal.buyer, deal.price


def test_holders_of_a_money_card_may_pass_before_their_turn() -> None:
    night = dealt().record("pass", seat="d").record("bid", seat="b", chips=1).record("pass", seat="c")
    assert decided(night) == ("sold", "b", 1)


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


def test_before_any_bid_the_dummy_is_not_sold_to_somebody_who_passed() -> None:
    night = dealt().record("pass", seat="c")
    assert night.refusal("sale", buyer="c", price=5).code == "not-allowed"
    assert decided(night.record("exchange")) == ("exchanged", None, 0)


def test_a_dummy_that_a_card_left_alone_can_be_sold_or_swapped_as_long_as_the_hand_runs() -> None:
    for kind, fields, after in (
        ("sale", {"buyer": "c", "price": 9}, ("sold", "c", 9)),
        ("exchange", {}, ("exchanged", None, 0)),
    ):
        night = dealt().collect("b", "ten-hearts").record(kind, **fields)
        assert (night.night.phase, decided(night)) == ("play", after)
        assert night.refusal(kind, **fields).code == "wrong-moment"
        over = dealt().collect("b", "ten-hearts").out("b", a=1, c=2, d=3)
        assert over.refusal(kind, **fields).code == "wrong-moment"


def test_no_card_is_paid_before_a_bid_is_done_with_or_where_another_stage_follows_the_dummy() -> None:
    bid = dealt().record("bid", seat="b", chips=1)
    later = dealt(poker__when="before_showdown")
    assert [one.refusal("collect", seat="b", pot="ten-hearts").code for one in (bid, later)] == ["wrong-moment"] * 2
