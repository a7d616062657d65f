from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from random import Random

import pytest
from evenings import PEOPLE, Evening, evening, hidden, play_hand, played, record, words_of
from flask import Flask
from phones import House
from playing import random_night
from playing_stages import every_preset, random_options

from tracker.core import events
from tracker.core.errors import TableError
from tracker.core.events import Amount, Chips, Name, SeatId
from tracker.core.log import Entry
from tracker.core.preset import Preset
from tracker.sealing import new_id
from tracker.web.chart import apart, scale
from tracker.web.history import History
from tracker.web.reckoning import Reckoning
from tracker.web.texts import signed


def over(house: House, rules: Mapping[str, int | str] | None = None) -> Evening:
    """A night of two hands that has ended."""
    here = evening(house, rules=rules)
    play_hand(here.table, "ruth", "ben", "mia", left=5)
    play_hand(here.table, "ben", "tom", "mia", left=3)
    record(here.table, events.End())
    return here


def finish(here: Evening, **form: str | list[str]) -> int:
    page = here.host.get(f"{here.base}/settle")
    return here.host.post(f"{here.base}/settle", {**hidden(page, f"{here.base}/settle"), **form}).status_code


def test_the_split_is_named_before_it_happens(house: House) -> None:
    here = evening(house)
    play_hand(here.table, "ruth", "ben", "mia")
    record(here.table, events.Move("bank", "jackpot", Amount(4)))
    page = words_of(here.host.get(f"{here.base}/settle"))
    assert "34 chips are left on the board. 8 for each." in page
    assert "The 2 over go one by one from the dealer's left: Ben and Mia." in page
    before = {seat: here.table.night.stack(seat) for seat in PEOPLE}
    assert finish(here) == 303
    more = {seat: here.table.night.stack(seat) - before[seat] for seat in PEOPLE}
    assert more == {"ruth": 8, "ben": 9, "mia": 9, "tom": 8}


def test_whoever_bought_twice_and_left_in_between_can_follow_the_sum(house: House) -> None:
    here = evening(house)
    play_hand(here.table, "ruth", "ben", "tom")
    equal = words_of(here.host.get(f"{here.base}/settle"))
    assert "bought" not in equal.partition("Why")[0]
    gave_back = here.table.night.stack("mia")
    record(here.table, events.Leave(SeatId("mia")), events.Sit(SeatId("mia"), Name("Mia")), events.End())
    night, page = here.table.night, words_of(here.host.get(f"{here.base}/settle"))
    stack = night.preset.stack
    assert f"Mia {night.worth('mia')} bought {2 * stack} {signed(night.net('mia'))}" in page
    assert f"Ben {night.worth('ben')} bought {stack} {signed(night.net('ben'))}" in page
    on_the_table = sum(night.stack(seat) for seat in night.seats)
    sentence = f"{on_the_table} of {on_the_table} chips. Nothing missing. {gave_back} more were given back"
    assert sentence in page
    assert sentence in words_of(here.host.get(f"{here.base}/print"))
    assert sum(night.worth(seat) for seat in night.seats) == on_the_table + gave_back


def test_all_that_is_left_goes_to_the_last_winner_where_the_house_has_it_so(house: House) -> None:
    here = evening(house, "michigan-kitty")
    play_hand(here.table, "ruth", "ben", "mia")
    page = words_of(here.host.get(f"{here.base}/settle"))
    assert "24 chips are left on the board. All of it goes to Mia, who won the last hand." in page


def test_a_night_does_not_end_in_mid_hand(house: House) -> None:
    here = played(house)
    page = here.host.get(f"{here.base}/settle")
    assert "A hand is being played." in page.text
    assert finish(here) == 422
    assert not here.table.night.is_over


def test_only_the_host_ends_the_night(house: House) -> None:
    here = evening(house)
    play_hand(here.table, "ruth", "ben", "mia")
    assert "<form" not in here.ben.get(f"{here.base}/settle").text
    for phone in (here.ben, here.watcher):
        assert phone.post(f"{here.base}/settle", {"key": "k"}).status_code == 403
    assert finish(here) == 303


def test_a_page_that_has_not_seen_the_newest_entry_can_not_end_the_night(house: House) -> None:
    here = evening(house)
    play_hand(here.table, "ruth", "ben", "mia")
    form = hidden(here.host.get(f"{here.base}/settle"), f"{here.base}/settle")
    record(here.table, events.Buy("ben", Amount(5)))
    assert here.host.post(f"{here.base}/settle", form).status_code == 409
    assert not here.table.night.is_over


def test_the_last_hand_is_announced_and_taken_back(house: House) -> None:
    here = evening(house)
    play_hand(here.table, "ruth", "ben", "mia")
    here.host.post(f"{here.base}/settle/last", {"last": "on"})
    assert here.table.setting("last") == "on"
    assert "This is the last hand." in here.ben.get(f"{here.base}/settle").text
    here.host.post(f"{here.base}/settle/last", {"last": "off"})
    assert here.table.setting("last") == ""


def test_a_poker_pool_of_the_whole_night_asks_for_its_winner(house: House) -> None:
    here = evening(house, rules={"poker.when": "session_end"})
    record(here.table, events.Hand("ruth"), events.NoSale())
    record(here.table, events.Out("mia", {"ruth": Chips(1), "ben": Chips(1), "tom": Chips(1)}))
    page = here.host.get(f"{here.base}/settle")
    assert "Best poker hand? 5 chips wait." in words_of(page)
    form = hidden(page, f"{here.base}/settle/pool")
    assert here.host.post(f"{here.base}/settle/pool", {**form, "winners": ["tom", "ben"]}).status_code == 303
    assert here.table.entries[-1].event == events.Poker(("tom", "ben"))
    assert "Best poker hand?" not in words_of(here.host.get(f"{here.base}/settle"))


def test_where_one_hand_decides_who_gets_the_rest_it_is_asked_for(house: House) -> None:
    here = evening(house, rules={"end": "poker_hand"})
    play_hand(here.table, "ruth", "ben", "mia")
    assert "the best hand of all gets them" in words_of(here.host.get(f"{here.base}/settle"))
    assert finish(here) == 422
    before = here.table.night.stack("tom")
    assert finish(here, winners="tom") == 303
    assert here.table.night.stack("tom") == before + 30


def test_payments_are_in_money_and_as_few_as_possible(house: House) -> None:
    here = over(house, {"money.chips": 20, "money.cents": 100, "money.coin": 5})
    with house.app.test_request_context("/"):
        reckoning = Reckoning(History(here.table.preset, here.table.entries), {})
        assert sum(reckoning.cents.values()) == 0
        assert all(cents % 5 == 0 for cents in reckoning.cents.values())
        assert 1 <= len(reckoning.dues) <= 3
    said = words_of(here.ben.get(f"{here.base}/settle"))
    assert "20 chips = 1.00" in said
    assert "pays Mia" in said


def test_without_money_nobody_is_asked_to_pay(house: House) -> None:
    here = over(house)
    assert "Settle up" not in words_of(here.ben.get(f"{here.base}/settle"))


def test_what_an_iou_left_open_is_to_be_paid_in_chips(house: House) -> None:
    here = evening(house)
    record(here.table, events.Borrow("ruth", "mia", Amount(50)), events.Move("ruth", "tom", Amount(150)), events.End())
    said = words_of(here.host.get(f"{here.base}/settle"))
    assert "IOUs left open" in said
    assert "Ruth pays Mia 50" in said


def test_a_payment_is_ticked_off_on_every_phone(house: House) -> None:
    here = over(house, {"money.chips": 20, "money.cents": 100})
    key = re.search(r'name="paid" value="([^"]+)"', here.host.get(f"{here.base}/settle").text)
    assert key
    mark = here.ben.get(f"{here.base}/settle/dues?seen=").headers["X-Mark"]
    assert here.ben.get(f"{here.base}/settle/dues?seen={mark}").status_code == 204
    part = here.host.post(f"{here.base}/settle/paid", {"paid": key[1]}, HX_Request="true")
    assert part.text.count('aria-pressed="true"') == 1
    assert 'aria-pressed="true"' in here.ben.get(f"{here.base}/settle/dues?seen={mark}").text
    assert here.host.post(f"{here.base}/settle/paid", {"paid": key[1]}).status_code == 303
    assert 'aria-pressed="true"' not in here.ben.get(f"{here.base}/settle").text
    assert here.watcher.post(f"{here.base}/settle/paid", {"paid": key[1]}).status_code == 403
    assert here.host.post(f"{here.base}/settle/paid", {"paid": "paid.x.y.1"}).status_code == 404


def test_the_settlement_names_the_winner_every_sum_and_that_no_chip_is_missing(house: House) -> None:
    here = over(house)
    page = words_of(here.ben.get(f"{here.base}/settle"))
    assert "Mia wins the night" in page
    assert "400 of 400 chips. Nothing missing." in page
    for seat in PEOPLE:
        assert str(here.table.night.worth(seat)) in page


def test_taking_the_end_back_opens_the_night_again(house: House) -> None:
    here = over(house)
    page = here.host.get(f"{here.base}/settle")
    assert here.host.post(f"{here.base}/undo", hidden(page, f"{here.base}/undo")).status_code == 303
    assert not here.table.night.is_over
    assert here.ben.post(f"{here.base}/undo", {"event": "1", "key": "k"}).status_code == 403


def test_the_result_can_be_copied_sent_and_printed(house: House) -> None:
    here = over(house)
    page = here.ben.get(f"{here.base}/settle").text
    assert 'data-copy="#result"' in page
    assert "1. Mia: " in page
    assert all(f'href="{scheme}' in page for scheme in ("sms:?&amp;body=", "mailto:?subject=", "whatsapp://send?text="))
    assert here.ben.get(f"{here.base}/print").status_code == 200


def test_a_sheet_printed_in_mid_night_has_the_board_the_stacks_and_empty_hands_to_play_on(house: House) -> None:
    here = played(house)
    page = here.ben.get(f"{here.base}/print")
    said = words_of(page)
    assert "Ten of hearts5" in said
    assert f"chips now {here.table.night.stack('ruth')}" in said
    assert page.text.count('<tr class="p-empty">') >= 6


def test_no_page_has_a_style_attribute_or_a_script_in_it(house: House) -> None:
    here = over(house)
    for path in ("log", "settle", "print", "files", "log/1"):
        page = here.host.get(f"{here.base}/{path}", HX_Request="true" if path == "log/1" else "false").text
        assert " style=" not in page
        assert not re.search(r"<script(?![^>]*\bsrc=)", page)
        assert not re.search(r"\son[a-z]+=", page)


def test_a_game_of_rounds_has_points_and_no_payments(house: House) -> None:
    host = house.host()
    table = house.tables.get(house.open_night(host, "Ruth", "eight-round-rummy"))
    record(table, events.Sit("ben", "Ben"))  # type: ignore[arg-type]
    record(table, *(events.Round("ben" if at % 2 else "ruth", Chips(1)) for at in range(8)))
    said = words_of(host.get(f"/n/{table.code}/settle"))
    assert "Ben wins the night 20 points" in said
    assert "won round 2, 4, 6, and 8" in said
    assert "Settle up" not in said


def test_the_snake_game_is_paid_in_points(house: House) -> None:
    host = house.host()
    table = house.tables.get(house.open_night(host, "Ruth", "michigan-rummy-snake"))
    record(table, events.Sit("ben", "Ben"), events.Rummy("ruth", {"ben": Chips(31)}), events.End())  # type: ignore[arg-type]
    said = words_of(host.get(f"/n/{table.code}/settle"))
    assert "Ben pays Ruth 31" in said
    assert "deals won +31" in said


@pytest.fixture(name="app")
def _app(house: House) -> Flask:
    return house.app


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: preset.id)
def test_the_reasons_of_every_sum_add_up_to_it(app: Flask, preset: Preset) -> None:
    chance = Random(preset.id)
    for _ in range(2):
        rules = preset.with_options(random_options(preset, chance))
        made = random_night(rules, chance, 70)
        entries = [Entry(at, event) for at, event in enumerate(made, start=1)]
        reckoning = Reckoning(History(rules, entries), {})
        with app.test_request_context("/"):
            for rank in reckoning.ranks:
                assert preset.game == "rounds" or sum(chips for _, chips in rank.why) == rank.net
            assert [one.values[-1] for one in reckoning.series] == [
                reckoning.nets[one.face.seat] for one in reckoning.series
            ] or preset.game != "pots"


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: preset.id)
def test_every_page_of_a_random_night_can_be_read(house: House, preset: Preset) -> None:
    chance = Random(preset.id)
    table = house.tables.open(preset, {}, "Random")
    house.door.invites.renew(table.code)
    watcher = house.ask(table.code, watch="1")
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
