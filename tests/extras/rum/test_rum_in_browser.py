"""Michigan Rummy with the snake on four phones: hands are counted on one pad and on own phones."""

from itertools import product

from extras._shared.score_nights_in_browser import change, fits, have
from support.browser_phones import BrowserNight
from support.waiting import resize

SNAKE = "michigan-rummy-snake"


def cards(night: BrowserNight, person: str, hand: str) -> None:
    """Somebody types a hand card by card; what stands in brackets is a sequence."""
    for card in hand.split():
        key = ".key[data-run]" if card in ("[", "]") else f'[data-card="{card}"]'
        night.phones[person].page.tap(key)


def test_a_whole_night_with_the_snake(night: BrowserNight) -> None:
    night.play("Ruth", "Ben", "Mia", "Tom", preset=SNAKE)
    night.tap("mia", "text=A fault", "text=Bought a card and did not use it")
    night.host.see_word("−20 waits")
    night.tap("tom", "#do-out")
    night.phones["ben"].see_word("Tap what you still hold")
    cards(night, "ben", "K A 7")
    night.tap("ben", "text=I hold 32")
    cards(night, "mia", "[ A 2 3 ] Q 9")
    night.tap("mia", "text=I hold 25")
    night.host.see_word("Still to come: Ruth")
    fits(night)
    cards(night, "ruth", "A A 5")
    night.tap("ruth", "#next")
    night.phones["tom"].see_word("pays 45")
    night.tap("tom", "text=Pay Tom 112")
    night.phones["mia"].see_word("Tom goes out")
    have(night, ruth=-35, ben=-32, mia=-45, tom=112)
    first = night.table.head

    night.tap("ruth", "#do-stock")
    for person, points in (("ruth", 18), ("ben", 4), ("mia", 22), ("tom", 30)):
        night.phones[person].see_word("fewest points win")
        night.tap(person, "[data-mode=points]", *(f'[data-digit="{digit}"]' for digit in str(points)), "#next")
    night.tap("ruth", "text=Pay Ben 70")
    night.phones["tom"].see_word("The stock is used up")
    have(night, ruth=-53, ben=38, mia=-67, tom=82)
    night.tap("ruth", ".undo", "#h-mia", '[data-digit="9"]', "#next", "text=Pay Ben 57")  # what the others said stays
    have(night, ruth=-53, ben=25, mia=-54, tom=82)

    change(night, first, lambda page: page.fill("input[name='hands-ben']", "52"))
    night.phones["mia"].see_word("Changed: ")
    have(night, ruth=-53, ben=5, mia=-54, tom=102)
    assert night.phones["mia"].page.locator(".padsheet tbody tr").count() == 2


def test_cards_tapped_and_not_yet_said_stay_when_another_phone_says_its_own(night: BrowserNight) -> None:
    night.play("Ruth", "Ben", "Mia", "Tom", preset=SNAKE)
    night.tap("tom", "#do-out")
    night.host.see_word("Tom: Rummy!")
    night.host.page.tap("#h-mia")
    cards(night, "ruth", "K Q")
    night.phones["ben"].see_word("Tap what you still hold")
    cards(night, "ben", "7")
    night.tap("ben", "#next")
    night.host.see_word("Still to come: Ruth and Mia")
    assert night.host.page.inner_text("#h-mia .slot") == "20"
    assert night.host.page.inner_text("#h-ben .slot") == "7"


def test_a_phone_on_its_side_shows_every_key_of_the_count_without_scrolling(night: BrowserNight) -> None:
    night.play("Ruth", "Ben", others=["Mia", "Tom"], preset=SNAKE)
    night.tap("ruth", "#do-out", "#s-tom")
    for person, size in product(("ruth", "ben"), ((568, 320), (667, 375), (844, 390))):
        night.phones[person].see_word("Tom: Rummy!")
        page = night.phones[person].page
        resize(page, *size)
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
            assert hidden == [], (person, size, mode)
