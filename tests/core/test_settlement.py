"""Who pays whom at the end: never more payments than needed, whole coins, and noting one as made."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, strategies as st
from support.core_nights import CoreNight, rummy

from tracker.core.payment_list import payment_list
from tracker.core.queries.summary import summary
from tracker.core.settlement import Payment, in_money, payments

CHIPS = st.integers(-30, 30)


@st.composite
def balanced(draw: st.DrawFn, most: int = 7, chips: st.SearchStrategy[int] = CHIPS) -> dict[str, int]:
    """Draw nets that sum to zero; many small numbers, so that groups among them often do so as well."""
    drawn = draw(st.lists(chips, max_size=most - 1))
    nets = [*drawn, -sum(drawn)] if drawn else []
    return {f"seat-{place}": net for place, net in enumerate(nets)}


def fewest(nets: Sequence[int]) -> int:
    """Return the smallest number of payments by trying every way in which the first debt can be paid off."""
    owing = [net for net in nets if net]
    if not owing:
        return 0
    first, rest = owing[0], owing[1:]
    ways = []
    for place, other in enumerate(rest):
        if first * other < 0:
            ways.append(1 + fewest([*rest[:place], other + first, *rest[place + 1 :]]))
            if other == -first:
                break
    return min(ways)


def after(nets: dict[str, int], made: Sequence[Payment]) -> dict[str, int]:
    left = dict(nets)
    for one in made:
        left[one.debtor] += one.chips
        left[one.creditor] -= one.chips
    return left


@given(balanced())
def test_no_plan_has_fewer_payments(nets: dict[str, int]) -> None:
    assert len(payments(nets)) == fewest(list(nets.values()))


@given(balanced(most=20))
def test_losers_pay_winners_are_paid_until_all_are_even_and_nobody_crosses_zero(nets: dict[str, int]) -> None:
    made = payments(nets)
    for place, one in enumerate(made):
        assert one.chips > 0
        assert nets[one.debtor] < 0 < nets[one.creditor]
        left = after(nets, made[: place + 1])
        assert left[one.debtor] <= 0 <= left[one.creditor]
    assert set(after(nets, made).values()) <= {0}
    assert len({(one.debtor, one.creditor) for one in made}) == len(made)


@given(balanced(), st.randoms(use_true_random=False))
def test_other_names_and_people_who_are_even_change_no_payment(nets: dict[str, int], chance: Random) -> None:
    called = chance.sample(range(100), len(nets))
    names = {seat: f"z{number}" for seat, number in zip(nets, called, strict=True)}
    renamed = payments({"even": 0, **{names[seat]: net for seat, net in nets.items()}, "level": 0})
    assert renamed == [Payment(names[one.debtor], names[one.creditor], one.chips) for one in payments(nets)]


def test_of_people_who_are_level_the_one_named_first_is_first_in_the_plan() -> None:
    assert payments({"a": 5, "b": 5, "c": -5, "d": -5}) == [Payment("c", "a", 5), Payment("d", "b", 5)]
    assert payments({"d": -5, "c": -5, "b": 5, "a": 5}) == [Payment("d", "b", 5), Payment("c", "a", 5)]


def test_nets_that_do_not_sum_to_zero_are_a_mistake_of_ours() -> None:
    with pytest.raises(AssertionError):
        payments({"a": 1, "b": 1})


# Money


@given(balanced(most=12), st.integers(1, 200), st.integers(0, 10_000), st.sampled_from([1, 5, 10, 25, 50, 100]))
def test_money_sums_to_zero_in_whole_coins_off_by_less_than_a_coin(
    nets: dict[str, int], chips: int, cents: int, coin: int
) -> None:
    money = in_money(nets, chips=chips, cents=cents, coin=coin)
    assert list(money) == list(nets)
    assert sum(money.values()) == 0
    assert all(value % coin == 0 for value in money.values())
    assert all(abs(money[seat] * chips - net * cents) < coin * chips for seat, net in nets.items())
    assert all(money[seat] == 0 for seat, net in nets.items() if net == 0)


def test_the_largest_remainders_are_rounded_up_then_the_first_seats() -> None:
    assert in_money({"a": 1, "b": 1, "c": 1, "d": -3}, chips=2, cents=5, coin=5) == {"a": 5, "b": 5, "c": 0, "d": -10}
    assert in_money({"a": 7, "b": -4, "c": -3}, chips=10, cents=100, coin=25) == {"a": 75, "b": -50, "c": -25}


# Payments of the settlement: which there are, noting one as made, and taking that back


PENCE = {"money__chips": 1, "money__cents": 5}


def ended() -> CoreNight:
    """Return a night in cents that has ended: A has lost 15 chips, B won 10 and C 5."""
    return rummy("abc", **PENCE).moves("a", b=10, c=5).record("end")


def listed(night: CoreNight) -> list[tuple[str, str, int, bool]]:
    return [(one.event.source, one.event.target, one.event.cents, one.is_made) for one in payment_list(night.night)]


def test_a_payment_is_noted_once_after_the_end_and_taken_back_like_any_entry() -> None:
    night = ended()
    assert listed(night) == [("a", "b", 50, False), ("a", "c", 25, False)]
    night.record("paid", source="a", target="b", cents=50)
    assert listed(night) == [("a", "b", 50, True), ("a", "c", 25, False)]
    assert (night.night.phase, night.last) == ("ended", [])
    assert night.refusal("paid", source="a", target="b", cents=50).code == "already-done"
    assert listed(night.undo()) == [("a", "b", 50, False), ("a", "c", 25, False)]


def test_a_correction_after_a_payment_settles_what_is_open() -> None:
    night = ended().record("paid", source="a", target="c", cents=25).amend(4, chips=20)
    assert listed(night) == [("a", "b", 100, False), ("a", "c", 25, True)]
    night.amend(5, chips=2)
    assert listed(night) == [("a", "c", 25, True), ("a", "b", 85, False), ("c", "b", 15, False)]


def test_without_money_open_ious_are_paid() -> None:
    owing = rummy("abc", 20).record("borrow", seat="a", source="b", chips=15).moves("a", c=30).record("end")
    assert listed(owing) == [("a", "b", 10, False)]


def test_without_money_parts_of_a_net_are_paid_as_often_as_the_state_says_that_they_are_owed() -> None:
    night = rummy("abc").hand("c").out("a", b=3, c=0).record("end")
    [first, *_] = summary(night.night)["payments"]
    source, target, half = first["debtor"], first["creditor"], first["chips"] // 2
    night.record("paid", source=source, target=target, cents=half)
    night.record("paid", source=source, target=target, cents=half)
    assert [one.nth for one in payment_list(night.night) if one.is_made] == [1, 2]
    refused = night.refusal("paid", source=source, target=target, cents=half)
    assert refused.code == "already-done"
