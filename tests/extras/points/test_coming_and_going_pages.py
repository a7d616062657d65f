"""Score games whose people come late and leave: what the pages say of it, during the night and at its end."""

import re
from typing import Any

import pytest
from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import hidden_fields, visible_text
from support.score_events import round_won, rummy, scores
from support.score_nights import ScoreNight

from tracker.core import events
from tracker.core.events import Name, Score, SeatId
from tracker.core.payment_list import nets_in_cents
from tracker.web.drawing.line_chart import line_chart
from tracker.web.settlement.report_view import SettlementReport
from tracker.web.wording.texts import amount

SNAKE, ROUNDS, HEARTS = "michigan-rummy-snake", "eight-round-rummy", "hearts"


def with_leaver_and_latecomer(site: Site, **rules: Any) -> ScoreNight:
    """Return a night of Hearts: Ruth leaves after a round, Lea joins before the next, Pia has played none."""
    night = ScoreNight(site, HEARTS, rules={"money.chips": 1, "money.cents": 10, **rules})
    record(night, scores({"ruth": Score(5), "ben": Score(9), "mia": Score(12)}))
    record(night, events.Leave("ruth"), events.Sit(SeatId("lea"), Name("Lea")))
    record(night, scores({"ben": Score(3), "mia": Score(13), "lea": Score(10)}))
    record(night, events.Sit(SeatId("pia"), Name("Pia")))
    return night


def record(night: ScoreNight, *recorded: events.Event) -> None:
    for event in recorded:
        night.table.record(event, id=f"id-{night.table.head}", by="host")


def test_in_the_chart_a_line_begins_with_the_first_round_that_its_person_has_played(site: Site) -> None:
    night = with_leaver_and_latecomer(site)
    with site.app.test_request_context("/"):
        report = SettlementReport(night.table.history())
    lines = {one.face.seat: one for one in report.series}
    assert {seat: one.values[one.first :] for seat, one in lines.items() if one.is_drawn} == {
        "ruth": (0, 5, 5),
        "ben": (0, 9, 12),
        "mia": (0, 12, 25),
        "lea": (12, 22),  # the worst sum when she came
    }
    heights = [re.split(r"[ ,L]", path.lstrip("M"))[1] for path in HtmlPage(night.page()).values(".tray .c-line", "d")]
    assert len(heights) == 4
    assert len(set(heights)) == 2  # Lea’s line begins at what she began with, not at 0
    drawn = str(line_chart(report.series, report.moments, title="", desc=""))
    assert drawn.count('class="c-line"') == drawn.count('class="c-lead"') == 4


def test_tables_have_empty_cells_before_the_first_round_that_somebody_has_played(site: Site) -> None:
    night = with_leaver_and_latecomer(site)
    record(night, events.End())
    address = f"/n/{night.table.code}"
    log = HtmlPage(night.host.get(f"{address}/log").text)  # and points to begin with are won in no round
    for strip, people in (("#hand-1", {"Ruth", "Ben", "Mia"}), (".now-strip", {"Ben", "Mia", "Lea"})):
        assert {name.get_text().strip() for name in log.select(f"{strip} .sign bdi")} == people
    page = HtmlPage(night.host.get(f"{address}/settle").text)
    rows = [[cell.get_text() for cell in row.select("td, th")] for row in page.select(".numbers-table tbody tr")]
    lea, pia = ([row[place] for row in rows if row[0].isdigit()] for place in (-2, -1))
    assert (lea[0], pia) == ("", ["", ""])
    assert lea[1].startswith("+22")


@pytest.mark.parametrize(
    ("preset", "rules", "said"),
    [
        (ROUNDS, {}, "Ben keeps the round cards, and can’t win the game any more."),
        (SNAKE, {}, "Ben pays or gets what the deals so far have brought, and can’t win the night any more."),
        (HEARTS, {}, "Ben keeps the points, and can’t win the night any more."),
        (HEARTS, {"money.cents": 5}, "Ben settles the rounds so far with those who played them"),
        (
            HEARTS,
            {"money.cents": 5, "points.pay": "winner"},
            "Ben pays the winner for the rounds that both have played",
        ),
    ],
)
def test_before_somebody_leaves_the_sheet_says_what_that_means(
    site: Site, preset: str, rules: dict[str, Any], said: str
) -> None:
    night = ScoreNight(site, preset, rules=rules)
    nothing = "Ben has played nothing yet: there is nothing to pay or to get."
    for phone in ("ruth", "ben"):
        assert nothing in HtmlPage(night.sheet("/ben", phone)).text()
    play_round(night)
    for phone in ("ruth", "ben"):
        sheet = HtmlPage(night.sheet("/ben", phone)).text()
        assert said in sheet
        assert nothing not in sheet
    assert night.tap("leave:ben", "ben") == 200
    assert "can’t win any more" in HtmlPage(night.page()).text(inline=("bdi",))


def play_round(night: ScoreNight) -> None:
    made: dict[str, events.Event] = {
        ROUNDS: round_won("ben"),
        SNAKE: rummy("ben", {"ruth": events.Chips(3), "mia": events.Chips(4)}),
        HEARTS: scores({"ruth": Score(3), "ben": Score(10), "mia": Score(13)}),
    }
    record(night, made[night.night.preset.id])


def test_the_live_page_has_the_sums_of_the_settlement(site: Site) -> None:
    night = with_leaver_and_latecomer(site)
    cents = nets_in_cents(night.night)
    assert cents == {"ruth": 110, "ben": 160, "mia": -230, "lea": -40, "pia": 0}
    page = HtmlPage(night.page())
    for seat in night.night.seats:
        assert amount(cents[seat]) in page.texts(f"#s-{seat} .sub")[0]
    record(night, events.End())
    settled = visible_text(night.host.get(f"/n/{night.code}/settle"))
    for seat in night.night.all_seats:
        assert amount(cents[seat]) in settled


def test_the_settlement_says_who_could_not_win_and_gives_no_place_without_a_round(site: Site) -> None:
    night = with_leaver_and_latecomer(site)
    record(night, events.End())
    page = HtmlPage(night.host.get(f"/n/{night.code}/settle").text)
    assert page.texts(".rank tbody .place") == ["1", "2", "3", "4", "–"]
    assert page.texts(".rank tbody th .nm bdi") == ["Ben", "Lea", "Mia", "Ruth", "Pia"]
    assert page.texts(".rank tbody th small") == ["has left", "has played nothing"]
    assert "Ben wins the night" in page.text()
    report = page.texts("#result")[0]
    assert "– Pia (has played nothing): 25 points" in report
    assert "4. Ruth (has left): 5 points = 1.10" in report
    assert "Pia pays" not in page.text()


def test_the_sheet_and_the_settlement_show_the_points_to_begin_with(site: Site) -> None:
    night = with_leaver_and_latecomer(site)
    assert "Pia sits down with 25 points" in HtmlPage(night.page()).text(inline=("bdi",))
    row = HtmlPage(night.page()).texts(".padsheet tbody tr")[0]
    assert row.split() == ["to", "begin", "with", "12", "25"]
    record(night, events.End())
    assert "to begin with +12" in visible_text(night.host.get(f"/n/{night.code}/settle")).replace("\n", " ")


def test_before_the_first_round_nobody_is_said_to_have_played_nothing(site: Site) -> None:
    night = ScoreNight(site, HEARTS)
    page = HtmlPage(night.host.get(f"/n/{night.code}/settle").text)
    assert page.texts(".rank tbody .place") == ["–", "–", "–"]
    assert "has played nothing" not in page.text()


def test_one_point_is_said_in_the_singular(site: Site) -> None:
    night = ScoreNight(site, ROUNDS)
    record(night, round_won("ben"), events.End())
    page = visible_text(night.host.get(f"/n/{night.code}/settle"))
    assert "1 point" in page
    assert "1 points" not in page


def test_where_only_the_winner_is_written_down_somebody_who_waits_has_no_part_in_the_round(site: Site) -> None:
    night = ScoreNight(site, "score-sheet", rules={"points.entry": "winner"})
    assert night.tap("round:ben", "ben") == 200
    record(night, events.Sit(SeatId("lea"), Name("Lea")))
    assert night.tap("round", seat="mia") == 200
    assert set(night.night.deals[-1].change) == {"ruth", "ben", "mia"}
    record(night, events.Sit(SeatId("pia"), Name("Pia")))
    assert night.tap("round", seat="pia") == 200
    assert set(night.night.deals[-1].change) == {"ruth", "ben", "mia", "lea", "pia"}
    for seat in ("ruth", "ben", "mia", "lea"):
        record(night, events.Leave(seat))
    record(night, events.Sit(SeatId("zoe"), Name("Zoe")))
    assert night.tap("round", seat="pia") == 200
    assert set(night.night.deals[-1].change) == {"pia", "zoe"}


def test_at_the_end_of_ten_phases_it_is_asked_who_completed_the_last_task(site: Site) -> None:
    night = ScoreNight(site, "ten-phases")
    points = {seat: events.Score(points) for seat, points in (("ruth", 0), ("ben", 50), ("mia", 60))}
    night.table.record(scores(points), id="round", by="host")
    address = f"/n/{night.code}/settle"
    page = night.host.get(address)
    assert "Who completed the last task?" in visible_text(page)
    answer = night.host.post(address, {**hidden_fields(page, address), "winners": ["ben"]})
    assert answer.status_code == 303
    shown = visible_text(night.host.get(address))
    assert "Ben wins the night" in shown
    assert "Ben has completed the last task" in visible_text(night.host.get(f"/n/{night.code}/log"))
    assert HtmlPage(night.host.get(address).text).texts(".rank tbody th .nm bdi") == ["Ben", "Ruth", "Mia"]
