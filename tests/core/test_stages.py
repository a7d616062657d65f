"""What only some boards have: own stakes, held cards, betting, turn-ups, fines, direct payments, sweeps."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from support.core_nights import CoreNight, board, rummy
from support.random_nights import every_preset

from tracker.core.errors import PresetError
from tracker.core.preset import Preset
from tracker.core.preset_faults import faults
from tracker.core.queries.options import may_share, pots_to_turn_up
from tracker.core.queries.prompts import ante_prompt, planned_hand, prompt_of


def test_one_person_holds_the_pope_and_nobody_more_cards_than_a_pack() -> None:
    night = board("pope-joan", "abcd", 100).record("hand", dealer="a")
    cards = {"a": 1, "b": 1, "c": 1}
    assert "one person holds" in str(night.refusal("out", seat="d", cards=cards, excused=["a", "b"]))
    assert "at most 52 cards" in str(night.refusal("out", seat="d", cards={**cards, "a": 53}))
    assert night.record("out", seat="d", cards={**cards, "a": 52}).stacks["a"] == 100 - 15 - 52


def test_m7_a_house_rule_may_want_a_stake_on_every_pot_and_more_of_the_dealer() -> None:
    night = board("newmarket", "abc", 20, stakes__cover_all="on", stakes__dealer_extra=1).record("hand", dealer="a")
    assert night.refusal("place", seat="b", pots={"king-clubs": 4}).facts["field"] == "pots"
    horses = dict.fromkeys(("ace-hearts", "king-clubs", "queen-diamonds", "jack-spades"), 1)
    night.record("place", seat="b", pots=horses)
    assert night.refusal("place", seat="a", pots=horses).code == "bad-event"
    night.record("place", seat="a", pots={**horses, "jack-spades": 2}).record("go-on")
    assert night.night.phase == "dummy"


def test_chips_laid_freely_lie_on_places_that_a_card_wins() -> None:
    night = board("newmarket", "abc", 20).record("hand", dealer="a")
    refused = night.refusal("place", seat="b", pots={"king-clubs": 3, "kitty": 1})
    assert str(refused) == "Kitty takes no chips that are laid freely: no card wins it"
    night.opened_with("place", seat="b", pots={"king-clubs": 3, "kitty": 1})
    assert night.pots["kitty"] == 4


def test_one_card_is_turned_up_and_not_a_pair() -> None:
    night = board("pope-joan", "abcd", 30).record("hand", dealer="a")
    for pair in ("matrimony", "intrigue"):
        assert "one card is turned up" in str(night.refusal("turn-up", pot=pair))
    assert [pot.id for pot in pots_to_turn_up(night.night)] == ["pope", "ace", "king", "queen", "jack"]
    night.opened_with("turn-up", pot="matrimony")
    assert night.stacks["a"] == 17


def test_a_pair_of_trumps_has_one_holder_and_a_run_of_any_suit_several() -> None:
    shared = {
        preset.id: {pot.id for pot in preset.won_by("card") if not preset.has_one_holder(pot)}
        for preset in every_preset()
        if preset.is_pot_game
    }
    runs = {"all-hearts": "seven", "michigan-rummy": "seven", "nine-pots": "seven", "michigan-kitty": "eight"}
    runs |= dict.fromkeys(("hearts-played", "hearts-three-stages", "royal-rummy"), "eight")
    names = {"seven": "seven-eight-nine", "eight": "eight-nine-ten"}
    expected = {board_id: {names[run]} for board_id, run in runs.items()} | {"poch": {"sequence"}}
    assert {board_id: pots for board_id, pots in shared.items() if pots} == expected
    night = board("pope-joan", "abcd", 30).record("hand", dealer="a")
    assert "only one person can hold" in str(night.refusal("share", pot="matrimony", seats=["b", "c"]))
    assert not may_share(night.night, "matrimony")
    assert "only one person" in str(rummy().hand().refusal("share", pot="jack-spades", seats=["b", "c"]))
    night.opened_with("share", pot="matrimony", seats=["b", "c"])
    assert (night.stacks["b"], night.stacks["c"]) == (31, 31)


def test_nobody_is_excused_for_a_pope_that_was_played() -> None:
    night = board("pope-joan", "abcd", 30).record("hand", dealer="a").collect("c", "pope")
    out: dict[str, Any] = {"seat": "d", "cards": {"a": 4, "c": 3}, "excused": ["b"]}
    assert str(night.refusal("out", **out)).endswith("was played in this hand, so nobody holds it: everybody pays")
    assert night.opened_with("out", **out).stacks["b"] == 30


def test_m12_a_share_leaves_the_remainder_and_skips_barred_seats() -> None:
    night = rummy().hand().record("share", pot="seven-eight-nine", seats=["b", "d"])
    assert (night.stacks["b"], night.stacks["d"], night.pots["seven-eight-nine"]) == (93, 93, 1)
    night.leads_wrongly("c")
    assert night.refusal("share", pot="jack-spades", seats=["a", "c"]).code == "barred"
    for seats in (["a"], ["a", "a"], []):
        assert night.refusal("share", pot="jack-spades", seats=seats).code == "bad-event"
    forehand = rummy(claim__tie="forehand").hand()
    assert forehand.refusal("share", pot="jack-spades", seats=["a", "b"]).code == "not-allowed"


def test_m16_corner_aces_are_anted_and_bet_and_only_a_bettor_wins_both() -> None:
    night = board("royal-rummy", "abc", 60, side__ante=1).record("hand", dealer="a")
    assert (set(night.stacks.values()), set(night.pots.values())) == ({47}, {3})
    night.record("bet", seat="b", chips=2, pot="corner-ace-spades").record("no-sale")
    for seat, pot in (("c", "corner-ace-spades"), ("b", "corner-ace-hearts")):
        assert night.refusal("collect", seat=seat, pot=pot).code == "not-allowed"
    assert night.collect("b", "corner-ace-spades").last == [("corner-ace-spades", "b", 5)]
    night.out("c", a=0, b=0).record("hand", dealer="b")
    assert (night.pots["corner-ace-spades"], night.pots["corner-ace-hearts"]) == (3, 6)
    turned = board("royal-rummy", "abc", 60, side__ante=1, turn_up="on").record("hand", dealer="a")
    turned.record("bet", seat="a", chips=2, pot="corner-ace-clubs")
    assert turned.refusal("turn-up", pot="corner-ace-clubs").code == "not-allowed"
    double = board("royal-rummy", "abc", 60, side__ante=1, ante__times=2).record("hand", dealer="a")
    assert set(double.pots.values()) == {6}


@pytest.mark.parametrize("preset", [one for one in every_preset() if one.game == "pots"], ids=lambda one: one.id)
def test_m18_on_every_board_a_fine_has_a_place_to_go_to_and_any_other_can_be_chosen_for_it(preset: Preset) -> None:
    marked = [pot for pot in preset.board.values() if pot.takes_fines]
    usual = preset.fines_pot
    assert usual
    assert usual.id in preset.board
    assert [usual] == marked or (not marked and usual in (preset.won_by("out") or list(preset.board.values())[:1]))
    for pot in preset.board:
        chosen = preset.with_options({"stop.fine": 2, "stop.pot": pot})
        assert faults(chosen) == []
        assert chosen.fines_pot == preset.pot(pot)
    with pytest.raises(PresetError, match="this board has no pot 'cellar'; it has "):
        preset.with_options({"stop.pot": "cellar"})
    assert [one.facts["field"] for one in faults(replace(preset, rules={"stop.pot": "cellar"}))] == ["stop.pot"]


# One poker hand for what is left


@pytest.mark.parametrize("rest", ["clockwise_from_dealer_left", "last_hand_winner"])
def test_p7_one_poker_hand_may_decide_the_board_unless_it_is_empty(rest: str) -> None:
    assert rummy("ab", end="poker_hand", end__rest=rest).record("end").night.phase == "ended"
    night = rummy("abcd", end="poker_hand", end__rest=rest).hand("a")
    night.record("borrow", seat="d", source="poker", chips=3).out("b", a=0, c=0, d=0)
    assert night.refusal("end").facts["field"] == "winners"
    assert night.refusal("end", winners=["nobody"]).code == "unknown"
    before = night.worths
    night.record("end", winners=["c", "d"])
    assert {seat: night.worths[seat] - before[seat] for seat in "abcd"} == {"a": 0, "b": 0, "c": 20, "d": 20}
    odd = rummy("abc", end="poker_hand", end__rest=rest).moves("a", jackpot=7).record("end", winners=["c", "b"])
    assert (odd.board, odd.nets) == (0, {"a": -7, "b": 4, "c": 3})


# Chips that are laid freely (Newmarket): on which places, and by who has too few


FOUR = ("ace-hearts", "king-clubs", "queen-diamonds", "jack-spades")
PAIR = "king-queen-hearts"


def newmarket(shortage: str, poor: int = 3, rules: Mapping[str, Any] | None = None) -> CoreNight:
    """Return a table of Newmarket at which `c` has so many chips: the kitty costs 1, and 4 are laid freely."""
    night = CoreNight("newmarket", "abc", options={"shortage": shortage, **(rules or {})})
    return night.record("move", source="c", target="a", chips=40 - poor)


def place_all(night: CoreNight, *seats: str) -> CoreNight:
    for seat in seats:
        night.record("place", seat=seat, pots=dict.fromkeys(FOUR, 1))
    return night


@pytest.mark.parametrize("shortage", ["cap", "partial_ante", "end_session"])
def test_who_has_too_few_lays_what_there_is(shortage: str) -> None:
    night = place_all(newmarket(shortage).record("hand", dealer="a"), "a", "b")
    assert prompt_of(night.night).needs == {"c": 2}
    assert str(night.refusal("place", seat="c", pots={"king-clubs": 4})) == "C places 2 chips, not 4"
    night.record("place", seat="c", pots={"king-clubs": 2})
    assert (night.stacks["c"], night.pots["king-clubs"], night.notes) == (0, 4, {})
    assert night.night.phase != "stakes"


def test_who_has_nothing_left_is_not_asked_and_lays_nothing() -> None:
    night = place_all(newmarket("cap", 1).record("hand", dealer="a"), "a", "b")
    assert night.night.phase != "stakes"
    assert night.stacks["c"] == 0


def test_who_can_cover_fewer_places_than_there_are_covers_so_many() -> None:
    night = newmarket("cap", rules={"stakes.cover_all": "on"}).record("hand", dealer="a")
    assert night.refusal("place", seat="a", pots={"king-clubs": 4}).code == "bad-event"
    assert night.refusal("place", seat="c", pots={"king-clubs": 2}).code == "bad-event"
    night.record("place", seat="c", pots={"king-clubs": 1, "ace-hearts": 1})


def test_who_cant_pay_the_free_chips_sits_out_where_the_house_has_it_so() -> None:
    night = newmarket("sit_out")
    assert ante_prompt(night.night, {"dealer": "a"}).short == {"c": 2}
    assert planned_hand(night.night, {"dealer": "a"}).sits_out == ("c",)
    assert night.refusal("hand", dealer="a").facts["short"] == {"c": 2}
    assert night.record("hand", dealer="a", sits_out=["c"]).night.current_deal().seats == ("b", "a")


def test_who_cant_pay_the_free_chips_ends_the_night_where_the_house_has_it_so() -> None:
    assert ante_prompt(newmarket("end_session").night, {"dealer": "a"}).ends_night
    assert not ante_prompt(newmarket("end_session", 5).night, {"dealer": "a"}).ends_night


def test_who_buys_does_so_when_the_chips_are_laid() -> None:
    night = newmarket("buy_in").record("hand", dealer="a")
    assert night.refusal("place", seat="c", pots={"king-clubs": 4}).facts["short"] == {"c": 2}
    night.record("place", seat="c", pots={"king-clubs": 4}, cover={"c": "bank"})
    assert (night.stacks["c"], night.pots["king-clubs"]) == (0, 4)


def test_a_bet_of_somebody_with_too_few_is_what_there_is_where_the_house_has_it_so() -> None:
    night = CoreNight("hearts-three-stages", "abc", options={"shortage": "cap"})
    night.record("move", source="c", target="a", chips=night.stacks["c"] - 12).record("hand", dealer="a")
    night.record("go-on").record("bet", seat="a", chips=5)
    assert prompt_of(night.night).calls == {"b": 5, "c": 3}
    night.record("bet", seat="c", chips=5)
    assert (night.stacks["c"], night.night.current_deal().bets["c", "pot"]) == (0, 3)
    assert prompt_of(night.night).calls == {"b": 5}
    assert night.refusal("bet", seat="c", chips=1).code == "not-enough-chips"


def test_free_chips_lie_on_the_places_that_have_no_ante() -> None:
    night = CoreNight("newmarket-six-horses").record("hand", dealer="a")
    said = "King and queen of hearts takes no chips that are laid freely: it has its ante"
    assert str(night.refusal("place", seat="b", pots={PAIR: 4})) == said
    night.record("place", seat="b", pots={"king-spades": 4})
    all_covered = CoreNight("newmarket-six-horses", options={"stakes.cover_all": "on"}).record("hand", dealer="a")
    four = dict.fromkeys(("ace-spades", "king-spades", "queen-diamonds", "jack-clubs"), 1)
    assert all_covered.record("place", seat="b", pots=four).pots["jack-clubs"] == 1


def test_where_every_place_has_an_ante_free_chips_lie_on_any() -> None:
    night = CoreNight("michigan", options={"stakes.budget": 2}).record("hand", dealer="a")
    assert night.record("place", seat="b", pots={"king-clubs": 2}).pots["king-clubs"] == 7


def test_going_out_asks_for_no_cards_where_nothing_is_paid_for_them() -> None:
    night = place_all(CoreNight("newmarket", "abc").record("hand", dealer="a"), "a", "b", "c")
    night.record("no-sale").record("out", seat="b")
    assert (night.pots["kitty"], night.stacks["b"]) == (0, 40 - 5 + 3)


# Betting on the poker hand: bets, calls and folds, made of the events `bet` and `pass`


def betting(*seats: str) -> CoreNight:
    return board("hearts-three-stages", seats or "abcd", 50).record("hand", dealer="a").record("go-on")


def test_a_seat_below_the_highest_bet_gets_the_price_of_a_call() -> None:
    night = betting()
    assert prompt_of(night.night).calls == {}
    night.record("bet", seat="b", chips=2).record("bet", seat="c", chips=5)
    assert prompt_of(night.night).calls == {"b": 3, "d": 5, "a": 5}
    night.record("bet", seat="b", chips=3).record("pass", seat="d")
    assert prompt_of(night.night).calls == {"a": 5}


def test_v18_a_fold_wins_nothing_and_the_best_of_the_others_takes_the_pool() -> None:
    night = betting().record("bet", seat="a", chips=2).record("pass", seat="a")
    night.record("bet", seat="b", chips=4).record("bet", seat="c", chips=4)
    assert "has folded" in str(night.refusal("poker", winners=["a"]))
    assert "has folded" in str(night.refusal("bet", seat="a", chips=1))
    assert "has folded" in str(night.refusal("pass", seat="a"))
    night.record("poker", winners=["c"])
    assert night.last == [("pot", "c", 14)]
    assert night.night.phase == "play"


def test_the_last_one_left_takes_the_pool_without_showing() -> None:
    night = betting().record("bet", seat="c", chips=3)
    for seat in "dab":
        night.record("pass", seat=seat)
    assert (night.last, night.night.phase) == ([("pot", "c", 7)], "play")
    assert night.night.current_deal().poker == ("c",)
    assert sum(night.stacks.values()) + night.board == 200


def test_the_last_one_left_goes_on_where_the_pool_is_empty() -> None:
    night = betting("a", "b", "c")
    night.moves("pot", a=night.pots["pot"]).record("pass", seat="b").record("pass", seat="c")
    assert (night.night.phase, night.night.current_deal().poker) == ("play", None)


def test_nobody_folds_where_nobody_bets_and_a_pass_in_the_auction_is_no_fold() -> None:
    shown = board("nine-pots", dummy="unused").record("hand", dealer="a")
    assert "nobody bets" in str(shown.refusal("pass", seat="b"))
    sold = board("nine-pots", poker__when="before_betting").record("hand", dealer="a").record("pass", seat="b")
    assert sold.night.current_deal().folded == frozenset()
    assert betting().refusal("pass", seat="b", cover={"b": "bank"}).code == "bad-event"


def test_the_last_one_left_wins_no_pool_that_no_ante_of_theirs_lies_in() -> None:
    night = board("hearts-three-stages", "ab", 50, shortage="partial_ante").moves("b", a=49)
    night.record("hand", dealer="a").record("go-on").record("bet", seat="a", chips=2).record("pass", seat="a")
    assert (night.last, night.night.phase, night.pots["pot"]) == ([], "play", 3)
