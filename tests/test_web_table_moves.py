"""Tapping through the table's page: what each button records, for whom, and what is refused."""

from __future__ import annotations

import re

import pytest
from phones import House, Phone
from werkzeug.test import TestResponse

from tracker.codec import event_from
from tracker.table import Table
from tracker.web.access import may_record
from tracker.web.devices import Who


class Evening:
    """A night of four with a host; forms are sent as the page would send them."""

    def __init__(self, house: House, preset: str = "michigan-rummy") -> None:
        self.house = house
        self.host = house.host()
        self.code = house.open_night(self.host, preset=preset)
        self.phones = {name.lower(): house.join(self.code, name) for name in ("Ben", "Mia", "Tom")}
        self.table: Table = house.tables.get(self.code)

    def page(self, phone: Phone | None = None) -> str:
        answer = (phone or self.host).get(f"/n/{self.code}/live")
        assert answer.status_code == 200
        return answer.text

    def tap(
        self, do: str, phone: Phone | None = None, *, old: str = "", fields: dict[str, str] | None = None, **more: str
    ) -> TestResponse:
        """Sends the form of the page as it is now, or of an `old` one, with one button pressed."""
        hidden = re.findall(
            r'<input type="hidden" name="(key|head|hand|seat)" value="([^"]*)">', old or self.page(phone)
        )
        form: dict[str, str | list[str]] = {**dict(hidden[:4]), **(fields or {}), **more, "do": do}
        return (phone or self.host).post(f"/n/{self.code}/record", form, HX_Request="true")

    def begin(self, dealer: str = "mia") -> Evening:
        assert self.tap(f"ante:{dealer}", seat=dealer).status_code == 200
        assert self.tap("no-sale").status_code == 200
        return self

    @property
    def stacks(self) -> dict[str, int]:
        return {seat: self.table.night.stack(seat) for seat in self.table.night.seats}

    @property
    def pots(self) -> dict[str, int]:
        return {pot: self.table.night.pot(pot) for pot in self.table.preset.board}


@pytest.fixture(name="evening")
def _evening(house: House) -> Evening:
    return Evening(house)


def said(answer: TestResponse) -> str:
    """What the first row of the dock says, as text."""
    found = re.search(r'id="last">(.*?)</p>', answer.text)
    assert found
    return " ".join(re.sub(r"<[^>]+>", " ", re.sub(r"</?b[^>]*>", "", found[1])).split())


def test_one_tap_puts_every_ante_in(evening: Evening) -> None:
    assert said(evening.tap("ante:mia", seat="mia")).startswith("Mia puts 2 in each place")
    assert evening.stacks == {"ruth": 91, "ben": 91, "mia": 82, "tom": 91}
    assert set(evening.pots.values()) == {5}


def test_a_place_goes_to_the_person_tapped(evening: Evening) -> None:
    evening.begin()
    answer = evening.tap("collect", seat="tom", pot="king-clubs", held="5")
    assert said(answer) == "K King of clubs Tom took 5"
    assert evening.stacks["tom"] == 96
    assert 'data-pot="king-clubs" data-n="0"' in answer.text


def test_a_double_tap_counts_once(evening: Evening) -> None:
    evening.begin()
    page = evening.page()
    for _ in range(2):
        answer = evening.tap("collect", old=page, seat="tom", pot="king-clubs", held="5")
        assert answer.status_code == 200
    assert evening.stacks["tom"] == 96
    for _ in range(2):
        assert evening.tap("collect", old=page, seat="ben", pot="ten-hearts", held="5").status_code == 200
    assert evening.stacks["ben"] == 96


def test_two_phones_that_say_the_same_count_once(evening: Evening) -> None:
    evening.begin()
    old = evening.page(evening.phones["tom"])
    evening.tap("collect", seat="tom", pot="king-clubs", held="5")
    answer = evening.tap("collect", evening.phones["tom"], old=old, seat="tom", pot="king-clubs", held="5")
    assert answer.status_code == 200
    assert evening.stacks["tom"] == 96


def test_two_people_who_claim_the_same_place_are_told_who_was_first(evening: Evening) -> None:
    evening.begin()
    old = evening.page()
    evening.tap("collect", seat="tom", pot="king-clubs", held="5")
    answer = evening.tap("collect", old=old, seat="ben", pot="king-clubs", held="5")
    assert answer.status_code == 409
    assert "now holds 0, not 5" in said(answer)
    answer = evening.tap("collect", seat="ben", pot="king-clubs", held="0")
    assert answer.status_code == 409
    assert said(answer) == "Tom took King of clubs in this hand already; nothing was counted twice."
    assert evening.stacks["ben"] == 91


def test_a_tap_on_the_board_of_an_older_hand_is_refused(evening: Evening) -> None:
    old = evening.begin().page()
    evening.tap("out:ruth", seat="ruth")
    evening.tap("pay:ruth", fields={"cards-ben": "1", "cards-mia": "2", "cards-tom": "3"})
    evening.tap("waive:poker")
    evening.tap("ante:tom")
    evening.tap("no-sale")
    answer = evening.tap("collect", old=old, seat="ben", pot="ten-hearts", held="10")
    assert answer.status_code == 409
    assert "hand 1" in said(answer)


def test_a_whole_hand_is_paid_out_as_it_was_shown(evening: Evening) -> None:
    evening.begin()
    assert "Ruth is out!" in said(evening.tap("out", seat="ruth"))
    assert evening.table.night.phase == "play"
    for seat, cards in (("ben", "1"), ("mia", "4")):
        evening.tap(f"say:{cards}", evening.phones[seat], seat=seat)
    page = evening.tap("say:3", seat="tom").text
    assert [f'name="cards-{seat}" value="{cards}"' in page for seat, cards in (("ben", 1), ("mia", 4), ("tom", 3))]
    answer = evening.tap("pay:ruth")
    assert evening.stacks == {"ruth": 104, "ben": 90, "mia": 78, "tom": 88}
    assert 'data-moment="poker"' in answer.text
    assert said(evening.tap("poker", seat="mia")) == "Mia won the poker pool, 5"
    assert "Ante for hand 2" in evening.page()
    assert "Tom deals and puts 18" in evening.page()


def test_undoing_the_payment_keeps_the_numbers_typed(evening: Evening) -> None:
    evening.begin().tap("out", seat="ruth")
    for seat in ("ben", "mia", "tom"):
        evening.tap("say:2", seat=seat)
    evening.tap("pay:ruth")
    page = evening.tap(f"undo:{evening.table.head}").text
    assert 'data-moment="count"' in page
    assert page.count('value="2"') == 3
    assert evening.stacks == {"ruth": 91, "ben": 91, "mia": 82, "tom": 91}


def test_undo_and_redo_stand_in_the_same_row(evening: Evening) -> None:
    evening.begin().tap("collect", seat="tom", pot="king-clubs", held="5")
    answer = evening.tap("undo:7")
    assert said(answer) == "Undone: Tom gives back 5"
    assert ">Redo</button>" in answer.text
    answer = evening.tap("undo:8")
    assert said(answer) == "It holds again"
    assert evening.stacks["tom"] == 96


def test_a_phone_records_and_takes_back_only_its_own(evening: Evening) -> None:
    evening.begin()
    mine, other = evening.phones["tom"], evening.phones["ben"]
    assert evening.tap("collect", mine, seat="ben", pot="ten-hearts", held="5").status_code == 403
    assert said(evening.tap("collect", mine, seat="tom", pot="ten-hearts", held="5")) == "10 Ten of hearts you took 5"
    assert "Undo mine" in evening.page(mine)
    assert "Undo" not in evening.page(other)
    assert evening.tap("undo:7", other).status_code == 403
    assert evening.tap("undo:7", mine).status_code == 200
    assert evening.stacks["tom"] == 91


def test_an_open_table_lets_every_phone_record_but_not_undo_for_others(evening: Evening) -> None:
    evening.begin()
    evening.table.change_setting("everyone", "on")
    ben = evening.phones["ben"]
    assert evening.tap("collect", ben, seat="tom", pot="ten-hearts", held="5").status_code == 200
    assert "Someone is out" in evening.page(ben)
    assert evening.tap("undo:7", evening.phones["mia"]).status_code == 403


def test_watchers_have_nothing_to_tap(evening: Evening) -> None:
    watcher = evening.house.ask(evening.code, watch="1")
    evening.begin()
    page = evening.page(watcher)
    assert "<button" not in page.replace('<button name="do" value="" hidden id="go">', "")
    assert watcher.post(f"/n/{evening.code}/record", {"do": "exchange"}).status_code == 403


def test_a_barred_person_is_greyed_and_told_why(evening: Evening) -> None:
    evening.begin()
    answer = evening.tap("penalty:wrong-lead", seat="tom")
    assert said(answer) == "Tom led too high: paid 3, barred"
    assert re.search(r'class="seat barred[^"]*" id="s-tom"[^>]*data-no="collect share"', answer.text)
    answer = evening.tap("collect", seat="tom", pot="ten-hearts", held="5")
    assert answer.status_code == 422
    assert said(answer) == "Tom is barred from money cards until this hand ends."


def test_a_withheld_card_is_asked_for_at_the_end_of_the_hand(evening: Evening) -> None:
    evening.begin().tap("penalty:withheld-card/C", seat="tom")
    evening.tap("out", seat="ruth")
    page = evening.tap("pay:ruth", fields={"cards-ben": "1", "cards-mia": "2", "cards-tom": "3"}).text
    assert 'data-moment="match"' in page
    assert "Who still has that card?" in page
    evening.tap("match:king-clubs/tom", seat="ben")
    assert evening.stacks["ben"] == 95
    assert evening.pots["king-clubs"] == 5
    assert 'data-moment="poker"' in evening.page()


def test_nobody_is_an_answer(evening: Evening) -> None:
    evening.begin().tap("penalty:withheld-card/C", seat="tom")
    evening.tap("out", seat="ruth")
    evening.tap("pay:ruth", fields={"cards-ben": "1", "cards-mia": "2", "cards-tom": "3"})
    assert 'data-moment="poker"' in evening.tap("waive:match/king-clubs/tom").text
    assert 'data-moment="ante"' in evening.tap("waive:poker").text
    assert evening.pots["poker"] == 5


def test_an_offender_who_goes_out_takes_nothing_and_nobody_counts(evening: Evening) -> None:
    evening.begin().tap("penalty:withheld-card/C", seat="tom")
    answer = evening.tap("out", seat="tom")
    assert said(answer) == "Tom is out but takes nothing. Play goes on until the next one."
    assert evening.table.draft.winner is None
    assert re.search(r'id="s-tom"[^>]*data-no="[^"]*\bout\b', answer.text)


def test_the_dummy_is_sold_to_a_person_for_a_key(evening: Evening) -> None:
    evening.tap("ante:mia", seat="mia")
    assert said(evening.tap("sale:3", seat="tom")) == "Tom bought the dummy for 3"
    assert (evening.stacks["tom"], evening.stacks["mia"]) == (88, 85)


def test_the_dummy_is_bid_for_turn_by_turn(evening: Evening) -> None:
    evening.tap("ante:mia", seat="mia")
    evening.tap("bid:1", turn="tom")
    page = evening.tap("pass:ruth").text
    assert 'value="pass:ben"' in page
    assert 'value="bid:2"' in page
    evening.tap("pass:ben")
    assert evening.table.night.the_deal().buyer == "tom"


def test_a_person_who_is_short_sits_out_until_somebody_helps(evening: Evening) -> None:
    evening.tap("move:95", source="ben", target="bank", why="")
    evening.tap("plan:dealer", seat="mia")
    page = evening.page()
    assert "Ante, without Ben" in page
    assert "5 of 9" in page
    assert "Ante for hand 1" in evening.tap("plan:mia", seat="ben").text
    evening.tap("ante:mia")
    assert evening.stacks["ben"] == 0
    assert [(one.debtor, one.holder, one.chips) for one in evening.table.night.ledger.notes()] == [("ben", "mia", 4)]


def test_sitting_out_is_one_tap_and_can_be_taken_back(evening: Evening) -> None:
    evening.tap("plan:dealer", seat="mia")
    assert "Ante, without Tom" in evening.tap("plan:out", seat="tom").text
    assert "Ante for hand 1" in evening.tap("plan:", seat="tom").text
    evening.tap("plan:out", seat="tom")
    evening.tap("ante:mia")
    assert evening.table.night.the_deal().seats == ("ruth", "ben", "mia")


def test_a_payer_without_chips_writes_an_iou_when_cards_are_paid(evening: Evening) -> None:
    evening.begin().tap("move:90", source="ben", target="tom", why="")
    evening.tap("out", seat="ruth")
    cards = {"cards-ben": "3", "cards-mia": "2", "cards-tom": "3"}
    evening.tap("pay:ruth", fields={**cards, "cover-ben": "ruth", "cover-mia": "ruth"})
    assert [(one.debtor, one.holder, one.chips) for one in evening.table.night.ledger.notes()] == [("ben", "ruth", 2)]


def test_a_refused_move_says_why_and_changes_nothing(evening: Evening) -> None:
    evening.begin()
    before = evening.table.head
    for do, fields in (
        ("collect", {"seat": "nobody", "pot": "ten-hearts"}),
        ("collect", {"seat": "tom", "pot": "jackpot"}),
        ("move", {"source": "tom", "target": "tom", "chips": "5"}),
        ("buy:x", {"seat": "tom"}),
        ("no-such-thing", {}),
        ("sale:2", {"seat": "tom"}),
    ):
        answer = evening.tap(do, fields=fields)
        assert answer.status_code == 422, do
        assert len(said(answer)) > 10
    assert evening.table.head == before


def test_the_last_hand_is_announced_on_every_screen(evening: Evening) -> None:
    evening.begin()
    evening.tap("last:on")
    for page in (evening.page(), evening.page(evening.phones["tom"])):
        assert "last hand" in page
    assert evening.tap("last:", evening.phones["tom"]).status_code == 403
    evening.tap("out", seat="ruth")
    evening.tap("pay:ruth", fields={"cards-ben": "1", "cards-mia": "2", "cards-tom": "3"})
    assert "Split and finish" in evening.tap("waive:poker").text


def test_a_browser_without_scripts_is_sent_back_to_the_page(evening: Evening) -> None:
    answer = evening.host.post(f"/n/{evening.code}/record", {"do": "ante:mia", "seat": "mia", "key": "k"})
    assert answer.status_code == 303
    assert answer.location == f"/n/{evening.code}"
    assert evening.table.night.hand == 1


def test_the_page_holds_what_its_fragment_holds(evening: Evening) -> None:
    evening.begin()
    page, part = evening.host.get(f"/n/{evening.code}").text, evening.page()
    assert part.strip() in page


def test_an_own_phone_speaks_for_its_own_seat_without_naming_it(house: House) -> None:
    evening = Evening(house, preset="michigan-kitty")
    evening.begin()
    assert evening.tap("out", evening.phones["ben"]).status_code == 200
    assert evening.table.draft.winner == "ben"


def test_whoever_won_the_pool_alone_says_so_on_the_own_phone(evening: Evening) -> None:
    evening.begin()
    seats = evening.table.night.seats
    evening.tap("out", evening.phones["ben"])
    evening.tap("pay:ben", fields={f"cards-{seat}": "2" for seat in seats if seat != "ben"})
    assert "I win the pool" in evening.page(evening.phones["mia"])
    pool = evening.pots["poker"]
    before = evening.stacks["mia"]
    assert evening.tap("poker", evening.phones["mia"]).status_code == 200
    assert evening.stacks["mia"] == before + pool > before
    evening.tap(f"undo:{evening.table.head}")
    for winners in ("tom", "mia tom"):
        assert evening.tap("poker", evening.phones["mia"], seat="tom", winners=winners).status_code == 403


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("place", {"pots": {}}),
        ("bet", {"chips": 1}),
        ("fine", {}),
        ("due", {"due": "x"}),
        ("left", {"pot": "x"}),
        ("sweep", {}),
    ],
)
def test_what_a_person_does_at_other_boards_is_recorded_on_the_own_phone_and_on_no_others(
    evening: Evening, kind: str, more: dict[str, object]
) -> None:
    event = event_from({"kind": kind, "seat": "mia", **more})
    mia, tom = (Who("seat", seat, 1, "", evening.code) for seat in ("mia", "tom"))
    assert may_record(mia, event, evening.table.night, is_open=False)
    assert not may_record(tom, event, evening.table.night, is_open=False)
    assert may_record(tom, event, evening.table.night, is_open=True)


def test_the_first_bid_is_made_on_the_bidders_own_phone_and_on_no_other_players(evening: Evening) -> None:
    evening.tap("ante:mia", seat="mia")
    first = evening.table.night.the_deal().seats[0]
    assert first == "tom"
    assert "a-bids" in evening.page(evening.phones["tom"])
    assert "a-bids" not in evening.page(evening.phones["ben"])
    assert evening.tap("bid:2", evening.phones["ben"], turn="tom").status_code == 403
    assert evening.tap("bid:2", evening.phones["tom"], turn="tom").status_code == 200
    assert evening.table.night.the_deal().auction.bidder == "tom"


def test_a_barred_player_reads_so_at_the_top_of_the_own_phone_for_the_rest_of_the_hand(evening: Evening) -> None:
    evening.begin()
    tom = evening.phones["tom"]
    assert 'class="tag bad">barred' not in evening.page(tom)
    evening.table.record(event_from({"kind": "penalty", "seat": "tom", "offence": "wrong-lead"}), id="p", by="host")
    evening.tap("collect", pot="ace-hearts", seat="ben")
    top = evening.page(tom).partition("</header>")[0]
    assert 'class="tag bad">barred' in top
