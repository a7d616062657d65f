"""A board made from nothing on a phone, and read by another one from its code."""

import io
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser
from support.browser_phones import BrowserNight, BrowserPhone, browser_night
from support.waiting import until

from tracker.web.drawing.colors import tint_of


@pytest.fixture(name="here", scope="module")
def _here(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserNight]:
    with browser_night(browser, tmp_path_factory.mktemp("here"), is_drawn=True) as night:
        yield night


def add_place(phone: BrowserPhone, rank: str, sign: str) -> None:
    """A new place, its card typed with one tap on the suit; it moves before the kitty."""
    count = phone.page.locator(".pot").count()
    phone.tap_word("Add a place")
    phone.see(f".pot:nth-child({count + 1})")
    phone.page.tap(f"[name='pot.{count}.cards']")
    phone.page.keyboard.type(rank)
    phone.tap(f".pot:nth-child({count + 1}) [data-sign='{sign}']")
    phone.see(f"#preview .board .place-label:has-text('{rank}')")
    phone.tap(f"[value='pot.up.{count}']")
    until(phone.page, "at => document.querySelector(`[name='pot.${at}.cards']`)?.value === ''", count)


def make_preset(phone: BrowserPhone) -> None:
    phone.tap_word("Your boards and rules", "Begin with an empty board")
    phone.page.wait_for_url("**/boards/blank")  # all of it: the name stands before the places, which are counted
    phone.page.fill("[name=name]", "Kitchen table")
    for rank, sign in (("A", "♠"), ("K", "♥"), ("Q", "♦")):
        add_place(phone, rank, sign)
    phone.tap(".stepper:has([name='ante.dealer']) [data-step='1']")
    phone.see_word("24 chips a hand")
    paint(phone, 1, "#23497F")


def paint(phone: BrowserPhone, at: int, colour: str) -> None:
    """One tap on a colour of the palette: the board on the same screen is painted before anything is saved."""
    phone.tap(f".pot:nth-child({at + 1}) summary", f".pot:nth-child({at + 1}) label:has([value='{colour}'])")
    tint = tint_of(colour)
    assert tint
    painted = f"#preview .w{at} use[fill='{tint.fill}']"
    phone.see(painted)
    shown = phone.page.locator(painted).bounding_box()
    assert shown
    assert 0 <= shown["y"] < 400


def read_code(phone: BrowserPhone) -> str:
    phone.see(".boardqr .qr")
    found = zxingcpp.read_barcodes(Image.open(io.BytesIO(phone.page.screenshot())))
    assert len(found) == 1
    return found[0].text


def test_a_new_preset_is_shared_by_its_code(here: BrowserNight) -> None:
    ann = here.host_phone("Ann")
    ann.page.goto(f"{here.server.here}/new")
    make_preset(ann)
    ann.tap_word("Save as our board")
    ann.see_word("Everybody puts 1 chip in each place, the dealer 2.")
    ann.tap_word("Share")
    guest = here.phone("Guest")  # somebody who is no host there only reads
    guest.page.goto(here.server.here + urlsplit(read_code(ann)).path)
    guest.see_word("Everybody puts 1 chip in each place, the dealer 2.")
    guest.see_word("Carry it to your own tracker")


def test_a_place_of_a_side_bet_offers_no_ante_of_its_own(here: BrowserNight) -> None:
    ann = here.host_phone("Ann")
    ann.page.goto(f"{here.server.here}/boards/royal-rummy")
    place = ann.page.locator(".pot:has(option[value=side]:checked)").first
    place.locator("summary").click()
    at = place.locator("[name$='.won_by']")
    ante, dealer = place.locator("[name$='.ante']"), place.locator("[name$='.dealer_ante']")
    assert (ante.is_visible(), dealer.is_visible()) == (False, False)
    assert place.locator("[name$='.fed_by']").is_visible()
    name = at.get_attribute("name")
    assert name
    ann.page.select_option(f"[name='{name}']", "card")
    pot = ann.page.locator(f".pot:has([name='{name}'])")
    pot.locator("[name$='.ante']").fill("3")
    assert pot.locator("[name$='.dealer_ante']").is_visible()
    ann.page.select_option(f"[name='{name}']", "side")
    ann.see(f"[id='e-{name.removesuffix('won_by')}ante']:has-text('Leave this empty')")
    assert pot.locator("[name$='.ante']").is_visible()
    assert not pot.locator("[name$='.dealer_ante']").is_visible()
