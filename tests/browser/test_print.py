"""What a dark phone prints: the same as a light one, on white paper, and every text is clear."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from support.of_extras import of_extras
from support.page_states import SCREEN_PAGES, ServedStates, State

SHOWN = """() => {
  const colours = (one) => {
    const { color, backgroundColor, fill, stroke, borderTopColor } = getComputedStyle(one);
    return [one.tagName, color, backgroundColor, fill, stroke, borderTopColor].join(" ");
  };
  return [...document.querySelectorAll("body, body *")].filter((one) => one.getClientRects().length).map(colours);
}"""
PALE = """() => {
  const parse = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return [r, g, b, a]; };
  const part = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const over = ([r, g, b, a], below) => [r, g, b].map((one, at) => one * a + below[at] * (1 - a));
  const ground = (one) => {
    if (!one) return [255, 255, 255];
    const { backgroundColor, printColorAdjust } = getComputedStyle(one), below = ground(one.parentElement);
    return printColorAdjust === "exact" ? over(parse(backgroundColor), below) : below;  // else no ground is printed
  };
  const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const one = texts.currentNode.parentElement, text = texts.currentNode.data.trim();
    if (!text || one.closest(".vh, svg, noscript, script, style, :is(.tok, .board, .thumb, .rtable):has(svg)")) {
      continue;
    }
    const isVisible = one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!one.getClientRects().length || !isVisible) continue;
    const below = ground(one), ink = over(parse(getComputedStyle(one).color), below);
    const [dark, bright] = [light(below), light(ink)].sort((one, other) => one - other);
    if ((bright + 0.05) / (dark + 0.05) < 4.5) found.push([text.slice(0, 30), one.className, ink, below]);
  }
  return found;
}"""
"""Texts of too little contrast with the ground that their own elements paint; what stands on a drawing aside."""


@pytest.fixture(name="page")
def _page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 800, "height": 1100}, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def printed(page: Page, scheme: Any) -> set[str]:
    """Return the colours of everything that is printed."""
    page.emulate_media(media="print", color_scheme=scheme)
    return set(page.evaluate(SHOWN))


def check(page: Page, what: object) -> None:
    dark = printed(page, "dark")
    assert page.evaluate(PALE) == [], what
    assert dark == printed(page, "light"), what


def test_a_dark_phone_prints_every_page_as_a_light_one_does(
    served: ServedStates, page: Page, short_or_long: Callable[[int, int], int]
) -> None:
    """But pages for a big screen, and the rehearsal, whose guests play on meanwhile.

    The short run prints each fourth state.
    """
    states = [one for one in served.all_states() if one.path not in SCREEN_PAGES and one.moment != "rehearsal"]
    person = None
    for state in states[:: short_or_long(4, 1)]:
        if person != (state.moment, state.person):
            person = state.moment, state.person
            served.log_in(page.context, *person, "en")
        served.show(page, state)
        check(page, state)


def test_a_phone_that_is_always_dark_does_so_too(served: ServedStates, page: Page) -> None:
    for path in ("", "/settle", "/log", "/rules", *of_extras("ended")):
        state = State("ended", "host", path)
        served.log_in(page.context, "ended", "host", "en")
        page.context.add_cookies([{"name": "theme", "value": "dark", "url": served.url}])
        served.show(page, state)
        check(page, state)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_so_does_a_file_that_was_kept(served: ServedStates, page: Page, tmp_path: Path) -> None:
    for address in of_extras("kept_files"):
        answer = served.host.get(address.format_map(served.codes))
        assert answer.status_code == 200
        (tmp_path / "kept.html").write_bytes(answer.data)
        page.goto((tmp_path / "kept.html").as_uri())
        check(page, address)
