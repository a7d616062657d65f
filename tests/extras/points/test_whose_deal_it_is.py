"""On a score sheet “Again!” goes on with whose deal it is, as a proposal that one tap changes, and offers who left."""

import pytest
from extras._shared.score_nights import ScoreNight, scores
from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import hidden_fields, record

from tracker.app.open_night import OpenNight
from tracker.core.events import End, Event, Leave, Score, SeatId
from tracker.core.game import game_of


@pytest.fixture(name="sheet")
def _sheet(site: Site) -> ScoreNight:
    """A score sheet of Ruth, Ben and Mia after two rounds: it is Mia's deal."""
    return sheet_of_three(site, "on")


def sheet_of_three(site: Site, dealer: str) -> ScoreNight:
    night = ScoreNight(site, "score-sheet", rules={"points.dealer": dealer})
    for _ in range(2):
        record(night.table, scores(dict.fromkeys(night.night.seats, Score(1))))
    return night


def again(night: ScoreNight, *last: Event) -> tuple[OpenNight, str]:
    """End a night after some events, begin the next one, and return it and what its lobby says of the first deal."""
    record(night.table, *last, End())
    page = night.host.get(f"/nights/{night.code}")
    answer = night.host.post(f"/nights/{night.code}/again", hidden_fields(page, f"/nights/{night.code}/again"))
    lobby = HtmlPage(night.host.get(answer.location).text)
    return night.site.tables.get(answer.location.split("/")[2]), " ".join(lobby.texts("#first-dealer"))


def dealer_of(table: OpenNight) -> str | None:
    return game_of(table.night).dealer(table.night)


def test_the_next_night_begins_with_the_deal_of_whoever_was_next(site: Site, sheet: ScoreNight) -> None:
    table, said = again(sheet)
    assert site.names(table.code) == ["Mia", "Ruth", "Ben"]  # clockwise as before
    assert dealer_of(table) == "mia"
    assert said.startswith("Mia deals first.")
    assert sheet.host.post(f"/n/{table.code}/dealer", {}).status_code == 303
    assert "Mia deals" in HtmlPage(sheet.host.get(f"/n/{table.code}").text).text()


def test_one_tap_has_somebody_else_deal_the_first_round_and_the_seats_stay_clockwise(
    site: Site, sheet: ScoreNight
) -> None:
    table, _ = again(sheet)
    page = sheet.host.get(f"/n/{table.code}/dealer")
    assert HtmlPage(page.text).text('.person[value="mia"] small') == "would deal now"
    form = hidden_fields(page, f"/n/{table.code}/dealer")
    assert sheet.host.post(f"/n/{table.code}/dealer", {**form, "seat": "ben"}).status_code == 303
    assert (dealer_of(table), site.names(table.code)) == ("ben", ["Ben", "Mia", "Ruth"])


def test_a_sheet_without_a_dealer_begins_in_the_order_of_before_and_asks_for_none(site: Site) -> None:
    night = sheet_of_three(site, "off")
    table, said = again(night)
    assert site.names(table.code) == ["Ruth", "Ben", "Mia"]
    assert said == ""
    assert night.host.get(f"/n/{table.code}/dealer").location == f"/n/{table.code}"


def test_the_deal_of_somebody_who_has_left_goes_to_the_next_one(sheet: ScoreNight) -> None:
    assert dealer_of(again(sheet, Leave(SeatId("mia")))[0]) == "ruth"


def test_who_left_before_the_end_is_offered_with_one_tap(site: Site, sheet: ScoreNight) -> None:
    table, _ = again(sheet, Leave(SeatId("ben")))
    lobby, button = f"/n/{table.code}/lobby", 'button[name=name][value="Ben"]'
    assert site.names(table.code) == ["Mia", "Ruth"]
    assert "left early last time" in HtmlPage(sheet.host.get(lobby).text).text(button)
    sheet.host.post(f"/n/{table.code}/seats", {"name": "Ben"})
    assert site.names(table.code) == ["Mia", "Ruth", "Ben"]
    assert not HtmlPage(sheet.host.get(lobby).text).has(button)
