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

STOP_ANIMATION = """for (const one of document.getElementById("do-out").getAnimations()) {
  one.currentTime = 1000;
  one.pause();
}"""


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


def test_axe_finds_nothing_while_the_way_out_takes_no_taps_yet(browser: Browser, served: ServedStates) -> None:
    context = browser.new_context(has_touch=True, locale="en-GB")
    add_axe(context)
    page, state = context.new_page(), State("play", "ben", "")
    served.log_in(context, state.moment, state.person, "en")
    for look in (*PAIRS["en"], *PAIRS["de"]):
        set_look(page, look)
        served.show(page, state)
        page.evaluate(STOP_ANIMATION)
        assert page.evaluate("getComputedStyle(document.getElementById('do-out')).pointerEvents") == "none"
        assert axe_violations(page, "#dock") == [], look
    context.close()
