"""Answers that come late: whichever of a tap's answer and the stream's picture is first, the page ends up right."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route
from support.four_phones import FourPhones, four_phones
from support.waiting import intercept, meanwhile, until

from tracker.core.events import Penalty, SeatId

SNAKE = "michigan-rummy-snake"
CLOSED = "() => document.getElementById('sheets').hidden"
FAULT = "#sheet button[value='penalty:unused-purchase']"


@pytest.fixture(name="phones", scope="module")
def _phones(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FourPhones]:
    with four_phones(browser, tmp_path_factory.mktemp("data"), heartbeat_seconds=1.0) as phones:
        phones.open(SNAKE, looking=["mia", "ben", "tom"])
        yield phones
        assert phones.errors == []


def held_answers(page: Page) -> list[tuple[Route, APIResponse]]:
    """Let the server have every move of this phone at once, and keep its answers back."""
    held: list[tuple[Route, APIResponse]] = []
    intercept(page, "**/record", lambda route: held.append((route, route.fetch())))
    return held


def test_a_sheet_closes_by_the_tap_made_in_it_also_when_the_stream_was_faster(phones: FourPhones) -> None:
    mia, before = phones.pages["mia"], phones.table.head
    held = held_answers(mia)
    mia.tap("text=A fault")
    mia.tap(FAULT)
    meanwhile(mia, lambda: bool(held))
    assert phones.table.head == before + 1
    phones.newest("mia")
    (route, answer) = held.pop()
    route.fulfill(response=answer)
    until(mia, CLOSED)
    mia.unroute("**/record")


def test_news_does_not_draw_a_sheet_again_under_a_finger(phones: FourPhones) -> None:
    mia, before = phones.pages["mia"], phones.table.head
    mia.tap("text=A fault")
    mia.tap(FAULT, trial=True)
    box = mia.locator(FAULT).bounding_box()
    assert box
    touch = mia.context.new_cdp_session(mia)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    mia.evaluate("() => { sheet.firstElementChild.dataset.old = ''; }")
    fault = Penalty(SeatId("ben"), "false-rummy")
    phones.table.record(fault, id="ben-faults", by="ben")
    mia.wait_for_timeout(300)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    meanwhile(mia, lambda: phones.table.head == before + 2)
    until(mia, CLOSED)


def test_a_sheet_that_can_not_be_fetched_shows_that_there_is_no_contact_and_opens_nothing(phones: FourPhones) -> None:
    mia = phones.pages["mia"]
    # The sign may stand for a moment only: the next beat of the stream is contact again.
    mia.evaluate("""() => {
        window.signs = [];
        new MutationObserver(() => signs.push(net.textContent)).observe(net, { childList: true });
    }""")
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


def test_an_answer_that_comes_late_does_not_bring_an_older_page_back(phones: FourPhones) -> None:
    mia, ben = phones.pages["mia"], phones.pages["ben"]
    phones.tap("tom", "#do-out")
    phones.see("mia", "Tap what you still hold")
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
    phones.tap("tom", "#not-out")
    phones.see("ben", "A fault")


def test_a_tap_is_shown_also_where_the_stream_has_lost_its_message(phones: FourPhones) -> None:
    tom, before = phones.pages["tom"], phones.table.head
    phones.newest("tom")
    tom.evaluate("""() => document.addEventListener("htmx:sse:before:message", (event) => {
      event.preventDefault();
      event.stopImmediatePropagation();
    }, true)""")
    tom.tap("text=A fault")
    with tom.expect_response("**/record") as answer:
        tom.tap(FAULT)
    assert answer.value.status == 204, "the server has sent the message"
    until(tom, f"() => Number(document.querySelector('#live [data-head]').dataset.head) === {before + 1}")
