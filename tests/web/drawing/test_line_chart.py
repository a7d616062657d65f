"""The chart of everybody's chips: its axis, and tokens that must not cover each other."""

from itertools import pairwise

from tracker.web.drawing.line_chart import scale, spread_apart


def test_an_axis_has_round_numbers_and_zero_on_it() -> None:
    assert scale([0, 13, -7]) == (-10, 15, 5)
    assert scale([0]) == (0, 1, 1)
    assert scale([120, -80]) == (-100, 150, 50)
    assert scale([100_000]) == (0, 100_000, 20_000)


def test_tokens_that_would_cover_each_other_are_moved_apart() -> None:
    moved = spread_apart([50, 50, 51, 120], 19, 0, 200)
    assert all(b - a >= 18.5 for a, b in pairwise(moved))
    assert moved == sorted(moved)
