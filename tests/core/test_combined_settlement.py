"""Several nights settled at once: whole cents, none lost, and as few payments as a settlement needs."""

from hypothesis import given, strategies as st

from tracker.core.settlement import Owed, SharedCost, combined_nets, equal_shares, fewest_payments

PARTIES = [*"abcdefgh", "bank"]
CENTS = st.integers(1, 10_000)
OWED = st.lists(st.builds(Owed, st.sampled_from(PARTIES), st.sampled_from(PARTIES), CENTS), max_size=30)
SHARERS = st.lists(st.sampled_from(PARTIES), min_size=1, unique=True)
COSTS = st.lists(st.builds(SharedCost, st.sampled_from(PARTIES), SHARERS, CENTS), max_size=6)


@given(CENTS, SHARERS)
def test_shares_of_a_cost_are_whole_cents_that_sum_to_it_and_differ_by_one_at_most(
    cents: int, sharers: list[str]
) -> None:
    shares = equal_shares(cents, sharers)
    assert sum(shares.values()) == cents
    assert [*shares] == sharers
    assert max(shares.values()) - min(shares.values()) <= 1
    assert [*shares.values()] == sorted(shares.values(), reverse=True), "the first ones bear the odd cents"


@given(OWED, COSTS)
def test_combined_payments_bring_everybody_to_their_net_by_fewer_payments_than_people(
    owed: list[Owed], costs: list[SharedCost]
) -> None:
    nets = combined_nets(owed, costs)
    assert sum(nets.values()) == 0
    payments = fewest_payments(owed, costs)
    left = dict(nets)
    for one in payments:
        assert one.cents > 0
        assert nets[one.debtor] < 0 < nets[one.creditor], "who gets money pays none"
        left[one.debtor] += one.cents
        left[one.creditor] -= one.cents
    assert not any(left.values())
    assert len(payments) <= max(0, sum(map(bool, nets.values())) - 1)
    assert payments == fewest_payments(owed[::-1], costs), "the order of the nights changes nothing"


def test_ten_euros_for_three_cost_the_first_one_a_cent_more() -> None:
    assert equal_shares(1000, "abc") == {"a": 334, "b": 333, "c": 333}
    assert combined_nets([Owed("b", "a", 500)], [SharedCost("a", "abc", 1000)]) == {"a": 1166, "b": -833, "c": -333}
