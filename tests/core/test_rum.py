"""The German Michigan Rummy with the snake: hands, faults, the stock used up, and every house rule of it."""

import pytest
from support.core_nights import CoreNight, snake

from tracker.core.cards import Holding
from tracker.core.queries.summary import summary
from tracker.core.rum_game import card_points, hand_points, may_pay_double, owed_for

HANDS = {"x": 10, "y": 20, "z": 30}


def with_fault(seat: str, people: str = "wxyz", **options: object) -> CoreNight:
    return snake(people, **options).record("penalty", seat=seat, offence="false-rummy")


def test_the_winner_is_paid_every_other_hand_and_deals_add_up() -> None:
    night = snake().record("rummy", seat="w", hands=HANDS)
    assert night.scores == {"w": 60, "x": -10, "y": -20, "z": -30}
    assert (night.night.phase, night.night.hand) == ("play", 1)
    night.record("rummy", seat="z", hands={"w": 5, "x": 5, "y": 0})
    assert night.scores == {"w": 55, "x": -15, "y": -20, "z": -20}


def test_points_are_needed_from_every_other_seat_and_at_the_end_of_the_stock_from_all() -> None:
    three = {"x": 1, "y": 2, "z": 3}
    for hands in ({}, {"x": 1, "y": 2}, {**three, "w": 4}, {**three, "nobody": 4}):
        assert snake().refusal("rummy", seat="w", hands=hands).facts["field"] == "hands", hands
    assert snake().refusal("stock-out", hands=HANDS).facts["field"] == "hands"


def test_a_deal_needs_two_people() -> None:
    assert snake("w").refusal("rummy", seat="w", hands={}).code == "not-allowed"
    assert snake("w").refusal("stock-out", hands={"w": 3}).code == "not-allowed"
    assert snake("").refusal("stock-out", hands={}).code == "not-allowed"


def test_a_person_who_has_left_pays_nothing_any_more() -> None:
    night = snake().record("rummy", seat="w", hands=HANDS).record("leave", seat="z")
    night.record("rummy", seat="w", hands={"x": 1, "y": 1})
    assert night.scores == {"w": 62, "x": -11, "y": -21, "z": -30}
    assert night.refusal("rummy", seat="z", hands=HANDS).code == "unknown"


# When the stock is used up


def test_g6_every_loser_pays_the_whole_hand_or_by_a_house_rule_the_difference() -> None:
    hands = {"w": 9, **HANDS}
    assert snake().record("stock-out", hands=hands).scores == {"w": 60, "x": -10, "y": -20, "z": -30}
    difference = snake(stock_out="difference").record("stock-out", hands=hands)
    assert difference.scores == {"w": 33, "x": -1, "y": -11, "z": -21}


def test_a_tie_for_the_fewest_points_is_shared_odd_points_clockwise() -> None:
    night = snake().record("stock-out", hands={"w": 20, "x": 4, "y": 4, "z": 31})
    assert night.scores == {"w": -20, "x": 26, "y": 25, "z": -31}
    assert night.night.deals[0].winners == ("x", "y")


def test_when_all_hold_the_same_nobody_pays() -> None:
    assert set(snake().record("stock-out", hands=dict.fromkeys("wxyz", 7)).scores.values()) == {0}


# Faults


@pytest.mark.parametrize("offence", ["false-rummy", "unused-purchase"])
def test_a_fault_costs_twenty_paid_with_this_deals_settlement(offence: str) -> None:
    night = snake().record("penalty", seat="x", offence=offence)
    assert set(night.scores.values()) == {0}
    night.record("rummy", seat="w", hands=HANDS)
    assert night.scores == {"w": 80, "x": -30, "y": -20, "z": -30}
    night.record("rummy", seat="w", hands=HANDS)
    assert night.scores["x"] == -40


def test_several_faults_add_up_and_their_price_is_a_house_rule() -> None:
    night = (
        with_fault("x").record("penalty", seat="x", offence="unused-purchase").record("rummy", seat="w", hands=HANDS)
    )
    assert night.scores == {"w": 100, "x": -50, "y": -20, "z": -30}
    assert with_fault("x", fault__points=5).record("rummy", seat="w", hands=HANDS).scores["x"] == -15


def test_faults_of_this_game_have_neither_suit_nor_cover() -> None:
    fault = {"offence": "false-rummy"}
    for fields in ({"offence": "wrong-lead"}, {**fault, "suit": "S"}, {**fault, "cover": {"x": "w"}}):
        assert snake().refusal("penalty", seat="x", **fields).code == "bad-event", fields


def test_g4_a_house_rule_may_pay_a_fault_to_every_opponent() -> None:
    night = with_fault("x", fault__to="each").record("rummy", seat="w", hands=HANDS)
    assert night.scores == {"w": 80, "x": -70, "y": 0, "z": -10}
    own = with_fault("w", fault__to="each").record("rummy", seat="w", hands=HANDS)
    assert own.scores == {"w": 0, "x": 10, "y": 0, "z": -10}


def test_g4_a_house_rule_may_keep_a_fault_on_the_sheet_only() -> None:
    night = with_fault("x", fault__to="sheet").record("rummy", seat="w", hands=HANDS)
    assert night.scores == {"w": 60, "x": -30, "y": -20, "z": -30}
    assert summary(night.night)["payments"] == []


def test_g5_an_offender_who_wins_is_paid_twenty_less_by_all_in_equal_parts() -> None:
    assert with_fault("w").record("rummy", seat="w", hands=HANDS).scores == {"w": 40, "x": -3, "y": -13, "z": -24}
    odd = with_fault("y").record("rummy", seat="y", hands={"w": 10, "x": 10, "z": 10})
    assert odd.scores == {"w": -3, "x": -4, "y": 10, "z": -3}, "odd points go clockwise from the offender's left"


def test_g5_a_house_rule_may_write_it_on_the_sheet_or_forget_it() -> None:
    for own, winner in (("sheet", 40), ("ignore", 60)):
        night = with_fault("w", fault__own=own).record("rummy", seat="w", hands=HANDS)
        assert night.scores == {"w": winner, "x": -10, "y": -20, "z": -30}, own


def test_a_fault_is_shared_by_tied_winners_and_an_offender_among_them_is_paid_less() -> None:
    hands = {"w": 4, "x": 4, "y": 10, "z": 11}
    night = with_fault("y").record("stock-out", hands=hands)
    assert night.scores == {"w": 11 + 10, "x": 10 + 10, "y": -30, "z": -11}
    own = with_fault("x").record("stock-out", hands=hands)
    assert own.scores == {"w": 11, "x": -10, "y": 0, "z": -1}
    level = with_fault("x").record("stock-out", hands=dict.fromkeys("wxyz", 4))
    assert level.scores == {"w": 6, "x": -20, "y": 7, "z": 7}


def test_a_fault_is_paid_also_when_the_offender_has_left() -> None:
    night = with_fault("x").record("leave", seat="x").record("rummy", seat="w", hands={"y": 20, "z": 30})
    assert night.scores == {"w": 70, "x": -20, "y": -20, "z": -30}
    each = with_fault("x", fault__to="each").record("leave", seat="x").record("rummy", seat="w", hands={"y": 0, "z": 0})
    assert each.scores == {"w": 20, "x": -60, "y": 20, "z": 20}


# Other house rules


def test_g1_drawing_from_the_snake_moves_no_points() -> None:
    assert snake().refusal("buy", seat="x", chips=1).code == "not-allowed"


def test_g2_figures_still_held_count_and_laid_out_ones_do_not() -> None:
    held = {"cards": ["KH"], "sequences": [["AH", "2H", "3H"]]}
    night = snake("wx").record("rummy", seat="w", hands={"x": held})
    assert night.scores["w"] == 16


def test_g3_an_ace_above_the_king_counts_one_unless_a_house_rule_says_fifteen() -> None:
    held = {"sequences": [["QH", "KH", "AH"]]}
    assert snake("wx").record("rummy", seat="w", hands={"x": held}).scores["w"] == 21
    assert snake("wx", ace_high_seq=15).record("rummy", seat="w", hands={"x": held}).scores["w"] == 35
    low = {"sequences": [["AH", "2H", "3H"]]}
    assert snake("wx", ace_high_seq=15).record("rummy", seat="w", hands={"x": low}).scores["w"] == 6


def test_g7_jokers_are_refused_unless_a_house_rule_allows_them() -> None:
    held = {"cards": ["JK", "2C"]}
    assert snake("wx").refusal("rummy", seat="w", hands={"x": held}).facts["field"] == "cards"
    for points in (20, 25):
        assert snake("wx", joker=points).record("rummy", seat="w", hands={"x": held}).scores["w"] == points + 2


def test_g8_a_night_is_open_unless_it_has_a_number_of_deals_or_a_target() -> None:
    night = snake()
    for _ in range(12):
        night.record("rummy", seat="w", hands=HANDS)
    assert (night.night.phase, night.record("end").night.phase) == ("play", "ended")
    deals = snake(game="deals", game__deals=2).record("rummy", seat="w", hands=HANDS)
    assert (deals.night.phase, deals.record("rummy", seat="w", hands=HANDS).night.phase) == ("play", "ended")
    target = snake(game="target", game__target=120).record("rummy", seat="w", hands=HANDS)
    assert (target.night.phase, target.record("rummy", seat="w", hands=HANDS).night.phase) == ("play", "ended")
    assert target.refusal("rummy", seat="w", hands=HANDS).code == "wrong-moment"


def test_g9_a_house_rule_may_double_going_out_in_one_turn() -> None:
    assert snake().refusal("rummy", seat="w", hands=HANDS, one_turn=True).code == "not-allowed"
    night = snake(one_turn=2).record("rummy", seat="w", hands=HANDS, one_turn=True)
    assert night.scores == {"w": 120, "x": -20, "y": -40, "z": -60}
    assert snake(one_turn=2).record("rummy", seat="w", hands=HANDS).scores["w"] == 60
    assert [may_pay_double(snake(one_turn=times).night) for times in (1, 2)] == [False, True]


def test_what_the_hands_cost_is_what_the_winner_gets() -> None:
    for one_turn in (False, True):
        night = snake(one_turn=2)
        cost = sum(owed_for(night.night, points, one_turn=one_turn) for points in HANDS.values())
        assert night.record("rummy", seat="w", hands=HANDS, one_turn=one_turn).scores["w"] == cost, one_turn


def test_payments_settle_the_points() -> None:
    told = summary(snake().record("rummy", seat="w", hands=HANDS).record("end").night)
    assert told["winners"] == ["w"]
    paid = [(one["debtor"], one["creditor"], one["chips"]) for one in told["payments"]]
    assert paid == [("z", "w", 30), ("y", "w", 20), ("x", "w", 10)]


@pytest.mark.parametrize("ace_high", [1, 15])
def test_the_pad_counts_cards_as_a_whole_hand_of_them_is_counted(ace_high: int) -> None:
    night = snake("wx", ace_high_seq=ace_high).night
    pad = {card.rank: card for card in card_points(night)}
    assert [*pad] == ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    every = Holding(tuple(f"{rank}S" for rank in pad))
    assert hand_points(night, every) == sum(card.alone for card in pad.values())
    low = Holding(sequences=(tuple(f"{rank}S" for rank in ("A", "2", "3", "4")),))
    assert hand_points(night, low) == sum(pad[rank].in_sequence for rank in ("A", "2", "3", "4"))
    assert {card.rank: card.high_with for card in pad.values() if card.high_with} == {"A": "K"}
    high = Holding(sequences=(tuple(f"{rank}S" for rank in ("10", "J", "Q", "K", "A")),))
    assert hand_points(night, high) == sum(pad[rank].in_high_sequence for rank in ("10", "J", "Q", "K", "A"))
