"""A plain score sheet on four phones: points on one pad or on their own phones, a correction, and the settlement."""

import pytest
from extras._shared.score_nights_in_browser import change, fits, have
from playwright.sync_api import Page
from support.browser_phones import NO_SUBMITTER, BrowserNight
from support.waiting import resize, until

IS_BEST_GOOD = """() => {
  const good = document.body.appendChild(document.createElement("p"));
  good.style.color = "var(--good)";
  return getComputedStyle(document.querySelector(".round-best")).color === getComputedStyle(good).color;
}"""
"""Whether the best of the round has the colour of what is good, also where few points win."""


def type_points(night: BrowserNight, person: str, points: int) -> None:
    """Type points on the pad of somebody's phone and say them, where a number that can't grow isn't said by itself."""
    page = night.phones[person].page
    if points < 0:
        page.tap("[data-sign]")
    for digit in str(abs(points)):
        page.tap(f'[data-digit="{digit}"]')
    if page.locator("#next").is_visible():
        page.tap("#next")


def test_a_night_of_hearts_by_one_pad_and_by_own_phones_to_its_settlement(night: BrowserNight) -> None:
    night.play("Ruth", "Ben", "Mia", others=["Tom"], preset="hearts")
    night.tap("ruth", "#do-stock", *(f'[data-digit="{digit}"]' for digit in "0135"))  # Tom has the rest
    night.host.page.wait_for_selector(".round-best")
    assert night.host.page.evaluate(IS_BEST_GOOD)
    until(night.phones["mia"].page, "() => document.querySelector('#h-tom').dataset.said === '8'")
    assert "Tom" not in night.phones["mia"].page.inner_text("#bubble"), "nobody has said it"
    night.tap("ruth", "#pay-deal")
    night.phones["mia"].see_word("Round 1: Ruth with 0")
    have(night, ruth=0, ben=13, mia=5, tom=8)

    night.tap("ben", "#do-stock")  # any phone may say that the round is over
    for person, points in (("ben", 7), ("mia", 2), ("ruth", 1), ("ruth", 90)):  # the host's pad goes on to Tom
        night.phones[person].page.wait_for_selector("#pad-points")
        type_points(night, person, points)
    night.tap("ruth", "#pay-deal")
    night.phones["ben"].see_word("Round 2: Ruth with 1")
    have(night, ruth=1, ben=20, mia=7, tom=98)

    wrong = night.table.head
    change(night, wrong, lambda page: page.fill("[name=points-tom]", "9"))
    night.phones["mia"].see_word("Changed: ")
    have(night, ruth=1, ben=20, mia=7, tom=17)

    night.tap("ruth", "#do-stock")
    for points in (-26, 0, 0, 100):
        type_points(night, "ruth", points)
    night.tap("ruth", "#pay-deal")
    night.phones["ben"].see_word("Ruth wins")
    have(night, ruth=-25, ben=20, mia=7, tom=117)
    assert night.table.night.is_over


@pytest.mark.parametrize("use", ["tap", "key"])
def test_a_digit_before_the_page_tells_of_a_new_count_is_taken(night: BrowserNight, use: str) -> None:
    """What is swapped in stands on the page a moment before htmx says so."""
    night.play("Ruth", others=["Ben", "Mia", "Tom"], preset="score-sheet")
    page = night.host.page
    page.evaluate("document.addEventListener('htmx:after:swap', event => event.stopImmediatePropagation(), true)")
    night.tap("ruth", "#do-stock")
    if use == "tap":
        page.tap('[data-digit="7"]')
    else:
        page.wait_for_selector('[data-digit="7"]')
        page.keyboard.press("7")
        page.keyboard.press("Enter")
        until(page, "() => document.querySelector('#h-ruth').dataset.said === '7'")
    assert page.inner_text("#h-ruth .slot") == "7"


def test_a_wrong_sum_is_not_shown_while_a_number_is_typed_anew(night: BrowserNight) -> None:
    night.play("Ruth", others=["Ben", "Mia", "Tom"], preset="hearts")
    page, said = night.host.page, night.host.page.locator("b:has-text('These points come to')")
    night.tap("ruth", "#do-stock")
    for points in (0, 13, 8, 8):
        type_points(night, "ruth", points)
    said.wait_for(state="visible")
    assert "29, not 26" in said.inner_text()
    page.tap(".hand[data-hand=tom]")
    assert said.is_visible()
    page.tap('[data-digit="5"]')
    assert not said.is_visible()
    page.tap("#next")
    night.host.see_word("Round 1: Ruth with 0")


def test_who_took_all_hearts_is_one_key_also_where_no_form_tells_its_button(night: BrowserNight) -> None:
    night.play("Ruth", "Ben", others=["Mia", "Tom"], preset="hearts")
    night.host.page.evaluate(NO_SUBMITTER)
    night.tap("ruth", "#do-stock", "#h-ben", "[data-all]", "#pay-deal")
    have(night, ruth=26, ben=0, mia=26, tom=26)
    assert night.table.night.hand == 1


TOLD = "text => document.querySelector('#bubble').textContent === text"


def count_a_round(night: BrowserNight, *guests: str) -> Page:
    """Return the host's page, at the count of a score sheet's first round."""
    others = [name for name in ("Ben", "Mia", "Tom") if name not in guests]
    night.play("Ruth", *guests, others=others, preset="score-sheet")
    night.tap("ruth", "#do-stock")
    page = night.host.page
    page.wait_for_selector("#pad-points")
    return page


def test_the_pad_takes_what_the_sheet_takes_and_refuses_more_with_a_word(night: BrowserNight) -> None:
    page = count_a_round(night)
    for points in (1_000_000, -1_000_000, 48_000, 25_000):
        type_points(night, "ruth", points)
    have(night, ruth=1_000_000, ben=-1_000_000, mia=48_000, tom=25_000)
    night.tap("ruth", "#do-stock")
    for digit in "48000000":
        page.tap(f'[data-digit="{digit}"]')
    until(page, TOLD, "1,000,000 at most")
    assert page.inner_text("#h-ruth .slot") == "480000"
    fits(night)


def test_back_closes_the_count_and_what_was_typed_is_there_again(night: BrowserNight) -> None:
    page = count_a_round(night, "Ben")
    page.tap('[data-digit="1"]')
    page.tap('[data-digit="2"]')
    type_points(night, "ben", 7)
    until(page, "() => document.querySelector('#h-ben').dataset.said === '7'")
    page.go_back(wait_until="commit")
    page.tap("[data-to-count] >> visible=true")
    assert page.inner_text("#h-ruth .slot") == "12"
    page.goto(f"{night.server.here}/n/{night.code}/log")
    page.go_back()
    page.wait_for_selector(".hands >> visible=true")
    until(page, "() => document.querySelector('#h-ruth .slot').textContent === '12'")
    page.tap("#next")
    until(page, "() => document.querySelector('#h-ruth').dataset.said === '12'")


def test_a_typed_count_is_overwritten_only_with_a_word(night: BrowserNight) -> None:
    page = count_a_round(night, "Ben", "Mia")
    page.tap("[data-hand=ben]")
    type_points(night, "ruth", 2)
    page.tap("[data-hand=mia]")
    page.tap('[data-digit="9"]')  # typed, and not said yet
    type_points(night, "ben", -5)
    until(page, TOLD, "Ben: −5, from another phone (you had 2)")
    type_points(night, "mia", 4)
    until(page, TOLD, "Mia: 4, from another phone (you had 9)")
    assert page.inner_text("#h-mia .slot") == "4"


def test_on_a_keyboard_enter_says_the_number_in_its_row(night: BrowserNight) -> None:
    page = count_a_round(night)
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
    have(night, ruth=11, ben=-4, mia=30, tom=7)


def test_a_round_is_paused_by_a_key_of_the_pad_and_on_the_own_phone(night: BrowserNight) -> None:
    night.play("Ruth", "Ben", "Mia", others=["Tom"], preset="score-sheet")
    page = night.host.page
    night.tap("ruth", "#do-stock")
    fits(night)
    page.tap("[data-pause]")  # Ruth, who is first
    page.wait_for_selector("#h-ruth[data-pauses]")
    night.phones["mia"].page.wait_for_selector("#pad-points")
    night.phones["mia"].page.tap("[data-pause]")
    night.phones["mia"].see_word("You pause this round")
    page.wait_for_selector("#h-mia[data-pauses]")
    type_points(night, "ruth", 7)  # Ben, and then Tom
    type_points(night, "ruth", 4)
    night.phones["mia"].see_word("Ruth and Mia pause")
    have(night, ruth=0, ben=7, mia=0, tom=4)
    assert night.table.night.deals[-1].sits_out == ("ruth", "mia")


@pytest.mark.parametrize("preset", ["eight-round-rummy", "michigan-rummy-snake"])
def test_the_header_does_not_touch_the_seats_on_a_small_phone_on_its_side(night: BrowserNight, preset: str) -> None:
    """The name of the game takes two lines where it is long."""
    night.play("Ruth", "Ben", others=["Mia", "Tom"], preset=preset)
    for person in ("ruth", "ben"):
        page = night.phones[person].page
        resize(page, 568, 320)
        words, seats = (
            page.locator(".bar .t").bounding_box(),
            page.locator(".sc :is(.seats, .all-rounds) >> visible=true").first.bounding_box(),
        )
        assert words
        assert seats
        assert words["y"] + words["height"] + 3 <= seats["y"], person
