"""Eight people on the smallest phones: the table, the count's keys and the dock fit without scrolling."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser
from support.page_states import MOMENTS, State, served_states

AT_TABLE = ("dummy", "auction", "play", "count", "poker", "between", "stakes", "held", "bets", "points")
COUNTS = ("excuse", "excuse asked")
"""The count of Pope Joan: its keys, and in their place who held the pope, when every number is known."""
BEYOND = "() => document.documentElement.scrollHeight - innerHeight"


@pytest.mark.parametrize("language", ["en", "de"])
def test_eight_people_fit_without_scrolling(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, language: str
) -> None:
    assert all(MOMENTS[name].people == 8 for name in AT_TABLE)
    context = browser.new_context(
        viewport={"width": 320, "height": 568}, is_mobile=True, has_touch=True, reduced_motion="reduce"
    )
    page, beyond = context.new_page(), {}
    with served_states(tmp_path_factory.mktemp("data")) as served:
        for moment in (*AT_TABLE, *COUNTS):
            for person in ("host", "ben", "watcher"):
                served.log_in(context, moment, person, language)
                served.show(page, State(moment, person, ""))
                beyond[moment, person] = page.evaluate(BEYOND)
        context.close()
    assert {one: pixels for one, pixels in beyond.items() if pixels > 0} == {}
