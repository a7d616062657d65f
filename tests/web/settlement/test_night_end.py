"""The end of a night: what is left on the board, who may end it, what is asked before, and what the settlement says."""

import re

from support.client_phones import Site
from support.html_page import HtmlPage
from support.of_extras import of_extras
from support.sample_nights import PEOPLE, SampleNight, hidden_fields, play_hand, record, sample_night, visible_text

from tracker.core import events
from tracker.core.events import Amount, Chips
from tracker.core.ledger import BANK
from tracker.core.payment_list import payment_list


def finish(here: SampleNight, **form: str | list[str]) -> int:
    page = here.host.get(f"{here.base}/settle")
    return here.host.post(f"{here.base}/settle", {**hidden_fields(page, f"{here.base}/settle"), **form}).status_code


def test_the_split_is_named_before_it_happens(here: SampleNight) -> None:
    play_hand(here.table, "ruth", "ben", "mia")
    record(here.table, events.Move("ruth", "jackpot", Amount(4)))
    page = visible_text(here.host.get(f"{here.base}/settle"))
    assert "34 chips are left on the board. 8 for each." in page
    assert "The 2 odd chips go one by one from the dealer’s left: Ben and Mia." in page
    before = {seat: here.table.night.stack(seat) for seat in PEOPLE}
    assert finish(here) == 303
    more = {seat: here.table.night.stack(seat) - before[seat] for seat in PEOPLE}
    assert more == {"ruth": 8, "ben": 9, "mia": 9, "tom": 8}


def test_only_the_host_ends_the_night_and_not_in_mid_hand(site: Site, third: SampleNight) -> None:
    here = sample_night(site)
    assert "Finish this hand first" in third.host.get(f"{third.base}/settle").text
    assert finish(third) == 422
    assert not third.table.night.is_over
    assert "<form" not in here.ben.get(f"{here.base}/settle").text
    assert finish(here) == 303


def test_the_last_winner_and_the_best_hand_get_the_remaining_chips_by_house_rule(site: Site) -> None:
    kitty, poker = sample_night(site, "michigan-kitty"), sample_night(site, rules={"end": "poker_hand"})
    said = (
        "24 chips are left on the board. All of it goes to Mia, who won the last hand.",
        "the best hand of all gets",
    )
    for here, sentence in zip((kitty, poker), said, strict=True):
        play_hand(here.table, "ruth", "ben", "mia")
        assert sentence in visible_text(here.host.get(f"{here.base}/settle"))
    before = poker.table.night.stack("tom")
    assert [finish(kitty), finish(poker), finish(poker, winners="tom")] == [303, 422, 303]
    assert poker.table.night.stack("tom") == before + 30


def test_a_page_that_has_not_seen_the_newest_entry_can_not_end_the_night(here: SampleNight) -> None:
    play_hand(here.table, "ruth", "ben", "mia")
    form = hidden_fields(here.host.get(f"{here.base}/settle"), f"{here.base}/settle")
    record(here.table, events.Buy("ben", Amount(5)))
    assert here.host.post(f"{here.base}/settle", form).status_code == 409
    assert not here.table.night.is_over


def test_a_poker_pool_of_the_whole_night_asks_for_its_winner_before_the_night_can_end(site: Site) -> None:
    here = sample_night(site, rules={"poker.when": "session_end"})
    record(here.table, events.Hand("ruth"), events.NoSale())
    record(here.table, events.Out("mia", {"ruth": Chips(1), "ben": Chips(1), "tom": Chips(1)}))
    page = here.host.get(f"{here.base}/settle")
    assert "Best poker hand? 5 chips wait." in visible_text(page)
    assert HtmlPage(page.text).one(f'form[action="{here.base}/settle"] button').has_attr("disabled")
    assert finish(here) == 422
    form = hidden_fields(page, f"{here.base}/settle/pool")
    assert here.host.post(f"{here.base}/settle/pool", {**form, "winners": ["tom", "ben"]}).status_code == 303
    assert here.table.entries[-1].event == events.Poker(("tom", "ben"))
    assert "Best poker hand?" not in visible_text(here.host.get(f"{here.base}/settle"))


def test_the_odd_chips_go_to_the_highest_card_by_two_taps_and_a_second_tap_gives_nothing_more(site: Site) -> None:
    here = sample_night(site, rules={"end.rest": "high_card"})
    play_hand(here.table, "ruth", "ben", "mia")
    page = here.host.get(f"{here.base}/settle")
    assert "2 odd chips: who draws the highest card?" in visible_text(page)
    assert "7 for each." in visible_text(page)
    assert finish(here) == 422
    form = hidden_fields(page, f"{here.base}/settle/odd") | {"seat": "tom"}
    before = here.table.night.stack("tom")
    assert here.host.post(f"{here.base}/settle/odd", form).status_code == 303
    assert here.host.post(f"{here.base}/settle/odd", form).status_code == 303  # answered as the first
    assert here.table.night.stack("tom") == before + 2
    assert finish(here) == 303
    assert here.table.night.stack("tom") == before + 2 + 7


def test_the_last_hand_can_be_taken_back(here: SampleNight) -> None:
    for said, is_last in (("on", True), ("off", False)):
        here.host.post(f"{here.base}/settle/last", {"last": said})
        assert here.table.settings.is_last_hand == is_last
        assert ("This is the last hand." in here.ben.get(f"{here.base}/settle").text) == is_last


def test_taking_the_end_back_opens_the_night_again(ended: SampleNight) -> None:
    page = ended.host.get(f"{ended.base}/settle")
    assert ended.ben.post(f"{ended.base}/undo", {"event": "1", "key": "k"}).status_code == 403
    assert ended.host.post(f"{ended.base}/undo", hidden_fields(page, f"{ended.base}/undo")).status_code == 303
    assert not ended.table.night.is_over


def test_the_money_of_a_board_that_stays_is_named_and_goes_into_the_box(site: Site) -> None:
    here = sample_night(site, rules={"end": "leave", "money.cents": 5})
    play_hand(here.table, "ruth", "ben", "mia")
    said = "30 chips stay on the board for next time. The money for it, 1.50, goes into the box"
    assert said in visible_text(here.host.get(f"{here.base}/settle"))
    assert finish(here) == 303
    page = visible_text(here.host.get(f"{here.base}/settle"))
    assert said in page
    assert "Shared out at the end" not in page
    due = payment_list(here.table.night)
    assert sum(one.event.cents for one in due if one.event.target == BANK) == 150


# What the settlement says


def test_no_page_has_a_style_attribute_or_a_script_in_it(ended: SampleNight) -> None:
    for path in ("/log", "/settle", "/files", "/log/1", *of_extras("night")):
        page = ended.host.get(f"{ended.base}{path}", HX_Request="true" if path == "/log/1" else "false").text
        assert not re.search(r"<[^>]* (style|on[a-z]+)=|<script(?![^>]* src=)", page), path
