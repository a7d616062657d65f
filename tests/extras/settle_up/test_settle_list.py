"""Several nights settled at once: whole cents, none lost, and as few payments as a settlement needs."""

from collections import Counter
from collections.abc import Sequence

from hypothesis import given, strategies as st

from tracker.core.settlement import Payment, equal_shares
from tracker.extras.settle_up.settle_list import ListedSeat, NightCost, OpenPayment, SettleUp

PARTIES = [*"abcdefgh", "bank"]
PARTY, CENTS = st.sampled_from(PARTIES), st.integers(1, 10_000)
OPEN = st.lists(st.builds(OpenPayment, st.just("night"), PARTY, PARTY, CENTS), max_size=30)
SHARERS = st.lists(PARTY, min_size=1, unique=True)
COSTS = st.lists(st.builds(NightCost, st.just("night"), st.just(""), PARTY, SHARERS.map(tuple), CENTS), max_size=6)


def payments(owed: Sequence[OpenPayment], costs: Sequence[NightCost]) -> list[Payment]:
    seats = tuple(ListedSeat("night", party, party, party) for party in PARTIES[:-1])
    return SettleUp("", seats, tuple(owed), tuple(costs)).payments


@given(CENTS, SHARERS)
def test_shares_of_a_cost_are_whole_cents_that_sum_to_it_and_differ_by_one_at_most(
    cents: int, sharers: list[str]
) -> None:
    shares = equal_shares(cents, sharers)
    assert sum(shares.values()) == cents
    assert [*shares] == sharers
    assert max(shares.values()) - min(shares.values()) <= 1
    assert [*shares.values()] == sorted(shares.values(), reverse=True), "the first ones bear the odd cents"


@given(OPEN, COSTS)
def test_combined_payments_bring_everybody_to_their_net_by_fewer_payments_than_people(
    owed: list[OpenPayment], costs: list[NightCost]
) -> None:
    nets = Counter(dict.fromkeys(PARTIES, 0))
    for due in owed:
        nets.update({due.source: -due.cents})
        nets.update({due.target: due.cents})
    for cost in costs:
        nets.update({cost.payer: cost.cents})
        nets.subtract(equal_shares(cost.cents, cost.sharers))
    assert sum(nets.values()) == 0
    made, left = payments(owed, costs), dict(nets)
    for one in made:
        assert one.chips > 0
        assert nets[one.debtor] < 0 < nets[one.creditor], "who gets money pays none"
        left[one.debtor] += one.chips
        left[one.creditor] -= one.chips
    assert not any(left.values())
    assert len(made) <= max(0, sum(map(bool, nets.values())) - 1)
    assert made == payments(owed[::-1], costs), "the order of the nights changes nothing"


def test_ten_euros_for_three_cost_the_first_one_a_cent_more() -> None:
    assert equal_shares(1000, "abc") == {"a": 334, "b": 333, "c": 333}
    owed = [OpenPayment("night", "b", "a", 500)]
    cost = NightCost("night", "pizza", "a", ("a", "b", "c"), 1000)
    assert payments(owed, [cost]) == [("b", "a", 833), ("c", "a", 333)]
