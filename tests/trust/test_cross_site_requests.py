"""Pages from elsewhere, in a browser that is the host of a night: they can neither show the tracker nor act in it."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page
from support.client_phones import Site
from support.served_app import Screens, serving
from werkzeug.wrappers import Response

from tracker.streaming.hub import StreamHub

FORM = "<form method=post action='{}'><input name=x></form><script>document.forms[0].submit()</script>"


@contextmanager
def shown_elsewhere(page: Page, html: str) -> Iterator[None]:
    """Show a page of another port of this machine: cookies don't tell ports apart."""
    with serving(Response(html, mimetype="text/html"), StreamHub()) as address:
        page.goto(address)
        yield


def test_no_page_from_elsewhere_acts_with_the_hosts_cookie(site: Site, screens: Screens) -> None:
    host = site.host()
    code = site.open_night(host)
    ways, path = site.access.invites.shown(code), f"/n/{code}/new-code"
    screens.expected = "403"
    page = screens.open(host, f"/n/{code}/settings")
    assert "Settings of this night" in page.title(), "this browser is the host"
    with page.expect_response(f"**{path}") as refused, shown_elsewhere(page, FORM.format(screens.url + path)):
        assert refused.value.status == 403
    assert "cookie" in refused.value.request.all_headers()
    assert site.access.invites.shown(code) == ways


def test_no_page_from_elsewhere_shows_the_tracker_in_a_frame(screens: Screens) -> None:
    screens.expected = "frame-ancestors"
    page = screens.open(None, "/join")
    assert page.query_selector("input[name=typed]")
    html = f"<iframe src='{screens.url}/join'></iframe>"
    with page.expect_response("**/join") as answer, shown_elsewhere(page, html):
        assert answer.value.status == 200
        page.frames[1].wait_for_load_state()
        assert not page.frames[1].query_selector("input")
