"""The chart of everybody's chips: its axis, and tokens that must not cover each other."""

import re
from itertools import pairwise

from tracker.extras._chart import line_chart
from tracker.extras._chart.line_chart import scale, spread_apart
from tracker.web.drawing.player_token import PlayerToken


def test_an_axis_has_round_numbers_and_zero_on_it() -> None:
    assert scale([0, 13, -7]) == (-10, 15, 5)
    assert scale([0]) == (0, 1, 1)
    assert scale([120, -80]) == (-100, 150, 50)
    assert scale([100_000]) == (0, 100_000, 20_000)


def test_tokens_that_would_cover_each_other_are_moved_apart() -> None:
    moved = spread_apart([50, 50, 51, 120], 19, 0, 200)
    assert all(b - a >= 18.5 for a, b in pairwise(moved))
    assert moved == sorted(moved)


def test_the_scale_of_the_chart_has_few_lines_and_holds_everything() -> None:
    for least, most in ((0, 0), (-5, 5), (-117, 92), (0, 36), (-999_999, 3), (-1, 0)):
        low, high, step = line_chart.scale((least, most))
        assert low <= least <= most <= high
        assert low <= 0 <= high
        assert 0 in range(low, high + 1, step)
        assert 2 <= len(range(low, high + 1, step)) <= 8, (least, most)


def test_tokens_at_the_ends_of_the_lines_do_not_cover_each_other() -> None:
    people = [PlayerToken(f"p{at}", f"P{at}", "P", at + 1) for at in range(6)]
    drawing = line_chart.lines([line_chart.ChartLine(face, (0, 0)) for face in people], ["", "1"], line_chart.TABLE)
    heights = sorted(float(y) for y in re.findall('href="#token" x="[^"]+" y="([^"]+)"', drawing))
    assert len(heights) == len(people)
    assert all(after - before >= line_chart.TABLE.token for before, after in pairwise(heights))
