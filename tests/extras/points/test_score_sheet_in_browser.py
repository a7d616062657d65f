"""A plain score sheet on four phones: points on one pad or on their own phones, a correction, and the settlement."""

import re

import pytest
from playwright.sync_api import Page
from support.four_phones import EVERYBODY, FourPhones
from support.waiting import resize, until

SIZES = ((320, 568), (568, 320), (844, 390), (1366, 768), (390, 844))


def fits(page: Page) -> None:
    """On no size of screen does anything scroll sideways, or the dock cover a key."""
    for width, height in SIZES:
        resize(page, width, height)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        dock, key = page.locator("#dock").bounding_box(), page.locator("[data-digit='0']").bounding_box()
        assert dock
        assert key
        assert key["y"] + key["height"] <= dock["y"] + 1, "the dock covers no key"


def assert_best_is_shown_as_good(page: Page) -> None:
    """The best of the round has the colour of what is good, also where few points win."""
    page.wait_for_selector(".round-best")
    shown, good = page.evaluate(
        """() => {
          const good = document.body.appendChild(document.createElement("p"));
          good.style.color = "var(--good)";
          return [document.querySelector(".round-best"), good].map((one) => getComputedStyle(one).color);
        }"""
    )
    assert shown == good


def type_points(phones: FourPhones, person: str, points: int) -> None:
    """Type points on the pad of somebody's phone and say them, where a number that can't grow isn't said by itself."""
    page = phones.pages[person]
    if points < 0:
        page.tap("[data-sign]")
    for digit in str(abs(points)):
        page.tap(f'[data-digit="{digit}"]')
    if page.locator("#next").is_visible():
        page.tap("#next")


def test_a_night_of_hearts_by_one_pad_and_by_own_phones_to_its_settlement(phones: FourPhones) -> None:
    phones.open("hearts", looking=("ruth", "ben", "mia"))
    phones.tap("ruth", "#do-stock")
    for points in (0, 13, 5):
        type_points(phones, "ruth", points)  # Tom has the rest
    assert_best_is_shown_as_good(phones.pages["ruth"])
    until(phones.pages["mia"], "() => document.querySelector('#h-tom').dataset.said === '8'")
    assert "Tom" not in phones.pages["mia"].inner_text("#bubble"), "nobody has said it"
    phones.tap("ruth", "#pay-deal")
    phones.see("mia", "Round 1: Ruth with 0")
    phones.have(ruth=0, ben=13, mia=5, tom=8)

    phones.tap("ben", "#do-stock")  # any phone may say that the round is over
    for person, points in (("ben", 7), ("mia", 2), ("ruth", 1), ("ruth", 90)):  # the host's pad goes on to Tom
        phones.pages[person].wait_for_selector("#pad-points")
        type_points(phones, person, points)
    phones.tap("ruth", "#pay-deal")
    phones.see("ben", "Round 2: Ruth with 1")
    phones.have(ruth=1, ben=20, mia=7, tom=98)

    wrong = phones.table.head
    phones.change(wrong, lambda page: page.fill("[name=points-tom]", "9"))
    phones.see("mia", "Changed: ")
    phones.have(ruth=1, ben=20, mia=7, tom=17)

    phones.tap("ruth", "#do-stock")
    for points in (-26, 0, 0, 100):
        type_points(phones, "ruth", points)
    phones.tap("ruth", "#pay-deal")
    phones.see("ben", "Ruth wins")
    phones.have(ruth=-25, ben=20, mia=7, tom=117)
    assert phones.table.night.is_over
    assert re.search("Ruth.*?−25.*?Mia.*?7.*?Ben.*?20.*?Tom.*?117", phones.settle())


@pytest.mark.parametrize("use", ["tap", "key"])
def test_a_digit_before_the_page_tells_of_a_new_count_is_taken(phones: FourPhones, use: str) -> None:
    """What is swapped in stands on the page a moment before htmx says so."""
    phones.open("score-sheet", looking=("ruth",))
    page = phones.pages["ruth"]
    page.evaluate("document.addEventListener('htmx:after:swap', event => event.stopImmediatePropagation(), true)")
    phones.tap("ruth", "#do-stock")
    if use == "tap":
        page.tap('[data-digit="7"]')
    else:
        page.wait_for_selector('[data-digit="7"]')
        page.keyboard.press("7")
        page.keyboard.press("Enter")
        until(page, "() => document.querySelector('#h-ruth').dataset.said === '7'")
    assert page.inner_text("#h-ruth .slot") == "7"


def test_a_wrong_sum_is_not_shown_while_a_number_is_typed_anew(phones: FourPhones) -> None:
    phones.open("hearts", looking=("ruth",))
    page, said = phones.pages["ruth"], phones.pages["ruth"].locator("b:has-text('These points come to')")
    phones.tap("ruth", "#do-stock")
    for points in (0, 13, 8, 8):
        type_points(phones, "ruth", points)
    said.wait_for(state="visible")
    assert "29, not 26" in said.inner_text()
    page.tap(".hand[data-hand=tom]")
    assert said.is_visible()
    page.tap('[data-digit="5"]')
    assert not said.is_visible()
    page.tap("#next")
    phones.see("ruth", "Round 1: Ruth with 0")


def test_a_round_of_hearts_for_four_takes_eight_taps_at_most(phones: FourPhones) -> None:
    phones.open("hearts", looking=("ruth",))
    totals = dict.fromkeys(EVERYBODY, 0)
    for points in ((13, 8, 5), (1, 2, 23), (10, 2, 1)):
        digits = [(f'[data-digit="{digit}"]', one) for one in points for digit in str(one)]
        taps = ["#do-stock", *(tap for digit, one in digits for tap in (digit, *(["#next"] if one in (1, 2) else [])))]
        phones.tap("ruth", *taps, "#pay-deal")
        assert len(taps) < 8
        for seat, one in zip(EVERYBODY, (*points, 26 - sum(points)), strict=True):
            totals[seat] += one
        phones.have(**totals)


def test_who_took_all_hearts_is_one_key(phones: FourPhones) -> None:
    phones.open("hearts", looking=("ruth", "ben"))
    phones.tap("ruth", "#do-stock", "#h-ben", "[data-all]", "#pay-deal")
    phones.have(ruth=26, ben=0, mia=26, tom=26)
    assert phones.table.night.hand == 1


TOLD = "text => document.querySelector('#bubble').textContent === text"


def count_a_round(phones: FourPhones, *looking: str) -> Page:
    """Return the host's page, at the count of a score sheet's first round."""
    phones.open("score-sheet", looking=("ruth", *looking))
    phones.tap("ruth", "#do-stock")
    page = phones.pages["ruth"]
    page.wait_for_selector("#pad-points")
    return page


def test_the_pad_takes_what_the_sheet_takes_and_refuses_more_with_a_word(phones: FourPhones) -> None:
    page = count_a_round(phones)
    for points in (1_000_000, -1_000_000, 48_000, 25_000):
        type_points(phones, "ruth", points)
    phones.have(ruth=1_000_000, ben=-1_000_000, mia=48_000, tom=25_000)
    phones.tap("ruth", "#do-stock")
    for digit in "48000000":
        page.tap(f'[data-digit="{digit}"]')
    until(page, TOLD, "1,000,000 at most")
    assert page.inner_text("#h-ruth .slot") == "480000"
    fits(page)


def test_back_closes_the_count_and_what_was_typed_is_there_again(phones: FourPhones) -> None:
    page = count_a_round(phones, "ben")
    page.tap('[data-digit="1"]')
    page.tap('[data-digit="2"]')
    type_points(phones, "ben", 7)
    until(page, "() => document.querySelector('#h-ben').dataset.said === '7'")
    page.go_back(wait_until="commit")
    page.tap("[data-to-count] >> visible=true")
    assert page.inner_text("#h-ruth .slot") == "12"
    page.goto(f"{phones.url}/n/{phones.code}/log")
    page.go_back()
    page.wait_for_selector(".hands >> visible=true")
    until(page, "() => document.querySelector('#h-ruth .slot').textContent === '12'")
    page.tap("#next")
    until(page, "() => document.querySelector('#h-ruth').dataset.said === '12'")


def test_a_typed_count_is_overwritten_only_with_a_word(phones: FourPhones) -> None:
    page = count_a_round(phones, "ben", "mia")
    page.tap("[data-hand=ben]")
    type_points(phones, "ruth", 2)
    page.tap("[data-hand=mia]")
    page.tap('[data-digit="9"]')  # typed, and not said yet
    type_points(phones, "ben", -5)
    until(page, TOLD, "Ben: −5, from another phone (you had 2)")
    type_points(phones, "mia", 4)
    until(page, TOLD, "Mia: 4, from another phone (you had 9)")
    assert page.inner_text("#h-mia .slot") == "4"


def test_on_a_keyboard_enter_says_the_number_in_its_row(phones: FourPhones) -> None:
    page = count_a_round(phones)
    for number in ("11", "-4", "30", "7"):
        for key in number[::-1] if number.startswith("-") else number:
            page.keyboard.press(key)
        page.keyboard.press("Enter")
    until(page, "() => !document.querySelector('#pay-deal').disabled")
    assert page.locator(".hand .slot").all_text_contents() == ["11", "−4", "30", "7"]
    page.evaluate("document.querySelector('.hands').focus()")
    page.keyboard.press("Enter")
    until(page, "() => getComputedStyle(document.querySelector('#pay-deal')).pointerEvents !== 'none'")
    page.keyboard.press("g")
    phones.have(ruth=11, ben=-4, mia=30, tom=7)


def test_a_round_is_paused_by_a_key_of_the_pad_and_on_the_own_phone(phones: FourPhones) -> None:
    phones.open("score-sheet", looking=("ruth", "mia"))
    page = phones.pages["ruth"]
    phones.tap("ruth", "#do-stock")
    fits(page)
    page.tap("[data-pause]")  # Ruth, who is first
    page.wait_for_selector("#h-ruth[data-pauses]")
    phones.pages["mia"].wait_for_selector("#pad-points")
    phones.pages["mia"].tap("[data-pause]")
    phones.see("mia", "You pause this round")
    page.wait_for_selector("#h-mia[data-pauses]")
    type_points(phones, "ruth", 7)  # Ben, and then Tom
    type_points(phones, "ruth", 4)
    phones.see("mia", "Ruth and Mia pause")
    phones.have(ruth=0, ben=7, mia=0, tom=4)
    assert phones.table.night.deals[-1].sits_out == ("ruth", "mia")


SHEETS: dict[str, tuple[tuple[tuple[int, ...], ...], str]] = {
    "score-sheet": (((10, 20, 30, 40), (5, 0, -5, 60)), "Tom.*?100.*?Mia.*?25.*?Ben.*?20.*?Ruth.*?15"),
    "rummy-500": (((150, 90, -25, 60), (355, 80, 40, 0)), "Ruth.*?505.*?Ben.*?170.*?Tom.*?60.*?Mia.*?15"),
    "ten-phases": (((0, 25, 60, 115), (35, 0, 5, 70)), "Ben.*?25.*?Ruth.*?35.*?Mia.*?65.*?Tom.*?185"),
    "contract-rummy": (((0, 3, 12, 7),) * 7, "Ruth.*?0.*?Ben.*?21.*?Tom.*?49.*?Mia.*?84"),
}
"""The points of Ruth, Ben, Mia and Tom, round by round, and how the settlement names them."""


@pytest.mark.long
@pytest.mark.parametrize("preset", SHEETS)
def test_a_night_of_each_sheet_is_tapped_on_one_pad_to_its_settlement(phones: FourPhones, preset: str) -> None:
    """In every run the night of hearts is."""
    rounds, order = SHEETS[preset]
    phones.open(preset, looking=("ruth",))
    for points in rounds:
        phones.tap("ruth", "#do-stock")
        for one in points:
            type_points(phones, "ruth", one)
        until(phones.pages["ruth"], "() => !document.querySelector('.hands')")
    totals = dict(zip(EVERYBODY, map(sum, zip(*rounds, strict=True)), strict=True))
    phones.have(**totals)
    assert phones.table.night.is_over == (preset in ("rummy-500", "contract-rummy"))
    assert re.search(order, phones.settle())


def test_a_wrong_tap_is_undone_and_asked_for_again_with_the_typed_values(phones: FourPhones) -> None:
    phones.open("score-sheet", looking=("ruth", "ben"))
    phones.tap("ruth", "#do-stock")
    phones.pages["ruth"].wait_for_selector("#pad-points")
    for points in (10, 20, 30, 40):
        type_points(phones, "ruth", points)
    phones.have(ruth=10, ben=20, mia=30, tom=40)
    phones.tap("ruth", ".undo")
    phones.see("ben", "Points of this round")
    slots = phones.pages["ruth"].locator(".hand .slot").all_text_contents()
    assert slots == ["10", "20", "30", "40"]


def test_where_only_the_winner_is_written_down_one_tap_does_it(phones: FourPhones) -> None:
    phones.visitors["ruth"] = host = phones.site.host()
    lobby = host.post("/new", {"preset": "score-sheet", "host": "Ruth", "points.entry": "winner"}).location
    phones.gather(lobby.split("/")[2], ("ruth", "ben"))
    phones.tap("ruth", "#s-mia")
    phones.see("ben", "Mia has won")
    phones.tap("ben", "#won-2")
    phones.see("ruth", "Ben has won")
    phones.have(ruth=0, ben=1, mia=1, tom=0)


@pytest.mark.parametrize("preset", ["eight-round-rummy", "michigan-rummy-snake", "score-sheet", "hearts"])
def test_the_header_does_not_touch_the_seats_on_a_small_phone_on_its_side(phones: FourPhones, preset: str) -> None:
    """The name of the game takes two lines where it is long."""
    phones.open(preset, looking=["ruth", "ben"])
    for person in ("ruth", "ben"):
        page = phones.pages[person]
        resize(page, 568, 320)
        words, seats = (
            page.locator(".bar .t").bounding_box(),
            page.locator(".sc :is(.seats, .all-rounds) >> visible=true").first.bounding_box(),
        )
        assert words
        assert seats
        assert words["y"] + words["height"] + 3 <= seats["y"], person
