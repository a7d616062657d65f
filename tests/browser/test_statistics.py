"""Statistics over a shelf of demo nights: choosing, definitions, sizes, and the year as a file and on paper."""

import re
import threading
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from support.client_phones import ClientPhone, Site

from tracker.app.nights import Nights
from tracker.server.server import Server, listen
from tracker.simulation.demo import add_demo_nights, demo_nights
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

NIGHTS, NEWEST = 25, date(2026, 6, 20)


class Shelf:
    """A server with demo nights, and its host's browser."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        self.store, self.live = Store(folder / "nights.db"), StreamHub()
        tables = Nights(self.store, self.live)
        add_demo_nights(tables, demo_nights(NIGHTS, 7, NEWEST))
        site = Site(tables)
        self.server = Server(site.app, listen("127.0.0.1", 0), end_streams=self.live.stop)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.port}/statistics"
        self.host: ClientPhone = site.host()
        self.context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
        self.context.add_cookies(
            [{"name": key, "value": one, "url": self.url} for key, one in self.host.cookies.items()]
        )
        self.complaints: list[str] = []

    def open(self, path: str) -> Page:
        page = self.context.new_page()
        page.on("console", lambda said: self.complaints.append(said.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(f"{self.url}{path}")
        return page

    def stop(self) -> None:
        self.context.close()
        self.server.stop()
        self.thread.join(60)
        self.store.close()


@pytest.fixture(name="shelf", scope="module")
def _shelf(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path_factory.mktemp("data"), browser)
    yield shelf
    shelf.stop()
    assert shelf.complaints == []


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
    page.goto(shelf.url)
    expect(page.locator(".shown p").first).to_have_text(before)
    page.go_back()
    expect(page.locator("#f-game")).to_have_value("michigan-rummy")
    page.close()


def test_a_tap_on_a_figure_opens_what_it_means(shelf: Shelf) -> None:
    page = shelf.open("/people/mia")
    meaning = page.locator(".figures .meaning").first
    expect(meaning).to_be_hidden()
    page.locator(".figures summary").first.click()
    expect(meaning).to_be_visible()
    page.goto(f"{shelf.url}/pair?with=ruth&with=ben")
    page.locator(".sides summary").first.click()
    expect(page.locator(".sides .meaning").first).to_be_visible()
    page.close()


def test_a_year_fits_on_one_sheet_of_paper(shelf: Shelf) -> None:
    page = shelf.open("/2026")
    printed = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
    page.close()


def test_the_file_of_a_year_opens_without_a_network(shelf: Shelf, browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "2026.html"
    file.write_bytes(shelf.host.get("/statistics/2026.html").data)
    assert file.stat().st_size < 300_000
    context = browser.new_context(viewport={"width": 390, "height": 844}, offline=True)
    page = context.new_page()
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.on("console", lambda said: shelf.complaints.append(said.text))
    page.goto(file.as_uri())
    expect(page.locator(".r-first h2")).to_contain_text("won most")
    assert page.evaluate("document.fonts.check('20px Besley')")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(".chart .c-line").count() >= 5
    assert [url for url in fetched if not url.startswith(("file:", "data:"))] == []
    context.close()
