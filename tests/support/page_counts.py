"""How many words and controls each page shows, and how long it is, at 390×844: an evening of three games, tapped.

`PYTHONPATH=tests python tests/support/page_counts.py [FOLDER]` prints the table; pictures of the pages go to FOLDER.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
from playwright.sync_api import Page, sync_playwright
from support import chromium
from support.browser_phones import BrowserNight, BrowserPhone, browser_night

COUNTS = r"""() => {
  const sheet = document.querySelector("#sheets:not([hidden])"), root = sheet || document.body;
  const isShown = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && !one.closest(".vh, script, style, noscript, [inert], #main-link");
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let words = 0;
  while (texts.nextNode()) {
    if (!isShown(texts.currentNode.parentElement)) continue;
    words += texts.currentNode.data.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;
  }
  const controls = "a[href], button:not(.backdrop), input:not([type=hidden]), select, textarea, summary";
  const found = [...root.querySelectorAll(controls)].filter((one) => isShown(one) && one.getClientRects().length);
  const high = sheet ? document.querySelector("#sheet").scrollHeight : document.documentElement.scrollHeight;
  return [words, found.filter((one) => one.getBoundingClientRect().width > 2).length, high];
}"""
"""Words that are shown, controls, and the page's height in pixels; of a sheet that is open, not of what is under it."""
OTHERS = ("Ben", "Mia", "Tom", "Ana")

Counted = tuple[str, int, int, int]


def count(page: Page, name: str, folder: Path | None) -> Counted:
    """Return what a page is called, its words, its controls and its height; put its picture into the folder."""
    page.wait_for_load_state()
    page.evaluate("document.fonts.ready")
    if folder:
        file = f"{name}.png".replace(" ", "-").replace("/", "-")
        page.screenshot(path=folder / file, animations="disabled")
    words, controls, high = page.evaluate(COUNTS)
    return name, words, controls, high


class Evening:
    """A host with four people at the table, the first of them on the own phone; what is counted comes out by and by."""

    def __init__(self, night: BrowserNight, folder: Path | None) -> None:
        self.night, self.folder = night, folder
        self.host = night.host_phone("Ruth")

    def look(self, name: str, phone: BrowserPhone | None = None) -> Counted:
        return count((phone or self.host).page, name, self.folder)

    def page(self, path: str, name: str, phone: BrowserPhone | None = None) -> Counted:
        one = phone or self.host
        one.page.goto(f"{one.origin}{path}")
        return self.look(name, one)

    def sheet(self, path: str, name: str, phone: BrowserPhone | None = None) -> Counted:
        one = phone or self.host
        one.page.goto(f"{one.origin}/n/{self.night.code}{path}")
        one.see("#sheet .sheet-top")
        return self.look(name, one)

    def way_in(self) -> Iterator[Counted]:
        """From the first page to the first question of the table."""
        host, night = self.host, self.night
        host.page.goto(f"{night.command.here}/")
        yield self.look("First page, new")
        yield self.page("/new", "What are we playing?")
        host.page.goto(f"{night.command.here}/")
        host.page.fill("[name=host]", "Ruth")
        host.tap_word("Michigan Rummy")
        host.page.wait_for_url("**/lobby")
        night.code = host.page.url.split("/")[-2]
        yield self.look("Lobby, alone")
        link = str(host.page.evaluate("() => document.documentElement.innerHTML.match(/\\/j\\/[\\w-]+/)[0]"))
        guest = night.phone("Ben")
        guest.page.goto(f"{night.guests_url}{link}")
        yield self.look("Join", guest)
        guest.page.fill("#name", "Ben")
        guest.tap_word("Sit down")
        guest.page.wait_for_url("**/lobby")
        yield self.look("Lobby, a guest", guest)
        night.add(*OTHERS[1:])
        yield self.look("Lobby, five people")
        host.tap_word("Everyone is here")
        host.see("button.person")
        yield self.look("Who deals first?")
        host.tap("button.person:has-text('Mia')")

    def table(self) -> Iterator[Counted]:
        """A hand of Michigan Rummy, its sheets, and the pages that its menu leads to."""
        host, night = self.host, self.night
        guest = night.phones["ben"]
        night.everybody_sees()
        yield self.look("Dummy hand")
        host.drag("#p-ten-hearts", "#s-tom")
        yield self.look("Table, host")
        guest.see_head(host.head)
        yield self.look("Table, a guest", guest)
        yield self.sheet("/sheet", "Menu, host")
        yield self.sheet("/sheet", "Menu, a guest", guest)
        yield self.sheet("/sheet/mia", "A person's sheet")
        yield self.sheet("/sheet/ben", "My chips", guest)
        base = f"/n/{night.code}"
        for path, name in (("rules", "Rules tonight"), ("settings", "Settings of this night"), ("log", "Log")):
            yield self.page(f"{base}/{path}", name)
        guest.page.goto(f"{night.guests_url}{base}")
        host.page.goto(f"{night.command.here}{base}")
        host.drag("#p-jackpot", "#s-mia")
        host.see(".pad")
        yield self.look("Cards left")
        host.cards(3, 1, 4, 2)
        host.record("#pay[aria-disabled=false]")
        yield self.look("Poker pool")
        host.record("#s-tom")
        yield self.look("Between hands")
        host.tap_word("Finish")
        host.page.wait_for_url("**/settle")
        yield self.look("Finish")
        host.tap_word("Split and finish")
        host.see(".podium")
        yield self.look("Result")

    def around(self) -> Iterator[Counted]:
        """The score sheets, and what is around the table once a night is over."""
        pages = (("/", "First page, used"), ("/nights", "All nights"), ("/files", "Files and machine"))
        for path, name in (*pages, ("/new", "Another game"), ("/statistics", "Statistics"), ("/people", "People")):
            yield self.page(path, name)
        self.night.phones.pop("ben").context.close()
        for preset, name in (("hearts", "Hearts"), ("eight-round-rummy", "8 Round Rummy")):
            host = self.night.play("Ruth", others=OTHERS, preset=preset)
            yield self.look(name)
            if preset == "hearts":
                host.tap("#do-stock")
                host.see("#pad-points")
                yield self.look("Hearts, points")


def evening(night: BrowserNight, folder: Path | None = None) -> Iterator[Counted]:
    """Play an evening and yield what each page shows."""
    one = Evening(night, folder)
    yield from one.way_in()
    yield from one.table()
    yield from one.around()


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), required=False)
def main(folder: Path | None) -> None:
    """Print how many words and controls each page shows, and how many pixels long it is."""
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as data:
        browser = playwright.chromium.launch(executable_path=chromium.program(), args=list(chromium.ARGUMENTS))
        with browser_night(browser, Path(data)) as night:
            click.echo(f"{'page':<26}{'words':>7}{'controls':>10}{'pixels':>8}")
            for name, words, controls, high in evening(night, folder):
                click.echo(f"{name:<26}{words:>7}{controls:>10}{high:>8}")
        browser.close()


if __name__ == "__main__":
    main()
