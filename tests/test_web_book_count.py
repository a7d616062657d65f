from __future__ import annotations

from evenings import Form, hidden, played, record, words_of
from phones import House

from tracker.core import events


def test_everybody_is_asked_whether_the_book_is_right_about_them(house: House) -> None:
    here = played(house)
    page = here.ben.get(f"{here.base}/count")
    book = here.table.night.stack("ben")
    assert f"{book}, yes" in words_of(page)
    assert page.text.count(", yes</button>") == 1
    assert here.host.get(f"{here.base}/count").text.count(", yes</button>") == 4 + len(here.table.preset.board)


def test_a_number_that_is_right_is_ticked_and_moves_nothing(house: House) -> None:
    here = played(house)
    head = here.table.head
    book = here.table.night.stack("ben")
    assert here.ben.post(f"{here.base}/count", {"account": "ben", "counted": str(book)}).status_code == 303
    assert "as in the book" in here.host.get(f"{here.base}/count").text
    assert here.table.head == head


def test_a_seat_counts_its_own_stack_and_no_other(house: House) -> None:
    here = played(house)
    for account in ("ruth", "jackpot", "nobody"):
        assert here.ben.post(f"{here.base}/count", {"account": account, "counted": "5"}).status_code == 403
    here.table.change_setting("everyone", "on")
    assert here.ben.post(f"{here.base}/count", {"account": "ruth", "counted": "5"}).status_code == 303


def test_chips_can_be_counted_by_colour(house: House) -> None:
    here = played(house)
    form: Form = {"account": "ben", "counted": "", "colour-0": "2", "colour-1": "3", "colour-3": "1"}
    part = here.ben.post(f"{here.base}/count", form, HX_Request="true")
    assert 'class="slot num">42<' in part.text
    assert "<html" not in part.text


def test_a_difference_is_named_and_nothing_moves_by_itself(house: House) -> None:
    here = played(house)
    stack = here.table.night.stack("mia")
    here.host.post(f"{here.base}/count", {"account": "mia", "counted": str(stack - 3)})
    page = words_of(here.host.get(f"{here.base}/count"))
    assert "3 short" in page
    assert "3 chips are somewhere else. Look under the board." in page
    assert "If nobody finds them, the table plays on with 397." in page
    assert here.table.night.stack("mia") == stack


def test_using_the_count_writes_moves_with_the_reason(house: House) -> None:
    here = played(house)
    stack = here.table.night.stack("mia")
    here.host.post(f"{here.base}/count", {"account": "mia", "counted": str(stack - 3)})
    form = hidden(here.host.get(f"{here.base}/count"), f"{here.base}/count/done")
    for _ in range(2):
        assert here.host.post(f"{here.base}/count/done", {**form, "use": "count"}).status_code == 303
    kinds = [(entry.event.kind, getattr(entry.event, "why", "")) for entry in here.table.entries[-2:]]
    assert kinds == [("count", ""), ("move", "counted")]
    assert here.table.night.stack("mia") == stack - 3
    assert "Set right: 3 from Mia to the bank (counted)" in words_of(here.host.get(f"{here.base}/log"))


def test_keeping_the_book_records_the_count_and_moves_nothing(house: House) -> None:
    here = played(house)
    stack = here.table.night.stack("mia")
    here.host.post(f"{here.base}/count", {"account": "mia", "counted": str(stack + 2)})
    form = hidden(here.host.get(f"{here.base}/count"), f"{here.base}/count/done")
    here.host.post(f"{here.base}/count/done", {**form, "use": "book"})
    assert here.table.entries[-1].event == events.Count({"mia": stack + 2})  # type: ignore[dict-item]
    assert here.table.night.stack("mia") == stack


def test_chips_that_only_lie_elsewhere_move_between_people_and_not_through_the_bank(house: House) -> None:
    here = played(house)
    night = here.table.night
    here.host.post(f"{here.base}/count", {"account": "mia", "counted": str(night.stack("mia") - 2)})
    here.host.post(f"{here.base}/count", {"account": "tom", "counted": str(night.stack("tom") + 2)})
    page = here.host.get(f"{here.base}/count")
    assert "Set right: 2 from Mia to Tom (counted)" in words_of(page)
    form = hidden(page, f"{here.base}/count/done")
    here.host.post(f"{here.base}/count/done", {**form, "use": "count"})
    assert here.table.entries[-1].event == events.Move("mia", "tom", 2, "counted")  # type: ignore[arg-type]


def test_a_number_is_forgotten_when_its_book_moves(house: House) -> None:
    here = played(house)
    here.host.post(f"{here.base}/count", {"account": "mia", "counted": "7"})
    record(here.table, events.Collect("mia", "jack-spades"))
    assert "short" not in words_of(here.host.get(f"{here.base}/count"))


def test_a_count_that_changed_under_the_host_s_finger_is_shown_again(house: House) -> None:
    here = played(house)
    here.host.post(f"{here.base}/count", {"account": "mia", "counted": "7"})
    form = hidden(here.host.get(f"{here.base}/count"), f"{here.base}/count/done")
    here.ben.post(f"{here.base}/count", {"account": "ben", "counted": "8"})
    head = here.table.head
    assert here.host.post(f"{here.base}/count/done", {**form, "use": "count"}).status_code == 409
    assert here.table.head == head


def test_what_is_no_number_is_refused_in_words(house: House) -> None:
    here = played(house)
    for typed in ("-3", "1.5", "", "9999999", "\N{ARABIC-INDIC DIGIT FIVE}"):
        answer = here.ben.post(f"{here.base}/count", {"account": "ben", "counted": typed})
        assert answer.status_code == 422
        assert "A whole number, please." in answer.text


def test_other_phones_see_a_number_without_asking_for_what_they_have_seen(house: House) -> None:
    here = played(house)
    first = here.host.get(f"{here.base}/count?seen=")
    mark = first.headers["X-Mark"]
    assert here.host.get(f"{here.base}/count?seen={mark}").status_code == 204
    here.ben.post(f"{here.base}/count", {"account": "ben", "counted": "8"})
    assert 'class="slot num">8<' in here.host.get(f"{here.base}/count?seen={mark}").text


def test_a_game_without_chips_has_nothing_to_count(house: House) -> None:
    host = house.host()
    code = house.open_night(host, "Ruth", "eight-round-rummy")
    assert host.get(f"/n/{code}/count").status_code == 404
