"""A host and three guests (with `--long` seven), each on a phone of their own, at the command as people start it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from support.browser_phones import AWAY, BrowserNight, browser_night

GUESTS = ("Ben", "Mia", "Tom", "Leo", "Ana", "Ida", "Max")


@pytest.fixture(name="night")
def _night(browser: Browser, tmp_path: Path) -> Iterator[BrowserNight]:
    with browser_night(browser, tmp_path) as night:
        yield night


STACK = 22


def sit_down(night: BrowserNight, guests: tuple[str, ...]) -> None:
    """Everybody scans the code on the host's screen, and every lobby shows everybody."""
    night.open("Ruth", stack=STACK)
    night.join(night.link_in_code(), *guests)
    for phone in night.phones.values():
        phone.see(f"#live .ring4 li:nth-child({len(night.phones)})")
        own = phone.page.locator("#live .ring4 li", has_text="this phone").locator("bdi").all_inner_texts()
        assert own == [phone.name]


def bid_by_bid(night: BrowserNight) -> None:
    """The host takes the first bid down, then everybody bids on their own phone until Ben has it for 5."""
    phones = night.phones
    night.host.tap_word("Sold…", "Bid by bid")
    night.host.record(".a-bids [value='bid:2']")
    phones["mia"].record(".a-rest [value='bid:4']")
    for name, phone in phones.items():
        if name not in ("ruth", "ben", "mia"):
            phone.record_word("Pass")
    phones["ben"].record(".a-rest [value='bid:5']")
    phones["mia"].record_word("Pass")
    night.check_chips()
    assert night.state()["stacks"]["ben"] == STACK - 9 - 5


def take_back_in_the_log(night: BrowserNight, sentence: str) -> None:
    """The host takes an entry back that others have followed."""
    host = night.host
    host.tap("a[href$='/log']", f".entry:has-text('{sentence}') a:has-text('Change')")
    host.tap_word("Take it back instead", "They are right")
    host.see(f".entry.undone:has-text('{sentence}')")
    host.tap(".bar a[aria-label=Back]")
    host.see("#move")


def first_hand(night: BrowserNight) -> None:
    phones = night.phones
    night.begin("Ruth")
    bid_by_bid(night)
    phones["tom"].page.reload()
    phones["tom"].collect("ten-hearts")
    night.host.collect_for("ace-hearts", "mia")
    phones["tom"].tap("#own-bar a[data-open]")
    phones["tom"].tap_word("Played wrongly")
    phones["tom"].record_word("Led too high")
    night.check_chips()
    in_each_pot = len(phones) + 1  # the dealer antes double
    take_back_in_the_log(night, f"Tom takes {in_each_pot}: Ten of hearts")
    phones["mia"].page.reload()
    night.check_chips()
    assert night.state()["pots"]["ten-hearts"] == in_each_pot
    go_out(night, "ben", cards=2)
    night.host.record("#s-mia")  # the best poker hand
    night.check_chips()


def go_out(night: BrowserNight, winner: str, cards: int) -> None:
    """A phone says it is out, the others type their cards on theirs, and the winner's phone pays."""
    night.phones[winner].tap_word("I am out of cards!")
    for name, phone in night.phones.items():
        if name == winner:
            continue
        phone.see(".pad")
        if phone is night.host:
            phone.tap(f"#c-{name}")
        phone.cards(cards)
    payers = len(night.phones) - 1
    night.phones[winner].see("#pay:has-text('I get')")
    assert night.phones[winner].page.inner_text("#sum-cards") == str(payers * cards)
    night.phones[winner].record("#pay")
    night.check_chips()


def second_hand(night: BrowserNight) -> None:
    """Two people can't pay the ante: one buys on the own phone, one borrows through the host."""
    phones, host = night.phones, night.host
    host.see("#s-tom:has-text('of 9')")
    phones["tom"].tap_word("You need")
    phones["tom"].tap(".sheet button:has-text('Buy')")
    host.tap("#s-ruth", ".sheet button:has-text('Borrow')")
    host.see_word("Ante for hand 2")
    phones["ben"].page.reload()
    phones["ben"].record_word("Ante for hand 2")
    night.check_chips()
    phones["ben"].record_word("Left alone")
    phones["tom"].collect("queen-hearts")
    phones["mia"].collect("king-clubs")
    phones["tom"].page.reload()
    night.check_chips()


def test_every_phone_shows_the_same_chips_through_two_hands_and_a_power_cut(
    night: BrowserNight, short_or_long: Callable[[int, int], int]
) -> None:
    sit_down(night, GUESTS[: short_or_long(3, 7)])
    first_hand(night)
    second_hand(night)
    assert [note["debtor"] for note in night.state()["notes"]] == ["ruth"]
    assert night.state()["bought"]["tom"] > STACK

    for phone in night.phones.values():
        phone.excuse(AWAY)
    before = night.state()
    night.command.kill()
    for phone in night.phones.values():
        phone.see("#net:has-text('Looking for the table')")
    night.command.start()
    assert night.state() == before
    night.phones["mia"].collect("jack-spades")
    night.check_chips()
    for phone in night.phones.values():
        assert phone.page.get_attribute("#move", "data-me") == phone.seat
    go_out(night, "tom", cards=1)
    night.host.tap_word("Nobody")
    night.check_chips()
    state = night.state()
    assert state["hand"] == 2
    assert sum(state["stacks"].values()) + sum(state["pots"].values()) == sum(state["bought"].values())
