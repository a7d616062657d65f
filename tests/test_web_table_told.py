"""What a phone at the table is told: about its own seat, at the count, at the last hand, after the end."""

from __future__ import annotations

import re

import pytest
from flask import g
from phones import House, Phone

from tracker.core import events
from tracker.core.events import Amount, Chips, Event, SeatId
from tracker.drafts import DRAFT, Draft
from tracker.live import Live
from tracker.store import Store
from tracker.table import Table
from tracker.tables import Tables
from tracker.web.devices import Who
from tracker.web.table import shown

ANTES = 18
"""What the dealer of Michigan Rummy puts in."""


class Night:
    """Ruth is the host, Ben and Mia have phones; the moves are recorded as the host's."""

    def __init__(self, house: House, **rules: int | str) -> None:
        self.host = house.host()
        answer = self.host.post("/new", {"preset": "michigan-rummy", "host": "Ruth"})
        self.code = answer.location.split("/")[2]
        self.phones = {name: house.join(self.code, name) for name in ("Ben", "Mia")}
        self.table: Table = house.tables.get(self.code)
        if rules:
            self.does(events.Rule({name.replace("__", "."): value for name, value in rules.items()}))

    def does(self, *made: Event) -> Night:
        for event in made:
            self.table.record(event, id=f"e{self.table.head}", by="host")
        return self

    def hand(self) -> Night:
        """Everybody has put in, and nobody wants the dummy hand."""
        return self.does(events.Hand(SeatId("ruth")), events.NoSale())

    def page(self, phone: Phone | None = None, path: str = "/live") -> str:
        return (phone or self.host).get(f"/n/{self.code}{path}", HX_Request="true").text


@pytest.fixture(name="night")
def _night(house: House) -> Night:
    return Night(house)


def out(seat: str, **left: int) -> events.Out:
    return events.Out(SeatId(seat), {SeatId(other): Chips(cards) for other, cards in left.items()})


def dock(html: str) -> str:
    """The second row of the resting dock, as text."""
    found = re.search(r'class="ask a-rest">.*?<div class="row">(.*?)</div></div>', html, re.DOTALL)
    assert found
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split())


def test_whoever_cannot_pay_the_next_ante_is_offered_chips_on_the_own_phone(night: Night) -> None:
    night.hand().does(out("mia", ruth=1, ben=1), events.Poker((SeatId("mia"),)))
    night.does(events.Move("ben", "bank", Amount(night.table.night.stack("ben") - 5), events.Text("lent")))
    page = night.page(night.phones["Ben"])
    assert "You need 13 more" in dock(page)
    assert f'href="/n/{night.code}/sheet/ben" data-open' in page
    assert '<span class="tag bad">5 of 18</span>' in page
    assert "need" not in dock(night.page(night.phones["Mia"]))
    assert "Borrow 13 from" in night.page(night.phones["Ben"], "/sheet/ben")


def test_whoever_sat_down_in_the_middle_of_a_hand_reads_when_they_play(house: House, night: Night) -> None:
    night.hand().does(events.Sit(SeatId("jo"), events.Name("Jo")))
    jo = Who("seat", "jo", 9, "", night.code)
    with house.app.test_request_context(headers={"HX-Request": "true"}):
        g.who = jo
        page = shown(night.table)
    assert dock(page) == "You play from the next hand More"
    assert "Barred" not in page
    assert "I am out of cards!" in dock(night.page(night.phones["Ben"]))
    assert 'data-seat="jo"' in night.page()
    assert "waits" in night.page()
    night.does(out("ben", ruth=1, mia=1), events.Poker((SeatId("ben"),)))
    assert "waits" not in night.page()


def test_whoever_has_left_reads_so_on_the_own_phone_until_they_are_seated_again(night: Night) -> None:
    night.does(events.Leave(SeatId("mia")))
    assert dock(night.page(night.phones["Mia"])) == "You have left. The host can seat you again. More"
    night.does(events.Sit(SeatId("mia"), events.Name("Mia")))
    assert "You have left" not in night.page(night.phones["Mia"])


def test_the_one_who_is_out_sees_whose_number_is_missing(night: Night) -> None:
    night.hand()
    night.table.say_out("mia")
    night.table.say("ben", 3)
    assert "asks-me" in night.page(night.phones["Ben"])
    own = night.page(night.phones["Mia"])
    assert "asks-me" not in own
    assert re.findall(r'data-row="(\w+)"', own) == ["ruth", "ben"]


def test_the_count_shows_no_jackpot_for_an_offender_who_only_loses_that(house: House) -> None:
    night = Night(house, barred_out="jackpot_only_lost").hand()
    night.does(events.Penalty(SeatId("mia"), "withheld-card", "H"))
    night.table.say_out("mia")
    assert 'data-jackpot="0"' in night.page()
    night.table.say_out("ben")
    assert 'data-jackpot="4"' in night.page()


def test_a_pool_of_the_whole_night_is_asked_for_at_the_table_after_the_last_hand(house: House) -> None:
    night = Night(house, poker__when="session_end").hand().does(out("mia", ruth=1, ben=1))
    assert "a-poker" not in night.page()
    night.table.change_setting("last", "on")
    assert 'data-moment="poker"' in night.page()
    assert "I win the pool" in dock(night.page(night.phones["Ben"]))
    night.does(events.Poker((SeatId("ben"),)))
    assert "Split and finish" in dock(night.page())


def test_at_the_last_hand_everybody_hears_that_the_pool_is_still_to_be_won(house: House) -> None:
    night = Night(house, poker__when="session_end").hand()
    night.table.change_setting("last", "on")
    for phone in (night.host, *night.phones.values()):
        assert "The poker pool is won after this hand." in night.page(phone)
    assert "The poker pool is won after this hand." not in Night(house).hand().page()


def test_a_table_that_is_over_leads_to_the_result(night: Night) -> None:
    night.hand().does(out("mia", ruth=1, ben=1), events.End())
    for phone in (night.host, night.phones["Ben"]):
        assert f'href="/n/{night.code}/settle">The result</a>' in night.page(phone)


def test_the_big_screen_says_who_wins_the_night(night: Night) -> None:
    night.hand().does(out("mia", ruth=1, ben=1), events.End())
    screen = night.page(path="/tv/live")
    assert ">Mia wins the night</h1>" in screen
    assert re.findall(r'class="seat-tv first" id="s-(\w+)"', screen) == ["mia"]


def test_the_big_screen_says_whose_number_is_missing_and_nothing_else_of_them(night: Night) -> None:
    night.hand()
    night.table.say_out("mia")
    night.table.say("ben", 3)
    told = re.findall(r"<small>([^<]*)</small></span><svg", night.page(path="/tv/live"))
    assert [one.strip() for one in told] == ["how many cards?", "3 left", ""]


@pytest.mark.parametrize("game", ["michigan-rummy", "eight-round-rummy"])
def test_the_address_of_a_sheet_that_is_loaded_again_shows_it_open_over_the_table(house: House, game: str) -> None:
    host = house.host()
    code = house.open_night(host, preset=game)
    house.join(code, "Ben")
    for path in ("sheet", "sheet/ben"):
        whole = host.get(f"/n/{code}/{path}").text
        assert whole.startswith("<!doctype html>")
        assert '<div class="sheets" id="sheets">' in whole
        sheet = host.get(f"/n/{code}/{path}", HX_Request="true").text
        assert "<html" not in sheet
        assert sheet.strip()[:80] in whole
    assert 'id="sheets" hidden>' in host.get(f"/n/{code}").text


def test_a_stack_of_four_digits_gets_room_and_its_owner_keeps_the_name(night: Night) -> None:
    night.does(events.Buy(SeatId("ben"), Amount(1400)))
    assert re.search(r'class="seat  named rich"  *id="s-ben"', night.page())
    assert 'class="big num rich" id="mystack"' in night.page(night.phones["Ben"])


def test_a_hint_about_money_cards_goes_when_somebody_was_named(house: House) -> None:
    night = Night(house, left_in_hand="double_pot").hand().does(out("mia", ruth=1, ben=1))
    night.table.change_setting("waived", '{"hand": 1, "is": {"poker": "nobody"}}')
    assert "Who still holds a money card?" in night.page()
    night.does(events.Left(SeatId("ben"), "king-clubs"))
    assert "Who still holds a money card?" not in night.page()


def test_numbers_typed_for_the_count_outlive_a_restart_and_are_worthless_in_the_next_hand(
    night: Night, store: Store, live: Live
) -> None:
    night.hand()
    night.table.say_out("mia")
    night.table.say("ben", 3)
    again = Tables(store, live).get(night.code)
    assert again.draft == Draft(1, "mia", {"ben": 3})
    night.does(out("mia", ruth=1, ben=3), events.Poker((SeatId("mia"),))).hand()
    assert Tables(store, live).get(night.code).draft == Draft(2)


@pytest.mark.parametrize("kept", ["", "{", "[]", '{"hand": 1, "winner": 7, "said": {}}', '{"hand": 1, "said": 2}'])
def test_a_draft_that_makes_no_sense_is_none(night: Night, store: Store, live: Live, kept: str) -> None:
    night.hand().table.change_setting(DRAFT, kept)
    assert Tables(store, live).get(night.code).draft == Draft(1)
