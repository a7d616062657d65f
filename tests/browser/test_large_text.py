"""Every page with enlarged text: nothing is cut, nothing overlaps, no word falls apart into letters."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from support.browser_phones import BrowserNight, browser_night

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
        "/settings",
    ),
    *("/order", "/hand-over", "/seat/ben", "/phones", "/pin", "/change/6", "/take-back/6", "/rules"),
)
OF_SEAT = ("", "/log", "/share", "/sheet/ben", "/count", "/settle", "/files")
SIZES = (("en", 390, 844, 200), ("de", 320, 568, 200), ("de", 390, 844, 130))
"""Language, width and height in CSS pixels, text size in per cent."""

MISLAID = r"""() => {
  const hidden = ".vh, .vh *, svg, svg *, .sprite, [hidden], [hidden] *, .board *, option, script, style, noscript";
  const found = new Set(), boxes = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, element = text.parentElement;
    if (!text.data.trim() || element.closest(hidden)) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    const label = text.data.trim().slice(0, 24);
    range.selectNodeContents(text);
    const size = parseFloat(getComputedStyle(element).fontSize);
    const lines = [...range.getClientRects()].filter((box) => box.width > 1);
    const short = lines.filter((box) => box.width < 1.1 * size);
    if (/\p{L}{4}/u.test(label) && short.length > 2) found.add(`in letters: ${label}`);
    for (const box of lines) {
      if (box.left < -1 || box.right > innerWidth + 1) found.add(`outside: ${label}`);
      for (let around = element; around && around !== document.body; around = around.parentElement) {
        const style = getComputedStyle(around), edge = around.getBoundingClientRect();
        const isBeyond = box.right > edge.right + 1.5 || box.left < edge.left - 1.5;
        // three letters of a name are left
        const isShortened = style.textOverflow === "ellipsis" && element.closest(".nm, h1") && edge.width > 3 * size;
        if (style.overflowX === "hidden" && isBeyond && !isShortened) found.add(`cut: ${label}`);
        const middle = (box.top + box.bottom) / 2;
        const isBelow = middle > edge.bottom || middle < edge.top;
        if (style.overflowY === "hidden" && isBelow) found.add(`cut below: ${label}`);
      }
      // the letters without the free room above and below them
      const { left, right, top, bottom, height } = box;
      boxes.push({ left, right, top: top + .24 * height, bottom: bottom - .24 * height, element, label });
    }
  }
  const stays = (element) => ["fixed", "sticky"].includes(getComputedStyle(element).position);
  const isFixed = (element) => element && (stays(element) || isFixed(element.parentElement));
  const within = (element, name) => !!element.closest(name);
  const layer = (element) => [isFixed(element), within(element, ".sheets"), within(element, ".sheet-top")].join();
  boxes.forEach((one, index) => boxes.slice(index + 1).forEach((other) => {
    if (one.element === other.element || layer(one.element) !== layer(other.element)) return;
    const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (width > 3 && height > 2) found.add(`${one.label} over ${other.label}`);
  }));
  if (document.documentElement.scrollWidth > innerWidth + 1) found.add("the page scrolls sideways");
  return [...found];
}"""


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


def enlarge(page: Page, percent: int) -> None:
    """Set the browser's own text size, as its settings do."""
    session = page.context.new_cdp_session(page)
    session.send("Page.enable")
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 16 * percent // 100, "fixed": 13 * percent // 100}})


@pytest.mark.parametrize(("language", "width", "height", "percent"), SIZES)
def test_with_large_text_nothing_is_cut_or_covered(
    night: BrowserNight, language: str, width: int, height: int, percent: int
) -> None:
    wrong = {}
    for phone, paths in ((night.host, (*OF_HOST, *OF_NIGHT)), (night.phones["ben"], OF_SEAT)):
        phone.context.add_cookies([{"name": "lang", "value": language, "url": phone.origin}])
        phone.page.emulate_media(reduced_motion="reduce")
        phone.page.set_viewport_size({"width": width, "height": height})
        enlarge(phone.page, percent)
        for path in paths:
            at = path if path in OF_HOST else f"/n/{night.code}{path}"
            answer = phone.page.goto(f"{phone.origin}{at}")
            assert answer
            assert answer.status == 200, at
            if mislaid := phone.page.evaluate(MISLAID):
                wrong[phone.name, path] = mislaid
    assert wrong == {}
