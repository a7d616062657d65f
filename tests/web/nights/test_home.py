"""The first page: who won each of the nights that are over, and the way to a night for hosts, guests and strangers."""

from collections.abc import Sequence

import pytest
from support.client_phones import ClientPhone, Site, add_people
from support.html_page import HtmlPage
from support.sample_nights import play_hand, record, sample_night
from support.score_events import round_won, rummy

from tracker.app.open_night import OpenNight
from tracker.core import events
from tracker.core.events import Chips

WON = {
    "michigan-rummy": ["Mia"],
    "michigan-kitty": ["Tom"],
    "eight-round-rummy": ["Ben"],
    "michigan-rummy-snake": ["Ben", "Tom"],
}


def play(table: OpenNight) -> None:
    """Play a night of a game to its end."""
    others = {seat: Chips(2) for seat in ("ruth", "ben", "mia")}
    if table.preset.id == "michigan-rummy":
        play_hand(table, "ruth", "ben", "mia")
    elif table.preset.id == "michigan-kitty":
        record(table, events.Hand("ruth"), events.NoSale(), events.Out("tom", others))
    elif table.preset.id == "eight-round-rummy":
        record(table, *[round_won("ben")] * 7, round_won("mia", jokers=1))
    else:
        record(table, rummy("tom", others | {"ben": 4}), rummy("ben", {"ruth": 2, "mia": 2, "tom": 4}))
    if not table.night.is_over:
        record(table, events.End())


def result(phone: ClientPhone, code: str) -> tuple[str, str]:
    """Return what the first page and the settlement say of who has won a night."""
    first, settlement = (HtmlPage(phone.get(page).text) for page in ("/", f"/n/{code}/settle"))
    return first.text(f'a[href="/n/{code}/settle"] .nm'), " ".join(settlement.texts(".podium h2"))


@pytest.mark.parametrize(("preset", "winners"), WON.items(), ids=WON)
def test_the_first_page_and_the_settlement_name_the_same_winners(
    site: Site, preset: str, winners: Sequence[str]
) -> None:
    found = sample_night(site, preset)
    play(found.table)
    names = " and ".join(winners)
    said = (f"{names} won", f"{names} wins the night") if len(winners) == 1 else ("A tie", f"{names} share the night")
    assert result(found.host, found.table.code) == said


def test_nobody_has_won_a_night_that_ended_before_its_first_hand(site: Site) -> None:
    found = sample_night(site)
    record(found.table, events.End())
    said, podium = result(found.host, found.table.code)
    assert said == "The night is over"
    assert "wins" not in podium


# The way to a night


def test_an_open_night_is_carried_on_from_home(site: Site, host: ClientPhone, code: str) -> None:
    add_people(host, code, "Ben")
    site.start_first_hand(host, code, "ben")
    page = HtmlPage(host.get("/").text)
    assert "Carry on: " in page.text()
    assert "Hand 1, Ben deals" in page.text()
    assert page.has(f'[href="/n/{code}"]')


def test_home_shows_a_stranger_the_way_to_the_table_and_no_names(site: Site, host: ClientPhone, code: str) -> None:
    add_people(host, code, "Ben")
    assert site.phone().get("/").location == "/join"
    assert "Ben" not in site.phone().get("/join").text


def test_a_guest_finds_the_night_on_the_first_page_and_cannot_open_another(site: Site, code: str) -> None:
    page = site.join(code, "Ben").get("/").text
    assert f"/n/{code}" in page
    assert not HtmlPage(page).has("[name=preset], a[href='/new']")


def test_the_game_played_last_is_on_top_and_the_hosts_name_is_remembered(site: Site, host: ClientPhone) -> None:
    site.open_night(host, "Ruth", "michigan-kitty")
    page = HtmlPage(host.get("/new").text)
    assert page.values("[name=preset]", "value")[0] == "michigan-kitty"
    assert page.has('[value="Ruth"]')


def test_a_night_that_is_over_may_be_looked_at_from_the_machine_that_keeps_it(
    site: Site, code: str, table: OpenNight
) -> None:
    record(table, events.End())
    other = site.host()
    assert other.get(f"/n/{code}/settle").status_code == 200
    assert other.post(f"/n/{code}/record", {"do": "undo:1"}).status_code == 403
    assert site.phone().get(f"/n/{code}/settle").status_code == 403
