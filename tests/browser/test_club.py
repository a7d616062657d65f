"""An evening in a club, in browsers: a link, a name, a table, a guest; another host and the house see nothing of it."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from support.client_phones import Site

from tracker.app.club import Club
from tracker.app.nights import Nights
from tracker.server.server import Server, listen
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.permissions import mint_host_link


class ServedClub:
    """A club on a running server, and browsers that open it."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser, self.contexts = browser, list[BrowserContext]()
        self.store, self.live = Store(folder / "nights.db"), StreamHub()
        self.club = Club(self.store)
        self.site = Site(Nights(self.store, self.live), self.club)
        self.server = Server(self.site.app, listen("127.0.0.1", 0), end_streams=self.live.stop)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.port}"

    def open(self, path: str) -> Page:
        """Return the page of a new browser at an address."""
        context = self.browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, locale="en-GB")
        self.contexts.append(context)
        page = context.new_page()
        page.goto(self.url + path)
        return page

    def host(self, name: str) -> Page:
        """Return the first page of somebody who opened the club's link and gave a name."""
        page = self.open(f"/club/link/{self.club.token}")
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Become a host").tap()
        expect(page.get_by_role("link", name="New game night")).to_be_visible()
        return page

    def stop(self) -> None:
        """Close the browsers and the server."""
        for context in self.contexts:
            context.close()
        self.server.stop()
        self.thread.join(60)
        self.store.close()


@pytest.fixture(name="served")
def _served(browser: Browser, tmp_path: Path) -> Iterator[ServedClub]:
    served = ServedClub(browser, tmp_path)
    yield served
    served.stop()


def test_an_evening_with_two_hosts_and_the_house(served: ServedClub) -> None:
    house = served.open(mint_host_link(served.site.app))
    house.get_by_role("link", name="Tables and hosts").tap()
    expect(house.get_by_text("No table goes on.")).to_be_visible()
    anna, ben = served.host("Anna"), served.host("Ben")

    anna.get_by_role("link", name="New game night").tap()
    expect(anna.get_by_label("Your name")).to_have_value("Anna")
    anna.locator("button[name=preset]").first.tap()
    anna.wait_for_url("**/lobby")
    (night,) = served.store.nights()

    guest = served.open(served.site.join_link(night.code))
    guest.get_by_label("name").first.fill("Zoe")
    guest.get_by_label("name").first.press("Enter")
    guest.wait_for_url("**/lobby")
    expect(anna.locator("#main")).to_contain_text("Zoe")

    ben.goto(served.url)
    expect(ben.get_by_text("No nights yet")).to_be_visible()
    answer = ben.goto(f"{served.url}/n/{night.code}/lobby")
    assert answer
    assert answer.status == 403

    tables = house.locator("#overview")
    expect(tables).to_contain_text("Anna")  # the page asks by itself every five seconds
    expect(tables).to_contain_text("Michigan Rummy")
    expect(tables).to_contain_text("2 phones connected")
    assert "Zoe" not in house.content()
    assert "chips" not in tables.inner_text()

    house.get_by_role("link", name="Anna").tap()
    house.locator("summary", has_text="Dismiss").tap()
    house.get_by_role("button", name="Dismiss").tap()
    expect(house.get_by_text("Nobody hosts it.")).to_be_visible()
    answer = anna.goto(f"{served.url}/n/{night.code}/lobby")
    assert answer
    assert answer.status == 403
    answer = guest.reload()
    assert answer
    assert answer.status == 200


def test_somebody_asks_and_is_let_in_without_touching_the_page(served: ServedClub) -> None:
    house = served.open(mint_host_link(served.site.app))
    house.get_by_role("link", name="Tables and hosts").tap()
    dora = served.open("/join")
    dora.get_by_role("link", name="Open a table of my own").tap()
    dora.get_by_label("Your name").fill("Dora")
    dora.get_by_role("button", name="Ask to open tables").tap()
    expect(dora.get_by_role("heading", name="The house is asked")).to_be_visible()
    house.get_by_role("button", name="Let in").tap()
    expect(dora.get_by_role("link", name="New game night")).to_be_visible()
