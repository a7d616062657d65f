"""Eight Round Rummy on four phones: a whole game, its last round, and the short game."""

from support.four_phones import EVERYBODY, FourPhones
from support.score_events import round_won

FIXED = "#live .winner-tiles .btn, #live .undo, #live .turn, #live .dock, #round-1, #round-8"
OWN_FIXED = "#live .seat, #live .rtable, #live .dock"
ROUNDS = "eight-round-rummy"


def rounds(phones: FourPhones, winners: str) -> None:
    """Record the winner of each round, by the first letter of the name."""
    for letter in winners:
        winner = next(seat for seat in EVERYBODY if seat.startswith(letter))
        phones.table.record(round_won(winner), id=f"round-{phones.table.head}", by="ruth")


def test_a_whole_game_of_eight_rounds_with_an_early_mistake_found_late(phones: FourPhones) -> None:
    phones.open(ROUNDS)
    phones.see("ruth", "Who won round 1?")
    phones.tap("ruth", "#w-ben")
    phones.see("mia", "Ben wins round 1")
    before = phones.spots("ruth", FIXED)
    own_before = phones.spots("mia", OWN_FIXED)
    assert (len(before), len(own_before)) == (9, 5)
    rounds(phones, "m")
    wrong = phones.table.head
    phones.tap("tom", "#won-3")
    phones.see("ruth", "Tom wins round 3")
    assert phones.spots("ruth", FIXED) == before
    phones.tap("ben", "button.turn")
    phones.see("ruth", "Play changes direction")
    rounds(phones, "rbtm")
    phones.have(ruth=4, ben=6, mia=9, tom=9)
    phones.change(wrong, lambda page: page.tap(".pick:has([value=tom])"))
    phones.see("mia", "Changed: ")
    phones.have(ruth=4, ben=6, mia=7, tom=11)
    phones.see("ruth", "Who won round 8?")
    phones.see("mia", "I won the game")
    assert phones.spots("mia", OWN_FIXED) == own_before
    phones.fits()
    phones.tap("ruth", "#w-ben", "#with-joker")
    phones.see("mia", "Ben wins")
    phones.have(ruth=4, ben=14, mia=7, tom=11)
    phones.settles_as("Ben", "14", "Tom", "11", "Mia", "7", "Ruth", "4")


def test_round_8_without_a_joker_wins_at_once_and_can_be_taken_back(phones: FourPhones) -> None:
    phones.open(ROUNDS, looking=())
    rounds(phones, "rrrrrrr")
    phones.tap("mia", "#won-without")
    for person in ("mia", "ruth"):
        phones.see(person, "Mia wins")
        phones.see(person, "Round 8 without a joker wins the game at once")
    phones.tap("ruth", ".undo")
    phones.see("mia", "I won round 8")
    phones.tap("ruth", "#w-mia", "#with-joker")
    phones.see("mia", "Ruth wins")


def test_the_question_about_the_joker_stays_when_somebody_else_taps(phones: FourPhones) -> None:
    phones.open(ROUNDS, looking=())
    rounds(phones, "rrrrrrr")
    phones.tap("ruth", "#w-tom")
    phones.see("ruth", "Tom won round 8. Any joker in it?")
    phones.tap("ben", "button.turn")
    phones.see("ben", "Play changes direction")
    phones.newest("ruth")
    phones.see("ruth", "Tom won round 8. Any joker in it?")
    phones.tap("ruth", "#without-joker")
    phones.see("ben", "Tom wins")


def test_the_short_game_is_chosen_when_the_night_is_set_up(phones: FourPhones) -> None:
    phones.visitors["ruth"] = phones.site.host()
    host = phones.phone("ruth")
    host.goto(f"{phones.url}/new/{ROUNDS}")
    host.fill("[name=host]", "Ruth")
    host.select_option("select[name=rounds]", "short")
    host.click("text=Open the table")
    host.wait_for_url("**/lobby")
    phones.gather(host.url.split("/")[-2], looking=["ben"])
    host.goto(f"{phones.url}/n/{phones.code}")
    phones.pages["ruth"] = host
    for number, person in ((2, "ben"), (4, "mia"), (6, "mia")):
        phones.see("ruth", f"Who won round {number}?")
        phones.tap("ruth", f"#w-{person}")
    phones.tap("ben", "#won-with")
    phones.see("ruth", "Ben and Mia share the win")
