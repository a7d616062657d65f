"""Statistics over a shelf of demo nights: choosing, definitions, sizes, and the year as a file and on paper."""

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from support.client_phones import ClientPhone, Site
from support.made_up_nights import add_demo_nights, demo_nights
from support.served_app import Screens, screens_at

from tracker.app.nights import Nights
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

NIGHTS, NEWEST = 16, date(2026, 6, 20)


@dataclass
class Shelf:
    """A server with demo nights, and its host's browser."""

    screens: Screens
    host: ClientPhone

    def open(self, path: str) -> Page:
        return self.screens.open(self.host, f"/statistics{path}")


@pytest.fixture(name="shelf", scope="module")
def _shelf(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    live = StreamHub()
    with closing(Store(tmp_path_factory.mktemp("data") / "nights.db")) as store:
        site = Site(Nights(store, live))
        add_demo_nights(site.tables, demo_nights(NIGHTS, 7, NEWEST))
        with screens_at(browser, site.app, live) as screens:
            yield Shelf(screens, site.host())


def test_what_is_chosen_is_shown_at_once_and_the_way_back_undoes_it(shelf: Shelf) -> None:
    page = shelf.open("")
    before = page.locator(".shown p").first.inner_text()
    page.select_option("#f-game", "michigan-rummy")
    expect(page.locator(".places")).to_be_visible()
    assert "game=michigan-rummy" in page.url
    page.select_option("#f-season", "dates")
    page.fill("#f-from", "2026-03-01")
    expect(page.locator(".shown p").first).not_to_contain_text("2025")
    page.locator(".group summary").click()
    page.locator(".whos label", has_text="Mia").click()
    expect(page.locator(".shown p").first).to_contain_text("with Mia")
    page.goto(f"{shelf.screens.url}/statistics")
    expect(page.locator(".shown p").first).to_have_text(before)
    page.go_back()
    expect(page.locator("#f-game")).to_have_value("michigan-rummy")


def test_a_tap_on_a_figure_opens_what_it_means(shelf: Shelf) -> None:
    page = shelf.open("/people/mia")
    meaning = page.locator(".figures .meaning").first
    expect(meaning).to_be_hidden()
    page.locator(".figures summary").first.click()
    expect(meaning).to_be_visible()
    page.goto(f"{shelf.screens.url}/statistics/pair?with=ruth&with=ben")
    page.locator(".sides summary").first.click()
    expect(page.locator(".sides .meaning").first).to_be_visible()


def test_a_year_fits_on_one_sheet_of_paper(shelf: Shelf) -> None:
    page = shelf.open("/2026")
    printed = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1


def test_the_file_of_a_year_opens_without_a_network(shelf: Shelf, browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "2026.html"
    file.write_bytes(shelf.host.get("/statistics/2026.html").data)
    assert file.stat().st_size < 300_000
    context = browser.new_context(viewport={"width": 390, "height": 844}, offline=True)
    page = context.new_page()
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.on("console", shelf.screens.note)
    page.goto(file.as_uri())
    expect(page.locator(".r-first h2")).to_contain_text("won most")
    assert page.evaluate("document.fonts.check('20px Besley')")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(".chart .c-line").count() >= 5
    assert [url for url in fetched if not url.startswith(("file:", "data:"))] == []
    context.close()
