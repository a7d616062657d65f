"""A tracker app at work on a port of this machine, and the browsers that open it with the cookies of client phones."""

import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page
from support.client_phones import ClientPhone, Site
from support.stream_server import address_by_extras

from tracker.app.event_rows import new_id
from tracker.formats.codec import event_from
from tracker.server.network_addresses import candidates
from tracker.streaming.hub import StreamHub
from tracker.web.base.snapshot import snapshot_of, state_of

AWAY = r"net::ERR_|htmx:sse:error|Failed to fetch"
"""What a browser says while the server is away on purpose."""
NOT_DRAWN = """{
  const unseen = new CSSStyleSheet();
  unseen.replaceSync("html { opacity: 0; }");
  document.adoptedStyleSheets = [unseen];
}"""
"""What has no opacity is laid out and tapped as ever, and not drawn, which takes a third of the processor time."""


@contextmanager
def serving(app: Any, live: StreamHub, address: str = "127.0.0.1") -> Iterator[str]:
    """Serve a WSGI app until the block ends, and give where it is; with an empty address at all of this machine."""
    where = address_by_extras(address)
    server = where.new_server(app, where.listen(0), end_streams=live.stop)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.stop()
        thread.join(60)


class SiteServer:
    """An app of this process at work on a port, as `Command` is one of its own process."""

    def __init__(self, site: Site, live: StreamHub, here: str) -> None:
        self.site, self.live, self.here = site, live, here
        site.app.config["OWN_ADDRESSES"] = lambda: [one.ip for one in candidates()]
        self.host_cookies: list[Any] = []
        """Of the browser that has opened the link."""

    @property
    def host_link(self) -> str:
        return self.here + self.site.access.mint_host_link()

    @property
    def phones_url(self) -> str:
        return address_for_phones(self.here)

    def state(self, code: str) -> dict[str, Any]:
        """Return what the JSON API says of a night."""
        table = self.site.tables.get(code)
        return state_of(snapshot_of(table), table.name)

    def record(self, code: str, kind: str, **fields: Any) -> None:
        self.site.tables.get(code).record(event_from({"kind": kind, **fields}), id=new_id(), by="host")


def address_for_phones(here: str) -> str:
    """Return where phones find what is here: not localhost, which browsers trust with more than they trust a Wi-Fi."""
    return here.replace("127.0.0.1", next((one.ip for one in candidates()), "127.0.0.1"))


def give_cookies(context: BrowserContext, url: str, cookies: Mapping[str, str]) -> None:
    """Have a browser send these cookies to an address."""
    context.add_cookies([{"name": name, "value": value, "url": url} for name, value in cookies.items()])


class Screens:
    """Browsers of all sizes at one address; what their pages complain about stands in `complaints`."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.browser, self.url = browser, url
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.expected = AWAY
        """A pattern of what a browser may complain about."""

    def open(
        self,
        phone: ClientPhone | None,
        path: str,
        width: int = 390,
        height: int = 844,
        *,
        theme: Any = "light",
        script: bool = True,
    ) -> Page:
        """Return a page in a browser of its own, which is known as this phone."""
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=theme,
            has_touch=width < 1000,
            java_script_enabled=script,
            locale="en-GB",
            reduced_motion="reduce",
        )
        self.contexts.append(context)
        context.set_default_timeout(60_000)
        context.add_init_script(NOT_DRAWN)
        if phone:
            give_cookies(context, self.url, phone.cookies)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self.note)
        if path:
            page.goto(self.url + path)
        return page

    def note(self, said: ConsoleMessage) -> None:
        if said.type == "error" and not re.search(self.expected, said.text):
            self.complaints.append(said.text)


@contextmanager
def screens_at(browser: Browser, app: Any, live: StreamHub) -> Iterator[Screens]:
    """Serve an app and give browsers for it; a page that complained fails the test."""
    with serving(app, live) as url:
        screens = Screens(browser, url)
        yield screens
        for context in screens.contexts:
            context.close()
        assert not screens.complaints, screens.complaints
