"""Every page in every state with enlarged text: nothing is cut, nothing overlaps, no word falls apart into letters."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser
from support.layout_faults import layout_faults
from support.looks import enlarge
from support.page_addresses import TV_PAGES
from support.page_states import ServedStates, State, served_states

SIZES = (
    ("en", 390, 844, 200),
    ("de", 320, 568, 200),
    ("de", 390, 844, 130),
    ("de", 320, 568, 100),
    ("de", 360, 740, 100),
    ("en", 412, 915, 100),
)
"""Language, width and height in CSS pixels, text size in per cent."""
EACH = 14
"""How many addresses apart those are that the short run looks at, in each size by turns."""


@pytest.fixture(name="served", scope="module")
def _served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedStates]:
    with served_states(tmp_path_factory.mktemp("data")) as states:
        yield states


def states_on_phones(served: ServedStates) -> list[State]:
    """Return every state but the pages for a TV, which no phone shows."""
    return [state for state in served.all_states() if state.path not in TV_PAGES]


@pytest.mark.parametrize("size", SIZES)
def test_with_large_text_nothing_is_cut_or_covered(
    browser: Browser,
    served: ServedStates,
    size: tuple[str, int, int, int],
    short_or_long: Callable[[int, int], int],
    figure: Callable[[str], None],
) -> None:
    language, width, height, percent = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=True, locale="en-GB", reduced_motion="reduce"
    )
    page, wrong, count = context.new_page(), {}, 0
    enlarge(page, percent)
    each = short_or_long(EACH, 1)
    for address in states_on_phones(served)[SIZES.index(size) % each :: each]:
        served.log_in(context, address.moment, address.person, language)
        for state in served.opened(page, address):
            count += 1
            if faults := layout_faults(page):
                wrong[str(state)] = faults
    context.close()
    figure(f"large text: {language}, {width}x{height}, {percent} %: {count} states, {len(wrong)} with faults")
    assert wrong == {}
