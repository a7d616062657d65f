"""What a phone at the table is told: about its own seat, at the count, at the last hand, after the end."""

import pytest
from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import TableNight

from tracker.app.nights import Nights
from tracker.app.settings import HandChoices, HandDraft, NightSettings
from tracker.core import events
from tracker.core.events import Amount, Chips, SeatId
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.devices import Identity
from tracker.web.table.pages import shown


@pytest.fixture(name="night")
def _night(site: Site) -> TableNight:
    return of_three(site)


def of_three(site: Site, **rules: int | str) -> TableNight:
    """Return a night of Ruth, Ben and Mia; `__` stands for the dot in a rule's key."""
    return TableNight(site, people=("Ben", "Mia"), rules={name.replace("__", "."): rules[name] for name in rules})


def dealt(night: TableNight) -> TableNight:
    """Have everybody put in, and nobody want the dummy hand."""
    return night.record(events.Hand(SeatId("ruth")), events.NoSale())


def out(seat: str, **left: int) -> events.Out:
    return events.Out(SeatId(seat), {SeatId(other): Chips(cards) for other, cards in left.items()})


def dock(html: str) -> str:
    """The second row of the resting dock, as text."""
    return HtmlPage(html).text(".ask.a-rest .row", inline=())


def test_a_seat_short_of_the_next_ante_is_offered_chips_on_its_own_phone(night: TableNight) -> None:
    dealt(night).record(out("mia", ruth=1, ben=1), events.Poker((SeatId("ben"),)))
    night.record(events.Move("ben", "bank", Amount(night.table.night.stack("ben") - 5), events.Text("lent")))
    page = night.page(night.phones["ben"])
    assert "You need 13 more" in dock(page)
    assert f'href="/n/{night.code}/sheet/ben" data-open' in page
    assert '<span class="tag bad">5 of 18</span>' in page
    assert "need" not in dock(night.page(night.phones["mia"]))
    assert "Borrow 13 from" in night.sheet("ben", night.phones["ben"]).text()


@pytest.mark.parametrize(
    ("shortage", "main"),
    [("sit_out", "Sit this one out"), ("buy_in", "Buy 13"), ("iou", "Borrow 13 from Mia"), ("end_session", "")],
)
def test_a_seat_short_of_the_ante_is_offered_first_what_the_house_does_then(
    site: Site, shortage: str, main: str
) -> None:
    night = dealt(of_three(site, shortage=shortage))
    night.record(out("mia", ruth=1, ben=1), events.Poker((SeatId("ben"),)))
    night.record(events.Move("ben", "bank", Amount(night.table.night.stack("ben") - 5), events.Text("lent")))
    sheet = night.sheet("ben")
    offered = sheet.texts(".sums button[name=do]")
    assert sheet.texts(".sums button.act[name=do]") == ([main] if main else [])
    assert (offered[0] == "Sit this one out") == (shortage == "sit_out")
    assert ("Finish the night" in sheet.texts("a.act.wide")) == (shortage == "end_session")


def test_a_seat_added_in_mid_hand_reads_when_it_plays(site: Site, night: TableNight) -> None:
    dealt(night).record(events.Sit(SeatId("jo"), events.Name("Jo")))
    jo = Identity("seat", "jo", 9, "", night.code)
    with site.app.app_context():
        page = str(shown(night.table, jo))
    assert dock(page) == "You play from the next hand"
    assert "Barred" not in page
    assert "I am out of cards!" in dock(night.page(night.phones["ben"]))
    assert 'data-seat="jo"' in night.page()
    assert "waits" in night.page()
    night.record(out("ben", ruth=1, mia=1), events.Poker((SeatId("mia"),)))
    assert "waits" not in night.page()


def test_a_person_who_left_reads_so_on_the_own_phone_until_seated_again(night: TableNight) -> None:
    night.record(events.Leave(SeatId("mia")))
    assert dock(night.page(night.phones["mia"])) == "You have left. The host can seat you again."
    night.record(events.Sit(SeatId("mia"), events.Name("Mia")))
    assert "You have left" not in night.page(night.phones["mia"])


def test_the_winner_sees_whose_numbers_are_missing_and_nothing_else_of_them(night: TableNight) -> None:
    dealt(night)
    night.table.set_draft_winner("mia")
    night.table.set_draft_value("ben", 3)
    assert "asks-me" in night.page(night.phones["ben"])
    own = night.page(night.phones["mia"])
    assert "asks-me" not in own
    assert HtmlPage(own).values("[data-row]", "data-row") == ["ruth", "ben"]


def test_the_count_shows_no_jackpot_for_an_offender_who_only_loses_that(site: Site) -> None:
    night = dealt(of_three(site, barred_out="jackpot_only_lost"))
    night.record(events.Penalty(SeatId("mia"), "withheld-card", "H"))
    night.table.set_draft_winner("mia")
    assert HtmlPage(night.page()).text(".count .sum").startswith("M 0 ")
    night.table.set_draft_winner("ben")
    assert HtmlPage(night.page()).text(".count .sum").startswith("B 4 ")


def test_a_pool_of_the_whole_night_is_asked_for_at_the_table_after_the_last_hand(site: Site) -> None:
    night = dealt(of_three(site, poker__when="session_end")).record(out("mia", ruth=1, ben=1))
    assert "a-poker" not in night.page()
    night.table.settings.is_last_hand = True
    assert 'data-moment="poker"' in night.page()
    assert "I win the pool" in dock(night.page(night.phones["ben"]))
    night.record(events.Poker((SeatId("ben"),)))
    assert "Finish the night" in dock(night.page())


def test_the_last_hand_says_on_every_phone_that_the_pool_is_still_to_be_won(site: Site) -> None:
    night = dealt(of_three(site, poker__when="session_end"))
    night.table.settings.is_last_hand = True
    for phone in night.phones.values():
        assert "The poker pool is won after this hand." in night.page(phone)
    assert "The poker pool is won after this hand." not in dealt(of_three(site)).page()


def test_a_table_that_is_over_leads_to_the_result(night: TableNight) -> None:
    dealt(night).record(out("mia", ruth=1, ben=1), events.End())
    for phone in (night.host, night.phones["ben"]):
        assert f'href="/n/{night.code}/settle">The result</a>' in night.page(phone)


@pytest.mark.parametrize("game", ["michigan-rummy", "eight-round-rummy"])
def test_the_address_of_a_sheet_that_is_loaded_again_shows_it_open_over_the_table(site: Site, game: str) -> None:
    host = site.host()
    code = site.open_night(host, preset=game)
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
    night = dealt(of_three(site, left_in_hand="double_pot")).record(out("mia", ruth=1, ben=1))
    night.table.settings.waived = HandChoices(1, {"poker": "nobody"})
    assert "Who still holds a money card?" in night.page()
    night.record(events.Left(SeatId("ben"), "king-clubs"))
    assert "Who still holds a money card?" not in night.page()


def test_numbers_typed_for_the_count_outlive_a_restart_and_are_worthless_in_the_next_hand(
    night: TableNight, store: Store, live: StreamHub
) -> None:
    dealt(night)
    night.table.set_draft_winner("mia")
    night.table.set_draft_value("ben", 3)
    again = Nights(store, live).get(night.code)
    assert (again.draft.winner, again.draft.counts) == ("mia", {"ben": 3})
    dealt(night.record(out("mia", ruth=1, ben=3), events.Poker((SeatId("ben"),))))
    fresh = Nights(store, live).get(night.code).draft
    assert fresh == HandDraft(fresh.state)
    assert fresh.state.hand == 2


def test_a_draft_that_makes_no_sense_is_none(night: TableNight, store: Store, live: StreamHub) -> None:
    dealt(night)
    for kept in ("", "{", "[]", '{"hand": 1, "winner": 7, "said": {}}', '{"hand": 1, "said": 2}'):
        store.set_setting(night.code, NightSettings.draft.key, kept)
        draft = Nights(store, live).get(night.code).draft
        assert draft == HandDraft(draft.state), kept
