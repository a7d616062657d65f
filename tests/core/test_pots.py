"""Money cards and their pots, shared, filled again, and what a wrong lead or a withheld card costs."""

from hypothesis import given, strategies as st
from support.core_nights import CoreNight, kitty, rummy

from tracker.core.ledger import BANK, Ledger, LedgerDraft
from tracker.core.queries.options import place_question
from tracker.core.queries.prompts import prompt_of


def test_a_pot_that_was_shared_is_taken_though_an_odd_chip_lies_in_it() -> None:
    night = rummy().hand().record("share", pot="seven-eight-nine", seats=["b", "c", "a"])
    assert night.pots["seven-eight-nine"] == 2
    taken = night.night.current_deal().taken
    for kind, fields in (("collect", {"seat": "d"}), ("share", {"seats": ["c", "d"]})):
        refused = night.refusal(kind, pot="seven-eight-nine", **fields)
        assert str(refused).startswith("B, C, A took Seven, eight, nine of one suit in this")
    assert place_question(night.night, "seven-eight-nine") == ""
    night.out("d", a=1, b=1, c=1)
    assert night.night.current_deal().taken["seven-eight-nine"] == taken["seven-eight-nine"]
    night.record("hand", dealer="b").record("no-sale").collect("d", "seven-eight-nine")
    assert night.last == [("seven-eight-nine", "d", 2 + 5)]


def test_a_stored_night_in_which_an_odd_chip_was_collected_still_opens() -> None:
    night = rummy().hand().record("share", pot="seven-eight-nine", seats=["b", "c"])
    fields = {"seat": "d", "pot": "seven-eight-nine"}
    assert night.refusal("collect", **fields).code == "already-done"
    night.opened_with("collect", reason="already-done", **fields)
    assert night.last == [("seven-eight-nine", "d", 1)]
    night.amend(1, name="Ann")
    assert night.pots["seven-eight-nine"] == 0


# Penalties


def test_a_person_who_sits_out_or_waits_gets_nothing_of_a_wrong_lead() -> None:
    night = rummy("abcd").hand("a", sits_out=["d"]).record("sit", seat="e", name="E")
    night.leads_wrongly("b")
    assert night.last == [("b", "c", 1), ("b", "a", 1)]


def test_p6b_a_wrong_lead_with_too_few_chips_pays_clockwise_and_owes_the_rest() -> None:
    night = rummy("abcd", 10, ante__each=1, ante__dealer=1).hand().record("buy", seat="d", chips=5)
    refusal = night.refusal("penalty", seat="c", offence="wrong-lead")
    assert refusal.facts["short"] == {"c": 2}
    night.record("penalty", seat="c", offence="wrong-lead", cover={"c": "d"})
    assert night.stacks == {"a": 2, "b": 2, "c": 0, "d": 5}
    assert night.notes == {("c", "d"): 2}


# A pot that several share: equal parts of its worth, in chips and IOUs, whatever lies in it


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


# A place that was won, and got chips by hand in the same hand: it can be won anew


def taken_by_mistake(night: CoreNight, seat: str, pot: str) -> CoreNight:
    """Have a seat take a place, and put back by hand what lay there."""
    chips = night.pots[pot]
    night.collect(seat, pot)
    return night.record("move", source=seat, target=pot, chips=chips, why="it was not hers")


def test_a_place_that_was_filled_again_is_offered_and_taken() -> None:
    night = taken_by_mistake(kitty("pqr").hand("p"), "q", "king-hearts")
    assert place_question(night.night, "king-hearts") == "collect"
    assert night.collect("r", "king-hearts").pots["king-hearts"] == 0
    assert str(night.refusal("collect", seat="p", pot="king-hearts")).startswith("R took King of hearts in this hand")


def test_a_fine_into_a_place_that_was_won_is_no_reason_to_win_it_again() -> None:
    night = CoreNight("royal-rummy", options={"stop.fine": 1, "stop.pot": "ace-hearts"}).hand("a")
    night.collect("b", "ace-hearts").record("fine", seat="c")
    assert night.refusal("collect", seat="d", pot="ace-hearts").code == "already-done"


def test_a_card_is_turned_up_anew_where_its_place_was_filled_again() -> None:
    night = CoreNight("pope-joan").record("hand", dealer="a").record("turn-up", pot="queen")
    night.record("move", source="a", target="queen", chips=1)
    assert night.record("turn-up", pot="king").pots["queen"] == 1
    again = CoreNight("pope-joan").record("hand", dealer="a").record("turn-up", pot="queen")
    assert again.refusal("turn-up", pot="king").code == "already-done"


def test_a_withheld_card_is_paid_for_at_a_place_that_was_filled_again() -> None:
    night = rummy(withheld__source="pot").hand("a").withholds("d", "S").out("a", b=0, c=0, d=0)
    night.record("held", pot="jack-spades", seat="b", offender="d")
    night.record("move", source="b", target="jack-spades", chips=5)
    assert prompt_of(night.night).name == "match"
    assert night.record("held", pot="jack-spades", seat="c", offender="d").pots["jack-spades"] == 0


def test_a_poker_pool_that_was_filled_again_is_won_again() -> None:
    night = rummy("abc").hand("a").out("b", a=1, c=1).record("poker", winners=["a"])
    night.record("move", source="a", target="poker", chips=4)
    assert prompt_of(night.night).name == "poker"
    assert night.record("poker", winners=["c"]).pots["poker"] == 0
