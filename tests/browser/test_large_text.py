"""Every page with enlarged text: nothing is cut, nothing overlaps, no word falls apart into letters."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from support.browser_phones import BrowserNight, browser_night
from support.layout_faults import layout_faults
from support.looks import enlarge
from support.people_pages import pages_of_people

OF_HOST = (
    "/",
    "/new",
    "/new/michigan-rummy",
    "/boards",
    "/boards/michigan-rummy",
    "/join",
    "/help",
    "/trust",
    "/backups",
    "/put-away",
)
OF_NIGHT = (
    *(
        "",
        "/lobby",
        "/log",
        "/share",
        "/on-tv",
        "/wifi",
        "/sheet",
        "/sheet/ben",
        "/count",
        "/settle",
        "/files",
        "/sounds",
        "/settings",
    ),
    *("/order", "/hand-over", "/seat/ben", "/phones", "/pin", "/change/6", "/take-back/6", "/rules"),
)
OF_SEAT = ("", "/log", "/share", "/sheet/ben", "/count", "/settle", "/files")
SIZES = (("en", 390, 844, 200), ("de", 320, 568, 200), ("de", 390, 844, 130))
"""Language, width and height in CSS pixels, text size in per cent."""


@pytest.fixture(name="night", scope="module")
def _night(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserNight]:
    with browser_night(browser, tmp_path_factory.mktemp("data")) as night:
        night.open("Ruth")
        night.join(night.link_in_code(), "Ben")
        night.add("Hanna", "Opa Hans", "Großmama-Wil", "Leo", "Mia", "Zoe")
        night.begin("Ruth")
        night.record("no-sale")
        night.phones["ben"].collect("ten-hearts")
        yield night


@pytest.fixture(name="of_people", scope="module")
def _of_people(night: BrowserNight) -> tuple[str, ...]:
    return pages_of_people(night, "Großmama-Wil")


@pytest.mark.parametrize(("language", "width", "height", "percent"), SIZES)
def test_with_large_text_nothing_is_cut_or_covered(
    night: BrowserNight, of_people: tuple[str, ...], language: str, width: int, height: int, percent: int
) -> None:
    wrong, of_host = {}, (*OF_HOST, *of_people)
    for phone, paths in ((night.host, (*of_host, *OF_NIGHT)), (night.phones["ben"], OF_SEAT)):
        phone.context.add_cookies([{"name": "lang", "value": language, "url": phone.origin}])
        phone.page.emulate_media(reduced_motion="reduce")
        phone.page.set_viewport_size({"width": width, "height": height})
        enlarge(phone.page, percent)
        for path in paths:
            at = path if path in of_host else f"/n/{night.code}{path}"
            answer = phone.page.goto(f"{phone.origin}{at}")
            assert answer
            assert answer.status == 200, at
            if mislaid := layout_faults(phone.page):
                wrong[phone.name, path] = mislaid
    assert wrong == {}
