"""The board on a TV whose browser runs no script, or cannot read ours: it follows the game by coming anew."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from support.browser_phones import BrowserNight, browser_night
from support.server_process import Command


@pytest.fixture(name="night", scope="module")
def _night(browser: Browser, shared_command: Command) -> Iterator[BrowserNight]:
    with browser_night(browser, shared_command) as night:
        night.play("Ruth", others=["Mia", "Tom"])
        yield night


def tv(night: BrowserNight, context: BrowserContext, page: str = "tv") -> Page:
    """Return a big screen that may see the night."""
    cookies: list[Any] = night.host.context.cookies()
    context.add_cookies(cookies)
    screen = context.new_page()
    screen.goto(f"{night.host.origin}/n/{night.code}/{page}")
    return screen


@pytest.mark.parametrize("has_script", [False, True], ids=["no-script", "old-script"])
def test_the_board_follows_the_game(night: BrowserNight, browser: Browser, has_script: bool) -> None:
    night.fresh_hand()
    context = browser.new_context(java_script_enabled=has_script)
    if has_script:  # an old browser stops at the first line of what it cannot read
        context.route(
            "**/*.js*", lambda route: route.continue_() if "reload.js" in route.request.url else route.abort()
        )
    screen = tv(night, context)
    seat = screen.locator("#live", has_text="Mia")
    expect(seat).to_be_visible()
    before = seat.inner_text()
    night.record("collect", seat="mia", pot="ten-hearts")
    expect(seat).not_to_have_text(before, use_inner_text=True)
    expect(screen.locator("#live")).to_contain_text("Mia takes")
    context.close()


def test_where_our_scripts_run_the_page_is_not_loaded_anew(night: BrowserNight, browser: Browser) -> None:
    context = browser.new_context()
    screen = tv(night, context)
    screen.evaluate("() => { window.isFirst = true; }")
    screen.clock.install()
    screen.clock.run_for(30_000)
    assert screen.evaluate("() => window.isFirst && Boolean(window.htmx)")
    context.close()
