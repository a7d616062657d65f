"""Joining and the lobby in the machine's own browser: what is scanned, tapped and seen."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, Route
from support.client_phones import HERE
from support.waiting import meanwhile, resize

from tracker.app.nights import Nights
from tracker.server.server import Server, listen
from tracker.streaming.hub import StreamHub
from tracker.web.access.permissions import mint_host_link
from tracker.web.app import create_app

zxingcpp = pytest.importorskip("zxingcpp")


class BrowserServer:
    """A tracker at work, and browsers of all sizes; what a page complains about stands in `complaints`."""

    def __init__(self, browser: Browser, tables: Nights, live: StreamHub) -> None:
        self.browser, self.tables = browser, tables
        self.app = create_app(tables, addresses=lambda: [HERE])
        self.server = Server(self.app, listen("127.0.0.1", 0), end_streams=live.stop)
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.port}"
        self.complaints: list[str] = []

    def page(self, width: int = 390, height: int = 844, *, theme: str = "light", script: bool = True) -> Page:
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if theme == "dark" else "light",
            has_touch=width < 1000,
            java_script_enabled=script,
            locale="en-GB",
        )
        context.set_default_timeout(60_000)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self.complaints.append(said.text) if "Content Security" in said.text else None)
        return page

    def host(self, **looks: bool) -> Page:
        page = self.page(**looks)  # type: ignore[arg-type]
        page.goto(self.url + mint_host_link(self.app))
        if looks.get("script") is False:
            page.click("text=Open the tracker")
        page.wait_for_url(self.url + "/")
        return page

    def screen(self, host: Page, width: int = 1280, height: int = 800, **looks: str) -> Page:
        """Another window of the host's browser, such as the TV's."""
        page = self.page(width, height, **looks)  # type: ignore[arg-type]
        page.context.add_cookies(host.context.cookies())  # type: ignore[arg-type]
        return page

    def near(self, link: str) -> str:
        """The link of a code, at the address that this test can reach."""
        return link.replace(HERE, "127.0.0.1")

    def end(self) -> None:
        for context in self.browser.contexts:
            context.close()
        self.server.stop()
        self.thread.join(60)


@pytest.fixture(name="live")
def _live() -> Iterator[StreamHub]:
    live = StreamHub(heartbeat_seconds=0.5)
    yield live
    live.stop()


@pytest.fixture(name="server")
def _browser_server(browser: Browser, tables: Nights, live: StreamHub) -> Iterator[BrowserServer]:
    server = BrowserServer(browser, tables, live)
    yield server
    server.end()
    assert server.complaints == []


def read(page: Page) -> str:
    """What a phone's camera reads off the screen."""
    picture = Image.open(io.BytesIO(page.screenshot()))
    (code,) = zxingcpp.read_barcodes(picture)
    return str(code.text)


def open_night(host: Page, name: str = "Ruth") -> str:
    """Three taps: new night, the name, the game."""
    host.click("text=New game night")
    host.fill("#host", name)
    host.click("button:has-text('Michigan Rummy')")
    host.wait_for_url("**/lobby")
    return host.url.split("/")[-2]


def add(host: Page, name: str) -> None:
    """Seat somebody who has no phone."""
    host.fill("#add-name", name)
    host.press("#add-name", "Enter")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_code_on_every_screen_is_read_back(server: BrowserServer, theme: str) -> None:
    host = server.host()
    code = open_night(host)
    shown = server.app.extensions["access"].invites.shown(code)
    link = f"http://{HERE}:{server.server.port}/j/{shown[0]}"
    for width, height, path in (
        (390, 844, "lobby"),
        (320, 568, "share"),
        (1280, 800, "lobby"),
        (1920, 1080, "lobby/tv"),
    ):
        screen = server.screen(host, width, height, theme=theme)
        screen.goto(f"{server.url}/n/{code}/{path}")
        assert read(screen) == link, (width, path)
        assert f"{HERE}:{server.server.port}" in screen.inner_text("body")


def test_a_scan_and_one_tap_seat_somebody_on_every_screen(server: BrowserServer) -> None:
    host = server.host()
    code = open_night(host)
    link = server.near(read(host))
    add(host, "Tom")
    host.wait_for_selector("#c-tom")
    assert host.input_value("#add-name") == ""
    tv = server.screen(host, 1920, 1080)
    tv.goto(f"{server.url}/n/{code}/lobby/tv")
    tom = server.page()
    tom.goto(link)
    tom.click("button:has-text('Tom')")
    tom.wait_for_url("**/lobby")
    host.wait_for_selector("#c-tom .live")
    tv.wait_for_selector("li:has-text('Tom') .live")
    tom.reload()
    assert "this phone" in tom.inner_text("#c-tom")
    host.click("text=Everyone is here")
    host.click("button:has-text('Tom')")
    for page, place in ((host, f"/n/{code}"), (tom, f"/n/{code}"), (tv, f"/n/{code}/tv")):
        page.wait_for_url(server.url + place)
    assert server.tables.get(code).night.dealer == "tom"


def test_guests_of_a_score_game_go_to_the_table_with_the_host_and_record_its_first_round(server: BrowserServer) -> None:
    host = server.host()
    firsts = {
        "eight-round-rummy": ("#won-1", "#s-ben .rc-mini"),
        "michigan-rummy-snake": ("#do-out", ".hands #h-ruth"),
        "score-sheet": ("#do-stock", ".hands #h-ben"),
    }
    for preset, (first, then) in firsts.items():
        form: dict[str, str | float | bool] = {"preset": preset, "host": "Ruth", "full": "1"}
        opened = host.request.post(f"{server.url}/new", form=form, headers={"Origin": server.url})
        table = server.tables.get(opened.url.split("/")[-2])
        host.goto(opened.url)
        ben = server.page()
        ben.goto(server.near(read(host)))
        ben.fill("#name", "Ben")
        ben.click("text=Sit down")
        ben.wait_for_url("**/lobby")
        tv = server.screen(host, 1280, 800)
        tv.goto(f"{server.url}/n/{table.code}/lobby/tv")
        host.wait_for_selector("#live bdi:text-is('Ben')")
        host.click("text=Everyone is here")
        for page, place in ((host, ""), (ben, ""), (tv, "/tv")):
            page.wait_for_url(f"{server.url}/n/{table.code}{place}")
        assert not any(entry.event.kind != "sit" for entry in table.entries)
        ben.click(first)
        for page in (ben, host):
            page.wait_for_selector(then, state="attached")
        for page in (ben, tv):
            page.context.close()


@pytest.mark.parametrize("late", ["htmx.min.js", "hx-sse.min.js", "app.js", "live.js", "join.js"])
def test_a_lobby_follows_the_table_whichever_of_its_scripts_comes_last(server: BrowserServer, late: str) -> None:
    host = server.host()
    code = open_night(host)
    tv = server.screen(host, 1920, 1080)
    held: list[Route] = []
    tv.route(f"**/{late}*", lambda route: held.append(route))  # noqa: PLW0108 - the library marks the function
    tv.goto(f"{server.url}/n/{code}/lobby/tv", wait_until="commit")
    meanwhile(tv, lambda: bool(held))
    tv.wait_for_timeout(300)  # the others run, as far as they do without it
    held[0].continue_()
    tv.wait_for_load_state()
    add(host, "Tom")
    tv.wait_for_selector("li:has-text('Tom')")


@pytest.mark.parametrize("page", ["lobby", "lobby/tv"])
def test_a_lobby_whose_stream_could_not_begin_asks_for_it_again(server: BrowserServer, page: str) -> None:
    host = server.host()
    code = open_night(host)
    screen = server.screen(host)
    screen.route("**/stream?*", lambda route: route.abort(), times=1)
    screen.goto(f"{server.url}/n/{code}/{page}")
    add(host, "Tom")
    screen.wait_for_selector("li:has-text('Tom')")


@pytest.mark.parametrize("page", ["lobby", "lobby/tv"])
def test_a_code_on_a_screen_is_another_one_once_the_machine_has_another_address(
    server: BrowserServer, page: str
) -> None:
    host = server.host()
    code = open_night(host)
    screen = server.screen(host)
    screen.goto(f"{server.url}/n/{code}/{page}")
    assert HERE in read(screen)
    server.app.extensions["access"].addresses.candidates = lambda: ["10.42.0.1"]
    screen.wait_for_selector("text=10.42.0.1")
    assert "10.42.0.1" in read(screen)


def test_somebody_late_asks_to_join_and_comes_in_by_itself(server: BrowserServer) -> None:
    host = server.host()
    code = open_night(host)
    link = server.near(read(host))
    ben = server.page()
    ben.goto(link)
    ben.fill("#name", "Ben")
    ben.click("text=Sit down")
    ben.wait_for_url("**/lobby")
    host.click("text=Everyone is here")
    host.click("button:has-text('Ruth')")
    ben.wait_for_url(f"{server.url}/n/{code}")
    late = server.page()
    late.goto(link)
    late.fill("#name", "Jo")
    late.click("text=Sit down")
    late.wait_for_selector("text=You knocked")
    board = ben.locator(".board").bounding_box()
    ben.wait_for_selector("text=Jo wants to sit down")
    assert ben.locator(".board").bounding_box() == board, "nothing may move under a finger"
    ben.wait_for_timeout(400)
    ben.click("text=Let in")
    late.wait_for_url(f"{server.url}/n/{code}")
    assert [person.name for person in server.tables.get(code).night.people.values()] == ["Ruth", "Ben", "Jo"]


def test_a_name_that_is_being_typed_survives_somebody_elses_arrival(server: BrowserServer) -> None:
    host = server.host()
    open_night(host)
    link = server.near(read(host))  # typing scrolls the code away
    host.fill("#add-name", "Grandm")
    ben = server.page()
    ben.goto(link)
    ben.fill("#name", "Ben")
    ben.click("text=Sit down")
    host.wait_for_selector("#c-ben")
    assert host.input_value("#add-name") == "Grandm"


def test_names_that_are_typed_faster_than_they_are_answered_all_sit_down(server: BrowserServer) -> None:
    host = server.host()
    code = open_night(host)
    held: list[Route] = []
    host.route("**/seats", lambda route: held.append(route))  # noqa: PLW0108 - the library marks the function
    for name in ("Tom", "Mia", "Mia", "Jo"):  # one of them with a double tap
        add(host, name)
    meanwhile(host, lambda: bool(held))
    host.fill("#add-name", "Grandm")
    host.unroute("**/seats")  # which also lets go on what was held up
    for seat in ("tom", "mia", "jo"):
        host.wait_for_selector(f"#c-{seat}")
    assert host.input_value("#add-name") == "Grandm"
    assert host.locator("#add-wrong").count() == 0
    names = [person.name for person in server.tables.get(code).night.people.values()]
    assert names == ["Ruth", "Tom", "Mia", "Jo"]


def test_a_phone_without_script_comes_to_the_table_too(server: BrowserServer) -> None:
    host = server.host(script=False)
    open_night(host)
    phone = server.page(script=False)
    phone.goto(server.near(read(host)))
    phone.fill("#name", "Ben")
    phone.click("text=Sit down")
    phone.wait_for_url("**/lobby")
    assert "Ben" in phone.inner_text("body")


def test_no_page_before_the_table_scrolls_sideways(server: BrowserServer) -> None:
    host = server.host()
    code = open_night(host, "Großmutter Wilhelmine")
    for name in ("Maximilian Alexander", "WWWWWWWWWWWWWWWWWWWWWWWW", "Jo"):
        add(host, name)
        host.wait_for_selector(f".ring4 >> text={name}")
    night = f"/n/{code}"
    pages = ["/", "/new", "/new/michigan-rummy", f"{night}/lobby", f"{night}/lobby?help=1", f"{night}/share"]
    pages += [f"{night}/{page}" for page in ("order", "dealer", "settings", "hand-over", "seat/jo")] + ["/join"]
    for page in pages:
        host.goto(server.url + page)
        for width in (320, 360, 390, 430, 1280):
            resize(host, width, 844)
            assert host.evaluate("document.documentElement.scrollWidth <= innerWidth"), (page, width)


def test_tap_targets_are_large_enough_for_a_finger(server: BrowserServer) -> None:
    host = server.host()
    code = open_night(host)
    for page in ("/", "/new", f"/n/{code}/lobby", f"/n/{code}/share", f"/n/{code}/dealer", "/join"):
        host.goto(server.url + page)
        small = host.evaluate(
            """[...document.querySelectorAll("a, button, summary, input:not([type=hidden])")]
            .map((one) => [one.outerHTML.slice(0, 60), (one.closest("label") ?? one).getBoundingClientRect()])
            .filter(([, box]) => box.width && (box.height < 43.5 || box.width < 43.5)).map(([html]) => html)"""
        )
        assert small == [], page
