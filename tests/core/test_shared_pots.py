"""A pot that several share: equal parts of its worth, in chips and IOUs, whatever lies in it."""

from hypothesis import given, strategies as st

from tracker.core.ledger import BANK, Ledger, LedgerDraft

SEATS = ("ann", "bob", "cara", "dan", "eve")
POT = "pot"


def parts_of(chips: int, papers: dict[str, int], takers: list[str], *, goes_round: bool) -> dict[str, int]:
    """Return what each taker should get, dealt out one by one: all that is there, or only whole rounds of it."""
    pieces = chips + sum(papers.values())
    dealt = pieces if goes_round else pieces - pieces % len(takers)
    return {taker: len(range(place, dealt, len(takers))) for place, taker in enumerate(takers)}


@given(
    st.integers(0, 40),
    st.dictionaries(st.sampled_from(SEATS), st.integers(1, 20)),
    st.permutations(SEATS),
    st.integers(1, len(SEATS)),
    st.booleans(),
)
def test_everybody_gets_the_same_worth_and_nothing_is_lost(
    chips: int, papers: dict[str, int], order: list[str], count: int, goes_round: bool
) -> None:
    takers = order[:count]
    before = Ledger({POT: chips, BANK: -chips}, {(debtor, POT): paper for debtor, paper in papers.items()})
    draft = LedgerDraft(before)
    draft.share_out(POT, takers, goes_round=goes_round)
    after = draft.close()
    parts = parts_of(chips, papers, takers, goes_round=goes_round)
    assert {taker: after.worth(taker) - before.worth(taker) for taker in takers} == parts
    assert after.holds(POT) == before.holds(POT) - sum(parts.values())
    assert all(debtor != holder and paper > 0 for (debtor, holder), paper in after.iou.items())
    for (
        taker
    ) in takers:  # chips and every IOU are shared evenly first, so that a pot without odd ones is shared as ever
        assert after.balance(taker) >= chips // count
