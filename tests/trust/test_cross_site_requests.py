"""Pages from elsewhere, in a browser that is the host of a night: they can neither show the tracker nor act in it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from support.client_phones import Site
from support.served_app import give_cookies, serving
from support.waiting import meanwhile

from tracker.streaming.hub import StreamHub

ATTACKS = {
    "form": "<form method=post action='{url}'><input name=x></form><script>document.forms[0].submit()</script>",
    "fetch": "<script>fetch('{url}', {{method: 'POST', mode: 'no-cors', credentials: 'include'}}).then(() => {{"
    " document.title = 'sent' }}, () => {{ document.title = 'sent' }})</script>",
    "beacon": "<script>navigator.sendBeacon('{url}', 'x'); document.title = 'sent'</script>",
    "frame": "<iframe name=inner></iframe><form method=post target=inner action='{url}'></form>"
    "<script>document.forms[0].submit(); document.title = 'sent'</script>",
    "image": "<img src='{url}'><script>document.title = 'sent'</script>",
}


@contextmanager
def page_at_another_port(html: str) -> Iterator[str]:
    """Serve a page on this machine's other port: cookies don't tell ports apart."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join(60)
    server.server_close()


@dataclass
class Here:
    """A real server; `heard` is every answer it gave, as method, path and status."""

    site: Site
    origin: str
    heard: list[tuple[str, str, str]]


@pytest.fixture(name="here")
def _here(site: Site, live: StreamHub) -> Iterator[Here]:
    heard: list[tuple[str, str, str]] = []

    def listened(environ: Any, start_response: Any) -> Any:
        def start(status: str, *rest: Any) -> Any:
            heard.append((environ["REQUEST_METHOD"], environ["PATH_INFO"], status[:3]))
            return start_response(status, *rest)

        return site.app(environ, start)

    with serving(listened, live) as url:
        yield Here(site, url, heard)


@pytest.fixture(name="page")
def _page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def status(page: Page, address: str) -> int:
    answer = page.goto(address)
    assert answer
    return answer.status


def test_no_page_from_elsewhere_acts_with_the_hosts_cookie(here: Here, page: Page) -> None:
    site, host = here.site, here.site.host()
    code = site.open_night(host)
    ways = site.access.invites.shown(code)
    give_cookies(page.context, here.origin, host.cookies)
    assert status(page, f"{here.origin}/n/{code}/settings") == 200  # this browser is the host
    path = f"/n/{code}/new-code"
    for name, attack in ATTACKS.items():
        here.heard.clear()
        with page_at_another_port(attack.format(url=here.origin + path)) as address:
            page.goto(address)
            meanwhile(page, lambda: any(one[1] == path for one in here.heard))
        asked = [one for one in here.heard if one[1] == path]
        assert {one[2] for one in asked} <= {"403", "405"}, (name, asked)
        assert site.access.invites.shown(code) == ways, name


def test_no_page_from_elsewhere_shows_the_tracker_in_a_frame(here: Here, page: Page) -> None:
    with page_at_another_port(f"<iframe src='{here.origin}/join'></iframe>") as address:
        page.goto(address)
        inner = page.frames[1]
        inner.wait_for_load_state()
        assert not inner.query_selector("input")
    assert ("GET", "/join", "200") in here.heard
    assert status(page, f"{here.origin}/join") == 200
    assert page.query_selector("input[name=typed]")
