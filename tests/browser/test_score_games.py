import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from support.four_phones import EVERYBODY, FourPhones, at_one_night, four_phones
from support.score_events import round_won
from support.waiting import meanwhile, resize

from tracker.formats.codec import event_to

FIXED = "#live .seat, #live .undo, #live .turn, #live .dock, #round-1, #round-8"
OWN_FIXED = "#live .seat, #live .rtable, #live .dock"
SIZES = ((320, 568), (844, 390), (1366, 768), (390, 844))
ROUNDS, SNAKE = "eight-round-rummy", "michigan-rummy-snake"


@pytest.fixture(name="kept", scope="module")
def _kept(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FourPhones]:
    with four_phones(browser, tmp_path_factory.mktemp("data")) as phones:
        yield phones


@pytest.fixture(name="phones")
def _phones(kept: FourPhones) -> Iterator[FourPhones]:
    yield from at_one_night(kept)


def rounds(phones: FourPhones, winners: str) -> None:
    """Record the winner of each round, by the first letter of the name."""
    for letter in winners:
        winner = next(seat for seat in EVERYBODY if seat.startswith(letter))
        phones.table.record(round_won(winner), id=f"round-{phones.table.head}", by="ruth")


def cards(phones: FourPhones, person: str, hand: str) -> None:
    """Somebody types a hand card by card; what stands in brackets is a sequence."""
    for card in hand.split():
        key = ".key[data-run]" if card in ("[", "]") else f'[data-card="{card}"]'
        phones.pages[person].tap(key)


def assert_in_order(text: str, *words: str) -> None:
    assert re.search(".*?".join(re.escape(word) for word in words), text), text


def test_a_whole_game_of_eight_rounds_with_an_early_mistake_found_late(phones: FourPhones) -> None:
    phones.open(ROUNDS)
    phones.see("ruth", "Who won round 1?")
    phones.tap("ruth", "#s-ben")
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
    phones.see("mia", "An entry was changed")
    phones.have(ruth=4, ben=6, mia=7, tom=11)
    phones.see("ruth", "Who won round 8?")
    phones.see("mia", "I won the game")
    assert phones.spots("mia", OWN_FIXED) == own_before
    fits(phones)
    phones.tap("ruth", "#s-ben", "#with-joker")
    phones.see("mia", "Ben wins")
    phones.have(ruth=4, ben=14, mia=7, tom=11)
    assert_in_order(phones.settle(), "Ben", "14", "Tom", "11", "Mia", "7", "Ruth", "4")


def test_round_8_without_a_joker_wins_at_once_and_can_be_taken_back(phones: FourPhones) -> None:
    phones.open(ROUNDS, looking=())
    rounds(phones, "rrrrrrr")
    phones.tap("mia", "#won-without")
    for person in ("mia", "ruth"):
        phones.see(person, "Mia wins")
        phones.see(person, "Round 8 without a joker wins the game at once")
    phones.tap("ruth", ".undo")
    phones.see("mia", "I won round 8")
    phones.tap("ruth", "#s-mia", "#with-joker")
    phones.see("mia", "Ruth wins")


def test_the_question_about_the_joker_stays_when_somebody_else_taps(phones: FourPhones) -> None:
    phones.open(ROUNDS, looking=())
    rounds(phones, "rrrrrrr")
    phones.tap("ruth", "#s-tom")
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
        phones.tap("ruth", f"#s-{person}")
    phones.tap("ben", "#won-with")
    phones.see("ruth", "Ben and Mia share the win")


def test_a_whole_night_with_the_snake(phones: FourPhones) -> None:
    phones.open(SNAKE)
    phones.tap("mia", "text=A fault", "text=Bought a card and did not use it")
    phones.see("ruth", "−20 waits")
    phones.tap("tom", "#do-out")
    phones.see("ben", "Tap what you still hold")
    cards(phones, "ben", "K A 7")
    phones.tap("ben", "text=I hold 32")
    cards(phones, "mia", "[ A 2 3 ] Q 9")
    phones.tap("mia", "text=I hold 25")
    phones.see("ruth", "Still to come: Ruth")
    fits(phones)
    cards(phones, "ruth", "A A 5")
    phones.tap("ruth", "#next")
    phones.see("tom", "pays 45")
    phones.tap("tom", "text=Pay Tom 112")
    phones.see("mia", "Tom goes out")
    phones.have(ruth=-35, ben=-32, mia=-45, tom=112)
    first = phones.table.head

    phones.tap("ruth", "#do-stock")
    for person, points in (("ruth", 18), ("ben", 4), ("mia", 22), ("tom", 30)):
        phones.see(person, "fewest points win")
        phones.tap(person, "[data-mode=points]", *(f'[data-digit="{digit}"]' for digit in str(points)), "#next")
    phones.tap("ruth", "text=Pay Ben 70")
    phones.see("tom", "The stock is used up")
    phones.have(ruth=-53, ben=38, mia=-67, tom=82)

    phones.change(first, lambda page: page.fill("input[name='hands-ben']", "52"))
    phones.see("mia", "An entry was changed")
    phones.have(ruth=-53, ben=18, mia=-67, tom=102)
    assert phones.pages["mia"].locator(".padsheet tbody tr").count() == 2
    assert_in_order(phones.settle(), "Tom", "102", "Ben", "18", "Ruth", "−53", "Mia", "−67")


def test_a_payment_taken_back_is_counted_again_on_the_same_pad(phones: FourPhones) -> None:
    phones.open(SNAKE, looking=("ruth", "ben"))
    phones.tap("ruth", "#do-out", "#s-tom")
    for digits in ("32", "25", "35"):
        phones.tap("ruth", "[data-mode=points]", *(f'[data-digit="{digit}"]' for digit in digits), "#next")
    phones.tap("ruth", "text=Pay Tom 92")
    phones.see("ben", "Tom goes out")
    paid = phones.table.head
    phones.tap("ruth", ".undo", "#h-ben", '[data-digit="9"]', "#next", "text=Pay Tom 76")
    meanwhile(phones.pages["ruth"], lambda: phones.table.head > paid + 1)
    paid_again = event_to(phones.table.entries[-1].event)
    assert (paid_again["kind"], paid_again["hands"]) == ("rummy", {"ruth": 32, "ben": 9, "mia": 35})


def test_cards_tapped_and_not_yet_said_stay_when_another_phone_says_its_own(phones: FourPhones) -> None:
    phones.open(SNAKE, looking=("ruth", "ben", "tom"))
    phones.tap("tom", "#do-out")
    phones.see("ruth", "Tom: Rummy!")
    phones.pages["ruth"].tap("#h-mia")
    cards(phones, "ruth", "K Q")
    phones.see("ben", "Tap what you still hold")
    cards(phones, "ben", "7")
    phones.tap("ben", "#next")
    phones.see("ruth", "Still to come: Ruth and Mia")
    assert phones.pages["ruth"].inner_text("#h-mia .slot") == "20"
    assert phones.pages["ruth"].inner_text("#h-ben .slot") == "7"


@pytest.mark.parametrize(("width", "height"), [(568, 320), (667, 375), (844, 390)])
def test_a_phone_on_its_side_shows_every_key_of_the_count_without_scrolling(
    phones: FourPhones, width: int, height: int
) -> None:
    phones.open(SNAKE, looking=("ruth", "ben"))
    phones.tap("ruth", "#do-out", "#s-tom")
    for person in ("ruth", "ben"):
        phones.see(person, "Tom: Rummy!")
        page = phones.pages[person]
        resize(page, width, height)
        for mode in ("cards", "points"):
            page.tap(f"[data-mode={mode}]")
            hidden = page.evaluate(
                """() => [...document.querySelectorAll(".entry button")].filter((one) => one.checkVisibility())
                  .filter((one) => {
                    const { x, y, width, height } = one.getBoundingClientRect();
                    return ![y + height / 4, y + 3 * height / 4]
                      .every((at) => one.contains(document.elementFromPoint(x + width / 2, at)));
                  }).map((one) => one.textContent)"""
            )
            assert hidden == [], (person, mode)


def fits(phones: FourPhones) -> None:
    """No size of screen is narrower than what stands on the host's page."""
    page = phones.pages["ruth"]
    for width, height in SIZES:
        resize(page, width, height)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("preset", [ROUNDS, SNAKE, "score-sheet", "hearts"])
def test_the_header_does_not_touch_the_seats_on_a_small_phone_on_its_side(phones: FourPhones, preset: str) -> None:
    """The name of the game takes two lines where it is long."""
    phones.open(preset, looking=["ruth", "ben"])
    for person in ("ruth", "ben"):
        page = phones.pages[person]
        resize(page, 568, 320)
        words, seats = page.locator(".bar .t").bounding_box(), page.locator(".sc .seats").first.bounding_box()
        assert words
        assert seats
        assert words["y"] + words["height"] + 3 <= seats["y"], person
