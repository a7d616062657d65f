"""The README's moving picture, its still, the strips of docs/evening.md, and the words on them, from today's pages.

`PYTHONPATH=tests python tests/support/pictures.py` makes them anew; tests/browser/test_pictures.py says which are old.
"""

import io
import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from support import chromium
from support.browser_phones import RUMMY, BrowserPhone, browser_night
from support.of_extras import of_extras
from support.paths import ROOT

PICTURES = ROOT / "docs/pictures"
MOVING, STILL, WORDS = (PICTURES / name for name in ("table.webp", "table.png", "table.json"))
STILL_SHOT, LOBBY, SCREEN = "the table", "the code to join", "the big screen"
STRIP = (LOBBY, "a place is tapped", "a player is tapped", "cards left", "who pays whom")
"""What the strips of the evening show beside each other, by day and in the dark."""
HEIGHT, GAP, GROUND = 716, 20, "#6F6A60"
"""Of a strip: pixels of a page, and between two of them."""
MILLISECONDS = 1250
"""How long each of the eight pages is shown: ten seconds together."""


SHOWN = """() => {
  const spoken = [...document.querySelectorAll(".vh:not([hidden])")];  // said by a screen reader, at its own time
  for (const one of spoken) one.hidden = true;
  const text = document.body.innerText;
  for (const one of spoken) one.hidden = false;
  return text;
}"""


@dataclass(frozen=True)
class Shot:
    """A page as it stands in the picture."""

    name: str
    page: Page
    words: list[str]

    def image(self) -> Image.Image:
        """Return its picture, as long as the page shows it."""
        return Image.open(io.BytesIO(self.page.screenshot(animations="disabled"))).convert("RGB")


def shot(phone: BrowserPhone, name: str) -> Shot:
    shown = re.sub(r"\w+day at", "Saturday at", phone.page.evaluate(SHOWN))  # a night is named after its day
    words = [line.strip() for line in shown.splitlines() if line.strip()]
    if name == LOBBY:  # what stands above, and last on the big screen, are this machine's address and the night's code
        words = words[words.index("Seats, clockwise") :]
    elif name == SCREEN and "Join at" in words:
        words = words[: words.index("Join at")]
    return Shot(name, phone.page, words)


def first_hand(browser: Browser, folder: Path, scheme: Literal["light", "dark"] = "light") -> Iterator[Shot]:
    """Play a hand of four on one phone; yield its lobby, what it shows at each of eight moments, and the big screen."""
    with browser_night(browser, folder, is_drawn=True) as night:
        host = night.host_phone("Ruth")
        host.page.goto(f"{night.server.here}/new/{RUMMY}")
        host.page.fill("[name=host]", "Ruth")
        host.tap_word("Open the table")
        host.page.wait_for_url("**/lobby")
        night.code = host.page.url.split("/")[-2]
        host.page.emulate_media(color_scheme=scheme)
        night.add("Ben", "Mia", "Tom")
        host.page.evaluate("scrollTo(0, 0)")
        yield shot(host, LOBBY)
        night.begin("Ruth")
        host.record_word("Left alone")
        yield shot(host, STILL_SHOT)
        host.see("#p-queen-hearts[data-ask]")
        host.tap("#p-queen-hearts")
        yield shot(host, "a place is tapped")
        host.record("#s-mia")
        yield shot(host, "a player is tapped")
        host.collect_for("king-clubs", "tom")
        yield shot(host, "another pot is taken")
        host.tap_word("Someone is out")
        host.tap("#s-ben")
        host.see(".pad")
        host.cards(3, 1, 4)
        host.see("#pay:has-text('Pay Ben 13')")
        host.see("text=pays 4")
        yield shot(host, "cards left")
        host.record("#pay")
        yield shot(host, "they are paid")
        host.record("#s-mia")
        yield shot(host, "the poker pool is taken")
        host.page.goto(f"{host.origin}/n/{night.code}/settle")
        yield shot(host, "who pays whom")
        host.page.set_viewport_size({"width": 1280, "height": 720})
        for page in of_extras("watched"):
            host.page.goto(f"{host.origin}/n/{night.code}{page}")
            yield shot(host, SCREEN)


def strip(shots: Mapping[str, Image.Image], names: Sequence[str], height: int = HEIGHT) -> Image.Image:
    """Return some pages beside each other."""
    pages = [shots[name].resize((round(shots[name].width * height / shots[name].height), height)) for name in names]
    width = sum(page.width + GAP for page in pages) + GAP
    ground = Image.new("RGB", (width, height + 2 * GAP), GROUND)
    for at, page in enumerate(pages):
        ground.paste(page, (GAP + sum(before.width + GAP for before in pages[:at]), GAP))
    return ground


def save(picture: Image.Image, path: Path, colours: int) -> None:
    """Write a picture of few colours, as small as it can be."""
    picture.quantize(colours).save(path, optimize=True)


def main() -> None:
    """Write the pictures and their words."""
    words: dict[str, list[str]] = {}
    taken: dict[str, dict[str, Image.Image]] = {"light": {}, "dark": {}}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.program(), args=list(chromium.ARGUMENTS))
        for scheme in ("light", "dark"):
            with tempfile.TemporaryDirectory() as folder:
                for one in first_hand(browser, Path(folder), scheme):
                    taken[scheme][one.name], words[one.name] = one.image(), one.words
        browser.close()
    day, dark = taken.values()
    frames = [picture for name, picture in day.items() if name not in (LOBBY, SCREEN)]
    frames[0].save(MOVING, save_all=True, append_images=frames[1:], duration=MILLISECONDS, loop=0, quality=70, method=6)
    save(day[STILL_SHOT], STILL, 64)
    save(strip(day, STRIP), PICTURES / "evening.png", 256)
    save(strip(dark, STRIP), PICTURES / "dark.png", 256)
    save(strip({"day": day[SCREEN], "dark": dark[SCREEN]}, ("day", "dark"), 488), PICTURES / "tv.png", 256)
    WORDS.write_text(json.dumps(words, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
