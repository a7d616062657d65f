"""What is owed, on the pages: whole amounts, who hands what to whom, and who took a pot before a slower phone."""

from __future__ import annotations

from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import play_hand, record, sample_night

from tracker.core import events
from tracker.core.events import Amount
from tracker.web.drawing.player_token import player_tokens


def test_a_loan_says_who_hands_what_to_whom(site: Site) -> None:
    here = sample_night(site)
    record(here.table, events.Hand("ruth"), events.NoSale(), events.Borrow("mia", "ben", Amount(7)))
    for phone in (here.host, here.ben):
        assert HtmlPage(phone.get(here.base).text).text("#last") == "Ben hands Mia 7"
    record(here.table, events.Borrow("tom", "ace-hearts", Amount(2)))
    assert HtmlPage(here.host.get(here.base).text).text("#last") == "Tom takes 2 from Ace of hearts for an IOU"


def test_an_ante_on_a_loan_says_first_who_hands_what_to_whom(site: Site) -> None:
    here = sample_night(site)
    owned = here.table.night.stack("mia")
    record(here.table, events.Move("mia", "bank", Amount(owned - 4)))
    record(here.table, events.Hand("ruth", cover={"mia": "ben"}))
    lent = here.table.night.ledger.owed_by("mia")
    assert lent > 0
    assert HtmlPage(here.host.get(here.base).text).text("#last").startswith(f"Ben hands Mia {lent}. Ruth puts")


def test_what_is_owed_lies_outside_the_line_that_is_cut_at_the_edge_of_a_seat(site: Site) -> None:
    here = sample_night(site)
    record(here.table, events.Hand("mia"), events.NoSale(), events.Borrow("mia", "ben", Amount(10)))
    for phone in (here.host, here.ben, here.watcher):
        page = HtmlPage(phone.get(here.base).text)
        assert page.text("#s-mia .iou") == "owes 10"
        assert not page.select("#s-mia .sub .iou")


def test_a_place_that_holds_an_iou_is_taken_by_its_whole_contents(site: Site) -> None:
    here = sample_night(site)
    record(here.table, events.Hand("ruth"), events.NoSale())
    held = here.table.night.pot("ace-hearts")
    record(here.table, events.Borrow("mia", "ace-hearts", Amount(held - 1)))
    place = HtmlPage(here.ben.get(here.base).text)
    assert place.value("#p-ace-hearts", "data-take") == f"1 + IOU {held - 1}"
    record(here.table, events.Borrow("mia", "ace-hearts", Amount(1)))
    place = HtmlPage(here.ben.get(here.base).text)
    assert place.value("#p-ace-hearts", "data-take") == f"IOU {held}"


def test_who_was_too_slow_for_a_pot_reads_who_took_it(site: Site) -> None:
    here = sample_night(site)
    record(here.table, events.Hand("ruth"), events.NoSale())
    form = HtmlPage(here.ben.get(here.base).text).form("#move")
    form |= {"do": "collect", "seat": "ben", "pot": "ace-hearts", "held": str(here.table.night.pot("ace-hearts"))}
    record(here.table, events.Collect("mia", "ace-hearts"))
    answer = here.ben.post(f"{here.base}/record", {**form}, HX_Request="true")
    assert answer.status_code == 409
    assert HtmlPage(answer.text).text("#told") == "Mia took it."


def test_somebody_who_leaves_and_comes_back_keeps_the_colour_and_so_do_all_others(site: Site) -> None:
    here = sample_night(site)
    play_hand(here.table, "ruth", "ben", "mia")
    before = {seat: face.colour for seat, face in player_tokens(here.table.night).items()}
    record(here.table, events.Leave("ben"))
    assert {seat: face.colour for seat, face in player_tokens(here.table.night).items()} == before
    assert here.host.post(f"{here.base}/seats", {"name": "Ben"}).status_code == 303
    assert "ben" in here.table.night.seats
    assert {seat: face.colour for seat, face in player_tokens(here.table.night).items()} == before
