"""Every page on every width: nothing to scroll sideways, nothing a browser complains about, all of it readable."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser
from support.browser_phones import BrowserNight, BrowserPhone, browser_night
from support.page_states import served_states
from support.waiting import resize

WIDTHS = (320, 360, 390, 768, 1280)
EACH = 14
"""How many addresses apart those are that the short run looks at."""

TOO_PALE = """() => {
  const light = (colour) => {
    const part = colour.map((one) => one / 255)
      .map((one) => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4);
    return .2126 * part[0] + .7152 * part[1] + .0722 * part[2];
  };
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const ground = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none" || at.matches(".board")) return null;
      const colour = rgb(style.backgroundColor);
      if (colour.length < 4 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const skipped = ".vh, .tok, [disabled], svg";
  return [...document.querySelectorAll("body *")].filter((one) => one.offsetParent && !one.closest(skipped)
    && [...one.childNodes].some((text) => text.nodeType === 3 && text.data.trim())).map((one) => {
      const under = ground(one);
      if (!under) return null;
      const [a, b] = [light(rgb(getComputedStyle(one).color)), light(under)].sort((x, y) => y - x);
      return [(a + .05) / (b + .05), one.className, one.textContent.trim().slice(0, 30)];
    }).filter((found) => found && found[0] < 4.5);
}"""


@pytest.fixture(name="night", scope="module")
def _night(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserNight]:
    with browser_night(browser, tmp_path_factory.mktemp("data")) as night:
        night.open("Ruth")
        night.join(night.link_in_code(), "Ben", "Großmama-Wil")
        night.begin("Ruth")
        night.host.record_word("Left alone")
        night.phones["ben"].collect("ten-hearts")
        yield night


def test_no_page_scrolls_sideways_or_makes_the_browser_complain(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, short_or_long: Callable[[int, int], int]
) -> None:
    context = browser.new_context(has_touch=True, is_mobile=True, locale="en-GB", reduced_motion="reduce")
    phone, wide = BrowserPhone(context, "each page"), []
    phone.excuse("status of 40[34]")
    with served_states(tmp_path_factory.mktemp("states")) as served:
        for address in list(served.all_states())[:: short_or_long(EACH, 1)]:
            served.log_in(context, address.moment, address.person, "en")
            for state in served.opened(phone.page, address):
                for width in WIDTHS:
                    resize(phone.page, width, 844)
                    if phone.page.evaluate("document.documentElement.scrollWidth") > width:
                        wide.append((str(state), width))
        context.close()
    assert wide == []
    assert phone.complaints() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(night: BrowserNight, scheme: str) -> None:
    for phone in (night.host, night.phones["ben"]):
        phone.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
        for path in ("", "/lobby", "/log", "/count", "/share"):
            phone.page.goto(f"{phone.origin}/n/{night.code}{path}")
            assert phone.page.evaluate(TOO_PALE) == [], path


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
    assert loaded[0] > {"besley.woff2", "atkinson.woff2", "site.css", "htmx.min.js"}
    assert loaded[1] == set()


def test_eight_tabs_of_one_browser_all_load(night: BrowserNight) -> None:
    """Tabs in the background let their stream go, as browsers keep only six connections to one place."""
    host = night.host
    background = """() => {
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    tabs = []
    for _ in range(8):
        tab = host.context.new_page()
        tab.goto(f"{host.origin}/n/{night.code}")
        tab.wait_for_selector("#move")
        tabs.append(tab)
        if len(tabs) < 8:
            tab.evaluate(background)
    night.phones["ben"].page.goto(f"{night.phones['ben'].origin}/n/{night.code}")
    night.phones["ben"].collect("queen-hearts")
    tabs[-1].wait_for_selector("#p-queen-hearts.taken")
