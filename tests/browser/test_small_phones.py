"""Eight people, and five with long names, on the smallest phones: the table, all keys and the dock fit."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser
from support.page_states import MOMENTS, Moment, State, served_states

AT_TABLE = ("dummy", "auction", "play", "count", "poker", "between", "stakes", "held", "bets", "points")
COUNTS = ("excuse", "excuse asked")
"""The count of Pope Joan: its keys, and in their place who held the pope, when every number is known."""
_DEAL = ("hand", {"dealer": "opa-hans"})
_SOLD = (_DEAL, ("sale", {"buyer": "hanna", "price": 7}))
FIVE = {
    "five before the sale": Moment("michigan-rummy", 5, (_DEAL,)),
    "five after the sale": Moment("michigan-rummy", 5, _SOLD),
    "five count": Moment("michigan-rummy", 5, _SOLD, "ben"),
    "five count points": Moment("michigan-rummy-snake", 5, (), "hanna"),
}
"""A dealer and a buyer whose names make the header long."""
UNDER_DOCK = """() => {
  const top = document.getElementById("dock").getBoundingClientRect().top;
  return [...document.querySelectorAll(".pad .key")].filter((key) => key.checkVisibility())
    .filter((key) => key.getBoundingClientRect().bottom > top).length;
}"""
BOARD_TOP = "() => document.querySelector('.board').getBoundingClientRect().top"
BEYOND = "() => document.documentElement.scrollHeight - innerHeight"


@pytest.mark.parametrize("language", ["en", "de"])
def test_eight_people_fit_without_scrolling(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, language: str
) -> None:
    assert all(MOMENTS[name].people == 8 for name in AT_TABLE)
    context = browser.new_context(
        viewport={"width": 320, "height": 568}, is_mobile=True, has_touch=True, reduced_motion="reduce"
    )
    page, beyond, covered, tops = context.new_page(), {}, {}, set()
    with served_states(tmp_path_factory.mktemp("data")) as served:
        for name, moment_of_five in FIVE.items():
            served._open(name, moment_of_five)
        for moment in (*AT_TABLE, *COUNTS, *FIVE):
            for person in ("host", "ben", "watcher"):
                served.log_in(context, moment, person, language)
                served.show(page, State(moment, person, ""))
                covered[moment, person] = page.evaluate(UNDER_DOCK)
                if moment != "five count points":  # a fault can be scrolled to
                    beyond[moment, person] = page.evaluate(BEYOND)
                if "sale" in moment and person == "host":
                    tops.add(page.evaluate(BOARD_TOP))
        context.close()
    assert {one: pixels for one, pixels in beyond.items() if pixels > 0} == {}
    assert {one: keys for one, keys in covered.items() if keys} == {}
    assert len(tops) == 1  # the sale moves nothing
