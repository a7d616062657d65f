from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from random import Random

import pytest
from flask import Flask
from support.client_phones import Site
from support.html_page import HtmlPage, attribute
from support.random_nights import random_night
from support.random_stages import every_preset, random_options
from support.sample_nights import (
    PEOPLE,
    SampleNight,
    hidden_fields,
    night_in_third_hand,
    play_hand,
    record,
    sample_night,
    visible_text,
)

from tracker.app.event_rows import new_id, replay_log
from tracker.app.log_history import History
from tracker.core import events
from tracker.core.errors import TableError
from tracker.core.events import Amount, Chips, Name, SeatId
from tracker.core.ledger import BANK
from tracker.core.log import Entry
from tracker.core.preset import Preset
from tracker.core.queries.payment_list import nets, payment_list
from tracker.web.drawing.line_chart import apart, scale
from tracker.web.settlement.pages import payment_of
from tracker.web.settlement.report_view import SettlementReport
from tracker.web.wording.texts import signed

MONEY: Mapping[str, int | str] = {"money.chips": 20, "money.cents": 100}


def over(site: Site, rules: Mapping[str, int | str] | None = None) -> SampleNight:
    """A night of two hands that has ended."""
    here = sample_night(site, rules=rules)
    play_hand(here.table, "ruth", "ben", "mia", left=5)
    play_hand(here.table, "ben", "tom", "mia", left=3)
    record(here.table, events.End())
    return here


def finish(here: SampleNight, **form: str | list[str]) -> int:
    page = here.host.get(f"{here.base}/settle")
    return here.host.post(f"{here.base}/settle", {**hidden_fields(page, f"{here.base}/settle"), **form}).status_code


def test_the_split_is_named_before_it_happens(site: Site) -> None:
    here = sample_night(site)
    play_hand(here.table, "ruth", "ben", "mia")
    record(here.table, events.Move("ruth", "jackpot", Amount(4)))
    page = visible_text(here.host.get(f"{here.base}/settle"))
    assert "34 chips are left on the board. 8 for each." in page
    assert "The 2 over go one by one from the dealer's left: Ben and Mia." in page
    before = {seat: here.table.night.stack(seat) for seat in PEOPLE}
    assert finish(here) == 303
    more = {seat: here.table.night.stack(seat) - before[seat] for seat in PEOPLE}
    assert more == {"ruth": 8, "ben": 9, "mia": 9, "tom": 8}


def test_the_report_explains_the_sum_of_a_seat_that_bought_twice_and_left_in_between(site: Site) -> None:
    here = sample_night(site)
    play_hand(here.table, "ruth", "ben", "tom")
    equal = visible_text(here.host.get(f"{here.base}/settle"))
    assert "bought" not in equal.partition("Why")[0]
    gave_back = here.table.night.stack("mia")
    record(here.table, events.Leave(SeatId("mia")), events.Sit(SeatId("mia"), Name("Mia")), events.End())
    night, page = here.table.night, visible_text(here.host.get(f"{here.base}/settle"))
    stack = night.preset.stack
    assert f"Mia {night.worth('mia')} bought {2 * stack} {signed(night.net('mia'))}" in page
    assert f"Ben {night.worth('ben')} bought {stack} {signed(night.net('ben'))}" in page
    on_the_table = sum(night.stack(seat) for seat in night.seats)
    sentence = f"{on_the_table} of {on_the_table} chips. Nothing missing. {gave_back} more were given back"
    assert sentence in page
    assert sentence in visible_text(here.host.get(f"{here.base}/print"))
    assert sum(night.worth(seat) for seat in night.seats) == on_the_table + gave_back


def test_a_house_rule_gives_the_remaining_chips_to_the_last_winner(site: Site) -> None:
    here = sample_night(site, "michigan-kitty")
    play_hand(here.table, "ruth", "ben", "mia")
    page = visible_text(here.host.get(f"{here.base}/settle"))
    assert "24 chips are left on the board. All of it goes to Mia, who won the last hand." in page


def test_a_night_does_not_end_in_mid_hand(site: Site) -> None:
    here = night_in_third_hand(site)
    page = here.host.get(f"{here.base}/settle")
    assert "A hand is being played." in page.text
    assert finish(here) == 422
    assert not here.table.night.is_over


def test_only_the_host_ends_the_night(site: Site) -> None:
    here = sample_night(site)
    play_hand(here.table, "ruth", "ben", "mia")
    assert "<form" not in here.ben.get(f"{here.base}/settle").text
    for phone in (here.ben, here.watcher):
        assert phone.post(f"{here.base}/settle", {"key": "k"}).status_code == 403
    assert finish(here) == 303


def test_a_page_that_has_not_seen_the_newest_entry_can_not_end_the_night(site: Site) -> None:
    here = sample_night(site)
    play_hand(here.table, "ruth", "ben", "mia")
    form = hidden_fields(here.host.get(f"{here.base}/settle"), f"{here.base}/settle")
    record(here.table, events.Buy("ben", Amount(5)))
    assert here.host.post(f"{here.base}/settle", form).status_code == 409
    assert not here.table.night.is_over


def test_the_last_hand_is_announced_and_taken_back(site: Site) -> None:
    here = sample_night(site)
    play_hand(here.table, "ruth", "ben", "mia")
    here.host.post(f"{here.base}/settle/last", {"last": "on"})
    assert here.table.settings.is_last_hand
    assert "This is the last hand." in here.ben.get(f"{here.base}/settle").text
    here.host.post(f"{here.base}/settle/last", {"last": "off"})
    assert not here.table.settings.is_last_hand


def test_a_poker_pool_of_the_whole_night_asks_for_its_winner(site: Site) -> None:
    here = sample_night(site, rules={"poker.when": "session_end"})
    record(here.table, events.Hand("ruth"), events.NoSale())
    record(here.table, events.Out("mia", {"ruth": Chips(1), "ben": Chips(1), "tom": Chips(1)}))
    page = here.host.get(f"{here.base}/settle")
    assert "Best poker hand? 5 chips wait." in visible_text(page)
    form = hidden_fields(page, f"{here.base}/settle/pool")
    assert here.host.post(f"{here.base}/settle/pool", {**form, "winners": ["tom", "ben"]}).status_code == 303
    assert here.table.entries[-1].event == events.Poker(("tom", "ben"))
    assert "Best poker hand?" not in visible_text(here.host.get(f"{here.base}/settle"))


def test_a_deciding_hand_for_the_remaining_chips_is_asked_for(site: Site) -> None:
    here = sample_night(site, rules={"end": "poker_hand"})
    play_hand(here.table, "ruth", "ben", "mia")
    assert "the best hand of all gets them" in visible_text(here.host.get(f"{here.base}/settle"))
    assert finish(here) == 422
    before = here.table.night.stack("tom")
    assert finish(here, winners="tom") == 303
    assert here.table.night.stack("tom") == before + 30


def test_payments_are_in_money_and_as_few_as_possible(site: Site) -> None:
    here = over(site, {"money.chips": 20, "money.cents": 100, "money.coin": 5})
    with site.app.test_request_context("/"):
        report = SettlementReport(here.table.history())
        assert sum(report.cents.values()) == 0
        assert all(cents % 5 == 0 for cents in report.cents.values())
        assert 1 <= len(report.dues) <= 3
    said = visible_text(here.ben.get(f"{here.base}/settle"))
    assert "20 chips = 1.00" in said
    assert "pays Mia" in said


def test_without_money_nobody_is_asked_to_pay(site: Site) -> None:
    here = over(site)
    assert "Settle up" not in visible_text(here.ben.get(f"{here.base}/settle"))


def test_an_open_iou_is_paid_in_chips(site: Site) -> None:
    here = sample_night(site)
    record(here.table, events.Borrow("ruth", "mia", Amount(50)), events.Move("ruth", "tom", Amount(150)), events.End())
    said = visible_text(here.host.get(f"{here.base}/settle"))
    assert "IOUs left open" in said
    assert "Ruth pays Mia 50" in said


def tick_forms(here: SampleNight) -> list[dict[str, str | list[str]]]:
    """Return what each tick on the host's settlement page sends."""
    page = HtmlPage(here.host.get(f"{here.base}/settle").text)
    forms = page.select('form[action$="/settle/paid"]')
    return [{attribute(tag, "name"): attribute(tag, "value") for tag in form.select("[name][value]")} for form in forms]


def test_a_payment_is_ticked_off_on_every_phone(site: Site) -> None:
    here = over(site, MONEY)
    tick = tick_forms(here)[0]
    mark = here.ben.get(f"{here.base}/settle/dues?seen=").headers["X-Mark"]
    assert here.ben.get(f"{here.base}/settle/dues?seen={mark}").status_code == 204
    part = here.host.post(f"{here.base}/settle/paid", tick, HX_Request="true")
    assert part.text.count('aria-pressed="true"') == 1
    assert 'aria-pressed="true"' in here.ben.get(f"{here.base}/settle/dues?seen={mark}").text
    last = here.table.entries[-1].event
    assert last == payment_of({name: str(value) for name, value in tick.items()})
    assert here.host.post(f"{here.base}/settle/paid", tick_forms(here)[0]).status_code == 303
    assert here.table.entries[-1].event == events.Undo(here.table.head - 1)
    assert 'aria-pressed="true"' not in here.ben.get(f"{here.base}/settle").text


def test_a_tick_that_was_tapped_twice_stays(site: Site) -> None:
    here = over(site, MONEY)
    tick = tick_forms(here)[0]
    for phone in (here.host, here.host, here.ben):
        assert phone.post(f"{here.base}/settle/paid", tick, HX_Request="true").text.count('aria-pressed="true"') == 1
    head = here.table.head
    untick = tick_forms(here)[0]
    for phone in (here.host, here.ben):
        assert 'aria-pressed="true"' not in phone.post(f"{here.base}/settle/paid", untick, HX_Request="true").text
    assert here.table.head == head + 1


def test_only_payments_of_the_settlement_are_ticked_by_people_at_the_table(site: Site) -> None:
    here = over(site, MONEY)
    tick = tick_forms(here)[0]
    assert here.watcher.post(f"{here.base}/settle/paid", tick).status_code == 403
    assert here.host.post(f"{here.base}/settle/paid", {**tick, "cents": "1"}).status_code == 404
    assert here.host.post(f"{here.base}/settle/paid", {"wants": "paid"}).status_code == 404
    assert not here.table.night.payments_made


def test_a_night_with_a_ticked_payment_names_its_end_and_its_last_board(site: Site) -> None:
    here = over(site, MONEY)
    before = visible_text(here.host.get(f"{here.base}/settle"))
    here.host.post(f"{here.base}/settle/paid", tick_forms(here)[0])
    after = visible_text(here.host.get(f"{here.base}/settle"))
    assert "The last board" in before
    assert before[before.index("The last board") :] == after[after.index("The last board") :]
    assert re.search(r"\w+ has paid \w+ \d+\.\d\d", visible_text(here.ben.get(f"{here.base}/log")))


def test_the_settlement_names_the_winner_every_sum_and_that_no_chip_is_missing(site: Site) -> None:
    here = over(site)
    page = visible_text(here.ben.get(f"{here.base}/settle"))
    assert "Mia wins the night" in page
    assert "400 of 400 chips. Nothing missing." in page
    for seat in PEOPLE:
        assert str(here.table.night.worth(seat)) in page


def test_taking_the_end_back_opens_the_night_again(site: Site) -> None:
    here = over(site)
    page = here.host.get(f"{here.base}/settle")
    assert here.host.post(f"{here.base}/undo", hidden_fields(page, f"{here.base}/undo")).status_code == 303
    assert not here.table.night.is_over
    assert here.ben.post(f"{here.base}/undo", {"event": "1", "key": "k"}).status_code == 403


def test_the_result_can_be_copied_sent_and_printed(site: Site) -> None:
    here = over(site)
    page = here.ben.get(f"{here.base}/settle").text
    assert 'data-copy="#result"' in page
    assert "1. Mia: " in page
    assert all(f'href="{scheme}' in page for scheme in ("sms:?&amp;body=", "mailto:?subject=", "whatsapp://send?text="))
    assert here.ben.get(f"{here.base}/print").status_code == 200


def test_a_sheet_printed_in_mid_night_has_the_board_the_stacks_and_empty_hands_to_play_on(site: Site) -> None:
    here = night_in_third_hand(site)
    page = here.ben.get(f"{here.base}/print")
    said = visible_text(page)
    assert "Ten of hearts5" in said
    assert f"chips now {here.table.night.stack('ruth')}" in said
    assert page.text.count('<tr class="p-empty">') >= 6


def test_no_page_has_a_style_attribute_or_a_script_in_it(site: Site) -> None:
    here = over(site)
    for path in ("log", "settle", "print", "files", "log/1"):
        page = here.host.get(f"{here.base}/{path}", HX_Request="true" if path == "log/1" else "false").text
        assert " style=" not in page
        elements = HtmlPage(page).select("*")
        assert [element for element in elements if element.name == "script" and not element.has_attr("src")] == []
        assert [element for element in elements if any(name.startswith("on") for name in element.attrs)] == []


def test_a_game_of_rounds_has_points_and_no_payments(site: Site) -> None:
    host = site.host()
    table = site.tables.get(site.open_night(host, "Ruth", "eight-round-rummy"))
    record(table, events.Sit("ben", "Ben"))  # type: ignore[arg-type]
    record(table, *(events.Round("ben" if at % 2 else "ruth", Chips(1)) for at in range(8)))
    said = visible_text(host.get(f"/n/{table.code}/settle"))
    assert "Ben wins the night 20 points" in said
    assert "won round 2, 4, 6, and 8" in said
    assert "Settle up" not in said


def test_the_snake_game_is_paid_in_points(site: Site) -> None:
    host = site.host()
    table = site.tables.get(site.open_night(host, "Ruth", "michigan-rummy-snake"))
    record(table, events.Sit("ben", "Ben"), events.Rummy("ruth", {"ben": Chips(31)}), events.End())  # type: ignore[arg-type]
    said = visible_text(host.get(f"/n/{table.code}/settle"))
    assert "Ben pays Ruth 31" in said
    assert "deals won +31" in said


@pytest.fixture(name="app")
def _app(site: Site) -> Flask:
    return site.app


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: preset.id)
def test_the_reasons_of_every_sum_add_up_to_it(app: Flask, preset: Preset) -> None:
    chance = Random(preset.id)
    for _ in range(2):
        rules = preset.with_options(random_options(preset, chance))
        made = random_night(rules, chance, 70)
        entries = [Entry(at, event) for at, event in enumerate(made, start=1)]
        report = SettlementReport(History(rules, entries, replay_log("", rules, entries)))
        with app.test_request_context("/"):
            for rank in report.ranks:
                assert preset.game == "rounds" or sum(chips for _, chips in rank.why) == rank.net
            assert [one.values[-1] for one in report.series] == [
                report.nets[one.face.seat] for one in report.series
            ] or preset.game != "pots"


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: preset.id)
def test_every_page_of_a_random_night_can_be_read(site: Site, preset: Preset) -> None:
    chance = Random(preset.id)
    table = site.tables.open(preset, {}, "Random")
    site.access.invites.renew(table.code)
    watcher = site.request_join(table.code, watch="1")
    for event in random_night(preset, chance, 40):
        table.record(event, id=new_id(), by="host")
    for number in chance.sample(range(1, table.head + 1), 5):
        try:
            table.record(events.Undo(number), id=new_id(), by="host")
        except TableError:
            continue
    for path in ("log", "log/1", "settle", "print", "files", "hands.csv", "log.csv", "result.txt", "night.json"):
        answer = watcher.get(f"/n/{table.code}/{path}", HX_Request="true" if path == "log/1" else "")
        assert answer.status_code == 200 or (path == "log/1" and not table.night.hand)
        assert "None" not in answer.text


def test_an_axis_has_round_numbers_and_zero_on_it() -> None:
    assert scale([0, 13, -7]) == (-10, 15, 5)
    assert scale([0]) == (0, 1, 1)
    assert scale([120, -80]) == (-100, 150, 50)
    assert scale([100_000]) == (0, 100_000, 20_000)


def test_tokens_that_would_cover_each_other_are_moved_apart() -> None:
    moved = apart([50, 50, 51, 120], 19, 0, 200)
    assert all(b - a >= 18.5 for a, b in pairwise(moved))
    assert moved == sorted(moved)


MONEY = {"money.chips": 1, "money.cents": 5, "money.coin": 10}


def test_a_phone_shows_its_own_payments_first(site: Site) -> None:
    here = over(site, MONEY)
    for phone, seat in ((here.ben, "ben"), (here.host, "ruth")):
        page = phone.get(f"{here.base}/settle")
        own = [due for due in payment_list(here.table.night) if seat in (due.event.source, due.event.target)]
        assert own
        for due, sentence in zip(own, re.findall(r'<span class="tx">(.*?)</span>', page.text, re.DOTALL), strict=False):
            assert ("<b>You</b> pay" if due.event.source == seat else "pays <b>you</b>") in sentence
    assert "<b>you</b>" not in here.watcher.get(f"{here.base}/settle").text.lower()


def test_sums_that_are_rounded_to_a_coin_say_so(site: Site) -> None:
    sentence = "Every sum is rounded to the smallest coin, 0.10."
    here = over(site, MONEY)
    assert any(net % 2 for net in nets(here.table.night).values())
    assert sentence in visible_text(here.host.get(f"{here.base}/settle"))
    exact = over(site, {**MONEY, "money.coin": 5})
    assert "rounded" not in visible_text(exact.host.get(f"{exact.base}/settle"))


def test_a_night_without_money_says_so_when_it_begins_and_ends(site: Site) -> None:
    host = site.host()
    code = site.open_night(host)
    lobby = host.get(f"/n/{code}/lobby").text
    assert "You play without money: nobody pays at the end." in lobby
    assert f'href="/n/{code}/rules#change"' in lobby
    assert "without money" not in site.join(code, "Ben").get(f"/n/{code}/lobby").text
    record(site.tables.get(code), events.Rule({"money.cents": 5}))
    assert "without money" not in host.get(f"/n/{code}/lobby").text
    here = over(site)
    assert "You played without money: nobody pays anybody." in visible_text(here.host.get(f"{here.base}/settle"))


def test_the_rule_card_says_the_stack_of_tonight(site: Site) -> None:
    here = sample_night(site)
    here.table.settings.starting_stack = 30
    assert "Everybody starts with 30 chips." in visible_text(here.ben.get(f"{here.base}/rules"))


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
    assert here.host.post(f"{here.base}/settle/odd", form).status_code == 409
    assert here.table.night.stack("tom") == before + 2
    assert finish(here) == 303
    assert here.table.night.stack("tom") == before + 2 + 7


def test_the_end_says_that_the_board_stays_as_it_is(site: Site) -> None:
    here = sample_night(site, rules={"end": "leave"})
    play_hand(here.table, "ruth", "ben", "mia")
    assert "30 chips stay on the board for next time." in visible_text(here.host.get(f"{here.base}/settle"))
    assert finish(here) == 303
    assert sum(here.table.night.pot(pot) for pot in here.table.preset.board) == 30


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


@pytest.mark.parametrize(
    ("to", "change"),
    [
        ("winner", {"ruth": 0, "ben": -20, "mia": 20, "tom": 0}),
        ("each", {"ruth": 20, "ben": -60, "mia": 20, "tom": 20}),
        ("sheet", {"ruth": 0, "ben": -20, "mia": 0, "tom": 0}),
    ],
)
def test_a_fault_that_waits_for_a_deal_is_asked_for_before_the_night_ends(
    site: Site, to: str, change: dict[str, int]
) -> None:
    here = sample_night(site, "michigan-rummy-snake", {"fault.to": to})
    record(here.table, events.Penalty("ben", "false-rummy"))
    page = here.host.get(f"{here.base}/settle")
    assert "20 points of Ben still wait for a deal." in visible_text(page)
    assert "still wait" not in visible_text(here.ben.get(f"{here.base}/settle"))
    form = hidden_fields(page, f"{here.base}/settle/faults")
    if to == "winner":
        assert here.host.post(f"{here.base}/settle/faults", form).status_code == 422
        form["seat"] = "mia"
    for _ in range(2):
        assert here.host.post(f"{here.base}/settle/faults", form).status_code == 303
    assert dict(here.table.night.points) == change
    assert "still wait" not in visible_text(here.host.get(f"{here.base}/settle"))
    assert finish(here) == 303
