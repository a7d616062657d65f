"""Score games at a table of browsers: who has how many points, corrections, what fits on a screen."""

from collections.abc import Callable
from contextlib import suppress

from playwright.sync_api import Page
from support.browser_phones import BrowserNight
from support.waiting import meanwhile, resize


def have(night: BrowserNight, **points: int) -> None:
    """Wait until everybody has these points."""
    with suppress(AssertionError):  # then the comparison says what is wrong
        meanwhile(night.host.page, lambda: night.table.night.points == points)
    assert night.table.night.points == points


def change(night: BrowserNight, event: int, mend: Callable[[Page], None]) -> None:
    """The host corrects an entry that may be hours old, and goes back to the table."""
    page, table = night.host.page, f"{night.server.here}/n/{night.code}"
    page.goto(f"{table}/change/{event}")
    mend(page)
    with page.expect_navigation():
        page.tap("#difference button >> nth=0")
    page.goto(table)


def fits(night: BrowserNight) -> None:
    """No size of screen is narrower than what stands on the host's page, and the dock covers no key of a pad."""
    page = night.host.page
    for width, height in ((320, 568), (568, 320), (844, 390), (1366, 768), (390, 844)):
        resize(page, width, height)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if page.locator("[data-digit='0']").is_visible():
            key, dock = (page.locator(one).bounding_box() for one in ("[data-digit='0']", "#dock"))
            assert key
            assert dock
            assert key["y"] + key["height"] <= dock["y"] + 1
