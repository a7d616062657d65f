"""How pages load: with a style that comes late, from the browser's cache, in seven tabs, with the code in the dark."""

import io
from collections.abc import Iterator
from typing import Any

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser
from support.browser_phones import BrowserNight, browser_night
from support.server_process import Command


@pytest.fixture(name="night", scope="module")
def _night(browser: Browser, shared_command: Command) -> Iterator[BrowserNight]:
    with browser_night(browser, shared_command) as night:
        night.play("Ruth", "Ben", others=["Großmama-Wil"])
        night.record("no-sale")
        yield night


def test_the_code_stays_black_on_white_in_the_dark(night: BrowserNight) -> None:
    page = night.host.page
    page.emulate_media(color_scheme="dark")
    page.goto(f"{night.host.origin}/n/{night.code}/share")
    picture = Image.open(io.BytesIO(page.locator("#code svg").screenshot())).convert("L")
    read = zxingcpp.read_barcodes(picture, try_invert=False)
    assert len(read) == 1
    assert picture.getpixel((3, 3)) == 255
    assert picture.getextrema()[0] == 0


def test_a_page_whose_style_comes_late_is_not_drawn_zoomed_out(night: BrowserNight) -> None:
    page = night.phones["ben"].page
    night.phones["ben"].excuse("net::ERR_FAILED")
    page.route("**/table.css*", lambda route: route.abort())
    page.goto(f"{night.phones['ben'].origin}/n/{night.code}")
    assert page.evaluate("[innerWidth, visualViewport.scale]") == [390, 1]
    page.unroute("**/table.css*")


def test_a_second_page_asks_again_for_nothing_that_the_first_one_loaded(night: BrowserNight) -> None:
    context = night.browser.new_context(storage_state=night.host.context.storage_state())
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    asked: dict[str, str] = {}

    def note(said: dict[str, Any]) -> None:
        asked[said["requestId"]] = said["request"]["url"]

    def drop(said: dict[str, Any]) -> None:
        if said.get("response", {"fromDiskCache": True})["fromDiskCache"]:
            asked.pop(said["requestId"], None)

    network.on("Network.requestWillBeSent", note)
    network.on("Network.requestServedFromCache", drop)
    network.on("Network.responseReceived", drop)
    loaded = []
    for _ in range(2):
        asked.clear()
        page.goto(f"{night.host.origin}/n/{night.code}/log", wait_until="networkidle")
        page.evaluate("document.fonts.ready")
        loaded.append({url.partition("?")[0].rpartition("/")[2] for url in asked.values() if "/static/" in url})
    context.close()
    assert loaded[0] > {"site.css", "htmx.min.js"}
    fonts = {name for name in loaded[0] if name.endswith(".woff2")}
    assert fonts == {"besley.woff2", "atkinson.woff2", "atkinson-bold.woff2", "atkinson-accented.woff2"}, "a ß"
    assert loaded[1] == set()


def test_seven_tabs_of_one_browser_all_load(night: BrowserNight) -> None:
    """Tabs in the background let their stream go, as browsers keep only six connections to one place."""
    host = night.host
    background = """() => {
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    tabs = []
    for _ in range(7):
        tab = host.context.new_page()
        tab.goto(f"{host.origin}/n/{night.code}")
        tab.wait_for_selector("#move")
        tabs.append(tab)
        if len(tabs) < 7:
            tab.evaluate(background)
    night.phones["ben"].page.goto(f"{night.phones['ben'].origin}/n/{night.code}")
    night.phones["ben"].collect("queen-hearts")
    tabs[-1].wait_for_selector("#p-queen-hearts.taken")
