"""What is owed, on the pages: whole amounts, who hands what to whom, and who took a pot before a slower phone."""

import json

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.sample_nights import SampleNight, play_hand, record

from tracker.core import events
from tracker.core.events import Amount, Chips
from tracker.web.access.consent import record_or_ask
from tracker.web.access.devices import Identity
from tracker.web.base.snapshot import snapshot_of
from tracker.web.drawing.player_token import player_tokens


def test_an_ante_on_a_loan_names_lender_borrower_and_chips_first(here: SampleNight) -> None:
    owned = here.table.night.stack("mia")
    record(here.table, events.Move("mia", "bank", Amount(owned - 4)))
    record(here.table, events.Hand("ruth", cover={"mia": "ben"}))
    lent = here.table.night.ledger.owed_by("mia")
    assert lent > 0
    said = HtmlPage(here.host.get(here.base).text).text("#last")
    assert said.startswith(f"You pay 18. Ben hands Mia {lent}. Ruth puts"), "the host's phone is Ruth's: Ben has one"


def test_an_iou_lies_outside_the_clipped_line_of_a_seat_and_in_a_place_that_is_taken_whole(here: SampleNight) -> None:
    record(here.table, events.Hand("ruth"), events.NoSale(), events.Borrow("tom", "ben", Amount(10)))
    for phone in (here.host, here.ben, here.watcher):
        page = HtmlPage(phone.get(here.base).text)
        assert page.text("#s-tom .iou") == "owes 10"
        assert not page.select("#s-tom .sub .iou")
    held = here.table.night.pot("ace-hearts")
    for chips, contents in ((held - 1, f"1 + IOU {held - 1}"), (1, f"IOU {held}")):
        record(here.table, events.Borrow("mia", "ace-hearts", Amount(chips)))
        assert HtmlPage(here.ben.get(here.base).text).value("#p-ace-hearts", "data-take") == contents


def test_somebody_who_leaves_and_comes_back_keeps_the_colour_and_so_do_all_others(here: SampleNight) -> None:
    play_hand(here.table, "ruth", "ben", "mia")
    before = {seat: face.colour for seat, face in player_tokens(here.table.night).items()}
    record(here.table, events.Leave("ben"))
    assert {seat: face.colour for seat, face in player_tokens(here.table.night).items()} == before
    assert here.host.post(f"{here.base}/seats", {"name": "Ben"}).status_code == 303
    assert "ben" in here.table.night.seats
    assert {seat: face.colour for seat, face in player_tokens(here.table.night).items()} == before


# The lender agrees


def loan_words(phone: ClientPhone, here: SampleNight) -> str:
    """Return what a phone is told about loans that people ask for."""
    return HtmlPage(phone.get(here.base).text).text("#requests")


def tap(phone: ClientPhone, here: SampleNight, do: str, **fields: str) -> int:
    """Send a form of the table's page, also where this phone's page has none; an answer is to what is asked now."""
    form = HtmlPage(phone.get(here.base).text).form("#move") | {"do": do, **fields}
    asked = here.table.settings.requests.of_hand(here.table.night.hand).get(do.partition("/")[2])
    form["request"] = fields.get("request") or (json.loads(asked)["id"] if asked else "")
    return phone.post(f"{here.base}/record", {**form}, HX_Request="true").status_code


@pytest.fixture(name="asked")
def _asked(here: SampleNight) -> tuple[SampleNight, ClientPhone]:
    """Give a night in which Ben's phone asks for 5 chips of Lea, and Lea's phone."""
    lea = here.site.join(here.table.code, "Lea")
    record(here.table, events.Hand("ruth"), events.NoSale())
    assert tap(here.ben, here, "borrow:5", source="lea") == 200
    return here, lea


def test_nothing_is_lent_before_the_lender_says_yes_on_the_own_phone(asked: tuple[SampleNight, ClientPhone]) -> None:
    here, lea = asked
    assert here.table.entries[-1].event.kind == "no-sale"
    assert loan_words(lea, here) == "B Ben wants to borrow 5 from you No Yes"
    assert loan_words(here.ben, here) == "B Lea is asked for 5 chips Never mind"
    assert loan_words(here.watcher, here) == ""
    for phone, status in ((here.watcher, 403), (here.ben, 403), (lea, 200)):
        assert tap(phone, here, "agree:yes/ben", seat="ben") == status
    assert here.table.night.ledger.iou == {("ben", "lea"): 5}
    assert loan_words(lea, here) == ""


def test_the_host_says_yes_for_a_lender_without_a_phone_and_lends_without_a_question(here: SampleNight) -> None:
    record(here.table, events.Hand("ruth"), events.NoSale())
    assert tap(here.ben, here, "borrow:5", source="tom") == 200
    assert loan_words(here.host, here) == "B Ben wants to borrow 5 from Tom No Yes"
    assert tap(here.host, here, "agree:yes/ben", seat="ben") == 200
    assert tap(here.host, here, "borrow:4", seat="ben", source="mia") == 200
    assert tap(here.ben, here, "borrow:1", source="ace-hearts") == 200
    assert here.table.night.ledger.iou == {("ben", "tom"): 5, ("ben", "mia"): 4, ("ben", "ace-hearts"): 1}


def test_a_loan_that_is_refused_or_withdrawn_is_not_recorded_and_not_asked_again(
    asked: tuple[SampleNight, ClientPhone],
) -> None:
    here, lea = asked
    for phone in (lea, here.ben):
        assert tap(phone, here, "agree:no/ben") == 200
        assert loan_words(lea, here) == ""
        assert tap(lea, here, "agree:yes/ben") == 409
        assert not here.table.night.ledger.iou
        assert tap(here.ben, here, "borrow:5", source="lea") == 200


def test_chips_lacking_for_the_ante_are_asked_for_as_well(site: Site, here: SampleNight) -> None:
    lea = site.join(here.table.code, "Lea")
    play_hand(here.table, "ruth", "mia", "tom")
    record(here.table, events.Move("ben", "lea", Amount(here.table.night.stack("ben") - 4)))
    assert tap(here.ben, here, "plan:lea") == 200
    assert "Ben wants to borrow" in loan_words(lea, here)
    assert not here.table.night.ledger.iou
    short = snapshot_of(here.table).moment.short["ben"]
    assert tap(lea, here, "agree:yes/ben") == 200
    assert here.table.night.ledger.iou == {("ben", "lea"): short}


def test_a_lender_who_has_too_few_chips_by_now_can_only_say_no(asked: tuple[SampleNight, ClientPhone]) -> None:
    here, lea = asked
    record(here.table, events.Move("lea", "tom", Amount(here.table.night.stack("lea") - 4)))
    for phone in (lea, here.host):
        assert "Too few chips for that just now." in loan_words(phone, here)
        assert HtmlPage(phone.get(here.base).text).values("#requests button", "value") == ["agree:no/ben"]
    assert tap(lea, here, "agree:no/ben") == 200


def test_a_yes_is_for_what_the_page_has_shown_and_records_it_once(asked: tuple[SampleNight, ClientPhone]) -> None:
    here, lea = asked
    shown = HtmlPage(lea.get(here.base).text).form("#request-ben form")
    assert tap(here.ben, here, "borrow:20", source="lea") == 200
    assert tap(lea, here, "agree:yes/ben", request=str(shown["request"])) == 409
    assert tap(lea, here, "agree:yes/ben") == 200
    assert tap(here.host, here, "agree:yes/ben") == 409
    assert here.table.night.ledger.iou == {("ben", "lea"): 20}


def test_a_payment_that_two_cover_waits_for_both(site: Site, asked: tuple[SampleNight, ClientPhone]) -> None:
    here, lea = asked
    mia = site.request_join(here.table.code, seat="mia")
    here.host.post(f"{here.base}/knocks/{site.access.devices.join_requests(here.table.code)[0].id}/in")
    mia.post(f"{here.base}/enter")
    record(here.table, events.Move("tom", "ruth", Amount(here.table.night.stack("tom"))))
    record(here.table, events.Move("ruth", "ben", Amount(5)))
    record(here.table, events.Move("ruth", "ben", Amount(here.table.night.stack("ruth"))))
    cards = dict.fromkeys(("lea", "mia", "ruth", "tom"), Chips(2))
    out = events.Out("ben", cards, cover={"tom": "mia", "ruth": "lea"})
    with site.app.test_request_context():
        assert record_or_ask(here.table, Identity("seat", "ben"), out, id="two") is None
    for phone, other in ((lea, "Mia"), (mia, "")):
        assert "Ben needs your chips" in loan_words(phone, here)
        assert here.table.night.phase == "play"
        assert tap(phone, here, "agree:yes/ben") == 200
        assert loan_words(here.ben, here).startswith(f"B {other} is asked") == bool(other)
    assert here.table.night.phase == "showdown"
    assert {("tom", "mia"), ("ruth", "lea")} <= here.table.night.ledger.iou.keys()


# The host sells


def test_a_guest_who_buys_for_itself_asks_the_host_whose_yes_gives_the_chips(here: SampleNight) -> None:
    before = here.table.night.stack("ben")
    assert tap(here.ben, here, "buy:50", seat="tom") == 403
    assert loan_words(here.host, here) == ""
    assert tap(here.ben, here, "buy:50") == 200
    assert loan_words(here.ben, here) == "B The host is asked for 50 chips Never mind"
    assert loan_words(here.host, here) == "B Ben wants to buy 50 No Yes"
    assert tap(here.ben, here, "agree:yes/ben") == 403
    assert here.table.night.stack("ben") == before
    assert tap(here.host, here, "agree:yes/ben", seat="ben") == 200
    assert here.table.night.stack("ben") == before + 50
