"""A night by keyboard alone: arrows walk to every control, and the focus is always on one that has a name."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser
from support.browser_phones import BrowserNight, BrowserPhone, browser_night
from support.server_process import Command
from support.waiting import LONG_SECONDS, LOOK_MS, resize, until

MOST_KEYS = 40
"""For a hand of four by ear, from after the antes to before the next: 124 by Tab alone."""
NAMED = re.compile(r'- \'?[\w-]+ "((?:[^"\\]|\\.)*)"')
"""What a snapshot of the accessibility tree begins with, where its first element has a name."""
READY = """() => document.body.matches(":not(.taps-paused, .dock-paused, .keys-paused)")
  && !document.querySelector(".htmx-request:not(#live)")
  && [...document.querySelectorAll(".dock .btn.act:enabled")].every((one) => !one.getClientRects().length
    || getComputedStyle(one).pointerEvents !== "none")"""
"""What has just changed its meaning takes no tap, and no key, for a moment."""


@dataclass
class Keyboard:
    """The keys of one phone, and how many were pressed; after each the focus is soon on something that has a name."""

    phone: BrowserPhone
    pressed: int = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            until(self.phone.page, READY)
            self.phone.page.keyboard.press(key)
            self.pressed += 1
            self.is_on("")

    @property
    def name(self) -> str:
        """What a screen reader calls what has the focus; empty for the page itself and for what has no name."""
        focused = self.phone.page.locator(":focus")
        found = NAMED.match(focused.aria_snapshot()) if focused.count() else None
        return found[1] if found else ""

    def is_on(self, name: str) -> None:
        """Wait until what has the focus has a name, one that begins so."""
        end = time.monotonic() + LONG_SECONDS
        while not (self.name and self.name.startswith(name)):
            assert time.monotonic() < end, (name, self.name)
            self.phone.page.wait_for_timeout(LOOK_MS)

    def walk(self, name: str) -> None:
        """Go down a list until the focus is on a name that begins so."""
        for _ in range(20):
            if self.name.startswith(name):
                return
            self.press("ArrowDown")
        raise AssertionError(name, self.name)


@pytest.fixture(name="night", scope="module")
def _night(browser: Browser, shared_command: Command) -> Iterator[BrowserNight]:
    with browser_night(browser, shared_command) as night:
        night.play("Ruth", "Gus", others=["Mia", "Tom"])
        for phone in night.phones.values():
            resize(phone.page, 1280, 800)
        yield night


def test_a_hand_is_played_in_at_most_forty_keys_by_the_host_and_a_guest(night: BrowserNight) -> None:
    host, guest = Keyboard(night.host), Keyboard(night.phones["gus"])
    host.press("g")
    host.is_on("Gus")
    host.press("Enter")
    host.is_on("Chips from Gus to Ruth: 1")
    host.press("4")
    host.is_on("Chips from Gus to Ruth: 4")
    host.press("Enter")
    night.everybody_sees()
    assert night.state()["stacks"]["gus"] == 87
    host.press("p")
    host.walk("Ace of hearts: ")
    host.press("Enter")
    host.is_on("Ruth")
    host.walk("Gus")
    host.press("Enter")
    night.host.see("#p-ace-hearts.taken")
    host.is_on("Ace of hearts: taken by Gus")
    host.press("g")
    host.walk("Mia")
    host.press("Enter")
    night.host.see(".count")
    host.is_on("Tom")
    host.press("1", "1", "Enter")
    night.phones["gus"].see(".count")
    guest.press("4", "Enter")
    host.is_on("Ruth")
    host.press("2", "Enter")
    night.host.see("#pay:enabled")
    until(night.host.page, "() => document.querySelector('#c-gus .slot').textContent === '4'")
    host.is_on("Pay Mia")
    host.press("Enter")
    night.host.see(".a-poker")
    host.is_on("Ruth")
    host.walk("Tom")
    host.press("Enter")
    night.host.see("[value^='ante:']")
    host.is_on("Ante for hand 2")
    state = night.state()
    assert state["phase"] == "showdown"
    assert host.pressed + guest.pressed <= MOST_KEYS
