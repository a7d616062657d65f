"""The night hand by hand: its table, its chart, and the axis and tokens of that, which must not cover each other."""

import re
from itertools import pairwise
from random import Random

import pytest
from support.client_phones import Site
from support.core_nights import with_two_given_up
from support.html_page import HtmlPage
from support.random_nights import every_preset, random_night, random_options
from support.sample_nights import SampleNight, play_hand, record, visible_text

from tracker.app.event_rows import replay_log
from tracker.app.log_history import History
from tracker.core import events
from tracker.core.events import Amount, Name, SeatId
from tracker.core.log import Entry
from tracker.core.preset import Preset
from tracker.extras._chart import line_chart
from tracker.extras._chart.line_chart import scale
from tracker.extras._chart.net_reasons import net_reasons, rank_reasons
from tracker.extras._chart.night_lines import NightLines
from tracker.web.drawing.player_token import PlayerToken
from tracker.web.settlement.report_view import SettlementReport


def test_cells_are_empty_before_a_persons_first_hand_and_the_chart_has_its_style(here: SampleNight) -> None:
    play_hand(here.table, "ruth", "ben", "tom")
    running = here.host.get(f"{here.base}/settle").text
    record(here.table, events.Sit(SeatId("zoe"), Name("Zoe")))
    play_hand(here.table, "ben", "mia", "tom")
    record(here.table, events.Sit(SeatId("pia"), Name("Pia")), events.Leave(SeatId("pia")), events.End())
    over = here.host.get(f"{here.base}/settle").text
    page = HtmlPage(over)
    rows = [
        [cell.get_text().strip() for cell in row.select("td, th")] for row in page.select(".numbers-table tbody tr")
    ]
    cells = [row[-2:] for row in rows if row[0].isdigit()]
    assert [[bool(cell) for cell in row] for row in cells] == [[False, False], [True, False]]
    assert ['class="chart' in text and "chart/chart.css" in text for text in (running, over)] == [True, True]


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: preset.id)
def test_every_line_ends_at_its_persons_net_or_points_and_its_reasons_add_up_to_it(site: Site, preset: Preset) -> None:
    chance = Random(preset.id)
    rules = preset.with_options(random_options(preset, chance))
    entries = [Entry(at, event) for at, event in enumerate(random_night(rules, chance, 70), start=1)]
    report = SettlementReport(History(entries, replay_log("", rules, entries)))
    with site.app.test_request_context("/"):
        ends = {one.face.seat: one.values[-1] for one in NightLines(report).series}
        # The lines of a night whose last hand was given up end with the hand before.
        assert ends == report.totals or report.night.is_abandoned
        for one in rank_reasons(report):
            assert "other" not in dict(one.why)
            assert preset.game == "rounds" or sum(chips for _, chips in one.why) == one.rank.net


def test_why_a_sum_is_what_it_is_has_no_part_of_a_hand_that_was_given_up() -> None:
    night = with_two_given_up()
    why = net_reasons(History(night.entries, night.steps))
    assert {reason for reason, chips in why["p"].items() if chips} == {"antes", "cards"}


def test_the_sum_of_a_borrower_names_what_was_had_to_begin_with_bought_and_corrected(here: SampleNight) -> None:
    ben, mia = SeatId("ben"), SeatId("mia")
    record(here.table, events.Borrow(ben, mia, Amount(11)), events.Buy(ben, Amount(20)))
    record(here.table, events.Repay(ben, mia, Amount(4)), events.Move(ben, mia, Amount(3)), events.End())
    said = visible_text(here.host.get(f"{here.base}/settle"))
    stack = here.table.night.preset.stack
    assert f"Ben start {stack} bought 20 set right by hand −3 = −3" in said
    assert f"Mia start {stack} set right by hand +3 = +3" in said


def test_an_axis_has_round_numbers_zero_and_few_lines_and_holds_everything() -> None:
    assert scale([0, 13, -7]) == (-10, 15, 5)
    assert scale([120, -80]) == (-100, 150, 50)
    assert scale([100_000]) == (0, 100_000, 20_000)
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
