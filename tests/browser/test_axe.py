"""Every page in every state by axe-core: no violation in any language, theme, text size or screen. Prints the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page
from support.looks import LANGUAGES, LOOKS, PAIRS, Look, add_axe, axe_violations, set_look
from support.page_states import ServedStates, State, served_states

pytest.importorskip("axe_playwright_python")

EACH = 23
"""How many addresses apart those are that the short run looks at, each in one look by turns."""

MOMENTARY = {
    "no taps yet": """() => {
      const out = document.getElementById("do-out");
      for (const one of out?.getAnimations() ?? []) {
        one.currentTime = 200;
        one.pause();
      }
      if (out && getComputedStyle(out).pointerEvents !== "none") throw new Error("the way out takes taps");
    }""",
    "no stream yet": "() => document.getElementById('live').classList.add('htmx-request')",
    "a tap on its way": """async () => {
      document.getAnimations().forEach((one) => { try { one.finish(); } catch { /* it never ends */ } });
      (document.getElementById("move") ?? document.getElementById("live")).classList.add("htmx-request");
      await new Promise((done) => requestAnimationFrame(done));
      document.getAnimations().forEach((one) => { try { one.finish(); } catch { /* it never ends */ } });
    }""",
    "no contact": "() => document.body.classList.add('lost')",
}
"""What a page shows for a moment only, each held by a script for as long as axe-core looks; one after the other."""
MOMENTARY_AT = {State("play", "ben", ""): "en", State("snake", "host", ""): "de", State("play", "watcher", "/tv"): "en"}
"""Where these are looked at, and in which language."""


@pytest.fixture(name="served", scope="module")
def _served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedStates]:
    with served_states(tmp_path_factory.mktemp("data")) as states:
        yield states


def violations(
    served: ServedStates, page: Page, states: list[State], language: str, looks: Callable[[int], tuple[Look, ...]]
) -> Iterator[tuple[State, Look, list[str]]]:
    """Yield each state and what opens over it, in each of its looks, with the rules that it breaks."""
    for at, address in enumerate(states):
        served.log_in(page.context, address.moment, address.person, language)
        for state in served.opened(page, address):
            for look in looks(at):
                set_look(page, look)
                yield state, look, axe_violations(page, state.part)


@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_in_any_state(
    browser: Browser,
    served: ServedStates,
    language: str,
    short_or_long: Callable[[int, int], int],
    figure: Callable[[str], None],
) -> None:
    each = short_or_long(EACH, 1)
    pairs = PAIRS[language]
    context = browser.new_context(has_touch=True, locale="en-GB")
    add_axe(context)
    count, found = Counter[Look](), list[str]()
    states = list(served.all_states())[LANGUAGES.index(language) :: each]
    looks = LOOKS if each == 1 else ()
    for state, look, broken in violations(
        served, context.new_page(), states, language, lambda at: looks or (pairs[at % len(pairs)],)
    ):
        count[look] += 1
        found += [f"{state}, {look}: {rule}" for rule in broken]
    context.close()
    for look, pages in count.items():
        bad = sum(f", {look}: " in one for one in found)
        figure(f"axe: {language}, {look}: {pages} states, {bad} violations")
    assert not found


def test_axe_finds_nothing_in_what_a_page_shows_for_a_moment_only(browser: Browser, served: ServedStates) -> None:
    """While a button takes no taps yet, a tap is on its way, the stream isn't there yet, or there is no contact."""
    context = browser.new_context(has_touch=True, locale="en-GB")
    add_axe(context)
    page, broken = context.new_page(), []
    for state, language in MOMENTARY_AT.items():
        served.log_in(context, state.moment, state.person, language)
        for look in PAIRS[language]:
            set_look(page, look)
            served.show(page, state)
            for name, show in MOMENTARY.items():
                page.evaluate(show)
                broken += [f"{state}, {look}, {name}: {rule}" for rule in axe_violations(page, "#live")]
    context.close()
    assert broken == []
