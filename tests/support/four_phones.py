"""One table on four phones: real browsers at a real server. What the browser tests of the table begin with."""

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize
from support.client_phones import ClientPhone as Visitor, Site
from support.served_app import give_cookies, serving
from support.waiting import meanwhile, resize, until

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

EVERYBODY = ("ruth", "ben", "mia", "tom")
PHONE = ViewportSize(width=390, height=844)
SHOWS = "head => Number(document.querySelector('#live [data-head]').dataset.head) >= head"


class FourPhones:
    """Ruth's phone is the host; Ben, Mia and Tom scanned the code. What went wrong in a page stands in `errors`.

    The phones stay for several nights. `pages` has those that look at the present one; asking for another opens it.
    """

    def __init__(self, browser: Browser, site: Site, url: str, live: StreamHub) -> None:
        self.browser, self.site, self.url, self.live = browser, site, url, live
        self.motion = False
        """Whether phones that come to a table from now on move things, for half as much processor time again."""
        self.errors: list[str] = []
        self.code = ""
        self.visitors: dict[str, Visitor] = {}
        self.pages = _Pages(self._at_the_table)
        self._phones: dict[str, Page] = {}

    def open(self, preset: str, looking: Collection[str] = EVERYBODY) -> None:
        """Open a night and let everybody in; these look at its table at once."""
        self.visitors["ruth"] = self.site.host()
        self.gather(self.site.open_night(self.visitors["ruth"], preset=preset), looking)

    def gather(self, code: str, looking: Collection[str] = EVERYBODY) -> None:
        """Let everybody in to a night that the host has opened."""
        self.code = code
        self.pages.clear()
        for name in ("Ben", "Mia", "Tom"):
            self.visitors[name.lower()] = self.site.join(code, name)
        self.look(*looking)

    def look(self, *person: str) -> None:
        """Have the table open on these phones."""
        for one in person:
            self.newest(one)

    def phone(self, person: str) -> Page:
        """Return somebody's phone as they hold it, with nothing left of the night before but what a browser keeps."""
        page = self._phones.get(person) or self._new_phone()
        self._phones[person] = page
        page.unroute_all()
        page.set_viewport_size(PHONE)
        page.emulate_media(reduced_motion="no-preference" if self.motion else "reduce")
        page.context.clear_cookies()
        give_cookies(page.context, self.url, self.visitors[person].cookies)
        return page

    def _new_phone(self) -> Page:
        context = self.browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, locale="en-GB")
        context.set_default_timeout(60_000)
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if "Content Security" in said.text else None)
        return page

    def _at_the_table(self, person: str) -> Page:
        page = self.phone(person)
        page.goto(f"{self.url}/n/{self.code}")
        page.wait_for_selector("#move")
        return page

    @property
    def table(self) -> OpenNight:
        return self.site.tables.get(self.code)

    def have(self, **points: int) -> None:
        """Wait until everybody has these points."""
        with suppress(AssertionError):  # then the comparison says what is wrong
            meanwhile(self.pages["ruth"], lambda: self.table.night.points == points)
        assert self.table.night.points == points

    def tap(self, person: str, *selectors: str) -> None:
        """Tap on a phone that shows the newest, one thing after the other, each as soon as it takes taps."""
        self.newest(person)
        for selector in selectors:
            self.pages[person].tap(f"{selector} >> visible=true")

    def newest(self, person: str) -> None:
        """Wait until a phone shows the newest event."""
        until(self.pages[person], SHOWS, self.table.head)

    def see(self, person: str, text: str) -> None:
        """Wait until a phone shows a text; what others do arrives through the stream."""
        self.pages[person].wait_for_selector(f"text={text} >> visible=true")

    def change(self, event: int, mend: Callable[[Page], None]) -> None:
        """The host corrects an entry that may be hours old, and goes back to the table."""
        host = self.pages["ruth"]
        host.goto(f"{self.url}/n/{self.code}/change/{event}")
        mend(host)
        with host.expect_navigation():
            host.tap("#difference button >> nth=0")
        host.goto(f"{self.url}/n/{self.code}")

    def settle(self) -> str:
        """Return the text of the settlement on the host's phone, where the night is ended by a tap if it goes on."""
        host = self.pages["ruth"]
        host.goto(f"{self.url}/n/{self.code}/settle")
        if not self.table.night.is_over:
            with host.expect_navigation():
                host.tap("form.stackup button.act")
        assert self.table.night.is_over
        return " ".join(host.inner_text("main").split())

    def settles_as(self, *words: str) -> None:
        """The settlement has these words, in this order."""
        text = self.settle()
        assert re.search(".*?".join(re.escape(word) for word in words), text), text

    def fits(self) -> None:
        """No size of screen is narrower than what stands on the host's page."""
        for width, height in ((320, 568), (844, 390), (1366, 768), (390, 844)):
            resize(self.pages["ruth"], width, height)
            assert self.pages["ruth"].evaluate("document.documentElement.scrollWidth") <= width

    def spots(self, person: str, selector: str) -> list[tuple[float, float]]:
        """Return where things stand on a phone."""
        found = [one.bounding_box() for one in self.pages[person].query_selector_all(selector)]
        return [(box["x"], box["y"]) for box in found if box]

    def close(self) -> None:
        for page in self._phones.values():
            page.context.close()


class _Pages(dict[str, Page]):
    """The phones that look at a table, each from the first time that it is asked for."""

    def __init__(self, open_page: Callable[[str], Page]) -> None:
        super().__init__()
        self._open_page = open_page

    def __missing__(self, person: str) -> Page:
        self[person] = page = self._open_page(person)
        return page


@contextmanager
def four_phones(browser: Browser, folder: Path, *, heartbeat_seconds: float = 10.0) -> Iterator[FourPhones]:
    """Give four phones at a server of their own, and end browsers and server afterwards."""
    live = StreamHub(heartbeat_seconds=heartbeat_seconds)
    with closing(Store(folder / "nights.db")) as store:
        site = Site(Nights(store, live))
        with serving(site.app, live) as url:
            phones = FourPhones(browser, site, url, live)
            try:
                yield phones
            finally:
                phones.close()


def at_one_night(phones: FourPhones) -> Iterator[FourPhones]:
    """Give phones for one test; a page that failed fails the test."""
    phones.errors.clear()
    yield phones
    assert phones.errors == []
