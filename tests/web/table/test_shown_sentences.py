"""What a phone at the table is told: about its own seat, on sheets, at the count, at the last hand, after the end."""

import re

import pytest
from support.client_phones import ClientPhone, Site
from support.core_nights import rummy
from support.html_page import HtmlPage
from support.of_extras import of_extras
from support.sample_nights import SampleNight, TableNight, play_hand, record, visible_text

from tracker.app.nights import Nights
from tracker.app.settings import HandChoices, HandDraft
from tracker.core import events
from tracker.core.events import Amount, Chips, SeatId
from tracker.core.settlement import price_of
from tracker.storage import Store
from tracker.streaming.hub import StreamHub


def dealt(site: Site, **rules: int | str) -> TableNight:
    """Return a night of Ruth, Ben and Mia, who play a hand; `__` stands for the dot in a rule's key."""
    chosen = {name.replace("__", "."): rules[name] for name in rules}
    night = TableNight(site, people=("Ben", "Mia"), rules=chosen)
    return night.record(events.Hand(SeatId("ruth")), events.NoSale())


def out(seat: str, **left: int) -> events.Out:
    return events.Out(SeatId(seat), {SeatId(other): Chips(cards) for other, cards in left.items()})


@pytest.mark.parametrize(
    ("shortage", "main"),
    [("sit_out", "Sit this one out"), ("buy_in", "Buy 13"), ("iou", "Borrow 13 from Mia"), ("end_session", "")],
)
def test_a_seat_short_of_the_ante_is_offered_first_what_the_house_does_then(
    site: Site, shortage: str, main: str
) -> None:
    night = dealt(site, shortage=shortage)
    night.record(out("mia", ruth=1, ben=1), events.Poker((SeatId("ben"),)))
    night.record(events.Move("ben", "bank", Amount(night.table.night.stack("ben") - 5), events.Text("lent")))
    sheet = night.sheet("ben")
    offered = sheet.texts(".sums button[name=do]")
    assert sheet.texts(".sums button.act[name=do]") == ([main] if main else [])
    assert (offered[0] == "Sit this one out") == (shortage == "sit_out")
    assert ("Finish the night" in sheet.texts("a.act.wide")) == (shortage == "end_session")


def test_the_winner_sees_whose_numbers_are_missing_and_nothing_else_of_them(site: Site) -> None:
    night = dealt(site)
    night.table.set_draft_winner("mia")
    night.table.set_draft_value("ben", 3)
    assert "asks-me" in night.page(night.phones["ben"])
    own = night.page(night.phones["mia"])
    assert "asks-me" not in own
    assert HtmlPage(own).values("[data-row]", "data-row") == ["ruth", "ben"]


def test_the_last_hand_says_on_every_phone_that_the_pool_is_still_to_be_won(site: Site) -> None:
    night = dealt(site, poker__when="session_end")
    night.table.settings.is_last_hand = True
    for phone in night.phones.values():
        assert "The poker pool is won after this hand." in night.page(phone)
    assert "The poker pool is won after this hand." not in dealt(site).page()


def test_the_address_of_a_sheet_that_is_loaded_again_shows_it_open_over_the_table(
    site: Site, host: ClientPhone, code: str
) -> None:
    site.join(code, "Ben")
    for path in ("sheet", "sheet/ben"):
        whole = host.get(f"/n/{code}/{path}").text
        assert whole.startswith("<!doctype html>")
        assert '<div class="sheets" id="sheets">' in whole
        sheet = host.get(f"/n/{code}/{path}", HX_Request="true").text
        assert "<html" not in sheet
        assert sheet.strip()[:80] in whole
    assert 'id="sheets" hidden>' in host.get(f"/n/{code}").text


def test_a_stack_of_four_digits_gets_room_and_its_owner_keeps_the_name(night: TableNight) -> None:
    night.record(events.Buy(SeatId("ben"), Amount(1400)))
    assert HtmlPage(night.page()).has("#s-ben.seat.long-name.long-number")
    assert 'class="big num long-number" id="own-stack"' in night.page(night.phones["ben"])


def test_a_hint_about_money_cards_goes_when_somebody_was_named(site: Site) -> None:
    night = dealt(site, left_in_hand="double_pot").record(out("mia", ruth=1, ben=1))
    night.table.settings.waived = HandChoices(1, {"poker": "nobody"})
    assert "Who still holds a money card?" in night.page()
    night.record(events.Left(SeatId("ben"), "king-clubs"))
    assert "Who still holds a money card?" not in night.page()


def test_numbers_typed_for_the_count_outlive_a_restart_and_are_worthless_in_the_next_hand(
    site: Site, store: Store, live: StreamHub
) -> None:
    night = dealt(site)
    night.table.set_draft_winner("mia")
    night.table.set_draft_value("ben", 3)
    again = Nights(store, live).get(night.code)
    assert (again.draft.winner, again.draft.counts) == ("mia", {"ben": 3})
    night.record(out("mia", ruth=1, ben=3), events.Poker((SeatId("ben"),)), events.Hand(SeatId("ruth")))
    fresh = Nights(store, live).get(night.code).draft
    assert fresh == HandDraft(fresh.state)
    assert fresh.state.hand == 2


def test_the_last_hand_is_named_while_it_is_on_and_over_when_it_is(here: SampleNight) -> None:
    play_hand(here.table, "ruth", "ben", "mia")
    record(here.table, events.Hand("ben"), events.NoSale())
    here.table.settings.is_last_hand = True
    pages = [(here.host, ""), (here.ben, ""), *((here.watcher, page) for page in of_extras("watched"))]
    for phone, page in pages:
        text = visible_text(phone.get(here.base + page))
        assert "Hand 2" in text
        assert "last hand" in text
    record(here.table, events.Out("mia", dict.fromkeys(("ruth", "ben", "tom"), Chips(1))), events.Poker(("ben",)))
    for phone, page in pages:
        text = visible_text(phone.get(here.base + page))
        assert "Hand 2" in text
        assert "Hand 3" not in text
        assert "The last hand is over" in text
    record(here.table, events.End())
    for phone, page in pages:
        assert "last hand" not in visible_text(phone.get(here.base + page)).lower().split("the night is over", 1)[1]


# A person's sheet where chips are worth money


def test_chips_to_buy_have_their_price_and_those_of_a_leaver_their_worth_where_chips_are_money(site: Site) -> None:
    for rules, prices, worth in (
        ({"money.chips": 10, "money.cents": 25}, ["0.25", "0.50", "1.25", "2.50"], ["They are worth 2.50."]),
        ({}, [], []),
    ):
        page = TableNight(site, rules=rules).sheet("ben")
        assert page.values("[value^='buy:']", "value") == ["buy:10", "buy:20", "buy:50", "buy:100"]
        assert page.texts("[value^='buy:'] small") == prices
        assert re.findall(r"They are worth [\d.]*\d\.", page.text("details:has([value=leave])")) == worth


def test_any_number_of_chips_is_bought(night: TableNight) -> None:
    before = night.stacks["ben"]
    assert night.sheet("ben").has("form:has([name=chips]) [name=do][value=buy]")
    for chips, status in (("37", 200), ("many", 422)):
        assert night.tap("buy", seat="ben", chips=chips).status_code == status
        assert night.stacks["ben"] == before + 37


def test_a_price_is_rounded_to_the_nearest_cent() -> None:
    for chips, cents in ((0, 0), (1, 3), (2, 5), (91, 228), (100, 250)):
        assert price_of(rummy(money__chips=10, money__cents=25).night, chips) == cents
        assert price_of(rummy().night, chips) == 0


# A dummy hand that is passed round for payment


def test_each_in_turn_is_offered_the_dummy_hand_and_told_what_is_missing_for_it(site: Site) -> None:
    night = TableNight(site, rules={"dummy": "passed_round", "auction.min": 2}).record(events.Hand(SeatId("ruth")))
    assert HtmlPage(night.page()).text(".a-rest #do-dead") == "Nobody"

    def offered(seat: str) -> str:
        return HtmlPage(night.page(night.phones[seat])).text(".a-rest")

    turn = HtmlPage(night.page()).value("#move [name=turn]", "value")
    assert turn == "ben"
    assert HtmlPage(night.page(night.phones["ben"])).text("#last b") == "The dummy for 2?"
    assert "Buy for 2" in offered("ben")
    for seat in ("mia", "tom"):
        assert "Buy for 2" not in offered(seat)
        assert "Wait until it is offered to you" in offered(seat)
    night.tap("pass:ben", night.phones["ben"])
    assert "Buy for 2" in offered("mia")
    night.record(events.Move("mia", "bank", Amount(night.stacks["mia"] - 1)))
    answer = night.tap("bid:2", night.phones["mia"])
    assert answer.status_code == 422
    assert "1 short" in HtmlPage(answer.text).text("#notice")
    assert night.tap("pass:mia", night.phones["mia"]).status_code == 200
    before = night.stacks
    assert night.tap("bid:2", night.phones["tom"]).status_code == 200
    assert night.table.night.current_deal().buyer == "tom"
    assert night.stacks == before | {"tom": before["tom"] - 2, "ruth": before["ruth"] + 2}
    assert "Tom buys the dummy hand from Ruth for 2" in night.host.get(f"/n/{night.code}/log").text
