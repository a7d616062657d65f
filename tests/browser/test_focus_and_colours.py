"""Focus stays where a person was, sheets keep Tab inside, and pages hold with forced colours and without motion."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from support.page_states import ServedStates, State, served_states
from support.waiting import until

WHERE = "() => document.activeElement.closest('#sheet, #live')?.id || document.activeElement.tagName"
UNMARKED = """() => {
  const look = (one) => {
    const style = getComputedStyle(one);
    return [style.outlineStyle, style.borderTopWidth, style.borderTopStyle, style.textDecorationLine].join();
  };
  const chosen = "[aria-current], [aria-selected=true], .seg > [aria-pressed=true], .count-row.now, .hand.now";
  return [...document.querySelectorAll(chosen)].filter((one) => one.getClientRects().length).filter((one) => {
    const others = [...one.parentElement.children].filter((other) => other !== one && other.tagName === one.tagName);
    return others.length && !others.some((other) => look(other) !== look(one));
  }).map((one) => one.outerHTML.slice(0, 90));
}"""
MOVING = """() => {
  const seconds = (list) => Math.max(...list.split(",").map((one) => parseFloat(one) || 0));
  const guards = ["tap-pause", "hide"];  // these only keep taps away
  return [...document.querySelectorAll("*")].filter((one) => {
    const style = getComputedStyle(one);
    const isAnimated = style.animationName !== "none" && !guards.some((name) => style.animationName.includes(name));
    return seconds(style.transitionDuration) > .001 || isAnimated && seconds(style.animationDuration) > .001;
  }).map((one) => one.outerHTML.slice(0, 90));
}"""


@pytest.fixture(name="served", scope="module")
def _served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedStates]:
    with served_states(tmp_path_factory.mktemp("data")) as states:
        yield states


@pytest.fixture(name="page", scope="module")
def _page(browser: Browser, served: ServedStates) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB", reduced_motion="reduce")
    context.set_default_timeout(60_000)
    served.log_in(context, "play", "host", "en")
    yield context.new_page()
    context.close()


def tables(served: ServedStates) -> list[State]:
    """Return the table of each moment, on the host's device."""
    return [
        state for state in served.all_states() if state.person == "host" and not state.path and state.moment != "site"
    ]


def test_a_sheet_keeps_tab_inside_and_gives_the_focus_back(served: ServedStates, page: Page) -> None:
    """On every table, the menu and the sheet of somebody; after it is closed by Escape the same thing has the focus."""
    for state in tables(served):
        served.log_in(page.context, state.moment, state.person, "en")
        served.show(page, state)
        if page.url.endswith("/lobby"):
            continue
        opener = "a[href$='/sheet']"
        page.focus(f"{opener} >> visible=true")
        page.keyboard.press("Enter")
        page.wait_for_selector("#sheet .sheet-top >> visible=true")
        for _ in range(30):
            page.keyboard.press("Tab")
            assert page.evaluate(WHERE) != "live", state
        page.keyboard.press("Escape")
        page.wait_for_selector("#sheets", state="hidden")
        assert page.evaluate(f'() => document.activeElement.matches("{opener}")'), state


def test_the_focus_stays_beside_a_button_that_is_gone_after_its_tap(served: ServedStates, page: Page) -> None:
    served.log_in(page.context, "between", "host", "en")
    served.show(page, State("between", "host", ""))
    page.focus("[name=do][value^='ante:']")
    page.keyboard.press("Enter")
    until(page, "() => document.querySelector('#live [data-moment]').dataset.moment === 'dummy'")
    until(page, "() => document.activeElement.closest('#dock') !== null")
    page.focus("#do-sold")
    page.keyboard.press("Enter")
    until(page, "() => document.body.dataset.ask === 'buyer'")
    until(page, "() => document.activeElement.closest('#dock') !== null")


def test_what_is_chosen_or_next_is_marked_without_our_colours(served: ServedStates, page: Page) -> None:
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    unmarked = []
    for state in tables(served):
        served.log_in(page.context, state.moment, state.person, "en")
        for shown in served.opened(page, state):
            unmarked += [f"{shown}: {one}" for one in page.evaluate(UNMARKED)]
    page.emulate_media(forced_colors="none", reduced_motion="reduce")
    assert not unmarked


def test_nothing_moves_for_those_who_want_no_motion(served: ServedStates, page: Page) -> None:
    moving = []
    for state in tables(served):
        served.log_in(page.context, state.moment, state.person, "en")
        served.show(page, state)
        moving += [f"{state}: {one}" for one in page.evaluate(MOVING)]
    assert not moving
