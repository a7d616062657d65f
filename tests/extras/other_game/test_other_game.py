"""Another game in the lobby: people, places, colours and phones stay, and the wrong night is gone."""

import re

import pytest
from playwright.sync_api import Browser
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.of_extras import needs, needs_preset
from support.served_app import screens_at

from tracker.app.event_rows import new_id
from tracker.app.settings import DELETED
from tracker.core.events import Rule
from tracker.streaming.hub import StreamHub


def changed(host: ClientPhone, code: str, preset: str) -> str:
    """Choose another game in the lobby, and return the code of the night that takes its place."""
    form = {"preset": preset, "key": new_id()}
    found = {host.post(f"/n/{code}/game", {**form}).location for _twice in range(2)}
    assert len(found) == 1
    led = re.fullmatch(r"/n/(\w+)/lobby", found.pop())
    assert led
    return led[1]


@pytest.mark.parametrize("preset", ["michigan-kitty", "eight-round-rummy"])
def test_everybody_is_at_the_other_game_with_place_colour_and_phone_and_the_wrong_night_is_in_no_list(
    site: Site, host: ClientPhone, code: str, preset: str
) -> None:
    needs_preset(preset)
    ben, mia = site.join(code, "Ben"), site.join(code, "Mia")
    host.post(f"/n/{code}/seats", {"name": "Tom"})
    watcher = site.request_join(code, watch="1")
    assert f"/n/{code}/game" in HtmlPage(host.get(f"/n/{code}/lobby").text).values("a", "href")
    assert preset in HtmlPage(host.get(f"/n/{code}/game").text).values("button[name=preset]", "value")
    colours = site.tables.get(code).settings.colours.all()
    later = changed(host, code, preset)
    assert site.names(later) == ["Ruth", "Ben", "Mia", "Tom"]
    assert site.tables.get(later).preset.id == preset
    assert site.tables.get(later).settings.colours.all() == colours
    assert site.tables.get(later).name == site.tables.get(code).name
    for phone in (ben, mia, watcher):
        assert phone.get(f"/n/{code}/lobby").location == f"/n/{later}/lobby"
        assert phone.get(f"/n/{later}/lobby").status_code == 200
    assert [site.role(phone.cookies, later) for phone in (host, ben, watcher)] == ["host", "seat", "watcher"]
    assert host.get(f"/n/{code}/lobby").location == f"/n/{later}/lobby"
    page = host.get("/").text
    assert later in page
    assert code not in page
    assert site.tables.get(code).settings.put_away == DELETED
    needs("earlier_nights")
    assert code in host.get("/put-away").text


@pytest.mark.parametrize(("preset", "cents"), [("michigan-kitty", 5), ("eight-round-rummy", 0), ("hearts", 0)])
def test_chips_are_worth_what_they_were_and_points_what_their_own_game_says(
    site: Site, host: ClientPhone, code: str, preset: str, cents: int
) -> None:
    needs_preset(preset)
    site.tables.get(code).record(Rule({"money.cents": 5}), id=new_id(), by="host")
    assert site.tables.get(changed(host, code, preset)).night.house_rules.money_cents == cents


def test_the_former_code_seats_people_at_the_other_game_unasked(site: Site, host: ClientPhone, code: str) -> None:
    token, typed = site.join_link(code)[3:], site.typed_code(code)
    later = changed(host, code, "michigan-kitty")
    jo, zoe = site.phone(), site.phone()
    assert "Ruth" in jo.get(f"/j/{token}").text
    assert jo.post("/join", {"token": token, "name": "Jo"}).location == f"/n/{later}/lobby"
    assert zoe.post("/join", {"typed": typed, "name": "Zoe"}).location.startswith(f"/n/{later}/knock")
    assert site.names(later) == ["Ruth", "Jo"]


def test_once_a_hand_has_begun_the_game_stays(site: Site, host: ClientPhone, code: str) -> None:
    ben = site.join(code, "Ben")
    assert ben.post(f"/n/{code}/game", {"preset": "newmarket", "key": new_id()}).status_code == 403
    site.start_first_hand(host, code)
    assert host.post(f"/n/{code}/game", {"preset": "newmarket", "key": new_id()}).location == f"/n/{code}"
    assert host.get(f"/n/{code}/game").location == f"/n/{code}"
    assert "/game" not in host.get(f"/n/{code}/lobby").text


def test_the_phones_in_the_lobby_go_along_by_themselves(
    browser: Browser, site: Site, live: StreamHub, host: ClientPhone, code: str
) -> None:
    with screens_at(browser, site.app, live) as screens:
        screens.expected += "|status of 403"  # the guest may still ask at the table that has moved
        guest, page = screens.open(site.join(code, "Ben"), f"/n/{code}/lobby"), screens.open(host, f"/n/{code}/lobby")
        for phone in (guest, page):
            phone.wait_for_selector("#c-ben")
        page.click("a[href$='/game']")
        page.click("button[value=michigan-kitty]")
        page.wait_for_url(lambda url: url.endswith("/lobby") and code not in url)
        guest.wait_for_url(page.url)
        guest.wait_for_selector("#c-ben")
        assert "Michigan Kitty" in guest.inner_text("header")
