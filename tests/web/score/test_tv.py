import re
from itertools import pairwise

from support.client_phones import Site
from support.score_nights import ScoreNight

from tracker.web.drawing import line_chart
from tracker.web.drawing.player_token import PlayerToken


def test_the_big_screen_shows_the_round_and_nothing_to_tap(site: Site) -> None:
    night = ScoreNight(site, "eight-round-rummy")
    night.tap("round", seat="ben")
    page = night.host.get(f"/n/{night.code}/tv").text
    assert "<h1>Round 2</h1>" in page
    assert "<button" not in page
    assert 'id="tv-ben">1<' in page


def test_the_big_screen_shows_whose_hand_is_still_to_come(site: Site) -> None:
    night = ScoreNight(site, "michigan-rummy-snake")
    night.tap("out", seat="ben")
    night.tap("say:12", seat="mia")
    page = night.host.get(f"/n/{night.code}/tv/live").text
    assert "Ben: Rummy!" in page
    assert "Still to come: <bdi>Ruth</bdi>" in page
    assert "<button" not in page


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
