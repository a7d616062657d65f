"""The README's moving picture, its still, and the words that they show: taken from the pages as they are now.

`PYTHONPATH=tests python tests/support/pictures.py` makes them anew; tests/browser/test_pictures.py says which are old.
"""

from __future__ import annotations

import io
import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from support import chromium
from support.browser_phones import BrowserPhone, browser_night
from support.paths import ROOT

PICTURES = ROOT / "docs/pictures"
MOVING, STILL, WORDS = (PICTURES / name for name in ("table.webp", "table.png", "table.json"))
STILL_SHOT = "the table"
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
    image: bytes
    words: list[str]


def shot(phone: BrowserPhone, name: str) -> Shot:
    shown = re.sub(r"\w+day at", "Saturday at", phone.page.evaluate(SHOWN))  # a night is named after its day
    words = [line.strip() for line in shown.splitlines() if line.strip()]
    return Shot(name, phone.page.screenshot(animations="disabled"), words)


def first_hand(browser: Browser, folder: Path) -> Iterator[Shot]:
    """Play a hand of four on one phone; yield what it shows at each of eight moments."""
    with browser_night(browser, folder) as night:
        host = night.open("Ruth")
        night.add("Ben", "Mia", "Tom")
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


def main() -> None:
    """Write the pictures and their words."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium.program(), args=list(chromium.ARGUMENTS))
        shots = list(first_hand(browser, Path(folder)))
        browser.close()
    frames = [Image.open(io.BytesIO(one.image)).convert("RGB") for one in shots]
    frames[0].save(MOVING, save_all=True, append_images=frames[1:], duration=MILLISECONDS, loop=0, quality=70, method=6)
    (still,) = (frame for one, frame in zip(shots, frames, strict=True) if one.name == STILL_SHOT)
    still.quantize(64).save(STILL, optimize=True)
    words = {one.name: one.words for one in shots}
    WORDS.write_text(json.dumps(words, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
