"""A board left for the next night: what lies on it, and how it is filled again by equal parts."""

import pytest
from hypothesis import given, strategies as st
from support.core_nights import rummy

from tracker.core.apply import apply
from tracker.core.events import Buy, Chips, Name, SeatId, Sit
from tracker.core.night import Night
from tracker.core.settlement import kept_board, refill

BOARD = {"ten-hearts": 15, "king-clubs": 10, "jackpot": 4}


def seated(*names: str) -> Night:
    night = Night(rummy("").night.preset)
    for name in names:
        night = apply(night, Sit(SeatId(name), Name(name.upper()), Chips(100)))
    return night


def filled(seats: tuple[str, ...], board: dict[str, int]) -> Night:
    night = seated(*seats)
    for event in refill(board, seats, "left on the board"):
        night = apply(night, event)
    return night


def test_everybody_brings_an_equal_share_and_the_first_seats_the_odd_chips() -> None:
    bought = [event for event in refill(BOARD, "abcd", "") if isinstance(event, Buy)]
    assert [(one.seat, one.chips) for one in bought] == [("a", 8), ("b", 7), ("c", 7), ("d", 7)]


@given(
    st.integers(1, 8),
    st.dictionaries(st.sampled_from(["ten-hearts", "king-clubs", "poker", "jackpot"]), st.integers(0, 90)),
)
def test_the_board_lies_there_as_before_and_every_stack_is_as_bought_without_it(
    people: int, board: dict[str, int]
) -> None:
    seats = tuple("abcdefgh"[:people])
    night = filled(seats, board)
    assert {pot: night.pot(pot) for pot in night.preset.board} == dict.fromkeys(night.preset.board, 0) | board
    assert {night.stack(seat) for seat in seats} == {100}
    assert -sum(night.net(seat) for seat in seats) == sum(board.values())


@pytest.mark.parametrize(("rule", "kept"), [("leave", {"ten-hearts": 15, "jackpot": 3}), ("equal", {})])
def test_only_a_board_that_was_left_is_kept(rule: str, kept: dict[str, int]) -> None:
    night = rummy("abc", end=rule).record("move", source="b", target="ten-hearts", chips=15)
    night.record("move", source="c", target="jackpot", chips=3)
    assert kept_board(night.night) == {}
    assert kept_board(night.record("end").night) == kept


def test_an_iou_in_a_place_counts_as_its_chips_for_its_debtor_has_paid() -> None:
    night = rummy("abc", end="leave").record("move", source="b", target="ten-hearts", chips=15)
    night.record("borrow", seat="c", source="ten-hearts", chips=5)
    assert kept_board(night.record("end").night) == {"ten-hearts": 15}
    assert night.night.net("c") == 0
