"""The list of all nights: which are shown and found, put away and brought back, and how it says what can't be shown."""

from datetime import date

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.made_up_nights import add_demo_nights, demo_nights
from support.sample_nights import SampleNight

from tracker.app.nights import Nights
from tracker.core.apply import EVERY_GAME
from tracker.core.game import Game, add_game, remove_game
from tracker.core.preset import Preset, Seats
from tracker.extras._night_lists import SEARCHED_FROM, is_found
from tracker.extras._night_summaries import summaries
from tracker.streaming.hub import StreamHub

NEWEST = date(2026, 3, 28)


@pytest.fixture(name="demo")
def _demo(tables: Nights) -> Nights:
    """Give thirty nights, one a week."""
    add_demo_nights(tables, demo_nights(30, 5, NEWEST, events=40))
    return tables


def past(phone: ClientPhone, address: str = "/nights") -> HtmlPage:
    answer = phone.get(address)
    assert answer.status_code == 200
    return HtmlPage(answer.text)


def rows(page: HtmlPage) -> list[str]:
    return page.values(".past-nights > li > a:first-child", "href")


def test_the_list_goes_on_by_months_with_every_night_once_and_replays_none(host: ClientPhone, demo: Nights) -> None:
    newest, listed, address, found = rows(past(host, "/")), rows(past(host)), "/nights", []
    assert newest == listed[:3]
    assert len(listed) >= 20
    while address:
        page = past(host, address)
        found += rows(page)
        address = next(iter(page.values("a[href^='/nights?until=']", "href")), "")
    assert len(found) == len(set(found)) == len(demo.nights())
    assert [row.code for row in demo.nights() if demo.if_open(row.code)] == []


def test_while_nights_are_worked_out_anew_the_newest_are_shown_and_another_can_be_opened(
    demo: Nights, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Site(demo).host()
    order = rows(past(host))
    with demo.store.connection.write() as db:
        db.execute("UPDATE summary SET version = 1")
    monkeypatch.setattr(summaries, "MOST_SECONDS", 0.0)
    host = Site(Nights(demo.store, StreamHub())).host()  # another start, with no summary in memory
    assert past(host, "/").select("a[href='/new']")
    for known in range(2, 30):
        page = past(host)
        assert rows(page) == order[:known]
        assert page.text("#past > [hx-get]").startswith(f"{30 - known} earlier night")
    page = past(host)
    assert rows(page) == order
    assert not page.has("#past > [hx-get]")


def test_a_deleted_night_leaves_the_list_and_comes_back_with_one_tap(ended: SampleNight) -> None:
    host, table = ended.host, ended.table
    away = f"/nights/{table.code}/put-away"
    page = past(host, host.post(away, {"where": "deleted"}).location)
    assert rows(page) == []
    assert "is deleted." in page.text("form.note")
    assert page.value("form.note", "action") == away
    assert f"/nights/{table.code}" in rows(past(host, "/put-away"))
    assert host.get(f"/n/{table.code}/settle").status_code == 200  # nothing is lost
    assert host.post(away, {"where": "burnt"}).status_code == 400
    host.post(away)
    assert rows(past(host)) == [f"/n/{table.code}/settle"]
    assert rows(past(host, "/put-away")) == []


def test_nights_that_were_put_away_are_searched_like_the_others(host: ClientPhone, demo: Nights) -> None:
    codes = [one.code for one in demo.nights()][:SEARCHED_FROM]
    for number, code in enumerate(codes):
        assert not past(host, "/put-away").has("form.find")
        host.post(f"/nights/{code}/name", {"title": f"Evening x{number}"})
        host.post(f"/nights/{code}/put-away", {"where": ("archived", "deleted")[number % 2]})
    assert past(host, "/put-away").has("form.find")
    assert not [row for row in rows(past(host)) if any(code in row for code in codes)]
    assert len(rows(past(host, "/put-away"))) == len(codes)
    assert rows(past(host, "/put-away?q=even+x1")) == [f"/nights/{codes[1]}"]
    assert "No night found." in host.get("/put-away?q=nobody").text


def test_a_name_is_found_by_its_bare_letters() -> None:
    names = "Jürgen Jürgen Jurgen Łukasz Øystein François Weiß Ñandú İbrahim Dvořák Jürgen"
    typed = "jurgen jürgen jürgen lukasz oyst francois weiss nandu ibrahim dvorak JU\u0308R"
    for name, letters in zip(names.split(), typed.split(), strict=True):
        assert is_found(letters, [f"Evening of {name}"]), name
        assert not is_found(f"{letters}x", [name]), name


class Towers(Game):
    """A game that is there until it is forgotten."""

    name = "towers"
    handlers = EVERY_GAME


def test_a_night_and_a_preset_of_a_game_that_is_not_there_say_so_and_take_down_no_list(
    site: Site, host: ClientPhone, code: str
) -> None:
    assert site.phone().get("/nights").location == "/", "a stranger is led away"
    assert host.get("/?q=mia+x&until=2026-01").location == "/nights?q=mia+x&until=2026-01"
    assert code in host.get("/nights?q=ruth").text, "a night that goes on is found"
    preset = Preset("our-towers", "Our towers", "towers", Seats(2, 6))
    add_game(Towers())
    site.tables.library.settings.own_presets.put(preset.id, preset)
    towers = site.open_night(host, "", preset.id)
    remove_game("towers")
    site.tables._open.pop(towers)
    pages = [host.get(page) for page in (f"/nights/{towers}", f"/n/{towers}", "/nights", "/new")]
    assert [page.status_code for page in pages if page.status_code >= 500] == []
    options, table, nights, games = (HtmlPage(page.text) for page in pages)
    assert "its game is not in this program" in options.text()
    assert "ame must be one of pots" in table.text()
    assert nights.has(f'a[href^="/n/{code}"]')
    assert "Michigan Kitty" in games.text()
    assert "Our towers" not in games.text()
