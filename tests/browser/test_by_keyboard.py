"""A night by keyboard alone: arrows walk to every control, and the focus is always on one that has a name."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

import pytest
from playwright.sync_api import Browser, expect
from support.browser_phones import BrowserNight, BrowserPhone, at_table
from support.page_states import END, MOMENTS, ServedStates, State
from support.random_nights import legal_event
from support.waiting import LONG_SECONDS, LOOK_MS, held_requests, meanwhile, until

from tracker.app.event_rows import new_id
from tracker.core.events import Event, Leave, Name, SeatId, Sit
from tracker.core.night import LOBBY, Night

NAMED = re.compile(r'- \'?[\w-]+ "((?:[^"\\]|\\.)*)"')
"""What a snapshot of the accessibility tree begins with, where its first element has a name."""
READY = """() => document.body.matches(":not(.taps-paused, .dock-paused, .keys-paused)")
  && !document.querySelector(".htmx-request:not(#live)")
  && [...document.querySelectorAll(".dock :is(.btn.act, .undo):enabled")].every((one) => !one.getClientRects().length
    || getComputedStyle(one).pointerEvents !== "none")"""
"""What has just changed its meaning takes no tap, and no key, for a moment."""


SHORT_PAUSES = """const later = setTimeout, now = performance.now.bind(performance);
performance.now = () => 10 * now();
window.setTimeout = (go, wait, ...rest) => later(go, [350, 500].includes(wait) ? wait / 10 : wait, ...rest);"""
"""Nobody plays by ear so fast that the moment matters for which a page takes no tap after one."""


ASKED = "text => document.querySelector('#asked').textContent === text"
TOLD = "text => document.querySelector('#happened').lastChild?.textContent === text"


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
        if not focused.count():
            return ""
        if summaries := self.phone.page.locator("summary:focus").all_inner_texts():  # has no role in a snapshot
            return summaries[0].strip()
        found = NAMED.match(focused.aria_snapshot())
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


_night = at_table("night", "Ruth", "Gus", others=["Mia", "Tom"], options={"stack": "500"}, script=SHORT_PAUSES)


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
    assert page.evaluate("document.body.dataset.question") == "rest"
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
    assert page.evaluate("document.body.dataset.question") == "out"


def test_the_last_entry_the_chips_and_the_question_are_said_again_at_a_key(night: BrowserNight) -> None:
    night.fresh_hand()
    page, keyboard = night.phones["gus"].page, Keyboard(night.phones["gus"])
    night.host.collect_for(night.host.page.get_attribute("[data-pot]", "data-pot") or "", "mia")
    night.everybody_sees()
    last = "() => document.querySelector('#happened').lastChild.textContent"
    took = page.evaluate(last)
    keyboard.press("w")
    assert page.evaluate(last).rstrip(".") == page.inner_text("#asked").rstrip(".")
    keyboard.press("c")
    assert page.evaluate(last) == f"You have {night.state()['stacks']['gus']}."
    keyboard.press("l")
    assert page.evaluate(last) == took


ONE_MORE_ANSWER = """async () => {
  await (await fetch(`${location.pathname}/sheet`)).text();
  await new Promise((done) => setTimeout(done));
  return sheets.isOpen();
}"""


def test_escape_is_not_wanting_a_sheet_that_has_not_come_yet(night: BrowserNight) -> None:
    page = night.host.page
    night.fresh_hand()
    held = held_requests(page, "**/sheet")
    page.keyboard.press("m")
    meanwhile(page, lambda: bool(held))
    page.keyboard.press("Escape")
    with page.expect_response("**/sheet"):
        held[0].continue_()
    page.unroute("**/sheet")
    assert not page.evaluate(ONE_MORE_ANSWER)
    page.keyboard.press("?")
    page.wait_for_selector("#keys-list >> visible=true")
    page.keyboard.press("Escape")
    assert page.evaluate("() => document.activeElement.checkVisibility() && !document.querySelector('#live').inert")


def test_u_takes_the_newest_back_and_counts_nothing_again(night: BrowserNight) -> None:
    night.fresh_hand()
    page, keyboard = night.host.page, Keyboard(night.host)
    night.host.collect_for(page.get_attribute("[data-pot]", "data-pot") or "", "mia")
    head = night.host.head
    keyboard.press("u")
    night.host.see_head(head + 1)
    keyboard.press("u", "u")
    keyboard.is_on("Redo")
    assert night.state()["head"] == head + 1
    keyboard.press("Enter")
    night.host.see_head(head + 2)
    assert night.host.last.startswith("Counts again")


def test_headings_lists_and_the_title_say_what_a_table_has_and_when(night: BrowserNight) -> None:
    night.fresh_hand()
    hand = night.state()["hand"]
    own_page = ("Gus", 3)  # who is at the top of the own page is not in the list once more
    for phone, (heading, people) in zip(night.phones.values(), ((f"Hand {hand}", 4), own_page), strict=True):
        page = phone.page
        until(page, "text => document.title.includes(text)", f"Hand {hand}")
        assert page.get_by_role("heading", level=1, name=heading).count() == 1
        assert page.get_by_role("grid", name="The board").get_by_role("row").count() == len(night.state()["pots"])
        listed = page.get_by_role("list", name="Players, in seat order").get_by_role("listitem")
        assert listed.count() == people
        assert page.get_by_role("region", name=page.inner_text("#asked")).count() == 1
        headings = page.get_by_role("heading", level=2).all_inner_texts()
        assert headings == ["The board", "Players, in seat order"]


def test_who_asks_for_chips_is_told_and_answered_by_name(night: BrowserNight) -> None:
    night.fresh_hand()
    host, before = Keyboard(night.host), night.state()["stacks"]
    gus = night.phones["gus"]
    form = gus.page.evaluate("() => Object.fromEntries(new FormData(document.querySelector('#move')))")
    gus.send(f"{night.guests_url}/n/{night.code}/record", **{**form, "do": "borrow:5", "source": "ruth", "seat": "gus"})
    until(host.phone.page, TOLD, "Gus wants to borrow 5 from you.")
    host.press("r")
    host.is_on("No: Gus")
    host.press("Tab")
    host.is_on("Yes: Gus")
    host.press("Enter")
    until(host.phone.page, "() => !document.querySelector('.asks button')")
    assert night.state()["stacks"] == {**before, "ruth": before["ruth"] - 5, "gus": before["gus"] + 5}


def test_in_a_count_rows_and_pad_are_a_stop_of_tab_each_before_the_button_that_pays(night: BrowserNight) -> None:
    night.fresh_hand()
    host = Keyboard(night.host)
    host.press("g")
    host.walk("Gus")
    host.press("Enter")
    night.host.see(".count")
    head = night.head()
    host.press("1", "Enter", "g")
    host.is_on("2 to go")
    until(host.phone.page, TOLD, "Waiting for Tom, Ruth.")
    assert night.head() == head
    host.press("w", "2", "Enter", "3", "Enter")
    host.is_on("Pay Gus")
    jackpot = night.state()["pots"]["jackpot"]
    parts = re.compile(rf"{jackpot} Jackpot\s+6 for cards\s+{jackpot + 6} for Gus")
    expect(host.phone.page.locator("#pay")).to_have_accessible_description(parts)
    names = []
    for _ in range(3):
        host.press("Shift+Tab")
        names.append(host.name)
    assert names == ["Not out", "1", "Ruth 3 ,pays 3"], "a pause before what is paid"


LIVE = [
    *(State(name, "", "") for name, moment in MOMENTS.items() if moment.recorded[-1:] != END or moment.out),
    *(State(moment, "", path) for moment in ("lobby", "play") for path in ("/lobby", "/share")),
]
"""The tables of each moment of each game that still go on, and what else follows a night."""
FOCUS = """(at) => {
  const stops = [...document.querySelectorAll("#live :is(button, a[href], summary, select, input:not([type=hidden]))")]
    .filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }));
  stops[at % stops.length].focus();
  return stops[at % stops.length].id;
}"""
"""Focus one of the stops of the Tab key and return its id."""
STAYS = """(id) => {
  const one = document.getElementById(id);
  return !one || one.disabled || !one.checkVisibility({ visibilityProperty: true }) || document.activeElement === one;
}"""


def somebody_elses(night: Night, chance: Random) -> Event:
    """Return what another phone may record now; before the first hand it is that Zoe goes or comes."""
    if night.phase != LOBBY:
        return legal_event(night, chance, may_end=False)
    return Leave("zoe") if "zoe" in night.seats else Sit(SeatId("zoe"), Name("Zoe"))


@pytest.mark.parametrize("person", ["host", "ben"])
def test_the_focus_stays_on_what_has_a_name_whatever_others_record(
    browser: Browser, served: ServedStates, person: str, short_or_long: Callable[[int, int], int]
) -> None:
    """On each page that follows a night, one control after the other has the focus while others record.

    The short run looks at each as the host or as a guest, by turns.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB", reduced_motion="reduce")
    phone = BrowserPhone(context, person)
    keyboard, chance = Keyboard(phone), Random(person)
    for turn, state in enumerate(replace(one, person=person) for one in LIVE):
        viewers = [one for one in ("host", "ben") if (state.moment, one) in served.visitors]
        first = short_or_long(turn % len(viewers), 0)
        if person not in viewers[first : first + short_or_long(1, 2)]:
            continue
        served.log_in(context, state.moment, person, "en")
        served.show(phone.page, state)
        table = served.site.tables.get(served.codes[state.moment])
        for _ in range(short_or_long(2, 12)):
            before = phone.page.evaluate(FOCUS, chance.randrange(60))
            phone.meet("shown")
            table.record(somebody_elses(table.night, chance), id=new_id(), by="host")
            phone.met()
            keyboard.is_on("")
            until(phone.page, STAYS, before)
    context.close()
    assert phone.complaints() == []
