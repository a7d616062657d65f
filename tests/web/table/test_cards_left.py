"""Counting the cards left: all phones and the draft agree, and only what was counted is paid."""

import re

import pytest
from support.cards_left import Shown, by_the_draft, on_phone
from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import TableNight, dock_text

from tracker.core import events
from tracker.core.events import Amount, Chips, Name, SeatId, Undo
from tracker.core.night import PLAY


def record(night: TableNight, event: events.Event) -> None:
    night.table.record(event, id=f"e{night.table.head}", by="host")


def poor(night: TableNight, *seats: str) -> TableNight:
    """Leave these seats two chips."""
    for seat in seats:
        record(night, events.Move(SeatId(seat), "bank", Amount(night.stacks[seat] - 2)))
    return night


def check_all_agree(night: TableNight) -> Shown | None:
    expected = by_the_draft(night.table)
    for phone in night.phones.values():
        assert on_phone(HtmlPage(night.page(phone))) == expected
    return expected


def test_the_newest_word_counts_whoever_typed_first(site: Site) -> None:
    night = TableNight(site).begin()
    night.tap("out", seat="tom")
    for phone, cards in ((night.host, 5), (night.phones["ben"], 6), (night.phones["ben"], 1), (night.host, 4)):
        night.tap(f"say:{cards}", phone, seat="ben")
        shown = check_all_agree(night)
        assert shown
        assert shown.cards["ben"] == str(cards)
    night.tap("say:", night.phones["ben"], seat="ben")
    assert night.table.draft.counts == {}


@pytest.mark.parametrize("again", ["tom", "mia"])
def test_nothing_typed_before_not_out_is_paid_to_whoever_is_out_next(site: Site, again: str) -> None:
    night = poor(TableNight(site).begin(), "ben")
    night.tap("out", seat="tom")
    night.count(ben=5, mia=2, ruth=3).tap("cover:ben:tom")
    night.tap("excuse:ben")
    night.tap("not-out")
    night.tap("out", seat=again)
    shown = check_all_agree(night)
    assert shown
    assert set(shown.cards.values()) == {""}
    assert shown.cover == {}
    assert night.table.draft.excused is None
    assert night.tap(f"pay:{again}").status_code == 422


def test_counts_are_worth_nothing_once_more_was_played_and_who_is_out_stays(site: Site) -> None:
    night = TableNight(site).begin()
    night.tap("out", seat="tom")
    night.count(ben=5, mia=2, ruth=3)
    record(night, events.Borrow(SeatId("ben"), "mia", Amount(1)))
    assert len(night.table.draft.counts) == 3  # chips lent are no part of the play
    record(night, events.Collect(SeatId("ben"), "king-clubs"))
    assert (night.table.draft.winner, night.table.draft.counts) == ("tom", {})
    record(night, Undo(night.table.head))
    assert len(night.table.draft.counts) == 3


def test_a_hand_that_is_dealt_again_begins_without_the_count_of_the_one_taken_back(site: Site) -> None:
    night = TableNight(site).begin()
    night.tap("out", seat="tom")
    night.count(ben=5, mia=2, ruth=3)
    for _ in range(2):
        record(night, Undo(next(one.number for one in reversed(night.table.entries) if in_force(night, one.number))))
    night.begin()
    assert night.table.night.phase == PLAY
    assert night.table.night.hand == 1
    assert night.table.draft.winner is None
    assert check_all_agree(night) is None


def in_force(night: TableNight, number: int) -> bool:
    is_undo = isinstance(night.table.entries[number - 1].event, Undo)
    return number not in night.table.undone and not is_undo


def test_a_number_that_was_typed_for_an_earlier_claim_is_refused_when_it_comes_late(site: Site) -> None:
    night = TableNight(site).begin()
    night.tap("out", seat="tom")
    late = night.page(night.phones["ben"])
    night.tap("not-out")
    night.tap("out", seat="mia")
    for tap in ("say:3", "cover:ben:bank"):
        answer = night.tap(tap, night.phones["ben"], old=late, seat="ben")
        assert answer.status_code == 409
        assert "count has begun again" in dock_text(answer)
    assert night.tap("excuse:ben", old=late).status_code == 409
    assert night.tap("not-out", old=late).status_code == 409
    assert (night.table.draft.winner, night.table.draft.counts, night.table.draft.cover) == ("mia", {}, {})


def test_nobody_pays_what_their_page_did_not_show(site: Site) -> None:
    night = poor(TableNight(site).begin(), "ben")
    night.tap("out", seat="tom")
    night.count(ben=5, mia=2, ruth=3)
    changes = [("say:6", "ben"), ("say:", "mia"), ("say:2", "mia"), ("cover:ben:tom", "ben"), ("excuse:ben", "")]
    for change, seat in changes:
        old = HtmlPage(night.page()).hidden_fields("#move")
        shown = {name: value for name, value in old.items() if re.match("cards-|cover-|excused|claim", name)}
        night.tap(change, seat=seat)
        answer = night.tap("pay:tom", fields={"excused": "", **shown})
        assert answer.status_code == 409, change
        assert "number was changed meanwhile" in dock_text(answer)
    night.tap("excuse:")
    assert night.tap("pay:tom").status_code == 200


def test_what_the_payer_chooses_is_recorded_by_whoever_taps_pay(site: Site) -> None:
    for source, owed in (("tom", 4), ("bank", 0)):
        night = poor(TableNight(site).begin(), "ben")
        night.tap("out", seat="tom")
        night.count(ben=6, mia=2, ruth=3)
        assert night.tap(f"cover:ben:{source}", night.phones["ben"]).status_code == 200
        assert night.tap(f"cover:ben:{source}", night.phones["mia"]).status_code == 403
        check_all_agree(night)
        night.tap("pay:tom", night.phones["tom"])
        assert sum(one.chips for one in night.table.night.ledger.notes()) == owed


def test_the_hosts_pad_asks_first_for_those_who_have_no_phone(site: Site) -> None:
    night = TableNight(site)
    record(night, events.Sit(SeatId("ida"), Name("Ida"), Chips(50)))
    night.begin().tap("out", seat="ben")
    page = HtmlPage(night.page())
    assert page.values(".count-row[data-first]", "data-row") == ["ida", "ruth"]
