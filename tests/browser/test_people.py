"""People over two nights in a real browser: made one, merged, taken back, offered at a new night, forgotten."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from support.browser_phones import BrowserPhone
from support.client_phones import Site
from support.sample_nights import play_hand, record, seat_everybody

from tracker.app.nights import Nights
from tracker.core import events
from tracker.server.server import Server, listen
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

MERGE, SPLIT = "Mia is the same person as…", "Some nights were somebody else"


@pytest.fixture(name="host")
def _host(browser: Browser, tmp_path: Path) -> Iterator[BrowserPhone]:
    """Give the host's browser at a server with two nights of the same four names."""
    store, live = Store(tmp_path / "nights.db"), StreamHub()
    tables = Nights(store, live)
    for name in ("First", "Second"):
        table = tables.open("michigan-rummy", name=name)
        seat_everybody(table)
        play_hand(table, "ruth", "ben", "mia")
        record(table, events.End())
    site = Site(tables)
    server = Server(site.app, listen("127.0.0.1", 0), end_streams=live.stop)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{server.port}"
    context = browser.new_context(has_touch=True, is_mobile=True, locale="en-GB", reduced_motion="reduce")
    context.add_cookies([{"name": name, "value": text, "url": url} for name, text in site.host().cookies.items()])
    phone = BrowserPhone(context, "Ruth")
    phone.page.set_viewport_size({"width": 390, "height": 844})
    phone.page.goto(url)
    yield phone
    assert phone.complaints() == []
    context.close()
    server.stop()
    thread.join(60)
    store.close()


def make_person(page: Page, origin: str, name: str, nights: int) -> str:
    """Make the newest nights of the name Mia one person, and return the address of its page."""
    page.goto(f"{origin}/people")
    page.tap(".rows a:has-text('Mia') >> nth=-1")
    page.wait_for_selector("input[name=seat]")
    boxes = page.locator("input[name=seat]")
    for at in range(nights, boxes.count()):
        boxes.nth(at).uncheck()
    page.fill("input[name=name]", name)
    page.tap(".dock .btn.act")
    page.wait_for_selector(".swatches")
    return page.url


def test_two_are_merged_taken_back_offered_and_forgotten(host: BrowserPhone) -> None:
    page, origin = host.page, "/".join(host.page.url.split("/")[:3])
    page.tap("text='People'")
    mia = make_person(page, origin, "Mia", 1)
    assert "1 night," in page.inner_text(".bar")
    make_person(page, origin, "Mia P.", 1)
    page.goto(mia)
    page.tap(f"summary:has-text('{MERGE}')")
    page.tap("button:has-text('Mia P.')")
    page.wait_for_selector("text='Mia P. is the same person as Mia.'")
    assert "2 nights," in page.inner_text(".bar")
    page.tap(".last-change .btn")
    page.wait_for_selector(".bar :text('1 night,')")
    page.tap(".swatch >> nth=6")
    page.wait_for_selector(".bar .tok.p7")

    page.goto(f"{origin}/new")
    page.tap(".cardlink >> nth=0")
    page.wait_for_url("**/lobby")
    page.tap(".offer:has-text('Mia') >> nth=0")
    page.wait_for_selector("#live .ring4 .tok.p7")
    page.fill("#add-name", "mia p.")
    page.keyboard.press("Enter")
    page.tap(".like:has-text('Is this the Mia P. of earlier nights?') .btn:has-text('Yes')")
    page.wait_for_selector("#live .ring4 .tok.p2")
    assert page.locator(".like").count() == 0

    page.goto(mia)
    page.tap("text='Forget Mia…'")
    page.tap(".dock button")
    page.wait_for_url("**/people")
    assert page.locator(".rows .nm").all_inner_texts() == ["Mia P.", "Ben", "Ruth", "Tom"]
    assert page.locator(".last-change").count() == 0
