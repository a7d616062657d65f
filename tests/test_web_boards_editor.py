"""The board editor: what is typed is drawn, every fault stands at its field, and nothing is kept before it is right."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phones import House, Phone

from tracker.core.preset import Preset, faults
from tracker.presets import all_built_in, built_in
from tracker.web.board_form import MOST_POTS, PotRow, changed, read, sheet_of

RUMMY = built_in("michigan-rummy")


@pytest.fixture(name="host")
def _host(house: House) -> Phone:
    return house.host()


def form_of(page: str) -> dict[str, str | list[str]]:
    """Returns what a browser would send from the editor's page."""
    form: dict[str, str | list[str]] = {}
    for tag in re.findall(r"<input [^>]*>", page):
        name, value = re.search(r' name="([^"]*)"', tag), re.search(r' value="([^"]*)"', tag)
        if name and ('type="checkbox"' not in tag or " checked" in tag):
            form[name[1]] = value[1].replace("&#39;", "'").replace("&amp;", "&") if value else "on"
    for name, options in re.findall(r'<select [^>]*name="([^"]*)">(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', options)
        assert chosen, name
        form[name] = chosen[1]
    return form


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_a_board_saved_as_it_stands_is_the_same_board(house: House, host: Phone, preset: Preset) -> None:
    form = form_of(host.get(f"/boards/{preset.id}").text)
    answer = host.post(f"/boards/{preset.id}", {**form, "name": "Ours"})
    assert answer.status_code == 303, re.findall(r'data-for="[^"]*">.*?</li>', answer.text)
    kept = house.tables.library.find("ours")
    assert replace(kept, id=preset.id, name=preset.name, base="") == preset
    assert kept.base == preset.id


def test_all_faults_are_told_together_each_at_its_field(house: House, host: Phone) -> None:
    form = form_of(host.get("/boards/michigan-rummy").text)
    wrong: dict[str, str | list[str]] = {
        "name": "",
        "stack": "x",
        "seats.min": "9",
        "pot.0.cards": "3X",
        "pot.1.label": "y" * 21,
        "pot.2.ante": "-1",
        "ante.each": "1001",
        "claim": "maybe",
        "chip.0.colour": "red",
    }
    answer = host.post("/boards/michigan-rummy", {**form, **wrong})
    assert answer.status_code == 422
    told = dict(re.findall(r'<li data-for="([^"]*)"><a[^>]*>(.*?)</a>', answer.text))
    assert set(told) == {*wrong, "seats.max"} - {"seats.min"}
    for key in set(told) - {"chip.0.colour"}:
        assert re.search(rf'id="e-{re.escape(key)}">[^<]', answer.text), key
    assert house.tables.library.own() == []


def test_the_form_comes_back_as_it_was_typed(host: Phone) -> None:
    form = form_of(host.get("/boards/michigan-rummy").text)
    answer = host.post("/boards/michigan-rummy", {**form, "pot.0.cards": "3X", "about": "a < b"})
    assert 'value="3X"' in answer.text
    assert 'value="a &lt; b"' in answer.text


def test_the_preview_draws_what_is_typed_and_saves_nothing(house: House, host: Phone) -> None:
    form = form_of(host.get("/boards/michigan-rummy").text)
    page = host.post("/boards/michigan-rummy/preview", {**form, "pot.0.cards": "9♠", "stack": "10"}).text
    assert "Nine of spades" in page
    assert "The dealer can’t pay: 18 chips go on the board, and everybody starts with 10." in page
    page = host.post("/boards/michigan-rummy/preview", form).text
    assert "5 people: 54 chips a hand. 100 chips last about 9 hands without winning." in page
    assert house.tables.library.own() == []


def test_places_are_added_moved_and_taken_away_without_script(host: Phone) -> None:
    form = form_of(host.get("/boards/michigan-rummy").text)
    moved = form_of(host.post("/boards/michigan-rummy/form", {**form, "do": "pot.down.0"}).text)
    assert (moved["pot.0.cards"], moved["pot.1.cards"]) == ("Q♥", "10♥")
    fewer = form_of(host.post("/boards/michigan-rummy/form", {**moved, "do": "pot.remove.8"}).text)
    assert "pot.8.id" not in fewer
    more = form_of(host.post("/boards/michigan-rummy/form", {**fewer, "do": "pot.add"}).text)
    assert more["pot.8.cards"] == ""


def test_a_board_of_their_own_is_changed_copied_deleted_and_brought_back(house: House, host: Phone) -> None:
    form = form_of(host.get("/boards/blank").text)
    assert host.post("/boards/blank", form).location == "/boards/our-board/card?saved=1"
    form = form_of(host.get("/boards/our-board").text)
    host.post("/boards/our-board", {**form, "stack": "42"})
    assert [one.stack for one in house.tables.library.own()] == [42]
    assert host.post("/boards/our-board/duplicate").location == "/boards/our-board-copy"
    gone = host.post("/boards/our-board/delete").location
    assert [one.id for one in house.tables.library.own()] == ["our-board-copy"]
    assert "/boards/our-board/bring-back" in host.get(gone).text
    host.post("/boards/our-board/bring-back")
    assert house.tables.library.find("our-board").stack == 42
    for page in ("boards", "boards/our-board", "boards/our-board/card", "boards/our-board/share", "new"):
        assert host.get(f"/{page}").status_code == 200
    assert host.get("/boards/nothing").status_code == 404


def test_what_came_with_the_tracker_is_never_overwritten(house: House, host: Phone) -> None:
    form = form_of(host.get("/boards/michigan-kitty").text)
    host.post("/boards/michigan-kitty", {**form, "name": "Michigan Kitty", "stack": "7"})
    assert house.tables.library.find("michigan-kitty") == built_in("michigan-kitty")
    assert [one.id for one in house.tables.library.own()] == ["michigan-kitty-2"]
    assert host.post("/boards/michigan-kitty/delete").status_code == 404


def test_a_new_night_offers_the_bundles_and_their_own_boards_first(house: House, host: Phone) -> None:
    host.post("/boards/blank", form_of(host.get("/boards/blank").text))
    shown = re.findall(r'name="preset" value="([^"]*)"', host.get("/new").text)
    assert shown[:5] == ["our-board", "michigan-rummy", "michigan-kitty", "hearts-played", "hearts-three-stages"]
    assert len(shown) == len(set(shown)) == 16
    house.open_night(host, preset="pope-joan")
    assert re.findall(r'name="preset" value="([^"]*)"', host.get("/new").text)[0] == "pope-joan"


def test_last_time_is_offered_with_its_own_rules(house: House, host: Phone) -> None:
    host.post("/new", {"preset": "michigan-rummy", "host": "Ruth", "full": "1", "ante.dealer": "5"})
    assert re.findall(r'name="preset" value="([^"]*)"', host.get("/new").text)[0] == "as-last"
    code = host.post("/new", {"preset": "as-last", "host": "Ruth"}).location.split("/")[2]
    assert house.tables.get(code).preset["ante.dealer"] == 5


def test_a_rule_changed_in_mid_night_holds_from_the_next_hand_and_is_told_in_words(house: House, host: Phone) -> None:
    code = house.open_night(host)
    guest = house.join(code, "Ben")
    house.begin(host, code)
    page = host.get(f"/n/{code}/rules").text
    form = {name: value for name, value in form_of(page).items() if name != "key"}
    assert "Change a rule" not in guest.get(f"/n/{code}/rules").text
    assert guest.post(f"/n/{code}/rules", form).status_code == 403
    assert host.post(f"/n/{code}/rules", {**form, "out.per_card": "x"}).status_code == 422
    assert host.post(f"/n/{code}/rules", {**form, "out.per_card": "3"}).status_code == 303
    table = house.tables.get(code)
    assert (table.night.preset["out.per_card"], table.night.new_rules) == (1, {"out.per_card": 3})
    told = "Chips for every card left: 3"
    assert f"A new rule from the next hand on: {told}" in guest.get(f"/n/{code}/log").text
    assert told in guest.get(f"/n/{code}/rules").text
    assert host.post(f"/n/{code}/rules", form).status_code == 303
    assert host.get(f"/n/{code}/rules").status_code == 200


# The form by itself

TYPED = st.text(max_size=30)
ROWS = st.lists(st.builds(PotRow, *[TYPED] * 10), max_size=MOST_POTS + 1)


@given(ROWS, st.text(max_size=15))
def test_whatever_is_typed_makes_a_board_that_can_be_drawn_or_faults_in_words(rows: list[PotRow], do: str) -> None:
    sheet = changed(replace(sheet_of(RUMMY), pots=tuple(rows)), do)
    draft = read(sheet, RUMMY)
    assert draft.wrong or faults(replace(draft.preset, id="ours")) == []
    assert len({pot.id for pot in draft.preset.pots}) == len(draft.preset.pots)


@pytest.mark.parametrize(
    ("typed", "cards", "name", "label"),
    [
        ("10♥", ("10H",), "Ten of hearts", "10"),
        ("kh qh", ("KH", "QH"), "King and queen of hearts", "KQ"),
        ("7, 8, 9", ("7", "8", "9"), "Seven, eight, nine of one suit", "7·8·9"),
        ("A ♠", ("AS",), "Ace of spades", "A"),
        ("J♣️", ("JC",), "Jack of clubs", "J"),
    ],
)
def test_cards_are_typed_as_people_write_them(typed: str, cards: tuple[str, ...], name: str, label: str) -> None:
    pot = read(replace(sheet_of(RUMMY), pots=(PotRow(cards=typed),)), RUMMY).preset.pots[0]
    assert (pot.cards, pot.name, pot.label) == (cards, name, label)
