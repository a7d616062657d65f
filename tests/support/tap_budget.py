"""How many taps a hand costs: played in a browser.

`PYTHONPATH=tests python tests/support/tap_budget.py` prints the table.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
from playwright.sync_api import Browser, sync_playwright
from support import chromium
from support.browser_phones import BrowserNight, BrowserPhone, browser_night

PEOPLE = ("Ruth", "Ben", "Mia", "Tom", "Ana")
TAKES = ("ten-hearts", "queen-hearts", "ace-hearts", "king-clubs")

BUDGET = {"Ante": 1, "Dummy": 1, "Money cards": 7, "Out": 2, "Cards left": 4, "Pay": 1, "Poker pool": 1}
"""The most taps for each part of a five-person hand on one phone, at 3.5 money cards a hand."""


class Count:
    """Taps of each phone at each part of a hand."""

    def __init__(self) -> None:
        self.taps: dict[str, dict[str, float]] = {name: {} for name in PEOPLE}

    @contextmanager
    def part(self, name: str, *phones: BrowserPhone) -> Iterator[None]:
        before = [phone.taps for phone in phones]
        yield
        for phone, taps in zip(phones, before, strict=True):
            of_phone = self.taps[phone.name]
            of_phone[name] = of_phone.get(name, 0) + phone.taps - taps


def one_phone(
    browser: Browser, folder: Path, hands: Sequence[tuple[str, ...]] = (TAKES[:3], TAKES)
) -> dict[str, float]:
    """Return the mean taps of hands that the host's phone records alone; a hand is the pots that are taken in it."""
    count = Count()
    with browser_night(browser, folder) as night:
        host = night.open(PEOPLE[0])
        night.add(*PEOPLE[1:])
        night.begin(PEOPLE[0])
        for takes in hands:
            hand_on_one_phone(host, takes, count)
    return {name: taps / len(hands) for name, taps in count.taps[host.name].items()}


def hand_on_one_phone(host: BrowserPhone, takes: tuple[str, ...], count: Count) -> None:
    """Play from the dummy hand to the next antes; Ben takes every money card and goes out."""
    with count.part("Dummy", host):
        host.record_word("Left alone")
    with count.part("Money cards", host):
        for pot in takes:
            host.collect_for(pot, "ben")
    with count.part("Out", host):
        host.tap_word("Someone is out")
        host.tap("#s-ben")
        host.see(".pad")
    with count.part("Cards left", host):
        host.cards(3, 1, 4, 2)
        host.see("#pay:has-text('Pay Ben')")
    with count.part("Pay", host):
        host.record("#pay")
    with count.part("Poker pool", host):
        host.record("#s-mia")
    with count.part("Ante", host):
        host.record_word("Ante for hand")


def own_phones(browser: Browser, folder: Path) -> Mapping[str, Mapping[str, float]]:
    """Return each phone's taps in a hand that everybody records for themselves; the host deals, Tom goes out."""
    count = Count()
    with browser_night(browser, folder) as night:
        night.open(PEOPLE[0])
        night.join(night.link_in_code(), *PEOPLE[1:])
        night.begin(PEOPLE[0])
        hand_on_own_phones(night, count)
    return count.taps


def hand_on_own_phones(night: BrowserNight, count: Count) -> None:
    """Play from the dummy hand to the next antes: the dealer's phone decides, takers take, the winner is paid."""
    phones, everybody = night.phones, tuple(night.phones.values())
    host, winner = phones["ruth"], phones["tom"]
    with count.part("Dummy", host):
        host.record_word("Left alone")
    with count.part("Money cards", *everybody):
        for name, pot in zip(("mia", "tom", "ana"), TAKES, strict=False):
            phones[name].collect(pot)
    with count.part("Out", winner):
        winner.tap_word("I am out of cards!")
    with count.part("Cards left", *(phone for phone in everybody if phone is not winner)):
        for left, name in enumerate(("mia", "ana", "ben"), start=1):
            phones[name].see(".pad")
            phones[name].cards(left)
        host.see("#c-ben .slot:has-text('3')")
        host.cards(4)
    with count.part("Pay", winner):
        winner.see("#pay:has-text('Pay Tom')")
        winner.record("#pay")
    with count.part("Poker pool", phones["mia"]):
        phones["mia"].record("#do-poker")
    with count.part("Ante", phones["ben"]):
        phones["ben"].record_word("Ante for hand 2")


def first_pot(night: BrowserNight) -> tuple[BrowserPhone, float]:
    """Take the first pot of a rehearsal as its hints say; return the phone, and the seconds from the first page on."""
    phone = night.phone("Alex")
    phone.page.goto(night.command.host_link)
    phone.page.wait_for_url("**/")
    began = time.monotonic()
    phone.tap_word("Try it with pretend guests")
    phone.see("#hint[data-name^='collect']")
    at, then_at = (phone.page.get_attribute("#hint", name) or "" for name in ("data-at", "data-then-at"))
    phone.record(at, then_at)
    return phone, time.monotonic() - began


def table(alone: Mapping[str, float], own: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    """Yield the lines of the report."""
    yield f"{'A hand of five':<14}{'budget':>8}{'one phone':>11}" + "".join(f"{name:>8}" for name in own)
    for part, most in BUDGET.items():
        taps = "".join(f"{each.get(part, 0) or '':>8}" for each in own.values())
        yield f"{part:<14}{most:>8}{alone[part]:>11g}{taps}"
    totals = "".join(f"{sum(each.values()):>8g}" for each in own.values())
    yield f"{'Together':<14}{sum(BUDGET.values()):>8}{sum(alone.values()):>11g}{totals}"


@click.command()
def main() -> None:
    """Play a hand on one phone and a hand on five, and print the taps."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium.program(), args=list(chromium.ARGUMENTS))
        alone = one_phone(browser, Path(folder) / "alone")
        own = own_phones(browser, Path(folder) / "own")
        with browser_night(browser, Path(folder) / "rehearsal") as night:
            phone, seconds = first_pot(night)
        browser.close()
    for line in table(alone, own):
        click.echo(line)
    click.echo(f"The first pot of a rehearsal: {phone.taps} taps, {seconds:.0f} s from the first page on")


if __name__ == "__main__":
    main()
