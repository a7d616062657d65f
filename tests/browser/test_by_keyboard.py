"""A night by keyboard alone: arrows walk to every control, and the focus is always on one that has a name."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest
from playwright.sync_api import Browser, expect
from support.listeners import EarsNight, Listener, ears_night
from support.page_states import END, MOMENTS, ServedStates, State
from support.random_nights import legal_event
from support.waiting import held_requests, meanwhile, until

from tracker.app.event_rows import new_id
from tracker.core.events import Event, Leave, Name, SeatId, Sit
from tracker.core.night import LOBBY, Night

TOLD = "text => document.querySelector('#happened').lastChild?.textContent === text"


@pytest.fixture(name="night", scope="module")
def _night(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EarsNight]:
    """Ruth and Gus at keyboards, and two without a phone; after each key something with a name has the focus."""
    with ears_night(browser, tmp_path_factory.mktemp("data")) as night:
        night.play("Ruth", "Gus", others=["Mia", "Tom"], options={"stack": "500"})
        yield night
        assert [one.unnamed for one in night.listeners] == [[], []]
        assert night.complaints() == []


def test_letters_are_off_on_a_device_that_switched_them_off_and_stay_so(night: EarsNight) -> None:
    night.fresh_hand()
    ruth = night.listeners[0]
    page = ruth.page
    ruth.press("?")
    ruth.is_on("Keys")
    page.uncheck("[data-keys-switch]")
    page.keyboard.press("Escape")
    page.reload()
    page.wait_for_selector("#do-out")
    for key in ("g", "p", "?", "m"):
        page.keyboard.press(key)
    assert page.evaluate("document.body.dataset.question") == "rest"
    assert not page.is_visible("#sheets")
    page.focus("[role=grid] [tabindex='0']")
    first = ruth.focused()
    ruth.press("End", "ArrowUp", "Home", "ArrowRight", "ArrowLeft")
    assert ruth.focused() == first
    ruth.press("Enter", "End")
    ruth.is_on("Tom")
    page.keyboard.press("Escape")
    page.click("a[href$='/sheet']")
    page.click("summary:has-text('This phone')")
    page.click("summary:has-text('Keys')")
    assert not page.is_checked("[data-keys-switch]")
    page.check("[data-keys-switch]")
    page.keyboard.press("Escape")
    ruth.press("g")
    assert page.evaluate("document.body.dataset.question") == "out"


def test_the_last_entry_the_chips_and_the_question_are_said_again_at_a_key(night: EarsNight) -> None:
    night.fresh_hand()
    gus = night.listeners[1]
    page = gus.page
    night.record("collect", seat="mia", pot="ten-hearts")
    night.everybody_sees()
    last = "() => document.querySelector('#happened').lastChild.textContent"
    took = page.evaluate(last)
    gus.press("w")
    assert page.evaluate(last).rstrip(".") == page.inner_text("#asked").rstrip(".")
    gus.press("c")
    assert page.evaluate(last) == f"You have {night.state()['stacks']['gus']}."
    gus.press("l")
    assert page.evaluate(last) == took


ONE_MORE_ANSWER = """async () => {
  await (await fetch(`${location.pathname}/sheet`)).text();
  await new Promise((done) => setTimeout(done));
  return sheets.isOpen();
}"""


def test_escape_is_not_wanting_a_sheet_that_has_not_come_yet(night: EarsNight) -> None:
    page = night.host.page
    night.fresh_hand()
    held = held_requests(page, "**/sheet")
    page.keyboard.press("m")
    meanwhile(page, lambda: bool(held))
    page.keyboard.press("Escape")
    with page.expect_response("**/sheet"):
        held[0].continue_()
    page.unroute("**/sheet")
    assert not page.evaluate(ONE_MORE_ANSWER)
    page.keyboard.press("?")
    page.wait_for_selector("#keys-list >> visible=true")
    page.keyboard.press("Escape")
    assert page.evaluate("() => document.activeElement.checkVisibility() && !document.querySelector('#live').inert")


def test_u_takes_the_newest_back_and_counts_nothing_again(night: EarsNight) -> None:
    night.fresh_hand()
    ruth = night.listeners[0]
    ruth.does("p", "~Ten of hearts", "Enter", "~Mia", "Enter")
    night.everybody_sees()
    head = night.head()
    ruth.press("u")
    ruth.see_head(head + 1)
    ruth.press("u", "u")
    ruth.is_on("Redo")
    assert night.state()["head"] == head + 1
    ruth.press("Enter")
    ruth.see_head(head + 2)
    assert ruth.last.startswith("Counts again")


def test_headings_lists_and_the_title_say_what_a_table_has_and_when(night: EarsNight) -> None:
    night.fresh_hand()
    hand = night.state()["hand"]
    own_page = ("Gus", 3)  # who is at the top of the own page is not in the list once more
    for phone, (heading, people) in zip(night.phones.values(), ((f"Hand {hand}", 4), own_page), strict=True):
        page = phone.page
        until(page, "text => document.title.includes(text)", f"Hand {hand}")
        assert page.get_by_role("heading", level=1, name=heading).count() == 1
        assert page.get_by_role("grid", name="The board").get_by_role("row").count() == len(night.state()["pots"])
        listed = page.get_by_role("list", name="Players, in seat order").get_by_role("listitem")
        assert listed.count() == people
        assert page.get_by_role("region", name=page.inner_text("#asked")).count() == 1
        headings = page.get_by_role("heading", level=2).all_inner_texts()
        assert headings == ["The board", "Players, in seat order"]


def test_who_asks_for_chips_is_told_and_answered_by_name(night: EarsNight) -> None:
    night.fresh_hand()
    before, (ruth, gus) = night.state()["stacks"], night.listeners
    form = gus.page.evaluate("() => Object.fromEntries(new FormData(document.querySelector('#move')))")
    gus.send(f"{night.guests_url}/n/{night.code}/record", **{**form, "do": "borrow:5", "source": "ruth", "seat": "gus"})
    until(ruth.page, TOLD, "Gus wants to borrow 5 from you.")
    ruth.press("r")
    ruth.is_on("No: Gus")
    ruth.press("Tab")
    ruth.is_on("Yes: Gus")
    ruth.press("Enter")
    until(ruth.page, "() => !document.querySelector('.asks button')")
    assert night.state()["stacks"] == {**before, "ruth": before["ruth"] - 5, "gus": before["gus"] + 5}


def test_in_a_count_rows_and_pad_are_a_stop_of_tab_each_before_the_button_that_pays(night: EarsNight) -> None:
    night.fresh_hand()
    ruth = night.listeners[0]
    ruth.does("g", "~Gus", "Enter")
    ruth.see(".count")
    head = night.head()
    ruth.press("1", "Enter", "g")
    ruth.is_on("2 to go")
    until(ruth.page, TOLD, "Waiting for Tom, Ruth.")
    assert night.head() == head
    ruth.press("w", "2", "Enter", "3", "Enter")
    ruth.is_on("Pay Gus")
    jackpot = night.state()["pots"]["jackpot"]
    parts = re.compile(rf"{jackpot} Jackpot\s+6 for cards\s+{jackpot + 6} for Gus")
    expect(ruth.page.locator("#pay")).to_have_accessible_description(parts)
    names = []
    for _ in range(3):
        ruth.press("Shift+Tab")
        names.append(ruth.focused()[0])
    assert names == ["Not out", "1", "Ruth 3, pays 3"], "a pause before what is paid"


LIVE = [
    *(State(name, "", "") for name, moment in MOMENTS.items() if moment.recorded[-1:] != END or moment.out),
    *(State(moment, "", path) for moment in ("lobby", "play") for path in ("/lobby", "/share")),
]
"""The tables of each moment of each game that still go on, and what else follows a night."""
FOCUS = """(at) => {
  const stops = [...document.querySelectorAll("#live :is(button, a[href], summary, select, input:not([type=hidden]))")]
    .filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }));
  stops[at % stops.length].focus();
  return stops[at % stops.length].id;
}"""
"""Focus one of the stops of the Tab key and return its id."""
STAYS = """(id) => {
  const one = document.getElementById(id);
  return !one || one.disabled || !one.checkVisibility({ visibilityProperty: true }) || document.activeElement === one;
}"""


def somebody_elses(night: Night, chance: Random) -> Event:
    """Return what another phone may record now; before the first hand it is that Zoe goes or comes."""
    if night.phase != LOBBY:
        return legal_event(night, chance, may_end=False)
    return Leave("zoe") if "zoe" in night.seats else Sit(SeatId("zoe"), Name("Zoe"))


@pytest.mark.parametrize("person", ["host", "ben"])
def test_the_focus_stays_on_what_has_a_name_whatever_others_record(
    browser: Browser, served: ServedStates, person: str, short_or_long: Callable[[int, int], int]
) -> None:
    """On each page that follows a night, one control after the other has the focus while others record.

    The short run looks at each as the host or as a guest, by turns.
    """
    phone, chance = Listener(browser, person), Random(person)
    for turn, state in enumerate(replace(one, person=person) for one in LIVE):
        viewers = [one for one in ("host", "ben") if (state.moment, one) in served.visitors]
        first = short_or_long(turn % len(viewers), 0)
        if person not in viewers[first : first + short_or_long(1, 2)]:
            continue
        served.log_in(phone.context, state.moment, person, "en")
        served.show(phone.page, state)
        table = served.site.tables.get(served.codes[state.moment])
        for _ in range(short_or_long(2, 12)):
            before = phone.page.evaluate(FOCUS, chance.randrange(60))
            phone.meet("shown")
            table.record(somebody_elses(table.night, chance), id=new_id(), by="host")
            phone.met()
            phone.is_on("")
            until(phone.page, STAYS, before)
    phone.context.close()
    assert phone.complaints() == []
