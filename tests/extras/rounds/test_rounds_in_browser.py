"""Eight Round Rummy on four phones: a whole game, its last round, and the short game."""

from support.browser_phones import EVERYBODY, BrowserNight
from support.score_events import round_won

FIXED = "#live .winner-tiles .btn, #live .undo, #live .turn, #live .dock, #round-1, #round-8"
OWN_FIXED = "#live .seat, #live .rtable, #live .dock"
ROUNDS = "eight-round-rummy"


def rounds(night: BrowserNight, winners: str) -> None:
    """Record the winner of each round, by the first letter of the name."""
    for letter in winners:
        winner = next(seat for seat in EVERYBODY if seat.startswith(letter))
        night.table.record(round_won(winner), id=f"round-{night.table.head}", by="ruth")


def test_a_whole_game_of_eight_rounds_with_an_early_mistake_found_late(night: BrowserNight) -> None:
    night.play("Ruth", "Ben", "Mia", "Tom", preset=ROUNDS)
    night.host.see_word("Who won round 1?")
    night.tap("ruth", "#w-ben")
    night.phones["mia"].see_word("Ben wins round 1")
    before = night.host.spots(FIXED)
    own_before = night.phones["mia"].spots(OWN_FIXED)
    assert (len(before), len(own_before)) == (9, 5)
    rounds(night, "m")
    wrong = night.table.head
    night.tap("tom", "#won-3")
    night.host.see_word("Tom wins round 3")
    assert night.host.spots(FIXED) == before
    night.tap("ben", "button.turn")
    night.host.see_word("Play changes direction")
    rounds(night, "rbtm")
    night.have(ruth=4, ben=6, mia=9, tom=9)
    night.change(wrong, lambda page: page.tap(".pick:has([value=tom])"))
    night.phones["mia"].see_word("Changed: ")
    night.have(ruth=4, ben=6, mia=7, tom=11)
    night.host.see_word("Who won round 8?")
    night.phones["mia"].see_word("I won the game")
    assert night.phones["mia"].spots(OWN_FIXED) == own_before
    night.fits()
    night.tap("ruth", "#w-ben", "#with-joker")
    night.phones["mia"].see_word("Ben wins")
    night.have(ruth=4, ben=14, mia=7, tom=11)
    night.settles_as("Ben", "14", "Tom", "11", "Mia", "7", "Ruth", "4")


def test_the_question_about_the_joker_stays_when_somebody_else_taps(night: BrowserNight) -> None:
    night.play("Ruth", "Ben", others=["Mia", "Tom"], preset=ROUNDS)
    rounds(night, "rrrrrrr")
    night.tap("ruth", "#w-tom")
    night.host.see_word("Tom won round 8. Any joker in it?")
    night.tap("ben", "button.turn")
    night.phones["ben"].see_word("Play changes direction")
    night.host.see_head(night.head())
    night.host.see_word("Tom won round 8. Any joker in it?")
    night.tap("ruth", "#without-joker")
    night.phones["ben"].see_word("Tom wins")
