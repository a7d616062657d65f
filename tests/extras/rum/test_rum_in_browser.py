"""Michigan Rummy with the snake on four phones: hands are counted on one pad and on own phones."""

from itertools import product

from support.four_phones import FourPhones
from support.waiting import meanwhile, resize

from tracker.formats.codec import event_to

SNAKE = "michigan-rummy-snake"


def cards(phones: FourPhones, person: str, hand: str) -> None:
    """Somebody types a hand card by card; what stands in brackets is a sequence."""
    for card in hand.split():
        key = ".key[data-run]" if card in ("[", "]") else f'[data-card="{card}"]'
        phones.pages[person].tap(key)


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
    phones.fits()
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
    phones.see("mia", "Changed: ")
    phones.have(ruth=-53, ben=18, mia=-67, tom=102)
    assert phones.pages["mia"].locator(".padsheet tbody tr").count() == 2
    phones.settles_as("Tom", "102", "Ben", "18", "Ruth", "−53", "Mia", "−67")


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


def test_a_phone_on_its_side_shows_every_key_of_the_count_without_scrolling(phones: FourPhones) -> None:
    phones.open(SNAKE, looking=("ruth", "ben"))
    phones.tap("ruth", "#do-out", "#s-tom")
    for person, size in product(("ruth", "ben"), ((568, 320), (667, 375), (844, 390))):
        phones.see(person, "Tom: Rummy!")
        page = phones.pages[person]
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
