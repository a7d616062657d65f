"""The evenings of docs/by-ear.md: played by keyboard alone, as host and as guest, and written down as they are heard.

`PYTHONPATH=tests python tests/support/evenings_by_ear.py` writes that page anew; tests/browser/by_ear compares.
"""

import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from support import chromium
from support.browser_phones import AWAY, BrowserPhone
from support.listeners import EarsNight, Listener, open_page
from support.paths import ROOT
from support.server_process import Command
from support.waiting import until

PAGE = ROOT / "docs/by-ear.md"
WORDS_A_MINUTE = 180
"""How fast a screen reader speaks that nobody has set faster."""
HANDS = 10
KEYS_BEFORE = 124
"""Of the host in one hand of Michigan Rummy of four, by Tab, before people and places were lists."""


@contextmanager
def evening(browser: Browser, folder: Path) -> Iterator[EarsNight]:
    """Give a night of a server of its own that is not open yet."""
    command = Command(folder)
    try:
        night = EarsNight(browser, command)
        yield night
        night.close()
    finally:
        command.kill()


def opens(night: EarsNight, game: str, host: str, *people: str, cents: str = "") -> tuple[Listener, Listener]:
    """Have the host open a night, and Gus and people without a phone sit down; a chip is worth so many cents."""
    ruth = night.host_phone(host)
    assert isinstance(ruth, Listener)
    night.heading("The table opens")
    with night.act(is_quiet=True):
        open_page(ruth, f"{night.command.here}/new/{game}")
        ruth.find("Your name")
        ruth.write(host)
        if cents:
            ruth.find("Cents")
            ruth.write(cents)
        ruth.find("Open the table")
        ruth.press("Enter")
        ruth.page.wait_for_url("**/lobby")
    night.code = ruth.page.url.split("/")[-2]
    with night.act(is_quiet=True):
        night.note(f"The code is read as “{spelled(ruth)}”.")
    gus = night.phone("Gus")
    with night.act(is_quiet=True):
        open_page(gus, f"{night.guests_url}{way_in(night, ruth)}")
        gus.find("New here?")
        gus.write("Gus")
        gus.press("Enter")
        gus.page.wait_for_url("**/lobby")
        until(ruth.page, "() => document.querySelector('#happened').textContent.includes('Gus')")
    with night.act(is_quiet=True):
        ruth.find("Add somebody")
        for name in people:
            ruth.write(name)
            ruth.press("Enter")
            until(ruth.page, "(name) => document.querySelector('.ring4').textContent.includes(name)", name)
    return ruth, gus


def way_in(night: EarsNight, host: Listener) -> str:
    share = host.context.request.get(f"{night.command.here}/n/{night.code}/share").text()
    return re.findall(r"/j/[\w-]+", share)[0]


def spelled(host: Listener) -> str:
    """Return the code as it is heard; on the page it is another one each time."""
    name = host.page.locator("#code .code").get_attribute("aria-label") or ""
    assert re.fullmatch(r"\w, \w, \w; \w, \w, \w", name), name
    return "K, 7, Q; M, 2, X"


def begins(night: EarsNight, dealer: str) -> None:
    ruth = night.listeners[0]
    with night.act():
        ruth.find("Everyone is here")
        ruth.press("Enter")
        ruth.page.wait_for_load_state()
        ruth.find(dealer)
        ruth.press("Enter")
        for one in night.listeners:
            one.page.wait_for_url(f"**/n/{night.code}")


class Table:
    """What people do at a table of places, by the keys that they have there."""

    def __init__(self, night: EarsNight) -> None:
        self.night, self.host, self.gus = night, night.listeners[0], night.listeners[1]

    def asks(self, one: Listener, *keys: str) -> None:
        """Press keys and write down what is heard."""
        with self.night.act():
            one.press(*keys)

    def ante(self) -> None:
        self.asks(self.host, "g")

    def leaves_dummy(self) -> None:
        with self.night.act():
            self.host.find("Left alone")
            self.host.press("Enter")

    def takes_for(self, place: str, person: str) -> None:
        """The host records who took a place."""
        with self.night.act():
            self.host.press("p")
            self.host.walk(place)
            self.host.press("Enter")
        with self.night.act():
            self.host.walk(person)
            self.host.press("Enter")

    def takes(self, one: Listener, place: str) -> None:
        """Somebody takes a place on the own phone."""
        with self.night.act():
            one.press("p")
            one.walk(place)
            one.press("Enter")
        self.asks(one, "Enter")

    def is_out(self, person: str) -> None:
        with self.night.act():
            self.host.press("g")
        with self.night.act():
            self.host.walk(person)
            self.host.press("Enter")

    def counts(self, one: Listener, cards: int) -> None:
        self.asks(one, *str(cards), "Enter")

    def pays(self) -> None:
        self.asks(self.host, "g")

    def best_hand(self, person: str) -> None:
        with self.night.act():
            self.host.walk(person)
            self.host.press("Enter")

    def hand(self, *takings: tuple[str, str], out: str, left: Sequence[int], best: str = "") -> None:
        """Play a hand whose dummy is left alone: who took which place, who is out, the others' cards, the best hand.

        Gus takes and counts on his own phone; his cards are the last of those that are left.
        """
        self.ante()
        self.leaves_dummy()
        self.play(*takings, out=out, left=left, best=best)

    def play(self, *takings: tuple[str, str], out: str, left: Sequence[int], best: str = "") -> None:
        for place, person in takings:
            if person == "Gus":
                self.takes(self.gus, place)
            else:
                self.takes_for(place, person)
        self.is_out(out)
        self.count(out, left, best)

    def count(self, out: str, left: Sequence[int], best: str) -> None:
        if out != "Gus":
            self.counts(self.gus, left[-1])
        for cards in left[: len(left) - (out != "Gus")]:
            self.counts(self.host, cards)
        self.pays()
        if best:
            self.best_hand(best)


def rummy(browser: Browser, folder: Path) -> EarsNight:
    """Play ten hands of Michigan Rummy."""
    with evening(browser, folder) as night:
        opens(night, "michigan-rummy", "Ruth", "Mia", "Tom", cents="5")
        begins(night, "Ruth")
        table = Table(night)
        for hand in (
            first_hand,
            second_hand,
            third_hand,
            fourth_hand,
            fifth_hand,
            sixth_hand,
            seventh_hand,
            eighth_hand,
        ):
            hand(table)
        last_hands(table)
        finishes(night, "Split and finish")
        return night


def first_hand(table: Table) -> None:
    """Ruth sells the dummy hand to Gus, Mia is out, Tom has the best poker hand."""
    night, ruth = table.night, table.host
    night.heading("Hand 1: the dummy hand is sold")
    table.asks(ruth, "g")
    with night.act():
        ruth.walk("Gus")
        ruth.press("Enter")
    table.asks(ruth, "4", "Enter")
    table.play(("Ace of hearts", "Gus"), ("King of clubs", "Tom"), out="Mia", left=(3, 2, 4), best="Tom")


def second_hand(table: Table) -> None:
    """Two things happen at once."""
    night, ruth, gus = table.night, table.host, table.gus
    night.heading("Hand 2: two at once")
    table.ante()
    table.leaves_dummy()
    with night.act():
        gus.press("p")
        gus.walk("Ten of hearts")
        gus.press("Enter")
        ruth.press("p")
        ruth.walk("Queen of hearts")
        ruth.press("Enter")
    with night.act():
        ruth.walk("Mia")
        head = night.head()
        gus.press("Enter")
        ruth.see_head(head + 1)
        ruth.press("Enter")
    table.play(out="Tom", left=(1, 5, 2), best="Ruth")


def third_hand(table: Table) -> None:
    """The dummy hand is bid for; Gus bids on his own phone."""
    night, ruth, gus = table.night, table.host, table.gus
    night.heading("Hand 3: the auction")
    table.ante()
    with night.act():
        ruth.press("g")
        ruth.find("Bid by bid")
        ruth.press("Enter")
    table.asks(ruth, "1", "Enter")
    with night.act():
        ruth.press("w")
        ruth.find("Pass")
        ruth.press("Enter")
    table.asks(gus, "w", "2", "Enter")
    with night.act():
        ruth.press("w")
        ruth.find("Pass")
        ruth.press("Enter")
    table.play(("Jack of spades", "Gus"), out="Gus", left=(4, 4, 4), best="Mia")


def fourth_hand(table: Table) -> None:
    """The stream of Gus is cut while four things happen."""
    night, gus = table.night, table.gus
    night.heading("Hand 4: Gus is out of contact")
    table.ante()
    gus.excuse(AWAY)
    gus.context.set_offline(True)
    gus.page.evaluate("() => { stream.reader.cancel(); }")
    gus.see("#net")
    night.note("The Wi-Fi of Gus is gone.")
    with night.act(without=gus):
        table.host.find("Left alone")
        table.host.press("Enter")
    for place, person in (("Ten of hearts", "Tom"), ("Jack of spades", "Mia"), ("Queen of hearts", "Mia")):
        with night.act(without=gus):
            table.host.press("p")
            table.host.walk(place)
            table.host.press("Enter")
            table.host.walk(person)
            table.host.press("Enter")
    night.note("It is there again.")
    with night.act():
        gus.context.set_offline(False)
    table.play(out="Ruth", left=(2, 2, 5), best="Gus")


def fifth_hand(table: Table) -> None:
    """Gus has the menu open when somebody is out."""
    night, gus = table.night, table.gus
    night.heading("Hand 5: an open menu")
    table.ante()
    table.leaves_dummy()
    table.takes_for("Ace of hearts", "Tom")
    table.asks(gus, "m")
    table.is_out("Mia")
    table.asks(gus, "Escape")
    table.count("Mia", (3, 3, 1), "Gus")


def sixth_hand(table: Table) -> None:
    """Ida knocks and is let in."""
    night, ruth = table.night, table.host
    night.heading("Hand 6: somebody knocks")
    table.ante()
    table.leaves_dummy()
    with night.act():
        ida = BrowserPhone(night.browser.new_context(), "Ida")
        ida.send(f"{night.guests_url}/join", token=way_in(night, ruth).rpartition("/")[2], name="Ida")
        until(ruth.page, "() => document.querySelector('#asks .asked')")
        night.note("Ida scans the code.")
    with night.act():
        ruth.press("r")
        ruth.find("Let in")
        ruth.press("Enter")
        until(ruth.page, "() => !document.querySelector('#asks .asked')")
    table.play(("King of clubs", "Ruth"), out="Tom", left=(2, 1, 3), best="Mia")


def seventh_hand(table: Table) -> None:
    """A taking of the hand before is corrected: it was not Ruth but Tom who took the king of clubs."""
    night, ruth = table.night, table.host
    night.heading("Hand 7: a mistake of the hand before is set right")
    with night.act():
        ruth.find("Everything recorded", "Shift+Tab")
        ruth.press("Enter")
        ruth.page.wait_for_url("**/log")
    with night.act():
        ruth.find("Change : Ruth takes 25")
        ruth.press("Enter")
        ruth.page.wait_for_url("**/change/*")
    with night.act():
        ruth.find("Ruth")
        ruth.walk_choice("Tom")
        until(ruth.page, "() => document.querySelector('#difference').innerText.includes('Tom')")
    with night.act():
        ruth.find("Hand over now")
        ruth.press("Enter")
        ruth.page.wait_for_url("**/log**")
    with night.act():
        ruth.find("Back")
        ruth.press("Enter")
        ruth.page.wait_for_url(f"**/n/{night.code}")
    table.hand(("Jack of spades", "Tom"), out="Ruth", left=(2, 1, 1, 2), best="Tom")


def eighth_hand(table: Table) -> None:
    """What was recorded by mistake is undone."""
    night, ruth = table.night, table.host
    night.heading("Hand 8: Undo")
    table.ante()
    table.leaves_dummy()
    table.takes_for("Ace of hearts", "Ida")
    table.asks(ruth, "u")
    table.takes_for("Ace of hearts", "Mia")
    table.play(out="Gus", left=(2, 3, 1, 2), best="Ida")


def last_hands(table: Table) -> None:
    """Two hands as most are."""
    table.night.heading("Hand 9")
    table.hand(("Queen of hearts", "Gus"), ("King of clubs", "Mia"), out="Ida", left=(3, 1, 2, 4), best="Ruth")
    table.night.heading("Hand 10")
    before = table.host.keys
    table.hand(("Ten of hearts", "Ruth"), ("Jack of spades", "Ida"), out="Tom", left=(1, 2, 2, 1), best="Gus")
    table.night.keys_of_hand = table.host.keys - before


def finishes(night: EarsNight, last: str = "") -> None:
    """The host ends the night, hears who pays whom, and notes who has paid."""
    ruth, gus = night.listeners[:2]
    night.heading("The night is over")
    with night.act():
        ruth.find("Finish" if last else "The result")
        ruth.press("Enter")
        ruth.page.wait_for_url("**/settle")
        if last:
            ruth.find(last)
            ruth.press("Enter")
        until(gus.page, "() => document.title.includes('over') || document.querySelector('.own-result, .night-end')")
    with night.act():
        gus.find("The result" if gus.page.locator("text=The result").count() else "Settle up")
        gus.press("Enter")
        gus.page.wait_for_url("**/settle")
    payments = ruth.page.locator(".due .tick").count()
    for number in range(payments):
        with night.act():
            ruth.find("Paid:")
            while "pressed" in ruth.focused()[2]:
                ruth.press("Tab")
                ruth.find("Paid:")
            ruth.press("Enter")
            told = "(count) => document.querySelectorAll('.due.paid').length === count"
            for one in (ruth, gus):
                until(one.page, told, number + 1)
    with night.act():
        ruth.find("Keep it, send it")
        ruth.press("Enter")
        ruth.find("Copy")
        ruth.press("Enter")


def kitty(browser: Browser, folder: Path) -> EarsNight:
    """Play ten hands of Michigan Kitty."""
    places = ("Ace of spades", "Queen of clubs", "King of hearts", "Ten of hearts", "Jack of diamonds")
    with evening(browser, folder) as night:
        opens(night, "michigan-kitty", "Ruth", "Mia")
        begins(night, "Ruth")
        table = Table(night)
        for number in range(HANDS):
            night.heading(f"Hand {number + 1}")
            if number:
                table.ante()
            table.leaves_dummy()
            out, taker = (("Mia", "Gus"), ("Gus", "Ruth"), ("Ruth", "Mia"))[number % 3]
            table.play((places[number % 5], taker), out=out, left=(number % 4 + 1, 2))
        finishes(night, "Split and finish")
        return night


ROUNDS = ((3, 2, 20, 1), (5, 1, 19, 1), (0, 4, 22, 0), (2, 3, 21, 0), (1, 0, 25, 0))
"""The points of Ruth, Gus, Mia and Tom in each round of Hearts."""


def hearts(browser: Browser, folder: Path) -> EarsNight:
    """Play an evening of Hearts, until somebody has a hundred points."""
    with evening(browser, folder) as night:
        ruth, gus = opens(night, "hearts", "Ruth", "Mia", "Tom")
        with night.act():
            ruth.find("Everyone is here")
            ruth.press("Enter")
            for one in night.listeners:
                one.page.wait_for_url(f"**/n/{night.code}")
        table = Table(night)
        for number, points in enumerate(ROUNDS, start=1):
            night.heading(f"Round {number}")
            table.asks(ruth, "g")
            mine, his, *others = points
            table.asks(gus, *str(his), "Enter")
            for one in (mine, *others):
                table.asks(ruth, *str(one), "Enter")
            table.asks(ruth, "g")
        finishes(night)
        return night


EVENINGS: Mapping[str, Callable[[Browser, Path], EarsNight]] = {
    "Michigan Rummy": rummy,
    "Michigan Kitty": kitty,
    "Hearts": hearts,
}
TOP = """# Three evenings by ear

Ruth is the host, at a keyboard and without a screen; Gus plays at a keyboard of his own. This is what they press, and
what a screen reader says to them. A test plays it on the real pages, and fails when they say something else;
`PYTHONPATH=.:tests .venv/bin/python tests/support/evenings_by_ear.py` writes it anew.

- `g` and the like are keys (the menu lists them, and so does `?`); text in quotes beside them is typed.
- » is what has the focus now, ? what is asked now; what stands in quotes alone has just happened.
- A number is ended by Enter. Who has counted on the own phone is told to the others.
"""


def document(nights: Mapping[str, EarsNight]) -> str:
    """Return the page: each evening, with its keys and how long it takes to hear."""
    parts = [TOP]
    for name, night in nights.items():
        parts += [f"## {name}", *evening_lines(night), ""]
    return "\n".join(parts).rstrip() + "\n"


def evening_lines(night: EarsNight) -> list[str]:
    return [*night.lines, "", foot(night)]


def foot(night: EarsNight) -> str:
    words = sum(len(re.findall(r"\w+", one)) for one in night.spoken)
    keys = " and ".join(f"{one.name} {one.keys} keys" for one in night.listeners)
    last = f" A hand as most are takes the host {night.keys_of_hand}; by Tab alone it took {KEYS_BEFORE}."
    return (
        f"*{keys}.{last if night.keys_of_hand else ''} "
        f"{words} words are said, which takes {round(words / WORDS_A_MINUTE)} minutes.*"
    )


def main(*names: str) -> None:
    """Write the page, or print some of its evenings."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.program(), args=list(chromium.ARGUMENTS))
        nights = {}
        for name, play in EVENINGS.items():
            if not names or name in names:
                with tempfile.TemporaryDirectory() as folder:
                    nights[name] = play(browser, Path(folder))
    if names:
        sys.stdout.write(document(nights))
    else:
        PAGE.write_text(document(nights), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
