"""The evenings of docs/by-ear.md: played by keyboard alone, as host and as guest, and written down as they are heard.

`PYTHONPATH=.:tests python tests/support/evenings_by_ear.py` writes that page anew; tests/browser/by_ear compares.
"""

import re
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from support import chromium
from support.browser_phones import BrowserPhone
from support.listeners import EarsNight, Listener, ears_night
from support.paths import ROOT
from support.served_app import AWAY
from support.waiting import lose_contact, until

PAGE = ROOT / "docs/by-ear.md"
WORDS_A_MINUTE = 170
"""So fast eSpeak NG spoke the three evenings, at its own speed."""
KEYS_BEFORE = 124
"""Of the host in one hand of Michigan Rummy of four, by Tab, before people and places were lists."""


def opens(night: EarsNight, game: str, *people: str, cents: str = "") -> None:
    """Have Ruth open a night, and Gus and people without a phone sit down; a chip is worth so many cents."""
    ruth = night.host_phone("Ruth")
    assert isinstance(ruth, Listener)
    night.heading("The table opens")
    with night.act():
        ruth.opens(f"{night.server.here}/new/{game}")
        ruth.does("?Your name")
        ruth.write("Ruth")
        if cents:
            ruth.does("?Cents")
            ruth.write(cents)
        ruth.does("?Open the table", "Enter")
        ruth.page.wait_for_url("**/lobby")
    night.code = ruth.page.url.split("/")[-2]
    night.note(f"The code is read as “{spelled(ruth)}”.")
    gus = night.phone("Gus")
    with night.act():
        gus.opens(f"{night.guests_url}{way_in(night)}")
        gus.does("?New here?")
        gus.write("Gus")
        gus.does("Enter")
        gus.page.wait_for_url("**/lobby")
        tells(ruth, "Gus sits down")
    with night.act():
        ruth.does("?Add somebody")
        for name in people:
            ruth.write(name)
            ruth.does("Enter")
            for one in night.listeners:
                tells(one, f"{name} sits down")


def tells(one: Listener, words: str) -> None:
    """Wait until a page has told something."""
    until(one.page, "(words) => document.getElementById('happened').textContent.includes(words)", words)


def way_in(night: EarsNight) -> str:
    share = night.host.context.request.get(f"{night.server.here}/n/{night.code}/share").text()
    return str(re.findall(r"/j/[\w-]+", share)[0])


def spelled(host: Listener) -> str:
    """Return the code as it is heard; on the page it is another one each time."""
    name = host.page.locator("#code .code").get_attribute("aria-label") or ""
    assert re.fullmatch(r"\w, \w, \w; \w, \w, \w", name), name
    return "K, 7, Q; M, 2, X"


def begins(night: EarsNight, *dealer: str) -> None:
    ruth = night.listeners[0]
    with night.act():
        ruth.does("?Everyone is here", "Enter")
        for name in dealer:
            ruth.page.wait_for_load_state()
            ruth.does(f"?{name}", "Enter")
        for one in night.listeners:
            one.page.wait_for_url(f"**/n/{night.code}")


class Table:
    """What people do at a table of places, by the keys that they have there."""

    def __init__(self, night: EarsNight) -> None:
        self.night, self.host, self.gus = night, night.listeners[0], night.listeners[1]

    def does(self, *steps: str) -> None:
        """Write down what the host does, and what is heard of it."""
        self.night.turn(self.host, *steps)

    def begins(self) -> None:
        """The antes go in, and the dummy hand is left alone."""
        with self.night.part("antes and dummy hand"):
            self.does("g")
            self.does("?Left alone", "Enter")

    def takes(self, place: str, person: str) -> None:
        """Somebody takes a place: Gus on his own phone, for others the host records it."""
        one = self.gus if person == "Gus" else self.host
        with self.night.part("a place is taken"):
            self.night.turn(one, "p", f"~{place}", "Enter")
            self.night.turn(one, *(() if person == "Gus" else (f"~{person}",)), "Enter")

    def is_out(self, person: str) -> None:
        self.does("g")
        self.does(f"~{person}", "Enter")

    def ends(self, out: str, left: Sequence[int], best: str = "") -> None:
        """Say who is out, and the cards of the others; Gus types his own, which are the last of these."""
        with self.night.part("the count"):
            self.is_out(out)
            self.counts(out, left, best)

    def counts(self, out: str, left: Sequence[int], best: str = "") -> None:
        if out != "Gus":
            self.night.turn(self.gus, str(left[-1]), "Enter")
        for cards in left[: len(left) - (out != "Gus")]:
            self.does(*str(cards), "Enter")
        self.does("g")
        if best:
            self.does(f"~{best}", "Enter")


def rummy(browser: Browser, folder: Path) -> EarsNight:
    """Play nine hands of Michigan Rummy."""
    with ears_night(browser, folder) as night:
        opens(night, "michigan-rummy", "Mia", "Tom", cents="5")
        begins(night, "Ruth")
        table = Table(night)
        for number, (title, hand) in enumerate(RUMMY_HANDS.items(), start=1):
            night.heading(f"Hand {number}: {title}")
            hand(table)
        finishes(night, "Finish the night")
        return night


def sold(table: Table) -> None:
    table.does("g")
    table.does("~Gus", "Enter")
    table.does("4", "Enter")
    table.takes("Ace of hearts", "Gus")
    table.takes("King of clubs", "Tom")
    table.ends("Mia", (11, 2, 4), "Tom")


def two_at_once(table: Table) -> None:
    night, ruth, gus = table.night, table.host, table.gus
    table.begins()
    with night.act():
        gus.does("p", "~Ten of hearts", "Enter")
        ruth.does("p", "~Queen of hearts", "Enter")
    with night.act():
        ruth.does("~Mia")
        head = night.head()
        gus.does("Enter")
        ruth.see_head(head + 1)
        ruth.does("Enter")
    table.ends("Tom", (1, 5, 2), "Ruth")


def auction(table: Table) -> None:
    table.does("g")
    table.does("g", "?Bid by bid", "Enter")
    table.does("1", "Enter")
    table.does("w", "?Pass", "Enter")
    table.night.turn(table.gus, "w", "2", "Enter")
    table.does("w", "?Pass", "Enter")
    table.takes("Jack of spades", "Gus")
    table.ends("Gus", (4, 4, 4), "Mia")


def out_of_contact(table: Table) -> None:
    night, gus = table.night, table.gus
    table.does("g")
    gus.excuse(AWAY)
    gus.page.evaluate("() => { sessionStorage.isCut = true; }")
    lose_contact(gus.page)
    gus.see("#net")
    night.note("The Wi-Fi of Gus is gone.")
    night.turn(table.host, "?Left alone", "Enter", without=gus)
    for place, person in (("Ten of hearts", "Tom"), ("Jack of spades", "Mia"), ("Queen of hearts", "Mia")):
        night.turn(table.host, "p", f"~{place}", "Enter", f"~{person}", "Enter", without=gus)
    night.note("It is there again.")
    with night.act():
        gus.context.set_offline(False)
        tells(gus, "4 things")
    gus.page.evaluate("() => { delete sessionStorage.isCut; }")
    table.ends("Ruth", (2, 2, 5), "Gus")


def open_menu(table: Table) -> None:
    table.begins()
    table.takes("Ace of hearts", "Tom")
    table.night.turn(table.gus, "m")
    table.is_out("Mia")
    table.night.turn(table.gus, "Escape")
    table.counts("Mia", (3, 3, 1), "Gus")


def knock(table: Table) -> None:
    night, ruth = table.night, table.host
    table.begins()
    night.note("Ida scans the code.")
    with night.act():
        ida = BrowserPhone(night.browser.new_context(), "Ida")
        ida.send(f"{night.guests_url}/join", token=way_in(night).rpartition("/")[2], name="Ida")
        for one in night.listeners:
            tells(one, "Ida wants to sit down")
    with night.act():
        ruth.does("r", "?Let in", "Enter")
        for one in night.listeners:
            tells(one, "Ida sits down")
    table.takes("King of clubs", "Ruth")
    table.ends("Tom", (2, 1, 3), "Mia")


def correction(table: Table) -> None:
    night, ruth = table.night, table.host
    with night.act():
        ruth.find("Everything recorded", "Shift+Tab")
        ruth.does("Enter")
        ruth.page.wait_for_url("**/log")
    with night.act():
        ruth.does("?Change: Ruth takes 25", "Enter")
        ruth.page.wait_for_url("**/change/*")
    with night.act():
        ruth.does("?Ruth")
        ruth.find("Tom", "Down")
        until(ruth.page, "() => document.querySelector('#difference').innerText.includes('Tom')")
    with night.act():
        ruth.does("?Hand over now", "Enter")
        ruth.page.wait_for_url("**/log**")
    with night.act():
        ruth.does("?Back", "Enter")
        ruth.page.wait_for_url(f"**/n/{night.code}")
    table.begins()
    table.takes("Jack of spades", "Tom")
    table.ends("Ruth", (2, 1, 1, 2), "Tom")


def undo(table: Table) -> None:
    table.begins()
    table.takes("Ace of hearts", "Ida")
    table.does("u")
    table.takes("Ace of hearts", "Mia")
    table.ends("Gus", (2, 3, 1, 2), "Ida")


def last(table: Table) -> None:
    before = table.host.keys
    table.begins()
    table.takes("Ten of hearts", "Ruth")
    table.takes("Jack of spades", "Ida")
    table.ends("Tom", (1, 2, 2, 1), "Gus")
    table.night.keys_of_hand = table.host.keys - before


RUMMY_HANDS: Mapping[str, Callable[[Table], None]] = {
    "the dummy hand is sold": sold,
    "two at once": two_at_once,
    "the dummy hand is bid for, by Gus on his own phone": auction,
    "the stream of Gus is cut while four things happen": out_of_contact,
    "Gus has the menu open when somebody is out": open_menu,
    "Ida knocks": knock,
    "a mistake of the hand before is set right, it was Tom who took the king of clubs": correction,
    "what was recorded by mistake is undone": undo,
    "as most are, and its keys are counted": last,
}


def finishes(night: EarsNight, last: str = "") -> None:
    """The host ends the night, hears who pays whom, and notes who has paid."""
    ruth, gus = night.listeners[:2]
    night.heading("The night is over")
    with night.act():
        ruth.does("?Finish" if last else "?The result", "Enter")
        ruth.page.wait_for_url("**/settle")
        if last:
            ruth.does(f"?{last}", "Enter")
            tells(gus, "The night is over")
            ruth.page.wait_for_load_state()
            until(ruth.page, "() => document.querySelector('.podium')")
    night.turn(gus, "?The result", "Enter")
    gus.page.wait_for_url("**/settle")
    for number in range(ruth.page.locator(".due .tick").count()):
        with night.act():
            ruth.find("Paid:")
            while "pressed" in ruth.focused()[2]:
                ruth.press("Tab")
                ruth.find("Paid:")
            ruth.press("Enter")
            for one in (ruth, gus):
                until(one.page, "(count) => document.querySelectorAll('.due.paid').length === count", number + 1)
    night.turn(ruth, "?Keep it, send it", "Enter", "?Copy", "Enter")


def kitty(browser: Browser, folder: Path) -> EarsNight:
    """Play three hands of Michigan Kitty, in which each of three goes out once."""
    hands = (("Ace of spades", "Gus", "Mia"), ("Queen of clubs", "Ruth", "Gus"), ("King of hearts", "Mia", "Ruth"))
    with ears_night(browser, folder) as night:
        opens(night, "michigan-kitty", "Mia")
        begins(night, "Ruth")
        table = Table(night)
        for number, (place, taker, out) in enumerate(hands, start=1):
            night.heading(f"Hand {number}")
            if number > 1:
                table.begins()
            else:
                table.does("?Left alone", "Enter")
            table.takes(place, taker)
            table.ends(out, (number, 2))
        finishes(night, "Finish the night")
        return night


ROUNDS = ((3, 2, 20), (5, 1, 18), (2, 3, 20), (4, 1, 21), (1, 3, 22))
"""The points of Ruth, Gus and Mia in each round of Hearts; those of Tom are the rest, and in the second Mia has 19."""


def hearts(browser: Browser, folder: Path) -> EarsNight:
    """Play an evening of Hearts, until somebody has a hundred points."""
    with ears_night(browser, folder) as night:
        opens(night, "hearts", "Mia", "Tom")
        begins(night)
        table = Table(night)
        for number, (mine, his, hers) in enumerate(ROUNDS, start=1):
            night.heading(f"Round {number}")
            with night.part("the round"):
                table.does("g")
                night.turn(table.gus, *str(his), "Enter")
                table.does(*str(mine), "Enter")
                table.does(*str(hers), "Enter")
                if number == 2:
                    table.does("~Mia", "Enter", "1", "9", "Enter")
                    table.does("~Tom", "Enter", "1", "Enter")
                table.does("g")
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
- » is what has the focus now, what stands in “quotes” after it has just happened, and *this* is what is asked now.
- A number is ended by Enter. Who has counted on the own phone is told to the others.
- The minutes are those in which eSpeak NG speaks all of it at its own speed, for both together.
- What is heard as in a hand before it, but for people, cards and numbers, is not written down again.
"""


def document(nights: Mapping[str, EarsNight]) -> str:
    """Return the page: each evening, with its keys and how long it takes to hear."""
    parts = [TOP]
    for name, night in nights.items():
        parts += [f"## {name}", "", *evening_lines(night), ""]
    return "\n".join(parts).rstrip() + "\n"


def evening_lines(night: EarsNight) -> list[str]:
    """Return an evening's lines; of parts that are heard as one before them only that they are."""
    lines: list[str] = []
    known: dict[tuple[str, str], str] = {}
    for title, parts in night.sections:
        here, found, likes = title.partition(":")[0].lower(), list[str](), list[str]()
        for name, told in parts:
            like = known.setdefault((name, shape("\n".join(told))), here)
            is_repeated = bool(name) and like != here
            if likes and told and not is_repeated:
                found, likes = [*found, f"- *{said_of(likes)}*"], []
            likes += [f"{name} as in {like}"] if is_repeated else []
            found += [] if is_repeated else told
        if found:
            lines += [f"### {title}", "", *found, *([f"- *{said_of(likes)}*"] if likes else []), ""]
        else:
            lines += [f"*{title.partition(':')[0]}: {said_of(likes, is_all=True)}*", ""]
    return [*lines, foot(night)]


def said_of(likes: Sequence[str], *, is_all: bool = False) -> str:
    where = {like.partition(" as in ")[2] for like in likes}
    if is_all and len(where) == 1:
        return f"all as in {where.pop()}."
    text = ", ".join(dict.fromkeys(likes))
    return f"{text[0].upper()}{text[1:]}." if not is_all else f"{text}."


def shape(text: str) -> str:
    """Return a text without what is another in each hand: names, cards, numbers, and how far arrows lead."""
    text = re.sub(r" `(Up|Down)`( ×\d+)?", "", text)
    text = re.sub(r"\b(Ace|Jack|Queen|King|Ten) of \w+", "card", text)
    text = re.sub(r"(?<!\*\*)\b(Ruth|Gus|Mia|Tom|Ida)\b", "name", text)
    return re.sub(r"[+−]?\d+", "0", text)


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
