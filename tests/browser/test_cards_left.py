"""The pad for cards left on three phones at once: whoever corrects a number is heard, and no digit goes astray.

Their browsers do not tell which button sends a form, as Safari before 15.4.
"""

import pytest
from support.browser_phones import NO_SUBMITTER, BrowserNight, at_table
from support.waiting import resize, until

LOUD = "[aria-disabled=false]"
SAID = "text => document.querySelector('#happened').lastChild.textContent === text"
ASKED = "text => document.querySelector('#asked').textContent === text"
SHOWN = """height => [...document.querySelectorAll(".pad .key, #pay")]
  .every((one) => one.getBoundingClientRect().bottom <= height)"""
PRESS_WHEN_THE_ROW_MOVES = """key => document.addEventListener("shown", () => {
  if (window.pressed || document.querySelector("#c-ben.now")) return;
  document.querySelector(`.pad [data-key='${key}']`).click();
  window.pressed = document.querySelector(".count-row.now").dataset.row;
})"""


_kept = at_table("kept", "Ruth", "Ben", "Mia", others=["Ida"], options={"stack": "500"}, script=NO_SUBMITTER)


@pytest.fixture(name="night")
def _night(kept: BrowserNight) -> BrowserNight:
    """A new hand in play, which Ruth deals."""
    kept.fresh_hand()
    return kept


def shows(night: BrowserNight, seat: str, cards: str) -> None:
    """Wait until the row of a seat has this number on every phone that has the row."""
    shown = "([seat, cards]) => document.querySelector(`#c-${seat} .slot`).textContent === cards"
    for phone in night.phones.values():
        until(phone.page, shown, [seat, cards])


def test_all_keys_are_seen_one_that_does_nothing_looks_so_and_a_screen_reader_hears_whom_the_next_counts_for(
    night: BrowserNight,
) -> None:
    host = night.host
    night.phones["ben"].tap_word("I am out of cards!")
    until(host.page, ASKED, "Ida: how many?")
    for width, height in ((1280, 720), (1280, 640), (390, 844)):  # also on a low laptop
        resize(host.page, width, height)
        assert host.page.evaluate(SHOWN, height)
    host.see(".pad [data-key=''][aria-disabled=true]")  # nothing to clear yet
    host.cards(3)
    until(host.page, SAID, "Ida: 3.")
    until(host.page, ASKED, "Ruth: how many?")
    host.cards(1)
    until(host.page, ASKED, "Mia: how many?")
    host.cards(2)
    until(host.page, SAID, "Mia: 2.")
    until(host.page, "() => /^Everybody has counted. Pay Ben \\d+$/.test(document.querySelector('#asked').textContent)")
    assert host.page.locator(f".count .pad .key{LOUD}").count() == 0
    host.tap("#c-ida")
    host.see(f".pad [data-key='7']{LOUD}")
    host.cards(7)
    shows(night, "ida", "7")
    host.tap("#c-ida", f".pad [data-key='']{LOUD}")
    shows(night, "ida", "")


TOLD = "text => document.querySelector('#bubble').textContent === text"


def test_on_a_keyboard_a_number_is_typed_and_enter_says_it(night: BrowserNight) -> None:
    host, press = night.host, night.host.page.keyboard.press
    night.phones["ben"].tap_word("I am out of cards!")
    host.see("#c-ida.now")
    press("1")
    until(host.page, SAID, "Ida: 1.")
    press("1")
    until(host.page, SAID, "Ida: 11.")
    assert host.page.evaluate("document.activeElement.id") == "c-ida"
    press("Enter")
    until(host.page, ASKED, "Ruth: how many?")
    shows(night, "ida", "11")
    press("Backspace")
    until(host.page, SAID, "Ida: 11.")
    press("2")
    press("Enter")
    shows(night, "ida", "2")
    press("3")
    press("Backspace")
    until(host.page, SAID, "Ruth: –.")
    press("4")
    host.tap("#c-mia")  # another row is chosen: what was typed is said
    shows(night, "ruth", "4")


def test_enter_presses_only_what_has_the_focus(night: BrowserNight) -> None:
    """On a list, on the page, in the dock itself: nothing is recorded and nothing said."""
    head = night.head()
    for phone in (night.phones["ben"], night.host):
        for spot in ("#strip", "#live", "#dock", "body", "#sheets"):
            phone.page.evaluate(
                "spot => { document.activeElement.blur(); document.querySelector(spot)?.focus(); }", spot
            )
            phone.page.keyboard.press("Enter")
    night.phones["ben"].see_word("I am out of cards!")
    night.host.see_word("Someone is out")
    assert night.head() == head
    until(
        night.phones["ben"].page, "() => getComputedStyle(document.querySelector('#do-out')).pointerEvents !== 'none'"
    )
    night.phones["ben"].page.keyboard.press("g")  # the main button
    night.host.see(".count")


def test_whose_number_was_overwritten_is_told_also_where_it_was_not_said_yet(night: BrowserNight) -> None:
    host, ben, mia = night.host, night.phones["ben"], night.phones["mia"]
    host.tap_word("Someone is out")
    host.tap("#s-ida")
    host.tap("#c-ben")
    host.cards(2)
    shows(night, "ben", "2")
    ben.cards(5)
    until(host.page, TOLD, "Ben: 5, from another phone (you had 2)")
    until(host.page, SAID, "Ben: 5, from another phone (you had 2).")
    host.see("#bubble")
    mia.cards(3)
    until(host.page, TOLD, "Mia: 3")
    host.tap("#c-mia")
    host.cards(4)
    until(mia.page, TOLD, "Mia: 4, from another phone (you had 3)")
    host.see("#c-ruth.now")
    host.page.keyboard.press("1")
    assert ben.page.inner_text("#bubble") != "Mia: 4, from another phone (you had 3)"
    host.tap("#c-ben")
    host.page.keyboard.press("1")
    ben.cards(6)
    until(host.page, TOLD, "Ben: 6, from another phone (you had 1)")
    shows(night, "ben", "6")


def test_a_number_that_nobody_can_hold_is_refused_and_what_was_not_said_is_there_after_back_and_a_new_load(
    night: BrowserNight,
) -> None:
    host = night.host
    night.phones["ben"].tap_word("I am out of cards!")
    host.see("#c-ida.now")
    most = int(host.page.get_attribute(".count", "data-most") or 0)
    for digit in str(most + 1):
        host.page.keyboard.press(digit)
    until(host.page, TOLD, f"{most} at most")
    assert host.page.inner_text("#c-ida .slot") == str(most + 1)[:-1] == "1"
    host.page.go_back(wait_until="commit")
    host.tap("[data-to-count]")
    assert host.page.inner_text("#c-ida .slot") == "1"
    host.page.reload()
    host.see("#c-ida.now")
    host.page.keyboard.press("0")
    host.page.keyboard.press("Enter")
    shows(night, "ida", "10")


def test_a_digit_on_its_way_to_one_person_is_not_given_to_the_next(night: BrowserNight) -> None:
    host, ben = night.host, night.phones["ben"]
    host.tap_word("Someone is out")
    host.tap("#s-ida")
    host.see("#c-ruth.now")
    host.cards(1)
    host.see("#c-ben.now")
    host.page.evaluate(PRESS_WHEN_THE_ROW_MOVES, 5)
    ben.see("#c-ben")
    ben.cards(3)
    until(host.page, "() => window.pressed === 'mia'")
    until(host.page, "() => !document.body.classList.contains('keys-paused')")
    assert night.host.page.inner_text("#c-mia .slot") == ""
    host.cards(4)
    shows(night, "mia", "4")
    shows(night, "ben", "3")


REFUSED = """() => {
  window.refused = false;
  const look = (all) => { window.refused ||= all.some(({ target }) => target.matches(".refused")); };
  new MutationObserver(look).observe(document.body, { attributes: true, attributeFilter: ["class"], subtree: true });
}"""


def test_a_digit_that_a_field_has_no_room_for_is_seen_to_be_refused(night: BrowserNight) -> None:
    host, field = night.host, "#buy-mia >> visible=true"
    host.tap("#s-mia", "#sheet summary:has-text('Another number')")
    host.page.focus(field)
    host.page.keyboard.type("1234567")
    assert host.page.locator(".refused").count() == 0
    host.page.evaluate(REFUSED)
    host.page.keyboard.type("8")
    until(host.page, "() => window.refused")
    assert host.page.input_value(field) == "1234567"
