"""Answers and streams that come late, are lost or refused: the page ends up right, and says what is the matter."""

import re

import pytest
from playwright.sync_api import APIResponse, Page, Route
from support.browser_phones import BrowserNight, at_table
from support.served_app import AWAY, SiteServer
from support.waiting import intercept, meanwhile, until

from tracker.streaming.room import Room, ViewerGroup

CLOSED = "() => document.getElementById('sheets').hidden"
FAULT = "#sheet button[value='penalty:unused-purchase']"


_night = at_table("night", "Ruth", "Ben", "Mia", "Tom", preset="michigan-rummy-snake")


def held_answers(page: Page) -> list[tuple[Route, APIResponse]]:
    """Let the server have every move of this phone at once, and keep its answers back."""
    held: list[tuple[Route, APIResponse]] = []
    intercept(page, "**/record", lambda route: held.append((route, route.fetch())))
    return held


def test_a_sheet_closes_by_the_tap_made_in_it_also_when_the_stream_was_faster(night: BrowserNight) -> None:
    mia, before = night.phones["mia"].page, night.table.head
    held = held_answers(mia)
    mia.tap("text=A fault")
    mia.tap(FAULT)
    meanwhile(mia, lambda: bool(held))
    assert night.table.head == before + 1
    night.phones["mia"].see_head(night.head())
    (route, answer) = held.pop()
    route.fulfill(response=answer)
    until(mia, CLOSED)
    mia.unroute("**/record")


def test_news_does_not_draw_a_sheet_again_under_a_finger(night: BrowserNight) -> None:
    mia, before = night.phones["mia"].page, night.table.head
    mia.tap("text=A fault")
    mia.tap(FAULT, trial=True)
    box = mia.locator(FAULT).bounding_box()
    assert box
    touch = mia.context.new_cdp_session(mia)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    mia.evaluate("() => { sheet.firstElementChild.dataset.old = ''; }")
    night.record("penalty", seat="ben", offence="false-rummy")
    mia.wait_for_timeout(300)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    meanwhile(mia, lambda: night.table.head == before + 2)
    until(mia, CLOSED)


def test_a_sheet_that_can_not_be_fetched_shows_that_there_is_no_contact_and_opens_nothing(night: BrowserNight) -> None:
    mia = night.phones["mia"].page
    # The sign may stand for a moment only: the next beat of the stream is contact again.
    mia.evaluate("""() => {
        window.signs = [];
        new MutationObserver(() => signs.push(net.textContent)).observe(net, { childList: true });
    }""")
    night.phones["mia"].excuse(AWAY)
    intercept(mia, "**/sheet/*", lambda route: route.abort())
    mia.tap("text=A fault")
    until(mia, "() => signs.includes('Looking for the table. Play on.')")
    assert mia.evaluate(CLOSED)
    mia.unroute("**/sheet/*")
    until(mia, "() => signs.includes('Connected again. Everything is up to date.')")
    mia.tap("text=A fault")
    mia.wait_for_selector("#sheet h2:has-text('Mia')")
    mia.tap("#sheet [data-close]")
    until(mia, CLOSED)


def test_an_answer_that_comes_late_does_not_bring_an_older_page_back(night: BrowserNight) -> None:
    mia, ben = night.phones["mia"].page, night.phones["ben"].page
    night.tap("tom", "#do-out")
    night.phones["mia"].see_word("Tap what you still hold")
    held = held_answers(mia)
    mia.tap("[data-card='K']")
    mia.tap("#next")
    meanwhile(mia, lambda: bool(held))
    ben.tap("[data-card='7']")
    ben.tap("#next")
    (route, answer) = held.pop()
    until(mia, "() => document.querySelector('#h-ben .slot').textContent === '7'")
    mia.evaluate("() => { window.late = 0; document.addEventListener('htmx:finally:request', () => { late += 1; }); }")
    route.fulfill(response=answer)
    until(mia, "() => late === 1")
    assert mia.inner_text("#h-ben .slot") == "7"
    mia.unroute("**/record")
    night.tap("tom", "#not-out")
    night.phones["ben"].see_word("A fault")


def test_a_tap_is_shown_also_where_the_stream_has_lost_its_message(night: BrowserNight) -> None:
    tom, before = night.phones["tom"].page, night.table.head
    night.phones["tom"].see_head(before)
    tom.evaluate("""() => document.addEventListener("htmx:sse:before:message", (event) => {
      event.preventDefault();
      event.stopImmediatePropagation();
    }, true)""")
    tom.tap("text=A fault")
    with tom.expect_response("**/record") as answer:
        tom.tap(FAULT)
    assert answer.value.status == 204, "the server has sent the message"
    until(tom, f"() => Number(document.querySelector('#live [data-head]').dataset.head) === {before + 1}")


SAYS_SO = """() => !document.getElementById("net").hidden
  && document.getElementById("net").textContent.startsWith("Too many phones are watching: this page renews itself")"""


def test_a_phone_without_a_stream_says_so_renews_itself_and_follows_when_there_is_room(
    night: BrowserNight, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(night.server, SiteServer)
    live, phone, asked = night.server.live, night.phones["ben"], list[str]()
    for one in night.phones.values():
        one.page.goto("about:blank")
    meanwhile(phone.page, lambda: not live.presence.devices(night.code))
    room = Room(limit=1, kept_for_players=0)
    room.take("theirs", ViewerGroup("OTHER", is_player=True))
    monkeypatch.setattr(live, "_room", room)
    phone.excuse("status of 503")
    phone.page.clock.install()
    phone.page.goto(f"{night.guests_url}/n/{night.code}")
    until(phone.page, SAYS_SO)
    assert live.presence.devices(night.code) == frozenset()
    phone.page.on("request", lambda one: asked.append(one.url) if re.search("/stream|/live", one.url) else None)
    night.record("penalty", seat="mia", offence="false-rummy")
    phone.page.clock.run_for(7_000)
    assert asked == []
    phone.page.clock.run_for(6_000)
    phone.see_head(night.head())
    assert len(asked) == 1
    until(phone.page, SAYS_SO)
    room.give_up("theirs")
    phone.page.clock.run_for(13_000)
    meanwhile(phone.page, lambda: len(live.presence.devices(night.code)) == 1)
    phone.page.wait_for_selector("#net", state="hidden")
    night.record("penalty", seat="mia", offence="false-rummy")
    phone.see_head(night.head())
    assert len(asked) == 2
