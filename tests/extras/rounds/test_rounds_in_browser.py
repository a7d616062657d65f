"""Eight Round Rummy on four phones: a whole game, its last round, and the short game."""

from extras._shared.score_nights import round_won
from extras._shared.score_nights_in_browser import EVERYBODY, change, fits, have, settles_as
from support.browser_phones import BrowserNight, BrowserPhone

FIXED = "#live .winner-tiles .btn, #live .undo, #live .turn, #live .dock, #round-1, #round-8"
OWN_FIXED = "#live .seat, #live .rtable, #live .dock"
ROUNDS = "eight-round-rummy"


def spots(phone: BrowserPhone, selector: str) -> list[tuple[float, float]]:
    """Return where things stand."""
    found = [one.bounding_box() for one in phone.page.query_selector_all(selector)]
    return [(box["x"], box["y"]) for box in found if box]


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
    before = spots(night.host, FIXED)
    own_before = spots(night.phones["mia"], OWN_FIXED)
    assert (len(before), len(own_before)) == (9, 5)
    rounds(night, "m")
    wrong = night.table.head
    night.tap("tom", "#won-3")
    night.host.see_word("Tom wins round 3")
    assert spots(night.host, FIXED) == before
    night.tap("ben", "button.turn")
    night.host.see_word("Play changes direction")
    rounds(night, "rbtm")
    have(night, ruth=4, ben=6, mia=9, tom=9)
    change(night, wrong, lambda page: page.tap(".pick:has([value=tom])"))
    night.phones["mia"].see_word("Changed: ")
    have(night, ruth=4, ben=6, mia=7, tom=11)
    night.host.see_word("Who won round 8?")
    night.phones["mia"].see_word("I won the game")
    assert spots(night.phones["mia"], OWN_FIXED) == own_before
    fits(night)
    night.tap("ruth", "#w-ben", "#with-joker")
    night.phones["mia"].see_word("Ben wins")
    have(night, ruth=4, ben=14, mia=7, tom=11)
    settles_as(night, "Ben", "14", "Tom", "11", "Mia", "7", "Ruth", "4")


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
