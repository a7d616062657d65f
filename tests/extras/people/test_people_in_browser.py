"""People over two nights in a real browser: made one, merged, taken back, offered at a new night, forgotten."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from support.client_phones import Site
from support.sample_nights import play_hand, record, seat_everybody
from support.served_app import screens_at

from tracker.core import events
from tracker.streaming.hub import StreamHub

MERGE, SPLIT = "Mia is the same person as…", "Some nights were somebody else"


@pytest.fixture(name="host")
def _host(browser: Browser, site: Site, live: StreamHub) -> Iterator[Page]:
    """Give the host's browser at a server with two nights of the same four names."""
    known_again = [*site.tables.on_recorded]
    site.tables.on_recorded.clear()  # two nights at which nobody was known by the name
    for name in ("First", "Second"):
        table = site.tables.open("michigan-rummy", name=name)
        seat_everybody(table)
        play_hand(table, "ruth", "ben", "mia")
        record(table, events.End())
    site.tables.on_recorded.extend(known_again)
    with screens_at(browser, site.app, live) as screens:
        yield screens.open(site.host(), "/")


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


def test_two_are_merged_taken_back_offered_and_forgotten(host: Page) -> None:
    page, origin = host, host.url.removesuffix("/")
    page.tap("text='Files and machine'")
    page.tap("text='People'")
    page.wait_for_url("**/people")
    mia = make_person(page, origin, "Mia", 1)
    assert "1 night," in page.inner_text(".bar")
    lists = "() => [...document.querySelectorAll('.panel > h2 + .rows')].map((one) => one.getBoundingClientRect().top"
    assert min(page.evaluate(f"{lists} - one.previousElementSibling.getBoundingClientRect().bottom)")) >= 4
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
    page.wait_for_selector("#live .ring4 .tok.p2")
    assert page.locator(".like").count() == 0

    page.goto(mia)
    page.tap("text='Forget Mia…'")
    page.tap(".dock button")
    page.wait_for_url("**/people")
    assert page.locator(".rows .nm").all_inner_texts() == ["Mia P.", "Ben", "Ruth", "Tom"]
    assert page.locator(".last-change").count() == 0
