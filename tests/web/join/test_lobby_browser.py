"""Joining and the lobby in the machine's own browser: what is scanned, tapped and seen."""

import io
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from PIL import Image
from playwright.sync_api import Page
from support.client_phones import HERE, ClientPhone, Site, add_people
from support.of_extras import of_extras
from support.served_app import Screens
from support.waiting import held_requests, meanwhile, resize

from tracker.formats.built_in import all_built_in
from tracker.streaming.hub import StreamHub

zxingcpp = pytest.importorskip("zxingcpp")


@pytest.fixture(name="live")
def _live() -> Iterator[StreamHub]:
    live = StreamHub(heartbeat_seconds=0.5)
    yield live
    live.stop()


@pytest.fixture(name="page")
def _page(screens: Screens, host: ClientPhone, code: str) -> Page:
    """The lobby in a browser of the host's."""
    return screens.open(host, f"/n/{code}/lobby")


def read(page: Page) -> str:
    """What a phone's camera reads off the screen, where the code is black on white."""
    page.evaluate("document.adoptedStyleSheets = []")  # from here on it is drawn
    picture = Image.open(io.BytesIO(page.screenshot()))
    (code,) = zxingcpp.read_barcodes(picture, try_invert=False)
    return str(code.text)


def add(host: Page, name: str) -> None:
    """Seat somebody who has no phone."""
    host.fill("#add-name", name)
    host.press("#add-name", "Enter")


def test_the_code_on_every_screen_is_read_back(screens: Screens, site: Site, page: Page, code: str) -> None:
    link = screens.url.replace("127.0.0.1", HERE) + site.join_link(code)
    for width, height, path in ((390, 844, "lobby"), (320, 568, "share"), (1280, 800, "lobby")):
        resize(page, width, height)
        page.emulate_media(color_scheme="light")
        page.goto(f"{screens.url}/n/{code}/{path}")
        assert urlsplit(link).netloc in page.inner_text("body")
        assert read(page) == link, (width, path)
        page.emulate_media(color_scheme="dark")
        assert read(page) == link, (width, path, "dark")


def test_a_lobby_follows_the_table_whichever_of_its_scripts_comes_last(
    page: Page, host: ClientPhone, code: str
) -> None:
    address = page.url
    resize(page, 1920, 1080)
    for number, late in enumerate(("htmx.min.js", "hx-sse.min.js", "app.js", "live.js", "join.js")):
        held = held_requests(page, f"**/{late}*")
        page.goto(address, wait_until="commit")
        meanwhile(page, lambda held=held: bool(held))  # type: ignore[misc]
        page.wait_for_timeout(300)  # the others run, as far as they do without it
        held[0].continue_()
        page.wait_for_load_state()
        add_people(host, code, f"Tom {number}")
        page.wait_for_selector(f"li:has-text('Tom {number}')")
        page.unroute_all()


def test_a_lobby_whose_stream_could_not_begin_asks_for_it_again(screens: Screens, host: ClientPhone, code: str) -> None:
    pages = []
    for path in ("/lobby", *of_extras("watched_lobby")):
        pages.append(screens.open(host, ""))
        pages[-1].route("**/stream?*", lambda route: route.abort(), times=1)
        pages[-1].goto(f"{screens.url}/n/{code}{path}")
    add_people(host, code, "Tom")
    for page in pages:
        page.wait_for_selector("li:has-text('Tom')")


def test_a_code_on_a_screen_is_another_one_once_the_machine_has_another_address(
    screens: Screens, site: Site, host: ClientPhone, code: str
) -> None:
    pages = [screens.open(host, f"/n/{code}{path}") for path in ("/lobby", *of_extras("watched_lobby"))]
    for page in pages:
        assert HERE in read(page)
    site.access.addresses.candidates = lambda: ["10.42.0.1"]
    for page in pages:
        page.wait_for_selector("text=10.42.0.1")
        assert "10.42.0.1" in read(page)


def test_names_that_are_typed_faster_than_they_are_answered_all_sit_down_and_what_is_being_typed_stays(
    site: Site, page: Page, code: str
) -> None:
    held = held_requests(page, "**/seats")
    for name in ("Tom", "Mia", "Mia", "Jo"):  # one of them with a double tap
        add(page, name)
    meanwhile(page, lambda: bool(held))
    page.fill("#add-name", "Grandm")
    page.unroute("**/seats")  # which also lets go on what was held up
    site.join(code, "Ben")
    for seat in ("tom", "mia", "jo", "ben"):
        page.wait_for_selector(f"#c-{seat}")
    assert page.input_value("#add-name") == "Grandm"
    assert page.locator("#add-wrong").count() == 0
    assert sorted(site.names(code)) == ["Ben", "Jo", "Mia", "Ruth", "Tom"]


@pytest.mark.parametrize("game", ["michigan-rummy", *(one.id for one in all_built_in() if not one.is_pot_game)][:2])
def test_names_that_are_not_answered_yet_sit_down_before_the_host_leaves_the_lobby(
    game: str, site: Site, screens: Screens
) -> None:
    phone = site.host()
    code = site.open_night(phone, preset=game)
    host = screens.open(phone, f"/n/{code}/lobby")
    held = held_requests(host, "**/seats")
    for name in ("Tom", "Mia"):
        add(host, name)
    meanwhile(host, lambda: bool(held))
    host.click("text=Everyone is here")
    host.unroute("**/seats")
    meanwhile(host, lambda: not host.url.endswith("/lobby"))
    assert site.names(code) == ["Ruth", "Tom", "Mia"]


SMALL = """[...document.querySelectorAll("a, button, summary, input:not([type=hidden])")]
  .map((one) => [one.outerHTML.slice(0, 60), (one.closest("label") ?? one).getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.height < 43.5 || box.width < 43.5)).map(([html]) => html)"""


def test_no_page_before_the_table_scrolls_sideways_and_its_targets_are_large_enough_for_a_finger(
    screens: Screens, site: Site, host: ClientPhone
) -> None:
    code = site.open_night(host, "Großmutter Wilhelmine")
    add_people(host, code, "Maximilian Alexander", "WWWWWWWWWWWWWWWWWWWWWWWW", "Jo")
    page, night = screens.open(host, ""), f"/n/{code}"
    measured = ("/", "/new", f"{night}/lobby", f"{night}/share", f"{night}/dealer", "/join")
    others = ("order", "settings", "seat/jo")
    for path in (*measured, "/new/michigan-rummy", *(f"{night}/{other}" for other in others)):
        page.goto(screens.url + path)
        assert path not in measured or page.evaluate(SMALL) == [], path
        for width in (320, 1280, 390):
            resize(page, width, 844)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, width)
