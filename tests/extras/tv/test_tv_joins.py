"""How a big screen finds its page, and that the phone that shows it there keeps its own."""

from urllib.parse import urlsplit

import pytest
from support.client_phones import HOST, ClientPhone, Site
from support.html_page import HtmlPage
from support.qr_pictures import text_in_qr

from tracker.core.night import LOBBY


def admit(host: ClientPhone, code: str) -> None:
    """Tap "Let in" for everybody who waits."""
    page = HtmlPage(host.get(f"/n/{code}/lobby").text)
    for action in page.values('form[action$="/in"]', "action"):
        assert host.post(action).status_code in (204, 303)


@pytest.mark.parametrize("has_begun", [False, True])
def test_a_big_screen_that_types_the_code_gets_the_big_page_and_no_seat(
    site: Site, host: ClientPhone, code: str, *, has_begun: bool
) -> None:
    if has_begun:
        site.join(code, "Ben")
        site.start_first_hand(host, code)
    seats = site.names(code)
    tv = site.phone()
    assert 'name="tv"' in tv.get("/tv").text
    answer = tv.post("/join", {"typed": site.typed_code(code), "tv": "1"})
    assert answer.location.startswith(f"/n/{code}/knock?tv=1")
    assert "/knock/answer?" in tv.get(answer.location).text
    assert "A TV wants to show the table" in HtmlPage(host.get(f"/n/{code}/lobby").text).text("#asks")
    admit(host, code)
    enter = HtmlPage(tv.get(f"/n/{code}/knock/answer?tv=1").text).value("form", "action")
    page = tv.post(enter).location
    assert page == (f"/n/{code}/tv" if has_begun else f"/n/{code}/lobby/tv")
    assert tv.get(page).status_code == 200
    assert site.role(tv.cookies, code) == "watcher"
    assert site.names(code) == seats


def test_a_big_screen_that_scans_gets_the_big_page_at_once(site: Site, code: str) -> None:
    tv = site.phone()
    assert 'name="tv"' in tv.get(site.join_link(code)).text
    answer = tv.post("/join", {"token": site.join_link(code)[3:], "tv": "1"})
    assert answer.location == f"/n/{code}/lobby/tv"
    assert site.role(tv.cookies, code) == "watcher"


def scanned_code(tv: ClientPhone) -> tuple[str, str]:
    """Return where the code leads that a screen shows, and what the screen asks for."""
    page = tv.get("/tv").text
    return urlsplit(text_in_qr(page)).path, HtmlPage(page).value("[hx-get]", "hx-get")


def test_a_phone_at_a_table_scans_the_code_of_a_big_screen_which_shows_the_table(
    site: Site, host: ClientPhone, code: str
) -> None:
    tv, ben = site.phone(), site.join(code, "Ben")
    shown, asks = scanned_code(tv)
    assert tv.get(asks).status_code == 204
    assert HtmlPage(ben.get(shown).text).value("button[name=night]", "value") == code
    assert ben.post(shown, {"night": code}).location.startswith(f"/n/{code}")
    secret = HtmlPage(tv.get(asks).text).form("form[data-go]")["secret"]
    assert tv.post("/tv/scanned", {"secret": secret}).location == f"/n/{code}/lobby/tv"
    assert site.role(tv.cookies, code) == "watcher"
    assert "TV" in host.get(f"/n/{code}/phones").text
    assert site.phone().post("/tv/scanned", {"secret": secret}).location == "/tv", "it is good once"


def test_only_who_sits_at_a_table_shows_it_on_a_screen_and_a_picture_of_the_code_lets_nobody_in(
    site: Site, host: ClientPhone, code: str
) -> None:
    tv, watcher = site.phone(), site.request_join(code, watch="1")
    shown, asks = scanned_code(tv)
    for phone in (site.phone(), watcher):
        assert not HtmlPage(phone.get(shown).text).has("button[name=night]")
        assert phone.post(shown, {"night": code}).status_code == 403
    assert tv.get(asks).status_code == 204
    assert host.post(shown, {"night": code}).status_code == 303
    thief = site.phone()
    assert thief.post("/tv/scanned", {"secret": shown.rpartition("/")[2]}).location == "/tv"
    assert site.role(thief.cookies, code) is None


def test_a_wrong_code_on_a_big_screen_asks_a_big_screen_again(site: Site) -> None:
    answer = site.phone().post("/join", {"typed": "AAA-AAA", "tv": "1"})
    assert answer.status_code == 422
    page = HtmlPage(answer.text)
    assert page.select('button[name="tv"]')
    assert not page.select('[name="name"]')


def test_the_lobby_and_the_menu_say_what_to_type_on_a_tv(site: Site, host: ClientPhone, code: str) -> None:
    assert f"{HOST}/tv" in host.get(f"/n/{code}/lobby").text
    guest = site.join(code, "Ben")
    site.start_first_hand(host, code)
    for phone in (host, guest):
        menu = phone.get(f"/n/{code}/sheet", HX_Request="true").text
        assert f'href="/n/{code}/on-tv"' in menu
        assert f'href="/n/{code}/tv"' not in menu
        page = phone.get(f"/n/{code}/on-tv").text
        assert f"{HOST}/tv" in page
        assert site.typed_code(code) in page


@pytest.mark.parametrize("preset", ["michigan-rummy", "eight-round-rummy", "michigan-rummy-snake"])
def test_a_phone_that_shows_the_big_page_itself_has_a_way_back(site: Site, host: ClientPhone, preset: str) -> None:
    code = site.open_night(host, preset=preset)
    guest = site.join(code, "Ben")
    assert site.tables.get(code).night.phase == LOBBY
    for phone in (host, guest):
        for page, back in ((f"/n/{code}/lobby/tv", f"/n/{code}/lobby"), (f"/n/{code}/tv", f"/n/{code}")):
            assert HtmlPage(phone.get(page).text).value(".tv-back", "href") == back
    screen = site.request_join(code, watch="1")
    assert "narrow" in HtmlPage(screen.get(f"/n/{code}/tv").text).value(".tv-back", "class")


def test_its_lobby_leads_to_the_table_when_everyone_is_here(site: Site, host: ClientPhone) -> None:
    for preset in ("michigan-rummy", "score-sheet"):
        code = site.open_night(host, preset=preset)
        site.join(code, "Ben")
        page = f"/n/{code}/lobby/tv/seats"
        assert HtmlPage(host.get(page).text).value("[data-begun]", "data-begun") == ""
        host.post(f"/n/{code}/dealer", {})
        assert HtmlPage(host.get(page).text).value("[data-begun]", "data-begun") == f"/n/{code}/tv"
