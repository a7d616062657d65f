"""Score sheets on their pages: who comes late, leaves or pauses, the end, and whose deal it is in the next night."""

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from extras._shared.score_nights import ROUND_OF, ScoreNight, event, scores
from support.client_phones import Site
from support.html_page import HtmlPage
from support.of_extras import needs
from support.sample_nights import hidden_fields, record, visible_text

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core import events
from tracker.core.events import Event, Leave, Name, Score, SeatId
from tracker.core.game import game_of
from tracker.core.payment_list import nets
from tracker.extras._chart.night_lines import NightLines
from tracker.extras._score.pages import DealEnding, DealSettings
from tracker.web.settlement.report_view import SettlementReport

SNAKE, ROUNDS, HEARTS = "michigan-rummy-snake", "eight-round-rummy", "hearts"


def with_leaver_and_latecomer(site: Site, **rules: Any) -> ScoreNight:
    """Return a night of Hearts: Ruth leaves after a round, Lea joins before the next, Pia has played none."""
    night = ScoreNight(site, HEARTS, rules={"money.chips": 1, "money.cents": 10, **rules})
    record(night.table, scores({"ruth": Score(5), "ben": Score(9), "mia": Score(12)}))
    record(night.table, events.Leave("ruth"), events.Sit(SeatId("lea"), Name("Lea")))
    record(night.table, scores({"ben": Score(3), "mia": Score(13), "lea": Score(10)}))
    record(night.table, events.Sit(SeatId("pia"), Name("Pia")))
    return night


def test_chart_tables_and_settlement_say_what_each_began_with_had_played_and_could_win(site: Site) -> None:
    night = with_leaver_and_latecomer(site)
    with site.app.test_request_context("/"):
        night_lines = NightLines(SettlementReport(night.table.history()))
        drawn = str(night_lines.picture)
    lines = {one.face.seat: one for one in night_lines.series}
    assert {seat: one.values[one.first :] for seat, one in lines.items() if one.is_drawn} == {
        "ruth": (0, 5, 5),
        "ben": (0, 9, 12),
        "mia": (0, 12, 25),
        "lea": (12, 22),  # the worst sum when she came
    }
    shown = HtmlPage(night.page())
    heights = [re.split(r"[ ,L]", path.lstrip("M"))[1] for path in shown.values(".tray .c-line", "d")]
    assert len(heights) == 4
    assert len(set(heights)) == 2  # Lea’s line begins at what she began with, not at 0
    assert drawn.count('class="c-line"') == drawn.count('class="c-lead"') == 4
    assert "Pia sits down with 25 points" in shown.text(inline=("bdi",))
    assert shown.texts(".padsheet tbody tr")[0].split() == ["to", "begin", "with", "12", "25"]
    record(night.table, events.End())
    address = f"/n/{night.table.code}"
    page = HtmlPage(night.host.get(f"{address}/settle").text)
    assert page.texts(".rank tbody .place") == ["1", "2", "3", "4", "–"]
    assert page.texts(".rank tbody th .nm bdi") == ["Ben", "Lea", "Mia", "Ruth", "Pia"]
    assert page.texts(".rank tbody th small") == ["has left", "has played nothing"]
    assert "Ben wins the night" in page.text()
    assert "to begin with +12" in page.text().replace("\n", " ")
    assert "Pia pays" not in page.text()
    needs("exports")
    report = page.texts("#result")[0]
    assert "– Pia (has played nothing): 25 points" in report
    assert "4. Ruth (has left): 5 points = 1.10" in report
    needs("hand_by_hand")
    log = HtmlPage(night.host.get(f"{address}/log").text)  # and points to begin with are won in no round
    for strip, people in (("#hand-1", {"Ruth", "Ben", "Mia"}), (".now-strip", {"Ben", "Mia", "Lea"})):
        assert {name.get_text().strip() for name in log.select(f"{strip} .sign bdi")} == people
    rows = [[cell.get_text() for cell in row.select("td, th")] for row in page.select(".numbers-table tbody tr")]
    assert [row[-2][:3] for row in rows if row[0].isdigit()] == ["", "+22"]


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
def test_before_somebody_leaves_the_sheet_says_it(site: Site, preset: str, rules: dict[str, Any], said: str) -> None:
    night = ScoreNight(site, preset, rules=rules)
    nothing = "Ben has played nothing yet: there is nothing to pay or to get."
    for phone in ("ruth", "ben"):
        assert nothing in HtmlPage(night.sheet("/ben", phone)).text()
    night.record(event(**ROUND_OF[preset](["ben", "ruth", "mia"])))
    for phone in ("ruth", "ben"):
        sheet = HtmlPage(night.sheet("/ben", phone)).text()
        assert said in sheet
        assert nothing not in sheet
    assert night.tap("leave:ben", "ben") == 200
    assert "can’t win any more" in HtmlPage(night.page()).text(inline=("bdi",))


def test_ten_phases_begin_without_places_and_ask_at_the_end_who_completed_the_last_task(site: Site) -> None:
    night = ScoreNight(site, "ten-phases")
    before = HtmlPage(night.host.get(f"/n/{night.code}/settle").text)
    assert before.texts(".rank tbody .place") == ["–", "–", "–"]
    assert "has played nothing" not in before.text()
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


# Somebody sits a round of a score sheet out: by a key of the pad, on the own phone, or as the dealer who pauses.


SHEET = "score-sheet"
SKAT = {"points.dealer": "on", "points.pause": "dealer"}


def row(night: ScoreNight, seat: str, phone: str = "ruth") -> str:
    return HtmlPage(night.page(phone)).text(f"#h-{seat}")


def test_one_key_has_somebody_pause_who_is_asked_for_nothing_until_it_is_taken_back_or_corrected(site: Site) -> None:
    night = ScoreNight(site, SHEET)
    assert night.tap("stock") == 200
    assert HtmlPage(night.page()).texts(".key[data-pause]") == ["Pauses"]
    night.say(ruth=1, ben=2, mia=3)
    shown = night.form()
    assert night.tap("pause:pauses", "mia", seat="ben") == 403, "a phone says it of its own seat"
    assert "pauses" not in row(night, "ben")
    assert night.tap("pause:pauses", "mia", seat="mia") == 200
    assert "You pause this round" in HtmlPage(night.page("mia")).text("#wait")
    assert "pauses" in row(night, "mia")
    assert night.tap("pay", form=shown) == 409, "the form did not show the pause"
    night.tap("say:7", seat="ruth")
    assert night.tap("pay") == 200
    [deal] = night.night.deals
    assert (dict(deal.change), deal.sits_out, deal.winners) == ({"ruth": 7, "ben": 2}, ("mia",), ("ruth",))
    assert nets(night.night) == {"ruth": 5, "ben": -5, "mia": 0}
    page = HtmlPage(night.page())
    assert "Mia pauses" in page.text("#last", inline=("bdi", "b"))
    assert [cell.split()[0] for cell in page.texts(".padsheet tbody td")] == ["7", "2", "–"]

    assert night.tap(f"undo:{night.table.head}") == 200
    assert "pauses" in row(night, "mia")
    night.tap("say:9", seat="ben")
    assert night.tap("pay") == 200
    assert (night.points, night.night.deals[-1].sits_out) == ({"ruth": 7, "ben": 9, "mia": 0}, ("mia",))

    address = f"/n/{night.code}/change/{night.table.head}"
    assert "Who pauses?" in HtmlPage(night.host.get(address).text).text()
    typed = {"points-ruth": "2", "points-ben": "", "points-mia": "3", "sits_out": "ben", "sits_out-asked": "1"}
    asked = night.host.get(f"{address}?{urlencode(typed)}")
    assert night.host.post(address, {**hidden_fields(asked, address), **typed}).status_code == 303
    assert (night.points, night.night.deals[-1].sits_out) == ({"ruth": 2, "ben": 0, "mia": 3}, ("ben",))


def test_the_dealer_is_proposed_to_pause_and_one_tap_has_somebody_else_do_so(site: Site) -> None:
    night = ScoreNight(site, SHEET, rules=SKAT)
    assert "Ruth deals and pauses" in HtmlPage(night.page()).text()
    night.tap("stock")
    assert "pauses" in row(night, "ruth")
    night.tap("pause:plays", seat="ruth")
    night.tap("pause:pauses", seat="ben")
    night.say(ruth=5, mia=-5)
    assert night.tap("pay") == 200
    assert night.night.deals[-1].sits_out == ("ben",)
    night.tap("stock")
    assert "pauses" in row(night, "ben")  # who deals the second round


def test_where_only_the_winner_is_written_down_the_persons_sheet_says_who_pauses(site: Site) -> None:
    night = ScoreNight(site, SHEET, rules={"points.entry": "winner", **SKAT})
    assert "Plays this round" in night.sheet("/ruth")
    assert "Pauses in this round" in night.sheet("/mia")
    night.tap("pause:plays", seat="ruth")
    night.tap("pause:pauses", seat="mia")
    assert night.tap("round:ben", "ben") == 200
    assert (dict(night.night.deals[-1].change), night.night.deals[-1].sits_out) == ({"ruth": 0, "ben": 1}, ("mia",))
    assert night.tap("round:ben", "ben") == 200  # the dealer has won it, so did not pause
    assert "ben" in night.night.deals[-1].change


@pytest.mark.parametrize("stored", ['{"head":12,"how":"stock"}', "12:stock"])
def test_how_a_deal_ends_is_kept_by_its_type_and_read_as_earlier_versions_wrote_it(tables: Nights, stored: str) -> None:
    settings = DealSettings(tables.store, tables.open("score-sheet").code)
    settings.write("deal-ends", stored)
    assert settings.deal_ending == DealEnding(12, "stock")
    settings.deal_ending = DealEnding(13, "stock")
    assert settings.texts()["deal-ends"] == '{"head":13,"how":"stock"}'
    settings.write("deal-ends", "{")
    assert settings.deal_ending == DealEnding()


# “Again!” goes on with whose deal it is, as a proposal that one tap changes, and offers who left


def again(site: Site, *last: Event, dealer: str = "on") -> tuple[ScoreNight, OpenNight, str]:
    """End a score sheet of Ruth, Ben and Mia at which the third deal is Mia's, after some events.

    Returns it, the next night that it begins, and what the lobby of that says of the first deal.
    """
    night = ScoreNight(site, SHEET, rules={"points.dealer": dealer})
    everybody = scores(dict.fromkeys(night.night.seats, Score(1)))
    record(night.table, everybody, everybody, *last, events.End())
    page = night.host.get(f"/nights/{night.code}")
    answer = night.host.post(f"/nights/{night.code}/again", hidden_fields(page, f"/nights/{night.code}/again"))
    lobby = HtmlPage(night.host.get(answer.location).text)
    return night, site.tables.get(answer.location.split("/")[2]), " ".join(lobby.texts("#first-dealer"))


def dealer_of(table: OpenNight) -> str | None:
    return game_of(table.night).dealer(table.night)


def test_the_next_night_begins_with_the_deal_of_whoever_was_next_or_tapped_else_as_before(site: Site) -> None:
    night, table, said = again(site)
    assert site.names(table.code) == ["Mia", "Ruth", "Ben"]  # clockwise as before
    assert dealer_of(table) == "mia"
    assert said.startswith("Mia deals first.")
    form = hidden_fields(night.host.get(f"/n/{table.code}/dealer"), f"/n/{table.code}/dealer")
    assert night.host.post(f"/n/{table.code}/dealer", {**form, "seat": "ben"}).status_code == 303
    assert (dealer_of(table), site.names(table.code)) == ("ben", ["Ben", "Mia", "Ruth"])
    night, table, _ = again(site)
    assert night.host.post(f"/n/{table.code}/dealer", {}).status_code == 303
    assert "Mia deals" in HtmlPage(night.host.get(f"/n/{table.code}").text).text()
    night, table, said = again(site, dealer="off")
    assert site.names(table.code) == ["Ruth", "Ben", "Mia"]
    assert said == ""
    assert night.host.get(f"/n/{table.code}/dealer").location == f"/n/{table.code}"


def test_who_left_before_the_end_is_offered_with_one_tap_and_the_own_deal_goes_to_the_next_one(site: Site) -> None:
    night, table, _ = again(site, Leave(SeatId("mia")))
    lobby, button = f"/n/{table.code}/lobby", 'button[name=name][value="Mia"]'
    assert (dealer_of(table), site.names(table.code)) == ("ruth", ["Ruth", "Ben"])
    assert "left early last time" in HtmlPage(night.host.get(lobby).text).text(button)
    night.host.post(f"/n/{table.code}/seats", {"name": "Mia"})
    assert site.names(table.code) == ["Ruth", "Ben", "Mia"]
    assert not HtmlPage(night.host.get(lobby).text).has(button)
