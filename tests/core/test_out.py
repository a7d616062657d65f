"""Going out, the withheld card that is matched, and the poker pool."""

import pytest
from support.core_nights import CoreNight, kitty, rummy

from tracker.core.pot_game import card_pots_of, players
from tracker.core.queries.options import unanswerable
from tracker.core.queries.prompts import prompt_of


def test_going_out_wins_the_jackpot_and_a_chip_for_every_card_left() -> None:
    night = rummy().hand().out("b", a=4, c=3, d=0)
    assert night.last == [("jackpot", "b", 5), ("c", "b", 3), ("a", "b", 4)]
    assert night.night.phase == "showdown"


def test_p2_the_price_of_a_card_is_a_house_rule() -> None:
    for each, won in ((1, 5), (3, 15), (0, 0)):
        night = rummy("abc", out__per_card=each).hand().out("b", a=4, c=1)
        assert night.stacks["b"] == 91 + 4 + won


def test_cards_left_are_needed_from_every_other_seat_of_the_hand() -> None:
    night, others = rummy().hand(), {"a": 1, "c": 1, "d": 1}
    assert night.refusal("out", seat="b").code == "bad-event"
    for cards in ({}, {"a": 1}, {**others, "b": 1}, {**others, "x": 1}):
        assert night.refusal("out", seat="b", cards=cards).code == "bad-event", cards


def test_k4_a_person_who_can_not_pay_for_the_cards_is_named_and_may_be_covered_by_the_winner() -> None:
    night = kitty("pqr", 10).hand("p")
    assert night.refusal("out", seat="q", cards={"p": 5, "r": 2}).facts["short"] == {"p": 3}
    night.record("out", seat="q", cards={"p": 5, "r": 2}, cover={"p": "q"})
    assert night.stacks == {"p": 0, "q": 2 + 3 + 2 + 2, "r": 0}
    assert night.notes == {("p", "q"): 3}


def test_p3_a_person_who_withheld_a_card_goes_out_with_nothing_and_the_hand_goes_on() -> None:
    night = rummy().hand().withholds("a", "D")
    assert night.refusal("out", seat="a", cards={"b": 1, "c": 1, "d": 1}).code == "not-allowed"
    night.out("a")
    assert (night.last, night.night.phase, night.pots["jackpot"]) == ([], "play", 5)
    assert night.refusal("out", seat="a").code == "already-done"
    assert night.refusal("out", seat="c", cards={"a": 1, "b": 2, "d": 4}).code == "bad-event"
    night.out("c", b=2, d=4)
    assert night.last == [("jackpot", "c", 5), ("d", "c", 4), ("b", "c", 2)]


def test_p3b_a_person_who_only_led_wrongly_still_takes_jackpot_and_cards() -> None:
    night = rummy().hand().leads_wrongly("a").out("a", b=1, c=1, d=1)
    assert night.stacks["a"] == 82 - 3 + 5 + 3
    both = rummy(barred_out__applies="both").hand().leads_wrongly("a")
    assert both.refusal("out", seat="a", cards={"b": 1, "c": 1, "d": 1}).code == "not-allowed"
    assert both.out("a").night.phase == "play"


def test_p3_a_house_rule_may_let_an_offender_take_the_cards() -> None:
    for rule, jackpot in (("jackpot_only_lost", 0), ("normal", 5)):
        night = rummy(barred_out=rule).hand().withholds("b", "H").out("b", a=1, c=2, d=3)
        assert (night.stacks["b"], night.night.phase) == (91 + jackpot + 6, "showdown"), rule


def test_p3b_the_jackpot_alone_is_lost_only_by_the_offence_that_the_rule_is_for() -> None:
    for applies, jackpot in (("withhold", 5), ("both", 0)):
        night = rummy(barred_out="jackpot_only_lost", barred_out__applies=applies).hand()
        night.leads_wrongly("b").out("b", a=0, c=0, d=0)
        assert night.stacks["b"] == 91 - 3 + jackpot


def test_when_everybody_is_barred_and_out_the_jackpot_stays() -> None:
    night = rummy("abc").hand()
    for seat in "abc":
        night.withholds(seat, "C").out(seat)
    assert (night.night.phase, night.pots["jackpot"], night.night.current_deal().winner) == ("showdown", 4, None)
    assert night.record("hand", dealer="b").pots["jackpot"] == 8


def test_the_last_one_left_goes_out_without_cards_to_count() -> None:
    night = rummy("ab").hand().withholds("a", "C").out("a").out("b")
    assert night.last == [("jackpot", "b", 3)]


# The withheld card


def withheld(suit: str = "S") -> CoreNight:
    """Return a hand in which B has withheld a card of that suit, and A was out."""
    return rummy().hand().withholds("b", suit).out("a", b=1, c=1, d=1)


def test_the_offender_matches_the_pot_for_the_holder_of_its_card_and_the_pot_stays() -> None:
    night = withheld().record("held", pot="jack-spades", seat="c", offender="b")
    assert (night.last, night.pots["jack-spades"]) == ([("b", "c", 5)], 5)


def test_a_pot_is_matched_once_by_each_offender() -> None:
    night = rummy("abcd").hand().withholds("b", "S").withholds("c", "S").out("a", b=1, c=1, d=1)
    night.record("held", pot="jack-spades", seat="d", offender="b")
    assert night.refusal("held", pot="jack-spades", seat="d", offender="b").code == "already-done"
    night.record("held", pot="jack-spades", seat="d", offender="c")


def test_p4b_every_single_card_pot_of_the_suit_and_its_pair_is_matched_and_no_run() -> None:
    night = rummy().hand().withholds("b", "H").out("a", b=1, c=2, d=1)
    for pot in ("ten-hearts", "queen-hearts", "king-queen-hearts", "ace-hearts"):
        asked = prompt_of(night.night)
        assert (asked.name, asked.pot, asked.offender) == ("match", pot, "b")
        night.record("held", pot=pot, seat="c", offender="b")
        assert (night.last, night.pots[pot]) == ([("b", "c", 5)], 5)
    assert prompt_of(night.night).name != "match"
    for pot in ("seven-eight-nine", "jackpot", "poker", "jack-spades"):
        assert night.refusal("held", pot=pot, seat="c", offender="b").code == "not-allowed"


def test_p4b_a_pair_is_not_matched_once_one_of_its_cards_was_played() -> None:
    night = rummy().hand().collect("d", "queen-hearts").withholds("b", "H").out("a", b=1, c=2, d=1)
    said = str(night.refusal("held", pot="king-queen-hearts", seat="c", offender="b"))
    assert said == "nobody still holds King and queen of hearts: Queen of hearts was played"
    assert card_pots_of(night.night, "H") == ["ten-hearts", "ace-hearts"]


def test_p4b_a_pair_is_matched_after_its_card_was_paid_for_out_of_its_place() -> None:
    night = rummy(withheld__source="pot").hand().withholds("b", "H").out("a", b=1, c=2, d=1)
    night.record("held", pot="queen-hearts", seat="c", offender="b")
    assert night.record("held", pot="king-queen-hearts", seat="c", offender="b").pots["king-queen-hearts"] == 0


def test_p4d_nobody_pays_for_a_card_that_the_offender_holds_an_empty_pot_or_an_innocent() -> None:
    assert withheld().refusal("held", pot="jack-spades", seat="b", offender="b").code == "not-allowed"
    night = rummy().hand().collect("d", "jack-spades").withholds("b", "S").leads_wrongly("d").out("a", b=1, c=1, d=1)
    for pot, offender in (("jack-spades", "b"), ("king-clubs", "d")):
        assert night.refusal("held", pot=pot, seat="c", offender=offender).code == "not-allowed", offender


def test_a_match_is_paid_after_somebody_is_out_and_may_be_covered() -> None:
    night = rummy("abc", 20).hand().withholds("b", "S")
    assert night.refusal("held", pot="jack-spades", seat="c", offender="b").code == "wrong-moment"
    night.out("a", b=9, c=1)
    assert night.refusal("held", pot="jack-spades", seat="c", offender="b").facts["short"] == {"b": 2}
    night.record("held", pot="jack-spades", seat="c", offender="b", cover={"b": "c"})
    assert night.notes == {("b", "c"): 2}
    assert night.stacks["c"] == 10 + 2


def test_pages_offer_the_pots_that_may_have_to_be_matched_and_who_still_plays() -> None:
    night = rummy().hand().collect("d", "queen-hearts")
    assert card_pots_of(night.night, "H") == ["ten-hearts", "ace-hearts"]
    assert card_pots_of(night.night, "D") == []
    night.withholds("b", "H").out("b")
    assert players(night.night) == ("c", "d", "a")
    assert players(rummy().night) == ()


# The poker pool


def shown(**options: object) -> CoreNight:
    return rummy("abcd", None, **options).hand().out("a", b=1, c=1, d=1)


def test_p1_the_best_hand_takes_the_poker_pool_once_after_somebody_is_out() -> None:
    assert rummy().hand().refusal("poker", winners=["c"]).code == "wrong-moment"
    night = shown().record("poker", winners=["c"])
    assert night.last == [("poker", "c", 5)]
    assert night.refusal("poker", winners=["c"]).code == "already-done"
    night.hand("b").out("a", b=1, c=1, d=1).record("poker", winners=["c"])


def test_p1b_tied_hands_share_equally_and_the_rest_stays() -> None:
    night = shown().record("poker", winners=["d", "b"])
    assert (night.stacks["b"], night.stacks["d"], night.pots["poker"]) == (92, 92, 1)
    assert shown().record("poker", winners=["b", "c", "d"]).pots["poker"] == 2


def test_p1b_by_a_house_rule_odd_chips_go_round_from_the_dealers_left_or_all_is_carried() -> None:
    odd = shown(poker__tie="split_rest_seat").record("poker", winners=["d", "b"])
    assert (odd.stacks["b"], odd.stacks["d"], odd.pots["poker"]) == (93, 92, 0)
    three = shown(poker__tie="split_rest_seat").record("poker", winners=["d", "c", "b"])
    assert three.last == [("poker", "b", 2), ("poker", "c", 2), ("poker", "d", 1)]
    carried = shown(poker__tie="carry_all").record("poker", winners=["d", "b"])
    assert (carried.last, carried.pots["poker"]) == ([], 5)
    assert carried.refusal("poker", winners=["d"]).code == "already-done"
    assert shown(poker__tie="carry_all").record("poker", winners=["d"]).pots["poker"] == 0


def test_p1_a_house_rule_may_play_poker_before_the_cards() -> None:
    night = (
        rummy(poker__when="before_showdown").record("hand", dealer="a").record("no-sale").record("poker", winners=["b"])
    )
    assert (night.last, night.night.phase) == ([("poker", "b", 5)], "play")
    night.out("a", b=1, c=1, d=1)
    assert night.refusal("poker", winners=["c"]).code == "already-done"


def test_the_winners_are_named_once_each_and_played_the_hand() -> None:
    night = shown().record("sit", seat="e", name="E")
    for winners in ([], ["b", "b"], ["x"], ["e"]):
        assert night.refusal("poker", winners=winners).code in ("bad-event", "unknown", "wrong-moment"), winners


@pytest.mark.parametrize("seats", [3, 5, 8])
def test_a_seat_without_cards_wins_no_poker_hand_of_the_cards_left(seats: int) -> None:
    names = "abcdefgh"[:seats]
    night = rummy(names).hand().withholds("b", "C").out("b")
    night.record("out", seat="a", cards=dict.fromkeys(names[2:], 1))
    for winners in (["a"], ["b"], ["c", "a"], ["c", "b"]):
        assert "has no card left" in str(night.refusal("poker", winners=winners))
    prompt = prompt_of(night.night, waived=frozenset({"match/king-clubs/b"}))
    asked = {seat: unanswerable(night.night, prompt, seat, {}) for seat in names}
    may_tie = [seat for seat in names if "tie" not in asked[seat]]
    assert may_tie == (list(names[2:]) if len(names[2:]) > 1 else [])  # one alone ties with nobody
    assert [seat for seat in names if "poker" not in asked[seat]] == list(names[2:])
    for seat in names[2:]:
        night.record("poker", winners=[seat]).undo()


def test_a_seat_without_cards_may_win_the_poker_hand_where_all_cards_dealt_count() -> None:
    assert shown(poker__when="hand_end_all").record("poker", winners=["a"]).last == [("poker", "a", 5)]


def test_going_out_is_not_corrected_to_the_winner_of_the_poker_hand() -> None:
    night = shown().record("poker", winners=["b"])
    out, poker = len(night.entries) - 1, len(night.entries)
    refusal = night.refusal("amend", event=out, change={"seat": "b", "cards": {"a": 1, "c": 1, "d": 1}})
    assert f"event {poker} (poker)" in str(refusal)
    assert f"event {poker} (poker)" in str(night.refusal("amend", event=poker, change={"winners": ["a"]}))


def test_a_stored_night_whose_poker_hand_a_seat_without_cards_won_still_opens() -> None:
    night = shown().opened_with("poker", winners=["a"])
    assert night.last == [("poker", "a", 5)]
    night.amend(1, chips=50).record("hand", dealer="b")
    assert night.stacks["a"] == 50 - 18 + 5 + 3 + 5 - 9


def test_boards_without_a_poker_pool_have_none_to_win() -> None:
    assert shown(poker__when="off").refusal("poker", winners=["b"]).code == "not-allowed"
    night = kitty().hand("p").out("q", p=1, r=1, s=1)
    assert night.refusal("poker", winners=["p"]).code == "not-allowed"


def test_a_seat_without_cards_holds_and_leads_no_money_card() -> None:
    night = rummy("abcd").hand("a").withholds("b", "S").withholds("c", "C").out("c")
    assert night.refusal("penalty", seat="c", offence="wrong-lead").code == "not-allowed"
    night.out("a", b=1, d=0)
    for seat in "ac":
        assert night.refusal("held", pot="jack-spades", seat=seat, offender="b").code == "not-allowed"
        assert night.refusal("penalty", seat=seat, offence="wrong-lead").code == "not-allowed"
    night.record("held", pot="jack-spades", seat="d", offender="b").record("poker", winners=["b"])


def test_on_the_kitty_board_collecting_ends_when_somebody_is_out() -> None:
    night = kitty("pqr").hand("p").out("p", q=1, r=1)
    assert night.refusal("collect", seat="q", pot="ace-spades").code == "wrong-moment"
