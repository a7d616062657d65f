import re
from typing import Any

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.sample_nights import Form, SampleNight, hidden_fields, play_hand, record, visible_text
from support.served_app import Screens
from support.waiting import until

from tracker.core import events
from tracker.core.events import Amount, Chips
from tracker.extras.count import pages as count
from tracker.extras.count.pages import read_chip_count

ASKED = "#asks-count"


def count_stack(here: SampleNight, phone: ClientPhone, seat: str, off: int = 0) -> int:
    """Say that a seat holds so many chips more than the book has; return the status."""
    counted = str(here.table.night.ledger.balance(seat) + off)
    return phone.post(f"{here.base}/count", {"account": seat, "counted": counted}).status_code


def finish(here: SampleNight, use: str = "count") -> int:
    """Have the host use what was counted, or keep the book; return the status."""
    form = hidden_fields(here.host.get(f"{here.base}/count"), f"{here.base}/count/done")
    return here.host.post(f"{here.base}/count/done", {**form, "use": use}).status_code


def test_each_seat_confirms_its_own_stack_only_and_a_right_number_moves_nothing(third: SampleNight) -> None:
    head, page = third.table.head, third.ben.get(f"{third.base}/count")
    assert f"{third.table.night.stack('ben')}, yes" in visible_text(page)
    assert page.text.count(", yes</button>") == 1
    assert third.host.get(f"{third.base}/count").text.count(", yes</button>") == 4 + len(third.table.preset.board)
    assert count_stack(third, third.ben, "ben") == 303
    assert "as in the book" in third.host.get(f"{third.base}/count").text
    assert third.table.head == head
    for account in ("ruth", "jackpot", "nobody"):
        assert third.ben.post(f"{third.base}/count", {"account": account, "counted": "5"}).status_code == 403
    third.table.settings.is_open_to_all = True
    assert count_stack(third, third.ben, "ruth") == 303


def test_chips_are_counted_by_colour_and_other_phones_see_what_is_new_to_them(site: Site, third: SampleNight) -> None:
    mark = third.host.get(f"{third.base}/count?seen=").headers["X-Mark"]
    assert third.host.get(f"{third.base}/count?seen={mark}").status_code == 204
    form: Form = {"account": "ben", "counted": "", "colour-0": "2", "colour-1": "3", "colour-3": "1"}
    part = third.ben.post(f"{third.base}/count", form, HX_Request="true")
    assert 'class="slot num">42<' in part.text
    assert "<html" not in part.text
    assert 'class="slot num">42<' in third.host.get(f"{third.base}/count?seen={mark}").text
    colours = HtmlPage(third.host.get(f"{third.base}/count").text).text(".colours")
    assert [f"{one.name} × {one.value}" in colours for one in third.table.preset.chips] == [True] * 4
    for typed in ("-3", "1.5", "", "9999999", "\N{ARABIC-INDIC DIGIT FIVE}"):
        answer = third.ben.post(f"{third.base}/count", {"account": "ben", "counted": typed})
        assert answer.status_code == 422
        assert "A whole number, please." in answer.text
    code = site.open_night(third.host, "Ruth", "eight-round-rummy")
    assert third.host.get(f"/n/{code}/count").status_code == 404, "a game without chips has nothing to count"


def test_a_difference_is_named_and_moves_nothing_until_the_host_uses_the_count(third: SampleNight) -> None:
    stack = third.table.night.stack("mia")
    count_stack(third, third.host, "mia", 2)
    assert finish(third, "book") == 303
    assert third.table.entries[-1].event == events.Count({"mia": Chips(stack + 2)})
    assert third.table.night.stack("mia") == stack
    count_stack(third, third.host, "mia", -3)
    page = visible_text(third.host.get(f"{third.base}/count"))
    for words in ("3 short", "3 chips are somewhere else. Look under the board."):
        assert words in page
    assert "If nobody finds them, the table plays on with 397." in page
    assert third.table.night.stack("mia") == stack
    form = hidden_fields(third.host.get(f"{third.base}/count"), f"{third.base}/count/done")
    for _ in range(2):
        assert third.host.post(f"{third.base}/count/done", {**form, "use": "count"}).status_code == 303
    kinds = [(entry.event.kind, getattr(entry.event, "why", "")) for entry in third.table.entries[-2:]]
    assert kinds == [("count", ""), ("move", "counted")]
    assert third.table.night.stack("mia") == stack - 3
    assert "Set right: 3 from Mia to the bank (counted)" in visible_text(third.host.get(f"{third.base}/log"))
    assert "At the last count" not in visible_text(third.host.get(f"{third.base}/settle"))


@pytest.mark.parametrize(
    ("off", "moves", "left"),
    [
        ({"mia": -2, "tom": 5, "jackpot": 2}, [("mia", "jackpot", 2), ("bank", "tom", 5)], {}),
        ({"mia": -2, "tom": 2}, [("mia", "tom", 2)], {}),
        ({"mia": 2, "jackpot": -3}, [("jackpot", "mia", 2)], {"jackpot": 1}),
        ({"jackpot": -2, "poker": 3}, [("jackpot", "poker", 2)], {"poker": 1}),
        ({"mia": -4, "jackpot": -1}, [("mia", "bank", 4)], {"jackpot": 1}),
    ],
)
def test_a_count_moves_no_chips_between_a_place_and_the_bank(
    third: SampleNight, off: dict[str, int], moves: list[tuple[str, str, int]], left: dict[str, int]
) -> None:
    for account, chips in off.items():
        count_stack(third, third.host, account, chips)
    page = visible_text(third.host.get(f"{third.base}/count"))
    for pot, chips in left.items():
        assert f"{third.table.preset.board[pot].name}: a difference of {chips} stays" in page
    assert ("a difference of" in page) == bool(left)
    assert finish(third) == 303
    made = [one.event for one in third.table.entries if isinstance(one.event, events.Move)]
    assert [(one.source, one.target, one.chips) for one in made] == moves


def test_while_chips_are_counted_between_hands_each_phone_is_asked_to_confirm_its_own_stack(here: SampleNight) -> None:
    play_hand(here.table, "ruth", "ben", "mia")
    assert not HtmlPage(here.ben.get(here.base).text).has(ASKED)
    here.host.post(f"{here.base}/count", {"account": "mia", "counted": str(here.table.night.stack("mia"))})
    page = HtmlPage(here.ben.get(here.base).text)
    assert f"Do you have {here.table.night.stack('ben')}?" in page.text(ASKED)
    said: Form = {**page.form(f"{ASKED} form"), "counted": page.value(f"{ASKED} button")}
    assert here.ben.post(f"{here.base}/count", said).status_code == 303
    assert not HtmlPage(here.ben.get(here.base).text).has(ASKED)
    assert read_chip_count(here.table).counted == {seat: here.table.night.stack(seat) for seat in ("ben", "mia")}
    record(here.table, events.Hand("ben"))
    here.host.post(f"{here.base}/count", {"account": "mia", "counted": "7"})
    assert not HtmlPage(here.ben.get(here.base).text).has(ASKED), "no more when the next hand begins"


def test_a_number_is_forgotten_when_its_book_moves_and_a_yes_to_that_book_is_refused(third: SampleNight) -> None:
    book = str(third.table.night.stack("ben"))
    third.ben.post(f"{third.base}/count", {"account": "ben", "counted": "7"})
    assert "short" in visible_text(third.host.get(f"{third.base}/count"))
    record(third.table, events.Collect("ben", "jack-spades"))
    assert "short" not in visible_text(third.host.get(f"{third.base}/count"))
    answer = third.ben.post(f"{third.base}/count", {"account": "ben", "counted": book, "book": book})
    assert answer.status_code == 409
    assert "another number by now" in visible_text(answer)
    assert read_chip_count(third.table).counted == {}


def test_a_count_is_compared_with_the_book_of_its_moment(here: SampleNight) -> None:
    play_hand(here.table, "ruth", "ben", "mia")
    night = here.table.night
    stacks = {seat: Chips(night.stack(seat)) for seat in night.seats}
    record(here.table, events.Count({**stacks, "mia": Chips(stacks["mia"] - 1)}))
    sentence = "At the last count, {} of 400 chips were not where they should be."
    assert sentence.format(1) in visible_text(here.host.get(f"{here.base}/settle"))
    pot = max(night.preset.board, key=here.table.night.pot)
    record(here.table, events.Move(pot, "ben", Amount(here.table.night.pot(pot))))
    assert sentence.format(1) in visible_text(here.host.get(f"{here.base}/settle"))


def test_a_count_that_has_changed_or_whose_book_changes_at_the_same_moment_is_not_recorded(
    third: SampleNight, monkeypatch: pytest.MonkeyPatch
) -> None:
    third.host.post(f"{third.base}/count", {"account": "mia", "counted": "3"})
    old = HtmlPage(third.host.get(f"{third.base}/count").text).form("form.push")
    third.ben.post(f"{third.base}/count", {"account": "ben", "counted": "8"})
    assert third.host.post(f"{third.base}/count/done", {**old, "use": "count"}).status_code == 409, "another count"
    form = HtmlPage(third.host.get(f"{third.base}/count").text).form("form.push")
    head, events_of = third.table.head, count.events_of

    def overtaken(*given: Any, **more: Any) -> Any:
        if third.table.head == head:
            record(third.table, events.Buy("ben", Amount(7)))
        return events_of(*given, **more)

    monkeypatch.setattr(count, "events_of", overtaken)
    assert third.host.post(f"{third.base}/count/done", {**form, "use": "count"}).status_code == 409
    assert third.table.head == head + 1, "the chips that were bought"


@pytest.mark.parametrize("stored", ['{"counted":19,"in_log":20}', "19/20"])
def test_what_was_counted_is_kept_by_its_type_and_read_as_it_was_before(third: SampleNight, stored: str) -> None:
    settings = count.settings_of(third.table)
    settings.write("counted.ben", stored)
    assert settings.counted.get("ben") == count.CountedChips(19, 20)
    settings.counted.put("mia", count.CountedChips(7, 8))
    assert settings.texts()["counted.mia"] == '{"counted":7,"in_log":8}'
    settings.write("counted.ben", "{")
    assert settings.counted.get("ben") is None


TOLD = "text => document.querySelector('#happened').lastChild?.textContent === text"


def test_a_number_typed_on_one_phone_is_shown_and_told_on_the_other_but_not_while_that_one_types(
    screens: Screens, third: SampleNight
) -> None:
    host, ben = (screens.open(phone, f"{third.base}/count") for phone in (third.host, third.ben))
    book = third.table.night.stack("ben")
    ben.click(f"text={book}, yes")
    host.wait_for_selector(f".slot:text('{book}')")
    until(host, TOLD, f"Ben: {book}, as in the book.")
    host.click(".count-row:has-text('Mia') >> text=Other")
    field = "input[name=counted]:visible"
    host.focus(field)
    host.keyboard.type("12345678")
    assert host.input_value(field) == "1234567", "there is no room for one digit more"
    host.fill("input[name=colour-1]:visible", "3")
    assert host.input_value(field) == "15"
    host.press(field, "Enter")
    host.wait_for_selector(".count-row.off:has-text('Mia')")
    host.click("button:has-text('Use the count')")
    host.wait_for_url(re.compile("/log"))
    assert third.table.night.stack("mia") == 15
