"""A night on boards that ask every kind of question, tapped on one phone from the first ante to the settlement.

Four people, one phone for all of them; Ann deals. The chips of the hand are worked out by hand, and the settlement is
what `board-tracker replay` says of the night's file. After every tap that changes the stage, the page has to fit.
"""

from collections.abc import Callable

import pytest
from support.browser_phones import BrowserNight, at_table, word_on_control
from support.layout_faults import layout_faults
from support.one_phone_table import Table


def hearts_three_stages(table: Table) -> None:
    """Held hearts, a shared run, bets, then the play: 9 chips from each of 100."""
    for pot in ("king-hearts", "queen-hearts", "king-queen-hearts"):
        table.phone.collect_for(pot, "ben")
    table.phone.collect_for("jack-hearts", "mia")
    table.phone.tap("#p-eight-nine-ten")
    table.phone.tap_word("Share it…")
    table.look("who shares")
    table.phone.tap("#s-ann", "#s-mia", "#s-tom")
    table.phone.see("[data-tie] small:has-text('left over: 1')")
    table.phone.record_word("Share it: 1 each")
    table.look("held")
    table.phone.record_word("Go on")
    bet(table, "ann", 2)
    bet(table, "ben", 4, is_raise=True)
    call(table, "mia")
    call(table, "ann")
    table.look("bets are in")
    table.phone.record("#s-mia")
    table.out("tom", 2, 5, 1)
    table.ends_with("86 94 107 104", ten_hearts=4, ace_hearts=4, eight_nine_ten=1)


def bet(table: Table, seat: str, chips: int, *, is_raise: bool = False) -> None:
    table.phone.tap_word("A bet…")
    table.phone.tap(f"#s-{seat}")
    if is_raise:
        table.look("call, raise or fold")
        table.phone.tap_word("Raise…")
    table.look("how much")
    table.phone.record(f".a-bet .key:text-is('{chips}')")


def call(table: Table, seat: str) -> None:
    """Somebody bets as much as the others have."""
    table.phone.tap_word("A bet…")
    table.phone.tap(f"#s-{seat}")
    table.phone.record(".a-answer [value=call]")


def newmarket(table: Table) -> None:
    """Everybody lays four chips; first out takes the kitty, and no cards are counted: 5 chips from each of 40."""
    table.phone.tap_word("1 on each")
    table.look("placing")
    table.phone.record_word("Done")
    table.look("placed")
    table.phone.tap("#p-ace-hearts", "#p-ace-hearts", "#p-king-clubs", "#p-king-clubs")
    table.phone.record_word("Done")
    table.phone.tap(*["#p-queen-diamonds"] * 4)
    table.phone.record_word("Done")
    table.phone.tap_word("1 on each")
    table.phone.record_word("Done")
    table.phone.record_word("Left alone")
    table.phone.collect_for("queen-diamonds", "mia")
    table.phone.tap_word("Someone is out")
    table.phone.record("#s-tom")
    table.ends_with("35 35 41 39", ace_hearts=4, king_clubs=4, jack_spades=2)


def pope_joan(table: Table) -> None:
    """The dealer's 15, a queen turned up, the Pope's holder pays nothing."""
    table.phone.tap("#p-queen")
    table.look("turned up?")
    table.phone.record_word("Turned up")
    table.phone.collect_for("king", "mia")
    table.phone.collect_for("jack", "ben")
    table.phone.tap_word("Someone is out")
    table.phone.tap("#s-tom")
    table.phone.tap("[value='excuse:ben']")  # first: it has to stand while the numbers are typed
    table.phone.tap(".pad [data-key='4']", ".pad [data-key='2']", ".pad [data-key='3']")
    table.phone.see("#pay:has-text('Pay Tom 8')")
    table.phone.see("[value='excuse:ben'][aria-pressed=true]")
    table.look("count with the Pope")
    table.phone.record("#pay[aria-disabled=false]")
    table.ends_with("32 51 48 58", pope=6, matrimony=2, intrigue=2, ace=1)


def nain_jaune(table: Table) -> None:
    """Two boxes, points instead of cards, and the dwarf still held doubles its box: 15 chips from each of 60."""
    table.phone.collect_for("queen-spades", "tom")
    table.phone.collect_for("ten-diamonds", "mia")
    table.out("ben", 7, 16, 10, points=True)
    table.phone.tap("#s-ann")
    table.phone.see("#sheet .sheet-top")
    table.look("still holds a box card")
    table.phone.record("#sheet [value='left:seven-diamonds']")
    table.ends_with("15 78 42 41", jack_clubs=8, king_hearts=16, seven_diamonds=40)


PLAY_OF_PRESETS: dict[str, Callable[[Table], None]] = {
    "hearts-three-stages": hearts_three_stages,
    "newmarket": newmarket,
    "pope-joan": pope_joan,
    "nain-jaune": nain_jaune,
}
"""With Michigan Rummy, of which test_tap_budget.py plays a hand, they ask every kind of question; test_every_offer.py
takes the offers of all boards, and tests/nights has a worked night of each."""


_night = at_table("night")


@pytest.mark.parametrize("preset", PLAY_OF_PRESETS)
def test_a_night_is_tapped_on_one_phone_to_its_settlement(night: BrowserNight, preset: str) -> None:
    table = Table(night, preset)
    PLAY_OF_PRESETS[preset](table)
    table.settle()
    assert night.host.complaints() == []


def test_a_player_lays_chips_and_bets_on_a_corner_ace_on_the_own_phone(night: BrowserNight) -> None:
    laid = (word_on_control("Place my chips"), *["#p-ace-hearts"] * 2, *["#p-jack-spades"] * 2, word_on_control("Done"))
    bet = ("#p-corner-ace-hearts", ".a-bet .key:text-is('2')")
    for preset, taps, pot, left in (("newmarket", laid, "ace-hearts", 35), ("royal-rummy", bet, bet[0][3:], 49)):
        Table(night, preset, "Lea")
        night.phones["lea"].record(*taps)
        assert (night.state()["pots"][pot], night.state()["stacks"]["lea"]) == (2, left)
        assert layout_faults(night.phones["lea"].page) == []
