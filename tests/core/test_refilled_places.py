"""A place that was won, and got chips by hand in the same hand: it can be won anew."""

from support.core_nights import CoreNight, kitty, rummy

from tracker.core.queries.options import place_question
from tracker.core.queries.prompts import prompt_of


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


def test_several_share_a_place_that_was_filled_again() -> None:
    night = CoreNight("hearts-three-stages").record("hand", dealer="a")
    taken_by_mistake(night, "b", "eight-nine-ten")
    assert night.record("share", pot="eight-nine-ten", seats=["c", "d"]).pots["eight-nine-ten"] == 0


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


def test_a_card_left_in_the_hand_and_a_bet_find_a_place_that_was_filled_again() -> None:
    night = taken_by_mistake(rummy(left_in_hand="double_pot").hand("a"), "b", "jack-spades").out("a", b=0, c=1, d=0)
    assert night.record("left", seat="c", pot="jack-spades").pots["jack-spades"] == 10
    corner = CoreNight("royal-rummy").hand("a").record("bet", seat="b", pot="corner-ace-spades", chips=2)
    corner.collect("b", "corner-ace-spades")
    corner.record("move", source="b", target="corner-ace-spades", chips=2)
    assert corner.record("bet", seat="c", pot="corner-ace-spades", chips=1).pots["corner-ace-spades"] == 3


def test_a_poker_pool_that_was_filled_again_is_won_again() -> None:
    night = rummy("abc").hand("a").out("b", a=1, c=1).record("poker", winners=["a"])
    night.record("move", source="a", target="poker", chips=4)
    assert prompt_of(night.night).name == "poker"
    assert night.record("poker", winners=["c"]).pots["poker"] == 0
