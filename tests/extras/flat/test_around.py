"""Where everything is on the tablet, on each size of screen: docks upright for who sits there, large enough, apart."""

from itertools import combinations

import pytest
from extras.flat.tablet import AROUND, Tablet, tablet_at
from playwright.sync_api import Browser
from support.client_phones import Site
from support.waiting import resize, until

from tracker.streaming.hub import StreamHub

NAMES = ("Ben", "Mia", "Tom", "Großmama Wilhelmine", "Opa Hans", "Zoe", "Leo")
SIZES = ((1024, 600), (1366, 1024), (1180, 820), (600, 1024), (1024, 1366))
GAMES = ("michigan-kitty", "score-sheet", "michigan-rummy-snake", "eight-round-rummy")
SIDES = ["c", "c", "b", "a", "a", "a", "d", "c"]
"""The side of the table that each place of the board lies nearest to: it is turned to that."""
Box = tuple[float, float, float, float]
"""left, top, right, bottom"""
BOXES = """selector => [...document.querySelectorAll(selector)].map((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  return [left, top, right, bottom];
})"""
OUTSIDE = """() => [...document.querySelectorAll(".own-dock")].flatMap((dock) => {
  const around = dock.getBoundingClientRect();
  return [...dock.querySelectorAll("button, a")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width && (box.left < around.left - 1 || box.top < around.top - 1
      || box.right > around.right + 1 || box.bottom > around.bottom + 1);
  }).map((one) => one.outerHTML.slice(0, 90));
})"""
"""What can be tapped and stands out of its dock."""
OVERLAPPING = """() => [...document.querySelectorAll(".own-dock")].flatMap((dock) => {
  const found = [...dock.querySelectorAll("button, a:not(h1 a)")].map((one) => [one, one.getBoundingClientRect()])
    .filter(([one, box]) => box.width && getComputedStyle(one).visibility !== "hidden");
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  return found.flatMap(([one, box], at) => found.slice(at + 1).filter(([, other]) => over(box, other))
    .map(([other]) => `${one.textContent.trim()} and ${other.textContent.trim()}`));
})"""
"""What can be tapped in one dock and covers something else that can."""
UPRIGHT = """() => [...document.querySelectorAll(".own-dock")].map((dock) => {
  const matrix = new DOMMatrix(getComputedStyle(dock).transform);
  const box = dock.getBoundingClientRect();
  const out = [(box.left + box.right) / 2 - innerWidth / 2, (box.top + box.bottom) / 2 - innerHeight / 2];
  return out[0] * -matrix.b + out[1] * matrix.a;
})"""
"""How far each dock is from the middle in the direction of its own lower edge: whoever reads it sits behind that."""


def boxes(tablet: Tablet, selector: str) -> list[Box]:
    found: list[Box] = [
        (left, top, right, bottom) for left, top, right, bottom in tablet.page.evaluate(BOXES, selector)
    ]
    return found


def gap(one: Box, other: Box) -> float:
    return max(one[0] - other[2], other[0] - one[2], one[1] - other[3], other[1] - one[3])


def check_around(tablet: Tablet, size: tuple[int, int]) -> None:
    docks = boxes(tablet, ".own-dock")
    for left, top, right, bottom in docks:
        assert min(left, top) > -1
        assert right < size[0] + 1
        assert bottom < size[1] + 1
        long, short = sorted((right - left, bottom - top), reverse=True)
        assert (round(long), round(short)) >= (300, 120)
        assert round(short) >= 120
    assert min(gap(*pair) for pair in combinations(docks, 2)) > 11.4
    assert min(gap(dock, corner) for dock in docks for corner in boxes(tablet, ".corner")) >= 0
    assert all(one > 0 for one in tablet.page.evaluate(UPRIGHT))
    assert tablet.page.evaluate(OUTSIDE) == []
    assert tablet.page.evaluate(OVERLAPPING) == []


def check_middle(tablet: Tablet) -> None:
    [middle] = boxes(tablet, "#live :is(.board, .rtable, .tray)")
    assert middle[2] - middle[0] >= 330
    assert min(gap(middle, dock) for dock in boxes(tablet, ".own-dock")) >= 0


@pytest.mark.parametrize("people", [3, 4, 6, 8])
def test_docks_are_large_enough_apart_and_upright_for_who_sits_there(
    browser: Browser, site: Site, live: StreamHub, people: int
) -> None:
    with tablet_at(browser, site, live, people=NAMES[: people - 1]) as (tablet, _host):
        sides = tablet.page.locator(".compartment").evaluate_all("places => places.map((one) => one.dataset.side)")
        assert sides == SIDES
        for size in SIZES:
            resize(tablet.page, *size)
            check_around(tablet, size)
            check_middle(tablet)
        tablet.record(tablet.dock("ben", "[value='deal:ben']"))
        for size in SIZES:
            resize(tablet.page, *size)
            check_around(tablet, size)


@pytest.mark.parametrize("preset", GAMES)
def test_every_game_fits_its_docks(browser: Browser, site: Site, live: StreamHub, preset: str) -> None:
    with tablet_at(browser, site, live, preset=preset, people=NAMES[:4]) as (tablet, _host):
        first = {"score-sheet": "[value=stock]", "eight-round-rummy": "[value^='round:']"}
        tablet.tap(tablet.dock("ben", first.get(preset, "[value^='out:'], [value='deal:ben']")))
        until(tablet.page, "() => document.querySelector('.own-dock .pad, [value=no-sale], [id^=d-ben-undo]')")
        check_around(tablet, (1024, 600))
        check_middle(tablet)


@pytest.mark.parametrize("around", [("a3", "a1", "c1", "c3"), AROUND[4]], ids=["corners", "sides"])
def test_with_text_of_twice_the_size_four_people_have_a_corner_each(
    browser: Browser, site: Site, live: StreamHub, around: tuple[str, ...]
) -> None:
    with tablet_at(browser, site, live, people=NAMES[:3], around=around) as (tablet, _host):
        tablet.touch.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
        tablet.page.reload()
        tablet.record(tablet.dock("ben", "[value='deal:ben']"))
        for size in ((1366, 1024), (600, 1024), (1024, 600)):
            resize(tablet.page, *size)
            check_around(tablet, size)
        tablet.record(tablet.dock("ben", "[value=no-sale]"))
        tablet.tap("#p-king-clubs")
        tablet.record(".takes[data-dock=tom] button")
        assert tablet.table.entries[-1].by == "tom"
