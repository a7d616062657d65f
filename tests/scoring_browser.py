"""A score game on four phones: real browsers at a real server. What the browser tests of these games begin with."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page

from tracker.live import Live
from tracker.server import Server, listen
from tracker.table import Table
from tracker.tables import Tables
from tracker.web import create_app
from tracker.web.access import Door, mint_host_link

CHANGED_CONTROL_MS = 400
"""A control that has just changed its meaning takes no taps for so long."""


class FourPhones:
    """Ruth's phone is the host; Ben, Mia and Tom scanned the code. What went wrong in a page stands in `errors`."""

    def __init__(self, browser: Browser, tables: Tables, live: Live) -> None:
        self.browser, self.tables = browser, tables
        self.app = create_app(tables, addresses=lambda: ["127.0.0.1"])
        self.server = Server(self.app, listen("127.0.0.1", 0), end_streams=live.stop)
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.port}"
        self.errors: list[str] = []
        self.code = ""
        self.pages: dict[str, Page] = {}

    def open(self, preset: str, *, short: bool = False) -> None:
        """Open a night, let everybody in, and go to the table."""
        host = self.pages["ruth"] = self.phone()
        host.goto(self.url + mint_host_link(self.app))
        host.wait_for_url("**/")
        host.goto(f"{self.url}/new/{preset}")
        host.fill("[name=host]", "Ruth")
        if short:
            host.select_option("select[name=rounds]", "short")
        host.click("text=Open the table")
        host.wait_for_url("**/lobby")
        self.code = host.url.split("/")[-2]
        for name in ("Ben", "Mia", "Tom"):
            self.join(name)
        for page in self.pages.values():
            page.goto(f"{self.url}/n/{self.code}")
            page.wait_for_selector("#move")

    def join(self, name: str) -> None:
        """Somebody scans the code and types a name."""
        door = self.app.extensions["door"]
        assert isinstance(door, Door)
        shown = door.invites.shown(self.code)
        assert shown
        page = self.pages[name.lower()] = self.phone()
        page.goto(f"{self.url}/j/{shown[0]}")
        page.fill("#name", name)
        page.click("text=Sit down")
        page.wait_for_url("**/lobby")

    def phone(self, width: int = 390, height: int = 844) -> Page:
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, has_touch=True, is_mobile=True, locale="en-GB"
        )
        context.set_default_timeout(60_000)
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if "Content Security" in said.text else None)
        return page

    @property
    def table(self) -> Table:
        return self.tables.get(self.code)

    @property
    def points(self) -> dict[str, int]:
        return dict(self.table.night.points)

    def tap(self, who: str, *selectors: str) -> None:
        """Tap on a phone, one thing after the other, when what is there has been there for a moment."""
        page = self.pages[who]
        for selector in selectors:
            page.wait_for_selector(f"{selector} >> visible=true")
            if not selector.startswith("[data-"):  # the keys of a pad never change their meaning
                page.wait_for_timeout(CHANGED_CONTROL_MS)
            page.tap(f"{selector} >> visible=true")

    def see(self, who: str, text: str) -> None:
        """Wait until a phone shows a text; what others do arrives through the stream."""
        self.pages[who].wait_for_selector(f"text={text} >> visible=true")

    def change(self, event: int, mend: Callable[[Page], None]) -> None:
        """The host corrects an entry that may be hours old, and goes back to the table."""
        host = self.pages["ruth"]
        host.goto(f"{self.url}/n/{self.code}/change/{event}")
        mend(host)
        with host.expect_navigation():
            host.tap("#difference button >> nth=0")
        host.goto(f"{self.url}/n/{self.code}")

    def spots(self, who: str, selector: str) -> list[tuple[float, float]]:
        """Return where things stand on a phone."""
        found = [one.bounding_box() for one in self.pages[who].query_selector_all(selector)]
        return [(box["x"], box["y"]) for box in found if box]

    def close(self) -> None:
        for page in self.pages.values():
            page.context.close()
        self.server.stop()
        self.thread.join()


@contextmanager
def four_phones(browser: Browser, tables: Tables, live: Live) -> Iterator[FourPhones]:
    """Give four phones at a table, and end browsers and server afterwards; a page that failed fails the test."""
    phones = FourPhones(browser, tables, live)
    try:
        yield phones
        assert phones.errors == []
    finally:
        phones.close()
