"""The German Michigan Rummy with the snake: hands, faults, the stock used up, and every house rule of it."""

from random import Random

import pytest
from hypothesis import given, strategies as st
from support.core_nights import CoreNight, snake

from tracker.core.errors import BadEvent
from tracker.core.payment_list import nets_in_cents
from tracker.extras.rum.rules import (
    Holding,
    card_points,
    fault_booking,
    fault_payees,
    hand_points,
    may_pay_double,
    waiting_faults,
)
from tracker.formats.built_in import built_in
from tracker.formats.codec import event_to

CHANCE = st.integers(0, 2**16).map(Random)
HANDS = {"x": 10, "y": 20, "z": 30}


def with_fault(seat: str, people: str = "wxyz", **options: object) -> CoreNight:
    return snake(people, **options).record("penalty", seat=seat, offence="false-rummy")


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


def test_a_tie_for_the_fewest_points_is_shared_odd_points_clockwise() -> None:
    night = snake().record("stock-out", hands={"w": 20, "x": 4, "y": 4, "z": 31})
    assert night.scores == {"w": -20, "x": 26, "y": 25, "z": -31}
    assert night.night.deals[0].winners == ("x", "y")


def test_when_all_hold_the_same_nobody_pays() -> None:
    assert set(snake().record("stock-out", hands=dict.fromkeys("wxyz", 7)).scores.values()) == {0}


# Faults


def test_faults_of_this_game_have_neither_suit_nor_cover() -> None:
    fault = {"offence": "false-rummy"}
    for fields in ({"offence": "wrong-lead"}, {**fault, "suit": "S"}, {**fault, "cover": {"x": "w"}}):
        assert snake().refusal("penalty", seat="x", **fields).code == "bad-event", fields


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


def test_g9_a_house_rule_may_double_going_out_in_one_turn() -> None:
    assert snake().refusal("rummy", seat="w", hands=HANDS, one_turn=True).code == "not-allowed"
    night = snake(one_turn=2).record("rummy", seat="w", hands=HANDS, one_turn=True)
    assert night.scores == {"w": 120, "x": -20, "y": -40, "z": -60}
    assert snake(one_turn=2).record("rummy", seat="w", hands=HANDS).scores["w"] == 60
    assert [may_pay_double(snake(one_turn=times).night) for times in (1, 2)] == [False, True]


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


@given(CHANCE)
def test_deals_of_the_snake_with_people_coming_and_going_sum_to_zero(chance: Random) -> None:
    night = snake("wx", fault__to=chance.choice(("winner", "each")), fault__own="reduce")
    played = set[str]()
    for _ in range(8):
        here = list(night.night.seats)
        for seat in "abyz":
            if seat not in here and chance.random() < 0.2:
                night.record("sit", seat=seat, name=seat.upper())
            elif seat in here and chance.random() < 0.2:
                night.record("leave", seat=seat)
        here, new = list(night.night.seats), night.night.newcomers
        if chance.random() < 0.3:
            night.record("penalty", seat=chance.choice(fault_payees(night.night)), offence="false-rummy")
        players = [seat for seat in here if seat not in new or chance.random() < 0.5]
        hands = {seat: chance.randint(1, 40) for seat in players}
        before = night.scores
        night.record("rummy", seat=players[0], hands={seat: hands[seat] for seat in players[1:]})
        played |= set(players)
        moved = {seat for seat in night.night.all_seats if night.scores[seat] != before.get(seat, 0)}
        assert sum(night.scores.values()) == 0
        assert moved <= {*players, *(offender for offender, _ in night.night.deals[-1].faults)}
    best = max(night.scores[seat] for seat in night.night.seats if seat in played)
    assert night.winners == [seat for seat in night.night.seats if seat in played and night.scores[seat] == best]


# Faults that wait at the end of the snake


def test_the_night_does_not_end_while_points_of_a_fault_wait() -> None:
    night = snake("wxy").record("penalty", seat="x", offence="false-rummy")
    assert "points of X still wait for a deal" in str(night.refusal("end"))
    night.undo().record("end")
    stored = snake("wxy").record("penalty", seat="x", offence="false-rummy").opened_with("end")
    assert (stored.night.phase, set(stored.scores.values())) == ("ended", {0})


@pytest.mark.parametrize(
    ("to", "scores"), [("winner", (50, -30, -20, 0)), ("each", (50, -50, 0, 0)), ("sheet", (30, -30, -20, 0))]
)
def test_faults_booked_at_the_end_pay_nobody_who_waits(to: str, scores: tuple[int, ...]) -> None:
    night = snake("wxy", fault__to=to).record("rummy", seat="w", hands={"x": 10, "y": 20})
    night.record("penalty", seat="x", offence="false-rummy").record("sit", seat="z", name="Z")
    assert fault_payees(night.night) == ("w", "x", "y")
    night.record(**event_to(fault_booking(night.night, "w"))).record("end")
    assert night.scores == dict(zip("wxyz", scores, strict=True))
    assert "z" not in night.night.players


def test_nobody_who_waits_can_be_named_to_get_the_points_of_faults() -> None:
    night = snake("wx").record("penalty", seat="x", offence="false-rummy").record("sit", seat="z", name="Z").night
    for seat in ("z", "nobody", ""):
        with pytest.raises(BadEvent, match="who gets the points that wait"):
            fault_booking(night, seat)


@pytest.mark.parametrize("to", ["winner", "each", "sheet"])
def test_the_fault_of_somebody_who_has_left_is_booked_by_the_last_at_the_table(to: str) -> None:
    night = snake("wx", fault__to=to).record("penalty", seat="x", offence="false-rummy").record("leave", seat="x")
    assert waiting_faults(night.night) == ("x",)
    night.record(**event_to(fault_booking(night.night, "w"))).record("end")
    assert night.scores == {"w": 0 if to == "sheet" else 20, "x": -20}


def test_a_fault_that_can_be_settled_with_nobody_keeps_no_night_from_ending() -> None:
    night = snake("wx").record("penalty", seat="w", offence="false-rummy").record("leave", seat="x")
    assert waiting_faults(night.night) == ()
    assert night.record("end").scores == {"w": 0, "x": 0}
    free = snake("wx", fault__points=0).record("penalty", seat="w", offence="false-rummy").record("end")
    assert free.night.is_over


def test_points_paid_on_the_sheet_are_the_banks_share_of_the_money() -> None:
    night = snake("wx", fault__to="sheet", money__cents=5).record("penalty", seat="w", offence="false-rummy")
    night.record("rummy", seat="x", hands={"w": 7}).record("end")
    assert nets_in_cents(night.night) == {"w": -135, "x": 35, "bank": 100}


def test_missing_hands_are_named_in_a_sentence_for_one_and_for_many() -> None:
    assert str(snake("abc").refusal("rummy", seat="a", hands={"b": 4})) == "cards or points are missing: C"
    assert str(snake("abc").refusal("rummy", seat="a", hands={})) == "cards or points are missing: B, C"


def test_a_hand_is_corrected_to_cards_and_a_fault_taken_back() -> None:
    rum = snake("wx").record("penalty", seat="x", offence="false-rummy").record("rummy", seat="w", hands={"x": 10})
    rum.record("amend", event=4, change={"hands": {"x": {"cards": ["KH", "AH"]}}})
    assert rum.scores == {"w": 45, "x": -45}
    assert rum.undo(3).scores == {"w": 25, "x": -25}


def test_where_the_sheet_leaves_a_choice_the_game_does_this() -> None:
    answers = {"ace_high_seq": 1, "fault.points": 20, "fault.to": "winner", "fault.own": "reduce", "joker": 0}
    preset = built_in("michigan-rummy-snake")
    assert {key: preset[key] for key in answers} == answers
    assert (preset["stock_out"], preset["game"], preset["one_turn"]) == ("full", "open", 1)
