"""What must never happen while people play, on phones of their own at the real command; see also test_table_page.py."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from support.browser_phones import AWAY, BrowserNight, BrowserPhone, browser_night
from support.waiting import lose_contact, until

CONTROLS = "#live .board, #live [data-pot], #live .seat, #live .dock, #live .iconb, #live .strip"


PAUSED = """document.getElementById("do-out").getAnimations().map((one) => {
  one.pause();
  return one.effect.getTiming().duration;
})"""
"""Holds the moment in which the button takes no taps, and returns how many milliseconds it lasts."""


@pytest.fixture(name="browser_night", scope="module")
def _browser_night(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserNight]:
    with browser_night(browser, tmp_path_factory.mktemp("data")) as night:
        night.play("Ruth", "Ben", "Mia", others=["Tom"], options={"stack": "9000"})
        yield night


@pytest.fixture(name="night")
def _night(browser_night: BrowserNight) -> Iterator[BrowserNight]:
    """A new hand; afterwards no page has complained, made a sound or asked in a box of the browser's own."""
    browser_night.fresh_hand()
    yield browser_night
    complaints, heard = browser_night.complaints(), [phone.heard() for phone in browser_night.phones.values()]
    for phone in browser_night.phones.values():
        phone.context.set_offline(False)  # the next test is not to fail with this one
        phone.errors.clear()
        phone.excused.clear()
    assert not complaints, "\n".join(complaints)
    assert heard == [[], [], []]


def boxes(phone: BrowserPhone) -> list[list[float]]:
    found = phone.page.evaluate(
        """all => [...document.querySelectorAll(all)].filter((one) => one.offsetParent).map((one) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          return [x, y, width, height];
        })""",
        CONTROLS,
    )
    assert isinstance(found, list)
    return found


def seats(phone: BrowserPhone) -> list[str | None]:
    shown = phone.page.locator("#live .seat[data-seat] >> visible=true")
    return [one.get_attribute("data-seat") for one in shown.all()]


def test_nothing_moves_on_any_phone_while_others_record(night: BrowserNight) -> None:
    host, ben, mia = night.phones.values()
    for phone in (host, ben):
        phone.page.emulate_media(reduced_motion="no-preference")
    before = boxes(host), boxes(ben)
    for phone in (host, ben):
        phone.tap("#p-king-clubs")
        phone.see(".a-collect [data-mine]")
    mia.collect("ten-hearts")
    night.record("penalty", seat="mia", offence="wrong-lead")
    night.everybody_sees()
    assert (boxes(host), boxes(ben)) == before
    for phone in (host, ben):
        phone.tap("#p-king-clubs")  # the same place again: not now
        phone.see("#do-out")
    assert (boxes(host), boxes(ben)) == before
    for phone in (host, ben):
        phone.page.emulate_media(reduced_motion="reduce")


def test_the_board_stays_where_it_is_when_the_last_money_card_is_taken(night: BrowserNight) -> None:
    ben = night.phones["ben"]
    ben.see_word("Played a money card?")
    before = boxes(ben)[0]
    for pot in [one for one, chips in night.state()["pots"].items() if chips and one not in ("poker", "jackpot")]:
        night.record("collect", seat="tom", pot=pot)
    night.everybody_sees()
    assert not ben.page.is_visible("text=Played a money card?")
    assert boxes(ben)[0] == before


def test_seats_never_change_places(night: BrowserNight) -> None:
    host, ben, _ = night.phones.values()
    before = seats(host), seats(ben)
    assert before == (["ruth", "ben", "mia", "tom"], ["ruth", "mia", "tom"])
    host.collect_for("ten-hearts", "tom")
    night.record("out", seat="tom", cards={"ruth": 9, "ben": 9, "mia": 9})
    night.record("poker", winners=["mia"])
    night.record("hand", dealer="mia")
    night.everybody_sees()
    assert (seats(host), seats(ben)) == before


def test_news_waits_while_a_finger_is_down(night: BrowserNight) -> None:
    _, ben, mia = night.phones.values()
    ben.meet("htmx:sse:before:message")
    head = ben.head
    with ben.finger_on("#p-king-clubs"):
        mia.collect("ten-hearts")
        ben.met()
        assert ben.head == head
    night.check_chips()


def test_a_finger_whose_end_got_lost_does_not_hold_news_back_for_ever(night: BrowserNight) -> None:
    _, ben, mia = night.phones.values()
    ben.page.dispatch_event("#p-king-clubs", "pointerdown")
    mia.collect("king-clubs")
    ben.see("#last:has-text('Mia took')")
    night.check_chips()


def test_a_second_tap_where_i_take_was_announces_nobody_to_be_out(night: BrowserNight) -> None:
    ben = night.phones["ben"]
    ben.tap("#p-king-clubs")
    take = ben.page.locator(".a-collect [data-mine] >> visible=true")
    take.tap(trial=True)  # waits until it can be tapped
    box = take.bounding_box()
    assert box
    spot = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    ben.record(".a-collect [data-mine]")
    ben.see("#do-out")
    for _ in range(2):
        assert ben.page.evaluate(PAUSED) == [2000]
        ben.page.touchscreen.tap(*spot)
    assert night.state()["prompt"]["name"] == "play"
    ben.page.evaluate("document.getElementById('do-out').getAnimations().forEach((one) => one.finish())")
    ben.tap("#do-out")
    ben.see(".count")
    assert night.state()["prompt"]["name"] == "count"
    ben.tap("#do-not-out")
    ben.see("#do-out")


def test_two_phones_that_record_the_same_fact_make_one_event_and_a_sentence(night: BrowserNight) -> None:
    host, ben, _ = night.phones.values()
    head = night.head()
    for phone in (ben, host):
        phone.tap("#p-king-clubs")
    with ben.finger_on(".a-collect [data-mine]"):
        host.record("#s-ben")
    ben.see_word("Ruth has recorded that already. Nothing counts twice.")
    night.check_chips()
    assert night.head() == head + 1


def test_a_tap_on_an_old_page_is_refused_with_a_sentence_and_the_new_state(night: BrowserNight) -> None:
    host, ben, mia = night.phones.values()
    ben.excuse("status of 409")
    head = night.head()
    for phone in (ben, host):
        phone.tap("#p-jack-spades")
    with ben.finger_on(".a-collect [data-mine]"):
        host.record("#s-mia")
    ben.see_word("Mia took it.")
    night.check_chips()
    assert night.head() == head + 1
    mia.collect("ten-hearts")
    night.everybody_sees()
    ben.page.wait_for_selector("#notice", state="detached")  # it ends with its moment
    ben.see("#last:has-text('Mia took')")


def test_a_phone_without_contact_dims_its_chips_and_then_shows_the_whole_truth(night: BrowserNight) -> None:
    _, ben, mia = night.phones.values()
    ben.excuse(AWAY)
    ben.page.evaluate(
        """() => new MutationObserver((_changes, watching) => {
          const pile = document.querySelector("#p-ace-hearts .pile");
          window.isDimmed = Boolean(pile) && getComputedStyle(pile).opacity < 0.7;
          if (window.isDimmed) watching.disconnect();
        }).observe(document.body, { attributeFilter: ["class"] })"""
    )
    lose_contact(ben.page)
    ben.see("#net:has-text('Looking for the table')")
    until(ben.page, "() => window.isDimmed")
    mia.collect("ten-hearts")
    ben.context.set_offline(False)
    ben.see("#net.good")
    night.check_chips()
    assert ben.page.evaluate("getComputedStyle(document.querySelector('#p-ace-hearts .pile')).opacity") == "1"


def test_the_sign_of_lost_contact_lies_over_nothing_that_is_read_or_tapped_in_play(night: BrowserNight) -> None:
    covered = """() => {
      const sign = document.getElementById("net").getBoundingClientRect();
      const played = [...document.querySelectorAll("#live :is(button, [data-seat], [data-pot], #own-stack)")];
      return played.filter((one) => {
        const spot = one.getBoundingClientRect();
        const isBeside = spot.left >= sign.right || spot.right <= sign.left;
        return !isBeside && spot.top < sign.bottom - 1 && spot.bottom > sign.top + 1;
      }).map((one) => one.id || one.textContent);
    }"""
    for phone in night.phones.values():
        phone.excuse(AWAY)
        lose_contact(phone.page)
        phone.see("#net:has-text('Looking for the table')")
        assert phone.page.evaluate(covered) == [], phone.name
        phone.context.set_offline(False)
        phone.see("#net.good")


def test_a_phone_that_slept_while_the_server_was_away_wakes_up_to_the_present(night: BrowserNight) -> None:
    ben = night.phones["ben"]
    for phone in night.phones.values():
        phone.excuse(AWAY)
    asleep = "is => { Object.defineProperty(document, 'hidden', { value: is, configurable: true }); }"
    tell = "() => document.dispatchEvent(new Event('visibilitychange'))"
    ben.page.evaluate(asleep, True)
    ben.page.evaluate(tell)
    night.command.kill()
    night.command.start()
    night.record("collect", seat="tom", pot="queen-hearts")
    ben.page.evaluate(asleep, False)
    ben.page.evaluate(tell)
    night.check_chips()


def test_the_back_button_records_nothing(night: BrowserNight) -> None:
    host, head = night.host, night.head()
    host.tap("a[href$='/log']")
    host.see("#log")
    host.page.go_back()
    host.see("#move")
    night.phones["mia"].collect("ten-hearts")
    host.page.go_forward()
    host.see("#log")
    host.page.go_back()
    night.check_chips()
    host.collect_for("ace-hearts", "ben")
    host.page.reload()
    night.check_chips()
    assert night.head() == head + 2


def test_a_players_phone_neither_undoes_others_events_nor_ends_the_night(night: BrowserNight) -> None:
    ben, mia = night.phones["ben"], night.phones["mia"]
    mia.collect("ten-hearts")
    mia.see(".undo:has-text('Undo')")
    night.everybody_sees()
    assert ben.page.locator("#live .undo:visible").count() == 0
    ben.tap("a[aria-label=Menu]")
    ben.tap_word("Log and count")
    menu = ben.page.inner_text("#sheet")
    assert not [word for word in ("last hand", "Split", "finish", "Give the table", "leaves") if word in menu]
    ben.tap(".sheet a[href$='/log']")
    ben.see(".entry:has-text('Mia takes')")
    assert ben.page.locator(".entry:has-text('Mia takes') :is(button, a)").count() == 0
