"""“Again!” goes on with whose deal it is, as a proposal that one tap changes, and still offers who left early."""

from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.sample_nights import hidden_fields, record
from support.score_events import scores
from support.score_nights import ScoreNight

from tracker.app.open_night import OpenNight
from tracker.core import events
from tracker.core.events import Score
from tracker.core.game import game_of


def sheet(site: Site, **rules: str) -> ScoreNight:
    """Return a score sheet of Ruth, Ben and Mia after two rounds: it is Mia's deal."""
    night = ScoreNight(site, "score-sheet", rules={"points.dealer": "on", **rules})
    for _ in range(2):
        record(night.table, scores(dict.fromkeys(night.night.seats, Score(1))))
    return night


def again(site: Site, host: ClientPhone, code: str, **fields: str) -> OpenNight:
    page = host.get(f"/nights/{code}")
    answer = host.post(f"/nights/{code}/again", {**hidden_fields(page, f"/nights/{code}/again"), **fields})
    assert answer.status_code == 303
    return site.tables.get(answer.location.split("/")[2])


def dealer_of(table: OpenNight) -> str | None:
    return game_of(table.night).dealer(table.night)


def test_on_a_score_sheet_the_next_night_begins_with_the_deal_of_whoever_was_next(site: Site) -> None:
    night = sheet(site)
    record(night.table, events.End())
    table = again(site, night.host, night.code)
    assert site.names(table.code) == ["Mia", "Ruth", "Ben"]  # clockwise as before
    assert dealer_of(table) == "mia"
    lobby = HtmlPage(night.host.get(f"/n/{table.code}/lobby").text)
    assert lobby.text("#first-dealer").startswith("Mia deals first.")
    assert night.host.post(f"/n/{table.code}/dealer", {}).status_code == 303
    assert "Mia deals" in HtmlPage(night.host.get(f"/n/{table.code}").text).text()


def test_one_tap_has_somebody_else_deal_the_first_round_and_the_seats_stay_clockwise(site: Site) -> None:
    night = sheet(site)
    record(night.table, events.End())
    table = again(site, night.host, night.code)
    page = night.host.get(f"/n/{table.code}/dealer")
    assert HtmlPage(page.text).text('.person[value="mia"] small') == "would deal now"
    form = hidden_fields(page, f"/n/{table.code}/dealer")
    assert night.host.post(f"/n/{table.code}/dealer", {**form, "seat": "ben"}).status_code == 303
    assert (dealer_of(table), site.names(table.code)) == ("ben", ["Ben", "Mia", "Ruth"])


def test_a_sheet_without_a_dealer_begins_in_the_order_of_before_and_asks_for_none(site: Site) -> None:
    night = sheet(site, **{"points.dealer": "off"})
    record(night.table, events.End())
    table = again(site, night.host, night.code)
    assert site.names(table.code) == ["Ruth", "Ben", "Mia"]
    assert not HtmlPage(night.host.get(f"/n/{table.code}/lobby").text).has("#first-dealer")
    assert night.host.get(f"/n/{table.code}/dealer").location == f"/n/{table.code}"


def test_on_a_board_the_next_dealer_is_proposed(site: Site) -> None:
    night = ScoreNight(site, "michigan-kitty")
    record(night.table, events.Hand("ruth"), events.NoSale(), events.Out("mia", {"ruth": 1, "ben": 1}))  # type: ignore[dict-item]
    record(night.table, events.End())
    table = again(site, night.host, night.code)
    assert site.names(table.code) == ["Ruth", "Ben", "Mia"]
    assert HtmlPage(night.host.get(f"/n/{table.code}/lobby").text).text("#first-dealer").startswith("Ben deals first.")
    page = night.host.get(f"/n/{table.code}/dealer")
    assert HtmlPage(page.text).text('.person[value="ben"] small') == "would deal now"
    form = hidden_fields(page, f"/n/{table.code}/dealer")
    night.host.post(f"/n/{table.code}/dealer", {**form, "seat": "mia"})
    assert table.night.dealer == "mia"


def test_the_deal_of_somebody_who_has_left_goes_to_the_next_one(site: Site) -> None:
    night = sheet(site)
    record(night.table, events.Leave("mia"), events.End())
    table = again(site, night.host, night.code)
    assert dealer_of(table) == "ruth"


def test_who_left_before_the_end_is_offered_with_one_tap(site: Site) -> None:
    night = sheet(site)
    record(night.table, events.Leave("ben"), events.End())
    table = again(site, night.host, night.code)
    assert site.names(table.code) == ["Mia", "Ruth"]
    lobby = HtmlPage(night.host.get(f"/n/{table.code}/lobby").text)
    [button] = lobby.select('button[name=name][value="Ben"]')
    assert "left early last time" in button.get_text()
    assert night.host.post(f"/n/{table.code}/seats", {"name": "Ben"}).status_code in (200, 303)
    assert site.names(table.code) == ["Mia", "Ruth", "Ben"]
    assert not HtmlPage(night.host.get(f"/n/{table.code}/lobby").text).has('button[value="Ben"]')


def test_who_left_a_board_that_was_kept_can_be_ticked_and_is_not(site: Site) -> None:
    night = ScoreNight(site, "michigan-kitty", rules={"end": "leave"})
    record(night.table, events.Hand("ruth"), events.NoSale(), events.Out("mia", {"ruth": 1, "ben": 1}))  # type: ignore[dict-item]
    record(night.table, events.Leave("ben"), events.End())
    page = HtmlPage(night.host.get(f"/nights/{night.code}").text)
    boxes = {one.get("value"): one.has_attr("checked") for one in page.select(".who input[name=name]")}
    assert boxes == {"Ruth": True, "Mia": True, "Ben": False}
