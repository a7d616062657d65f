"""How a page is looked at: light or dark, text size, screen; and what axe-core finds wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from itertools import product
from weakref import WeakKeyDictionary

from playwright.sync_api import BrowserContext, CDPSession, Page
from support.waiting import resize

SCREENS = {"phone": (390, 844), "laptop": (1280, 800), "TV": (1920, 1080)}
SCHEMES, SIZES, LANGUAGES = ("light", "dark"), (100, 200), ("en", "de")
AXE_OPTIONS = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "rules": {
        "label-content-name-mismatch": {"enabled": True},
        "target-size": {
            "enabled": False
        },  # takes what a dock covers for small; layout_faults measures each in full view
    },
}
RUN_AXE = """async ([within, options]) => (await axe.run(within || document, options)).violations.map((one) => {
  const where = one.nodes.slice(0, 3).map((node) => `${node.target.join(" ")} | ${node.html.slice(0, 90)}`);
  return `${one.id}: ${where.join("; ")}`;
})"""


@dataclass(frozen=True)
class Look:
    """Light or dark, text size in per cent, and screen."""

    scheme: str
    percent: int
    screen: str

    def __str__(self) -> str:
        return f"{self.screen}, {self.scheme}, {self.percent} %"


_sessions: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()
"""What sets the text size of each page: it holds only while its session is open."""
LOOKS = tuple(Look(*one) for one in product(SCHEMES, SIZES, SCREENS))
PAIRS = {
    "en": (Look("light", 100, "phone"), Look("dark", 200, "laptop"), Look("light", 200, "TV")),
    "de": (Look("dark", 200, "phone"), Look("light", 100, "laptop"), Look("dark", 100, "TV")),
}
"""Every pair of language, theme, text size and screen once."""


def add_axe(context: BrowserContext) -> None:
    """Have every page of a browser load axe-core before its own scripts."""
    context.add_init_script(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))


def axe_violations(page: Page, within: str = "") -> list[str]:
    """Return each rule that a page, or the part of it that the selector `within` names, breaks, with where."""
    found: list[str] = page.evaluate(RUN_AXE, [within, AXE_OPTIONS])
    return found


def set_look(page: Page, look: Look) -> None:
    """Show a page in this scheme, text size and screen."""
    page.emulate_media(color_scheme="dark" if look.scheme == "dark" else "light", reduced_motion="reduce")
    enlarge(page, look.percent)
    resize(page, *SCREENS[look.screen])


def enlarge(page: Page, percent: int) -> None:
    """Set the browser's own text size, as its settings do."""
    session = _sessions.get(page)
    if session is None:
        session = _sessions[page] = page.context.new_cdp_session(page)
        session.send("Page.enable")
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 16 * percent // 100, "fixed": 13 * percent // 100}})
