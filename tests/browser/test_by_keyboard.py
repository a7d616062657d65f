"""A night by keyboard alone: arrows walk to every control, and the focus is always on one that has a name."""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

import pytest
from playwright.sync_api import Browser
from support.browser_phones import BrowserNight, BrowserPhone, browser_night
from support.page_states import MOMENTS, ServedStates, State, served_states
from support.random_nights import legal_event
from support.server_process import Command
from support.waiting import LONG_SECONDS, LOOK_MS, resize, until

from tracker.app.event_rows import new_id

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


@pytest.fixture(name="night", params=["michigan-rummy", "michigan-kitty"], scope="module")
def _night(request: pytest.FixtureRequest, browser: Browser, shared_command: Command) -> Iterator[BrowserNight]:
    with browser_night(browser, shared_command) as night:
        night.play("Ruth", "Gus", others=["Mia", "Tom"], preset=request.param)
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
    chips = night.state()["stacks"]["gus"]
    host.press("Enter")
    night.host.see("#do-out")
    night.everybody_sees()
    assert night.state()["stacks"]["gus"] == chips - 4
    name, pot = night.host.page.locator("[role=grid] [data-pot]").nth(3).evaluate("one => [one.ariaLabel, one.id]")
    host.press("p")
    host.walk(name)
    host.press("Enter")
    host.is_on("Ruth")
    host.walk("Gus")
    host.press("Enter")
    night.host.see(f"#{pot}.taken")
    host.is_on(f"{name.partition(': ')[0]}: taken by Gus")
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
    until(night.host.page, "() => !document.querySelector('.count')")
    if night.host.page.locator(".a-poker").is_visible():
        host.is_on("Ruth")
        host.walk("Tom")
        host.press("Enter")
    night.host.see("[value^='ante:']")
    host.is_on("Ante for hand 2")
    assert host.pressed + guest.pressed <= MOST_KEYS


def test_letters_are_off_on_a_device_that_switched_them_off_and_stay_so(night: BrowserNight) -> None:
    night.fresh_hand()
    page, keyboard = night.host.page, Keyboard(night.host)
    keyboard.press("?")
    keyboard.is_on("Keys")
    page.uncheck("[data-keys-switch]")
    page.keyboard.press("Escape")
    page.reload()
    page.wait_for_selector("#do-out")
    for key in ("g", "p", "?", "m"):
        page.keyboard.press(key)
    assert page.evaluate("document.body.dataset.ask") == "rest"
    assert not page.is_visible("#sheets")
    page.focus("[role=grid] [tabindex='0']")
    first = keyboard.name
    keyboard.press("End", "ArrowUp", "Home", "ArrowRight", "ArrowLeft")
    assert keyboard.name == first
    keyboard.press("Enter", "End")
    keyboard.is_on("Tom")
    page.keyboard.press("Escape")
    page.tap("a[href$='/sheet']")
    page.click("summary:has-text('This phone')")
    page.click("summary:has-text('Keys')")
    assert not page.is_checked("[data-keys-switch]")
    page.check("[data-keys-switch]")
    page.keyboard.press("Escape")
    keyboard.press("g")
    assert page.evaluate("document.body.dataset.ask") == "out"


def test_the_last_entry_the_chips_and_the_question_are_said_again_at_a_key(night: BrowserNight) -> None:
    night.fresh_hand()
    page, keyboard = night.phones["gus"].page, Keyboard(night.phones["gus"])
    night.host.collect_for(night.host.page.get_attribute("[data-pot]", "data-pot") or "", "mia")
    night.everybody_sees()
    last = "() => document.querySelector('#happened').lastChild.textContent"
    took = page.evaluate(last)
    keyboard.press("c")
    assert page.evaluate(last) == f"You have {night.state()['stacks']['gus']}."
    keyboard.press("l")
    assert page.evaluate(last) == took
    keyboard.press("w")
    assert page.evaluate(last).rstrip(".") == page.inner_text("#asked").rstrip(".")


AT_TABLE = [name for name, moment in MOMENTS.items() if moment.recorded or moment.out]
STOPS = """() => [...document.querySelectorAll("#live :is(button, a[href], summary, select, input:not([type=hidden]))")]
  .filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true })).length"""
FOCUS = f"""(at) => {{
  const stops = {STOPS.replace(".length", "").removeprefix("() => ")};
  stops[at % stops.length].focus();
  return stops[at % stops.length].id;
}}"""


STAYS = """(id) => {
  const one = document.getElementById(id);
  return !one || one.disabled || !one.checkVisibility({ visibilityProperty: true }) || document.activeElement === one;
}"""


@pytest.fixture(name="served", scope="module")
def _served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedStates]:
    with served_states(tmp_path_factory.mktemp("data")) as states:
        yield states


@pytest.mark.parametrize("person", ["host", "ben"])
def test_the_focus_stays_on_what_has_a_name_whatever_others_record(
    browser: Browser, served: ServedStates, person: str, short_or_long: Callable[[int, int], int]
) -> None:
    """On the table at each moment of each game: one control after the other has the focus while others record."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB", reduced_motion="reduce")
    phone = BrowserPhone(context, person)
    keyboard, chance = Keyboard(phone), Random(person)
    for moment in AT_TABLE:
        served.log_in(context, moment, person, "en")
        served.show(phone.page, State(moment, person, ""))
        table = served.site.tables.get(served.codes[moment])
        if table.night.is_over:
            continue
        for at in range(short_or_long(2, 12)):
            before = phone.page.evaluate(FOCUS, chance.randrange(40) + at)
            table.record(legal_event(table.night, chance, may_end=False), id=new_id(), by="host")
            phone.see_head(table.head)
            keyboard.is_on("")
            until(phone.page, STAYS, before)
    context.close()
    assert phone.complaints() == []
