"""The board editor: what is typed is drawn, every fault stands at its field, and nothing is kept before it is right."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st
from support.client_phones import HERE, ClientPhone, Site
from support.html_page import HtmlPage, form_of
from support.of_extras import of_extras

from tracker.core.preset import MOST_POTS, Preset
from tracker.core.preset_faults import faults
from tracker.extras.editor.board_form import NEW_ROWS, EditorSheet, Typed, changed, read, sheet_of
from tracker.extras.editor.codes import preset_from_code, preset_to_code
from tracker.extras.editor.words import FIELDS
from tracker.formats.built_in import all_built_in, built_in
from tracker.formats.codec import preset_from_toml
from tracker.web.drawing.colors import PALETTE, colour_name, contrast, tint_of

RUMMY = built_in("michigan-rummy")


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_a_preset_saved_as_it_stands_is_the_same_preset(site: Site, host: ClientPhone, preset: Preset) -> None:
    form = form_of(host.get(f"/boards/{preset.id}").text)
    answer = host.post(f"/boards/{preset.id}", {**form, "name": "Ours"})
    assert answer.status_code == 303, HtmlPage(answer.text).texts("[data-for]")
    kept = site.tables.library.find("ours")
    assert replace(kept, id=preset.id, name=preset.name, base=preset.base) == preset
    assert kept.base == (preset.base or preset.id)


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_a_copy_begins_with_the_texts_that_its_reader_has_seen(host: ClientPhone, preset: Preset) -> None:
    host.client.set_cookie("lang", "de", domain=HERE)
    form = form_of(host.get(f"/boards/{preset.id}").text)
    card = HtmlPage(host.get(f"/boards/{preset.id}/card").text).text(".rulecard")
    assert str(form["about"]) in card
    assert form["about"] != preset.about
    names = [str(form[key]) for key in form if re.fullmatch(r"(pot|due)\.\d+\.name", key) and form[key]]
    assert [name for name in names if name not in card] == []
    saved = host.post(f"/boards/{preset.id}", form)
    assert saved.status_code == 303, HtmlPage(saved.text).texts("[data-for]")


NEVER_WRONG = {"takes_fines", "ends_hand"}
"""Ticks are on or off."""


def nonsense(key: str) -> str:
    """Return what no field of that name takes."""
    if key in ("name", "due.0.name", "chip.0.name"):
        return ""
    return "y" * 201 if key.endswith(("about", "label", ".name")) else "nonsense"


@pytest.mark.parametrize("preset", ["michigan-rummy", "spinado", "eight-round-rummy", "michigan-rummy-snake"])
def test_all_faults_are_reported_together_each_at_its_field(site: Site, host: ClientPhone, preset: str) -> None:
    form = form_of(host.get(f"/boards/{preset}").text)
    wrong: dict[str, str | list[str]] = {
        key: nonsense(key) for key in form if key.rpartition(".")[2] not in {"id", *NEVER_WRONG}
    }
    # A place that no cards win has no field for them.
    wrong |= {key: form[key] for key in wrong if re.fullmatch(r"pot\.\d+\.won_by", key)}
    if "pot.0.won_by" in wrong:
        wrong["pot.0.won_by"] = "luck"
    answer = host.post(f"/boards/{preset}", {**form, **wrong})
    assert answer.status_code == 422
    page = HtmlPage(answer.text)
    told = page.values("li[data-for]:has(a)", "data-for")
    right = {key for key, value in wrong.items() if form[key] == value}
    no_cards = {key.replace("won_by", "cards") for key in right if form[key] not in ("card", "side")}
    assert set(told) == set(wrong) - right - no_cards
    assert len(told) > 5
    for key in told:
        assert page.text(f'[id="e-{key}"]'), key
    assert site.tables.library.own() == []


def test_too_many_people_are_reported_at_their_field(host: ClientPhone) -> None:
    form = form_of(host.get("/boards/michigan-rummy").text)
    told = host.post("/boards/michigan-rummy", {**form, "seats.min": "9"}).text
    assert HtmlPage(told).text('[id="e-seats.max"]').startswith("This is less than the fewest people")


@pytest.mark.parametrize("preset", [*(one.id for one in all_built_in()), "blank"])
def test_every_field_has_a_short_name_and_all_that_describes_it_is_there(host: ClientPhone, preset: str) -> None:
    page = HtmlPage(host.get(f"/boards/{preset}").text)
    fields = page.select("input:not([type=hidden]), select")
    assert len(fields) > 5
    for field in fields:
        name = field.get("name")
        assert name, field
        described = field.get("aria-describedby").split() if field.get("aria-describedby") else []
        assert [one for one in described if not page.has(f'[id="{one}"]')] == [], name
    for hint in page.select(".hint"):
        text = "" if page.has(f'.why [id="{hint.get("id")}"]') else hint.get_text().strip()
        assert len(text) <= 80, text  # behind "?" there may be more


def test_every_setting_of_a_preset_has_its_name() -> None:
    parts = {f"{kind}.{name}" for kind, row in NEW_ROWS.items() for name in row if name != "id"}
    assert set(FIELDS) == {"name", "about", "stack", "seats.min", "seats.max"} | parts
    for key, said in FIELDS.items():
        assert said.label, key
        assert not said.hint or said.hint.endswith("."), key


def test_a_place_gets_a_colour_that_the_board_the_card_and_the_file_keep(site: Site, host: ClientPhone) -> None:
    form = form_of(host.get("/boards/michigan-rummy").text)
    form |= {"pot.0.colour": "#23497F", "pot.8.colour": "#c2478a"}
    page = host.post("/boards/michigan-rummy/preview", form).text
    blue, pink = tint_of("#23497F"), tint_of("#C2478A")
    assert blue
    assert pink
    assert f'<use href="#w0" fill="{blue.fill}" stroke="{blue.line}"' in page
    assert f'<circle r="31" fill="{pink.fill}"' in page
    card = host.get(host.post("/boards/michigan-rummy", {**form, "name": "Painted"}).location).text
    assert 'Ten of hearts: 10♥. <span class="painted">Painted blue.</span>' in card
    assert "Painted pink." in card
    assert "As printed, with our defaults°." in card  # a colour is no rule
    assert 'fill="#23497F"' in card
    kept = site.tables.library.find("painted")
    assert [pot.colour for pot in kept.pots] == ["#23497F", *[""] * 7, "#C2478A"]
    assert preset_from_toml(host.get("/boards/painted/board.toml").text) == kept
    assert preset_from_code(preset_to_code(kept)) == kept
    assert 'name="pot.0.colour" value="#23497F" checked' in host.get("/boards/painted").text
    code = site.open_night(host, preset="painted")
    site.join(code, "Ben")
    site.start_first_hand(host, code)
    for page in ("", *of_extras("watched")):
        assert f'fill="{blue.fill}"' in host.get(f"/n/{code}{page}").text
    assert blue.fill in host.get("/boards").text


@given(st.integers(0, 0xFFFFFF))
def test_numbers_stay_readable_on_any_colour_and_its_rim_stands_out(number: int) -> None:
    tint = tint_of(f"#{number:06X}")
    assert tint
    # The cream of the numbers and the gold of the richest place, light and dark; the felt, light and dark.
    assert min(contrast(tint.fill, ink) for ink in ("#FFF4DE", "#F7EAD0")) >= 7
    assert min(contrast(tint.fill, ink) for ink in ("#F0D58C", "#D9B562")) >= 4.5
    assert min(contrast(tint.line, felt) for felt in ("#0F4A39", "#145A46", "#10392F", "#15473A")) >= 3


def test_every_colour_of_the_palette_has_a_name_of_its_own() -> None:
    assert [colour_name(value) for value, _ in PALETTE] == [name for _, name in PALETTE]
    assert len({tint_of(value) for value, _ in PALETTE}) == len(PALETTE) >= 8


def test_the_points_of_the_round_cards_are_theirs_to_set(site: Site, host: ClientPhone) -> None:
    form = form_of(host.get("/boards/eight-round-rummy").text)
    assert [form[f"round.{at}.points"] for at in range(8)] == list("12345678")
    form |= {"name": "Ours", "round.7.points": "20"}
    card = host.get(host.post("/boards/eight-round-rummy", form).location).text
    assert "Round 8: Same numbers, 20 points." in card
    assert "On the sheet: Round 8: Same numbers, 8 points." in card
    code = site.open_night(host, preset="ours")
    night = site.tables.get(code).night
    assert sum(one.points for one in night.preset.round_cards) == 48


def test_a_value_without_effect_is_warned_about_and_can_be_saved(host: ClientPhone) -> None:
    form = form_of(host.get("/boards/michigan-rummy").text)
    odd: dict[str, str | list[str]] = {"pot.0.ends_hand": "on", "pot.8.takes_fines": "on"}
    page = host.post("/boards/michigan-rummy/preview", {**form, **odd}).text
    assert HtmlPage(page).values("li[data-for]", "data-for") == list(odd)
    assert "No card is turned up here" in page
    told = host.post("/boards/michigan-rummy/preview", {**form, **odd, "turn_up": "on", "stop.fine": "1"}).text
    assert "data-for" not in told
    assert host.post("/boards/michigan-rummy", {**form, **odd}).status_code == 303


def test_the_place_of_a_fine_that_a_house_rule_names_is_ticked_on_the_board(site: Site, host: ClientPhone) -> None:
    fined = built_in("michigan").with_options({"stop.fine": 1, "stop.pot": "queen-diamonds"})
    site.tables.library.add(replace(fined, id="fined", base="michigan"))
    page = host.get("/boards/fined")
    assert HtmlPage(page.text).values("[name$=takes_fines][checked]", "name") == ["pot.2.takes_fines"]
    assert host.post("/boards/fined", form_of(page.text)).status_code == 303
    kept = site.tables.library.find("fined")
    assert (kept["stop.pot"], kept.fines_pot) == ("by_board", kept.pot("queen-diamonds"))


def test_a_side_bet_has_no_ante_of_its_own_and_the_form_says_which_rule_it_is(site: Site, host: ClientPhone) -> None:
    form = form_of(host.get("/boards/royal-rummy").text)
    (first, *_) = [key.removesuffix(".won_by") for key, value in form.items() if value == "side"]
    for field in ("ante", "dealer_ante"):
        answer = host.post("/boards/royal-rummy", {**form, f"{first}.{field}": "3"})
        assert answer.status_code == 422
        told = HtmlPage(answer.text).text(f'[id="e-{first}.{field}"]')
        assert told == "Leave this empty: see “In each place of a side bet”."
    assert site.tables.library.own() == []


def test_a_board_kept_with_such_an_ante_is_played_as_before_and_mended_when_it_is_changed(
    site: Site, host: ClientPhone
) -> None:
    royal = built_in("royal-rummy")
    pots = tuple(replace(pot, ante=3 if pot.won_by == "side" else pot.ante) for pot in royal.pots)
    old = site.tables.library.save(replace(royal, id="ours", name="Ours", pots=pots))
    table = site.tables.get(site.open_night(host, preset="ours"))
    paid = {pot.id: table.preset.ante(pot, 1, is_dealer=False) for pot in table.preset.pots}
    assert paid == {pot.id: royal.ante(pot, 1, is_dealer=False) for pot in royal.pots}
    form = form_of(host.get("/boards/ours").text)
    assert host.post("/boards/ours", form).status_code == 422
    mended = {key: "" if value == "3" and key.endswith(".ante") else value for key, value in form.items()}
    assert host.post("/boards/ours", mended).status_code == 303
    assert site.tables.library.find(old.id).pots == royal.pots


def test_the_form_comes_back_as_it_was_typed(host: ClientPhone) -> None:
    form = form_of(host.get("/boards/michigan-rummy").text)
    answer = host.post("/boards/michigan-rummy", {**form, "pot.0.cards": "3X", "about": "a < b"})
    assert 'value="3X"' in answer.text
    assert 'value="a &lt; b"' in answer.text


def test_the_preview_shows_typed_values_and_saves_nothing(site: Site, host: ClientPhone) -> None:
    form = form_of(host.get("/boards/michigan-rummy").text)
    page = host.post("/boards/michigan-rummy/preview", {**form, "pot.0.cards": "9♠", "stack": "10"}).text
    assert "Nine of spades" in page
    assert "The dealer can’t pay: 18 chips go on the board, and everybody starts with 10." in page
    page = host.post("/boards/michigan-rummy/preview", form).text
    assert "5 people: 54 chips a hand. 100 chips last about 9 hands without winning." in page
    assert site.tables.library.own() == []


def test_places_are_added_moved_and_taken_away_without_script(host: ClientPhone) -> None:
    form = form_of(host.get("/boards/michigan-rummy").text)
    moved = form_of(host.post("/boards/michigan-rummy/form", {**form, "do": "pot.down.0"}).text)
    assert (moved["pot.0.cards"], moved["pot.1.cards"]) == ("Q♥", "10♥")
    fewer = form_of(host.post("/boards/michigan-rummy/form", {**moved, "do": "pot.remove.8"}).text)
    assert "pot.8.id" not in fewer
    more = form_of(host.post("/boards/michigan-rummy/form", {**fewer, "do": "pot.add"}).text)
    assert more["pot.8.cards"] == ""


def test_an_own_preset_is_changed_copied_deleted_and_restored(site: Site, host: ClientPhone) -> None:
    form = form_of(host.get("/boards/blank").text)
    assert host.post("/boards/blank", form).location == "/boards/our-board/card?saved=1"
    form = form_of(host.get("/boards/our-board").text)
    host.post("/boards/our-board", {**form, "stack": "42"})
    assert [one.stack for one in site.tables.library.own()] == [42]
    assert host.post("/boards/our-board/duplicate").location == "/boards/our-board-copy"
    gone = host.post("/boards/our-board/delete").location
    assert [one.id for one in site.tables.library.own()] == ["our-board-copy"]
    assert "/boards/our-board/bring-back" in host.get(gone).text
    host.post("/boards/our-board/bring-back")
    assert site.tables.library.find("our-board").stack == 42
    for page in ("boards", "boards/our-board", "boards/our-board/card", "boards/our-board/share", "new"):
        assert host.get(f"/{page}").status_code == 200
    assert host.get("/boards/nothing").status_code == 404


def test_a_built_in_preset_is_never_overwritten(site: Site, host: ClientPhone) -> None:
    form = form_of(host.get("/boards/michigan-kitty").text)
    host.post("/boards/michigan-kitty", {**form, "name": "Michigan Kitty", "stack": "7"})
    assert site.tables.library.find("michigan-kitty") == built_in("michigan-kitty")
    assert [one.id for one in site.tables.library.own()] == ["michigan-kitty-2"]
    assert host.post("/boards/michigan-kitty/delete").status_code == 404


# The form by itself

TYPED = st.text(max_size=30)
ROWS = st.lists(st.fixed_dictionaries(dict.fromkeys(NEW_ROWS["pot"], TYPED)), max_size=MOST_POTS + 1)


def with_pots(*pots: Typed) -> EditorSheet:
    sheet = sheet_of(RUMMY)
    return replace(sheet, rows={**sheet.rows, "pot": pots})


@given(ROWS, st.text(max_size=15))
def test_any_typed_values_make_a_preset_that_can_be_drawn_or_faults_in_words(rows: list[Typed], do: str) -> None:
    sheet = changed(with_pots(*rows), do)
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
    pot = read(with_pots({**NEW_ROWS["pot"], "cards": typed}), RUMMY).preset.pots[0]
    assert (pot.cards, pot.name, pot.label) == (cards, name, label)
