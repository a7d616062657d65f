"""IOUs: claims at face value, in hands and in pots; what is bought, lent, paid back and corrected."""

from support.core_nights import kitty, rummy

from tracker.core.payment_list import settling
from tracker.core.settlement import Payment


def test_k2_a_pot_lends_no_more_than_the_chips_in_it_but_may_hold_ious_without_end() -> None:
    night = kitty("pq", 20).hand("p")
    assert night.refusal("borrow", seat="p", source="kitty", chips=3).facts["short"] == {"kitty": 1}
    night.record("borrow", seat="p", source="kitty", chips=2).record("move", source="q", target="kitty", chips=2)
    night.record("borrow", seat="q", source="kitty", chips=2).record("move", source="p", target="kitty", chips=1)
    night.record("borrow", seat="p", source="kitty", chips=1)
    assert night.notes == {("p", "kitty"): 3, ("q", "kitty"): 2}


def test_a_pot_that_holds_only_paper_may_be_collected_and_ones_own_iou_is_torn_up() -> None:
    night = kitty("pqr", 20).hand("p").record("borrow", seat="r", source="jack-diamonds", chips=3)
    night.collect("q", "jack-diamonds")
    assert (night.stacks["q"], night.notes) == (12, {("r", "q"): 3})
    own = kitty("pqr", 20).hand("p").record("borrow", seat="r", source="jack-diamonds", chips=2)
    own.collect("r", "jack-diamonds")
    assert (own.stacks["r"], own.notes, own.nets["r"]) == (15, {}, -5)


def test_tied_hands_share_a_pool_of_chips_and_ious_by_its_worth() -> None:
    night = rummy("abc").hand().record("borrow", seat="c", source="poker", chips=3)
    worths = night.worths
    night.out("a", b=0, c=0).record("poker", winners=["b", "c"])
    assert night.notes == {("c", "b"): 1}
    assert (night.stacks["b"], night.pots["poker"]) == (92, 0)
    assert {seat: night.worths[seat] - worths[seat] for seat in "bc"} == {"b": 2, "c": 2}


# Paying back


def test_paying_back_takes_the_iou_off_the_holder_and_a_pot_is_paid_back_in_chips() -> None:
    night = kitty("pq", 20).record("borrow", seat="p", source="q", chips=8)
    night.record("repay", seat="p", holder="q", chips=5)
    assert (night.stacks, night.notes) == ({"p": 23, "q": 17}, {("p", "q"): 3})
    assert night.record("repay", seat="p", holder="q", chips=3).notes == {}
    pot = kitty("pq", 20).hand("p").record("borrow", seat="p", source="kitty", chips=2)
    pot.record("repay", seat="p", holder="kitty", chips=2)
    assert (pot.pots["kitty"], pot.notes) == (2, {})


def test_somebody_who_left_is_paid_back_in_cash() -> None:
    night = kitty("pqr", 20).record("borrow", seat="p", source="q", chips=8).record("leave", seat="q")
    assert night.worths["q"] == 20
    night.record("repay", seat="p", holder="q", chips=5)
    assert (night.stacks["q"], night.worths["q"], night.notes) == (0, 20, {("p", "q"): 3})
    assert sum(night.nets.values()) == 0


def test_a_person_who_left_owing_still_owes_at_the_end() -> None:
    night = kitty("pqr", 20).record("borrow", seat="q", source="p", chips=8).record("leave", seat="q").record("end")
    assert night.worths == {"p": 20, "q": 20, "r": 20}
    assert (night.stacks["p"], night.night.ledger.claims) == (12, {"p": 8, "q": -8})


# Corrections by hand


def test_chips_from_and_to_the_bank_count_as_bought_and_given_back() -> None:
    night = rummy("ab").moves("bank", a=10).moves("b", bank=30)
    assert night.stacks == night.night.ledger.bought == {"a": 110, "b": 70}
    assert night.nets == {"a": 0, "b": 0}


def test_a_stored_night_in_which_the_bank_put_chips_on_the_board_still_opens_and_the_bank_settles_them() -> None:
    night = rummy("ab").opened_with("move", source="bank", target="jackpot", chips=5)
    assert settling(night.night) == []
    night.record("end")
    assert night.nets == {"a": 3, "b": 2}
    assert settling(night.night) == [Payment("bank", "a", 3), Payment("bank", "b", 2)]


def test_a_stored_night_with_such_a_move_is_corrected_elsewhere_and_there_too() -> None:
    night = rummy("ab").opened_with("move", source="bank", target="jackpot", chips=5)
    assert night.amend(1, chips=50).stacks == {"a": 50, "b": 100}
    assert "event 3 (move)" in str(night.refusal("amend", event=3, change={"chips": 6}))
    assert night.amend(3, target="a").stacks == {"a": 55, "b": 100}
    assert night.undo(3).stacks == {"a": 50, "b": 100}


def test_chips_that_move_are_whole_from_one_to_a_million() -> None:
    for chips in (0, -1, 1_000_001, 1.5, "5", True, None):
        assert rummy("ab").refusal("buy", seat="a", chips=chips).facts["field"] == "chips", chips
