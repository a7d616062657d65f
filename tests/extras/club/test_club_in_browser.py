"""An evening in a club, in browsers: a link, a name, a table; what the house lets in and says, without a touch."""

import re
from collections.abc import Iterator

import pytest
from extras.club.club_hosts import club_of, club_site
from playwright.sync_api import Browser, Page, expect
from support.client_phones import Site
from support.of_extras import of_extras
from support.served_app import Screens, screens_at

from tracker.app.nights import Nights
from tracker.extras.club.club import Club
from tracker.streaming.hub import StreamHub


class ServedClub:
    """A club on a running server, and browsers that open it."""

    def __init__(self, screens: Screens, site: Site, club: Club) -> None:
        self.site, self.url = site, screens.url
        self._screens, self._club = screens, club

    def open(self, path: str) -> Page:
        """Return the page of a new browser at an address."""
        return self._screens.open(None, path)

    def host(self, name: str) -> Page:
        """Return the first page of somebody who opened the club's link and gave a name."""
        page = self.open(f"/club/link/{self._club.token}")
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Become a host").tap()
        expect(page.get_by_text("What are we playing?")).to_be_visible()
        return page


@pytest.fixture(name="served")
def _served(browser: Browser, tables: Nights, live: StreamHub) -> Iterator[ServedClub]:
    site = club_site(tables)
    with screens_at(browser, site.app, live) as screens:
        screens.expected = "status of 403"
        yield ServedClub(screens, site, club_of(site))


def test_an_evening_with_a_host_the_house_and_screens_that_follow_without_a_touch(served: ServedClub) -> None:
    house = served.open(served.site.access.mint_host_link())
    house.get_by_role("link", name="Tables and hosts").tap()
    expect(house.get_by_text("No table goes on.")).to_be_visible()
    screens = [served.open(way_in) for way_in in of_extras("ways_in_of_screens")]
    for screen in screens:
        screen.set_viewport_size({"width": 1280, "height": 720})
        screen.get_by_role("button", name="Show all tables").tap()
        house.get_by_role("button", name="Let in").tap()
        expect(screen.get_by_text("No table goes on.")).to_be_visible()

    anna = served.host("Anna")
    expect(anna.get_by_label("Your name")).to_have_value("Anna")
    anna.locator("button[name=preset]").first.tap()
    anna.wait_for_url("**/lobby")
    house.goto(f"{served.url}/house")
    house.get_by_label("It stands on every phone and TV").fill("Last hand")
    house.get_by_role("button", name="Show it").tap()
    house.get_by_role("button", name="minutes").tap()
    for screen in screens:
        expect(screen.get_by_text("Michigan Rummy")).to_be_visible()
        expect(screen.locator("header .clock")).to_have_text(re.compile(r"^(60:00|59:\d\d)$"))
    for page in (*screens, anna):
        expect(page.locator(".announced")).to_have_text("Last hand")

    (night,) = served.site.tables.nights()
    served.site.join(night.code, "Zoe")
    expect(anna.locator("#main")).to_contain_text("Zoe")
    tables = house.locator("#overview")
    expect(tables).to_contain_text("1 phone connected")  # the page asks by itself every five seconds
    house.get_by_role("link", name="Anna").tap()
    house.locator("summary", has_text="Dismiss").tap()
    house.get_by_role("button", name="Dismiss").tap()
    expect(house.get_by_text("Nobody hosts it.")).to_be_visible()
    lobby = f"{served.url}/n/{night.code}/lobby"  # asked without the page, which reloads itself when its stream ends
    assert anna.request.get(lobby).status == 403
