"""Counting the cards left: all phones and the draft agree, and only what was counted is paid."""

import re

import pytest
from support.cards_left import Shown, by_the_draft, on_phone
from support.html_page import HtmlPage
from support.sample_nights import TableNight, dock_text

from tracker.core import events
from tracker.core.events import Amount, Chips, Name, SeatId, Undo
from tracker.core.night import PLAY


@pytest.fixture(name="counted")
def _counted(night: TableNight) -> TableNight:
    """Give a hand in which Tom is out and everybody has counted; Ben has too few chips for his five cards."""
    night.begin().record(events.Move(SeatId("ben"), "bank", Amount(night.stacks["ben"] - 2)))
    night.tap("out", seat="tom")
    return night.count(ben=5, mia=2, ruth=3)


def shown_on_all(night: TableNight) -> Shown | None:
    expected = by_the_draft(night.table)
    for phone in night.phones.values():
        assert on_phone(HtmlPage(night.page(phone))) == expected
    return expected


def test_the_newest_word_counts_whoever_typed_first(counted: TableNight) -> None:
    host, ben = counted.host, counted.phones["ben"]
    for phone, cards in ((host, 5), (ben, 6), (ben, 1), (host, 4)):
        counted.tap(f"say:{cards}", phone, seat="ben")
        shown = shown_on_all(counted)
        assert shown
        assert shown.cards["ben"] == str(cards)
    counted.tap("say:", ben, seat="ben")
    assert "ben" not in counted.table.draft.counts


@pytest.mark.parametrize("again", ["tom", "mia"])
def test_nothing_typed_before_not_out_is_paid_to_whoever_is_out_next(counted: TableNight, again: str) -> None:
    for do in ("cover:ben:tom", "excuse:ben", "not-out"):
        counted.tap(do)
    counted.tap("out", seat=again)
    shown = shown_on_all(counted)
    assert shown
    assert (set(shown.cards.values()), shown.cover, counted.table.draft.excused) == ({""}, {}, None)
    assert counted.tap(f"pay:{again}").status_code == 422


def test_counts_are_worth_nothing_once_more_was_played_and_who_is_out_stays(counted: TableNight) -> None:
    table = counted.record(events.Borrow(SeatId("ben"), "mia", Amount(1))).table
    assert len(table.draft.counts) == 3  # chips lent are no part of the play
    counted.record(events.Collect(SeatId("ben"), "king-clubs"))
    assert (table.draft.winner, table.draft.counts) == ("tom", {})
    counted.record(Undo(table.head))
    assert len(table.draft.counts) == 3


def test_a_hand_that_is_dealt_again_begins_without_the_count_of_the_one_taken_back(counted: TableNight) -> None:
    numbers = [one.number for one in counted.table.entries if one.event.kind in ("hand", "no-sale")]
    counted.record(*map(Undo, reversed(numbers))).begin()
    night = counted.table.night
    assert (night.phase, night.hand, counted.table.draft.winner) == (PLAY, 1, None)
    assert shown_on_all(counted) is None


def test_what_was_said_for_an_earlier_claim_is_refused_when_it_comes_late(night: TableNight) -> None:
    night.begin().tap("out", seat="tom")
    ben = night.phones["ben"]
    late = night.page(ben)
    night.tap("not-out")
    night.tap("out", seat="mia")
    for do, phone in (("say:3", ben), ("cover:ben:bank", ben), ("excuse:ben", None), ("not-out", None)):
        answer = night.tap(do, phone, old=late, seat="ben")
        assert answer.status_code == 409
        assert "count has begun again" in dock_text(answer)
    draft = night.table.draft
    assert (draft.winner, draft.counts, draft.cover) == ("mia", {}, {})


def test_nobody_pays_what_their_page_did_not_show(counted: TableNight) -> None:
    changes = [("say:6", "ben"), ("say:", "mia"), ("say:2", "mia"), ("cover:ben:tom", "ben"), ("excuse:ben", "")]
    for change, seat in changes:
        old = HtmlPage(counted.page()).hidden_fields("#move")
        shown = {name: value for name, value in old.items() if re.match("cards-|cover-|excused|claim", name)}
        counted.tap(change, seat=seat)
        answer = counted.tap("pay:tom", fields={"excused": "", **shown})
        assert answer.status_code == 409, change
        assert "number was changed meanwhile" in dock_text(answer)
    counted.tap("excuse:")
    assert counted.tap("pay:tom").status_code == 200


@pytest.mark.parametrize(("source", "owed"), [("tom", 3), ("bank", 0)])
def test_what_the_payer_chooses_is_recorded_by_whoever_taps_pay_and_the_sum_shown_is_paid(
    counted: TableNight, source: str, owed: int
) -> None:
    assert counted.tap(f"cover:ben:{source}", counted.phones["ben"]).status_code == 200
    assert counted.tap(f"cover:ben:{source}", counted.phones["mia"]).status_code == 403
    shown, before = shown_on_all(counted), counted.stacks["tom"]
    assert shown
    counted.tap("pay:tom", counted.phones["tom"])
    assert [one.chips for one in counted.table.night.ledger.notes()] == [owed] * bool(owed)
    assert counted.stacks["tom"] + owed - before == int(shown.total)


def test_the_hosts_pad_asks_first_for_those_who_have_no_phone(night: TableNight) -> None:
    night.record(events.Sit(SeatId("ida"), Name("Ida"), Chips(50))).begin().tap("out", seat="ben")
    page = HtmlPage(night.page())
    assert page.values(".count-row[data-first]", "data-row") == ["ida", "ruth"]
