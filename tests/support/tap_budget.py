"""How many taps a hand, and a night of ten hands, cost: played in a browser.

`PYTHONPATH=tests python tests/support/tap_budget.py` prints the table.
"""

import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
from playwright.sync_api import Browser, sync_playwright
from support import chromium
from support.browser_phones import BrowserNight, BrowserPhone, browser_night

PEOPLE = ("Ruth", "Ben", "Mia", "Tom", "Ana")
TAKES = (
    "ten-hearts",
    "queen-hearts",
    "ace-hearts",
    "king-clubs",
    "jack-spades",
    "king-queen-hearts",
    "seven-eight-nine",
)
HANDS = 10

BUDGET = {"Ante": 1, "Dummy": 0, "Money cards": 3.5, "Out": 1, "Cards left": 4, "Pay": 0, "Poker pool": 1}
"""The most taps for each part of a five-person hand on one phone, at 3.5 money cards a hand and a dummy not sold.

A place that is dragged onto a person is one, the first leaves the dummy alone; what is paid by itself is none."""
SALE = 3
"""The taps of a dummy hand that is sold: sold, to whom, for how much."""


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


@dataclass(frozen=True)
class Plan:
    """What happens in one hand of a night: the deal, the dummy hand and the winners go round the table."""

    number: int
    """The number of the hand, from 1."""

    def person(self, places: int) -> str:
        """Return the seat so many places to the dealer's left."""
        return PEOPLE[(self.number - 1 + places) % len(PEOPLE)].lower()

    @property
    def takes(self) -> tuple[tuple[str, str], ...]:
        """Three pots in odd hands and four in even ones, each with who takes it."""
        count = 3 + (self.number + 1) % 2
        return tuple((self.person(2 + at), TAKES[(self.number - 1 + at) % len(TAKES)]) for at in range(count))

    @property
    def is_sold(self) -> bool:
        return self.number % 2 == 0

    @property
    def winner(self) -> str:
        return self.person(3)

    @property
    def best_poker(self) -> str:
        return self.person(2)


def one_phone(browser: Browser, place: Path, numbers: Iterable[int]) -> list[dict[str, float]]:
    """Return the taps of each part of these hands that the host's phone records alone, with the next hand's antes."""
    with browser_night(browser, place) as night:
        host = night.play(PEOPLE[0], others=PEOPLE[1:])
        counts = [hand_on_one_phone(host, Plan(number)) for number in numbers]
        night.check_chips()
    return [count.taps[host.name] for count in counts]


def hand_on_one_phone(host: BrowserPhone, plan: Plan) -> Count:
    """Play from the dummy hand to the next antes; every second dummy hand is sold."""
    count = Count()
    with count.part("Dummy", host):
        if plan.is_sold:
            host.record("#do-sold", f"#s-{plan.person(1)}", ".a-price [value='sale:1']")
    with count.part("Money cards", host):
        for seat, pot in plan.takes:
            host.drag(f"#p-{pot}", f"#s-{seat}")
    head = host.head
    with count.part("Out", host):
        host.drag("#p-jackpot", f"#s-{plan.winner}")
        host.see(".pad")
    with count.part("Cards left", host):
        host.cards(3, 1, 4)
        host.page.evaluate("() => { window.paysByItself = true; }")
        host.cards(2)
    with count.part("Pay", host):
        host.see_head(head + 1)
    with count.part("Poker pool", host):
        host.record(f"#s-{plan.best_poker}")
    with count.part("Ante", host):
        host.record_word("Ante for hand")
    return count


def own_phones(browser: Browser, folder: Path, hands: int) -> list[dict[str, dict[str, float]]]:
    """Return each phone's taps in each hand that everybody records for themselves; the deal goes round."""
    with browser_night(browser, folder) as night:
        night.play(*PEOPLE)
        counts = [hand_on_own_phones(night, Plan(number)) for number in range(1, hands + 1)]
        night.check_chips()
    return [count.taps for count in counts]


def hand_on_own_phones(night: BrowserNight, plan: Plan) -> Count:
    """Play from the dummy hand to the next antes: the dealer's phone decides, takers take, the winner is paid."""
    count, phones, everybody = Count(), night.phones, tuple(night.phones.values())
    dealer, winner, host = phones[plan.person(0)], phones[plan.winner], night.host
    with count.part("Dummy", dealer):
        dealer.record_word("Left alone")
    with count.part("Money cards", *everybody):
        for seat, pot in plan.takes:
            night.everybody_sees()
            if phones[seat] is host:
                host.collect_for(pot, seat)
            else:
                phones[seat].collect(pot)
    with count.part("Out", winner):
        winner.tap_word("Someone is out" if winner is host else "I am out of cards!")
        winner.tap(*([f"#s-{winner.seat}"] if winner is host else []))
    with count.part("Cards left", *(phone for phone in everybody if phone is not winner)):
        _type_cards_left([phone for phone in everybody if phone not in (winner, host)], host)
        if winner is not host:
            host.cards(4)
    with count.part("Pay", winner):
        winner.see(f"#pay:has-text('{'Pay' if winner is host else 'I get'}')")
        winner.record("#pay")
    best = phones[plan.best_poker]
    with count.part("Poker pool", best):
        best.record(f"#s-{best.seat}" if best is host else "#do-poker")
    following = phones[plan.person(1)]
    with count.part("Ante", following):
        following.record_word(f"Ante for hand {plan.number + 1}")
    return count


def _type_cards_left(phones: Sequence[BrowserPhone], host: BrowserPhone) -> None:
    """Each types the own cards; return when the host's phone, whose pad asks for whoever is missing, shows them all."""
    for left, phone in enumerate(phones, start=1):
        phone.see(".pad")
        phone.cards(left)
        host.see(f"#c-{phone.seat} .slot:has-text('{left}')")


def first_pot(night: BrowserNight) -> tuple[BrowserPhone, float]:
    """Take the first pot of a rehearsal as its hints say; return the phone, and the seconds from the first page on."""
    phone = night.phone("Alex")
    phone.page.goto(night.server.host_link)
    phone.page.wait_for_url("**/")
    began = time.monotonic()
    phone.tap_word("Try it with pretend guests")
    phone.see("#hint[data-name^='collect']")
    at, then_at = (phone.page.get_attribute("#hint", name) or "" for name in ("data-at", "data-then-at"))
    phone.record(at, then_at)
    return phone, time.monotonic() - began


def mean_parts(hands: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean taps of each part of a hand."""
    return {part: sum(hand.get(part, 0) for hand in hands) / len(hands) for part in BUDGET}


def total(hand: Mapping[str, float]) -> float:
    return sum(hand.values())


def table(alone: Sequence[Mapping[str, float]], own: Sequence[Mapping[str, Mapping[str, float]]]) -> Iterator[str]:
    """Yield the lines of the report: the mean hand part by part, then hand by hand, then the sums."""
    means = {name: mean_parts([hand[name] for hand in own]) for name in PEOPLE}
    yield f"{'A hand of five':<14}{'budget':>8}{'one phone':>11}" + "".join(f"{name:>8}" for name in PEOPLE)
    for part, most in BUDGET.items():
        own_means = "".join(f"{means[name][part]:>8g}" for name in PEOPLE)
        yield f"{part:<14}{most:>8}{mean_parts(alone)[part]:>11g}{own_means}"
    for number, (hand, phones) in enumerate(zip(alone, own, strict=True), start=1):
        taps = "".join(f"{total(phones[name]):>8g}" for name in PEOPLE)
        sold = ", sold" if Plan(number).is_sold else ""
        yield f"{f'Hand {number}{sold}':<14}{'':>8}{total(hand):>11g}{taps}"
    taps = "".join(f"{sum(total(hand[name]) for hand in own):>8g}" for name in PEOPLE)
    yield f"{'Together':<14}{len(alone) * sum(BUDGET.values()):>8}{sum(map(total, alone)):>11g}{taps}"


@click.command()
@click.option("--hands", default=HANDS, show_default=True)
def main(hands: int) -> None:
    """Play a night on one phone and a night on five, and print the taps."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium.program(), args=list(chromium.ARGUMENTS))
        alone = one_phone(browser, Path(folder) / "alone", range(1, hands + 1))
        own = own_phones(browser, Path(folder) / "own", hands)
        with browser_night(browser, Path(folder) / "rehearsal") as night:
            phone, seconds = first_pot(night)
        browser.close()
    for line in table(alone, own):
        click.echo(line)
    click.echo(f"The first pot of a rehearsal: {phone.taps} taps, {seconds:.0f} s from the first page on")


if __name__ == "__main__":
    main()
