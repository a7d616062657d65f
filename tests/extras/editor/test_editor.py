"""The board editor: what is typed is drawn, every fault stands at its field, and nothing is kept before it is right."""

import io
import os
import pty
import re
import subprocess
import zlib
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import zxingcpp
from click.testing import Result
from hypothesis import given, settings, strategies as st
from markupsafe import escape
from PIL import Image
from support.browser_phones import BrowserNight, BrowserPhone, at_table
from support.client_phones import HERE, ClientPhone, Site
from support.html_page import HtmlPage, form_of
from support.of_extras import of_extras
from support.paths import ROOT
from support.server_process import command as command_line, run as run_subcommand
from support.waiting import until

from tracker.core.errors import NotAllowed, PresetError, Unknown
from tracker.core.house_rules import HOUSE_RULES
from tracker.core.preset import MOST_POTS, Pot, Preset, fits_preset
from tracker.core.preset_faults import faults
from tracker.extras.editor.board_form import NEW_ROWS, EditorSheet, Typed, changed, read, sheet_of
from tracker.extras.editor.codes import preset_from_code, preset_to_code, preset_words
from tracker.extras.editor.library import EditedLibrary, free_id
from tracker.extras.editor.palette import PALETTE, colour_name
from tracker.extras.editor.words import FIELDS
from tracker.formats.built_in import all_built_in, built_in, printed_game
from tracker.formats.codec import preset_from_toml, preset_to_toml
from tracker.storage import Store
from tracker.web.drawing.colors import contrast, tint_of
from tracker.web.wording.game_words import RULE_WORDS, hint, label, sentence, value_words

RUMMY = built_in("michigan-rummy")
each_preset = pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)


@each_preset
def test_a_preset_saved_as_it_stands_is_the_same_preset(site: Site, host: ClientPhone, preset: Preset) -> None:
    form = form_of(host.get(f"/boards/{preset.id}").text)
    answer = host.post(f"/boards/{preset.id}", {**form, "name": "Ours"})
    assert answer.status_code == 303, HtmlPage(answer.text).texts("[data-for]")
    kept = site.tables.library.find("ours")
    assert replace(kept, id=preset.id, name=preset.name, base=preset.base) == preset
    assert kept.base == (preset.base or preset.id)


@each_preset
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


@each_preset
def test_the_editor_asks_for_each_house_rule_that_fits_the_board_in_the_words_of_set_up(
    host: ClientPhone, preset: Preset
) -> None:
    editor = host.get(f"/boards/{preset.id}").text
    for key, rule in HOUSE_RULES[preset.game].items():
        assert (f'name="{key}"' in editor) == (fits_preset(preset, key) and key != "stop.pot"), key
        if key != "stop.pot" and not key.startswith("money.") and fits_preset(preset, key):
            said = hint(preset.game, key, printed_game(preset))
            for words in (label(key), said, *(value_words(key, choice) for choice in rule.choices)):
                assert str(escape(words)) in editor, (key, words)


@each_preset
def test_rules_that_a_game_does_without_stand_apart_from_its_own(host: ClientPhone, preset: Preset) -> None:
    page = HtmlPage(host.get(f"/boards/{preset.id}").text)
    groups = {HtmlPage(str(one)).text("summary"): HtmlPage(str(one)) for one in page.select("details.panel")}
    apart = set(groups["More rules"].values("select, input", "name")) if "More rules" in groups else set()
    for key in apart:
        lead = RULE_WORDS[key].said_with or key
        assert not sentence(preset, lead), key
    assert not apart & {key for key in HOUSE_RULES[preset.game] if sentence(preset, key)}
    if preset.id == "michigan-rummy":
        assert {"out.excuse", "left_in_hand", "sweep", "turn_up", "stakes.budget", "poker.hand"} <= apart


NEVER_WRONG = {"takes_fines", "ends_hand"}
"""Ticks are on or off."""


def nonsense(key: str) -> str:
    """Return what no field of that name takes."""
    if key in ("name", "due.0.name", "chip.0.name"):
        return ""
    return "y" * 201 if key.endswith(("about", "label", ".name")) else "<nonsense>"


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
    assert [key for key in told if not page.text(f'[id="e-{key}"]')] == []
    typed = [
        key for key in page.values("input:not([type=hidden], [type=radio])", "name") if wrong.get(key) == "<nonsense>"
    ]
    assert {form_of(answer.text)[key] for key in typed} == {"<nonsense>"}, "all comes back as it was typed"
    assert site.tables.library.own() == []


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
    for one in page.select(".hint"):
        text = "" if page.has(f'.why [id="{one.get("id")}"]') else one.get_text().strip()
        assert len(text) <= 80, text  # behind "?" there may be more


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


def test_every_field_and_every_colour_of_the_palette_has_words_of_its_own() -> None:
    assert [key for key, said in FIELDS.items() if not said.label or said.hint[-1:] not in ("", ".")] == []
    assert [colour_name(value) for value, _ in PALETTE] == [name for _, name in PALETTE]
    assert len({tint_of(value) for value, _ in PALETTE}) == len(PALETTE) >= 8


def test_the_points_of_the_round_cards_are_theirs_to_set(site: Site, host: ClientPhone) -> None:
    form = form_of(host.get("/boards/eight-round-rummy").text)
    assert [form[f"round.{at}.points"] for at in range(8)] == list("12345678")
    form |= {"name": "Ours", "round.7.points": "20"}
    card = host.get(host.post("/boards/eight-round-rummy", form).location).text
    assert "Round 8: Same numbers, 20 points." in card
    assert "On the sheet: Round 8: Same numbers, 8 points." in card
    night = site.tables.get(site.open_night(host, preset="ours")).night
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
    EditedLibrary(site.tables.store).add(replace(fined, id="fined", base="michigan"))
    page = host.get("/boards/fined")
    assert HtmlPage(page.text).values("[name$=takes_fines][checked]", "name") == ["pot.2.takes_fines"]
    assert host.post("/boards/fined", form_of(page.text)).status_code == 303
    kept = site.tables.library.find("fined")
    assert (kept["stop.pot"], kept.fines_pot) == ("by_board", kept.pot("queen-diamonds"))


def test_a_board_kept_with_such_an_ante_is_played_as_before_and_mended_when_it_is_changed(
    site: Site, host: ClientPhone
) -> None:
    royal = built_in("royal-rummy")
    pots = tuple(replace(pot, ante=3 if pot.won_by == "side" else pot.ante) for pot in royal.pots)
    old = EditedLibrary(site.tables.store).save(replace(royal, id="ours", name="Ours", pots=pots))
    table = site.tables.get(site.open_night(host, preset="ours"))
    paid = {pot.id: table.preset.ante(pot, 1, is_dealer=False) for pot in table.preset.pots}
    assert paid == {pot.id: royal.ante(pot, 1, is_dealer=False) for pot in royal.pots}
    form = form_of(host.get("/boards/ours").text)
    assert host.post("/boards/ours", form).status_code == 422
    mended = {key: "" if value == "3" and key.endswith(".ante") else value for key, value in form.items()}
    assert host.post("/boards/ours", mended).status_code == 303
    assert site.tables.library.find(old.id).pots == royal.pots


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
    code = site.open_night(host, preset="our-board")
    assert host.post("/boards/our-board/duplicate").location == "/boards/our-board-copy"
    gone = host.post("/boards/our-board/delete").location
    assert [one.id for one in site.tables.library.own()] == ["our-board-copy"]
    assert "/boards/our-board/bring-back" in host.get(gone).text
    assert host.post("/new", {"preset": "our-board", "host": "Ruth"}).status_code == 404
    assert "Everybody starts with 42 chips." in host.get(f"/n/{code}/rules").text, "the night has its own"
    host.post("/boards/our-board/bring-back")
    assert site.tables.library.find("our-board").stack == 42
    for page in ("boards", "boards/our-board", "boards/our-board/card", "boards/our-board/share", "new"):
        assert host.get(f"/{page}").status_code == 200
    assert host.get("/boards/nothing").status_code == 404


# The form by itself

TYPED = st.text(max_size=30)
ROWS = st.lists(st.fixed_dictionaries(dict.fromkeys(NEW_ROWS["pot"], TYPED)), max_size=MOST_POTS + 1)


def with_pots(*pots: Typed) -> EditorSheet:
    sheet = sheet_of(RUMMY)
    return replace(sheet, rows={**sheet.rows, "pot": pots})


@settings(max_examples=25)
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


# A board inside a code: it comes out as it went in, and whatever else is pasted is refused in words.


WORDS_OF_VERSION_1 = 2679546286
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


@each_preset
def test_a_preset_comes_out_as_it_went_in_and_fits_a_code(preset: Preset) -> None:
    code = preset_to_code(preset)
    assert preset_from_code(f" http://192.168.1.5:8000/b/{code.lower()}/\n") == preset_from_code(code) == preset
    assert code.isalnum()
    assert len(code) < 500


@given(st.text(min_size=1, max_size=60, alphabet=st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_any_names_travel_also_on_large_boards(name: str) -> None:
    pots = tuple(Pot(f"p{at}", f"{at} {name}"[:60], f"L{at}", cards=("10H",)) for at in range(16))
    board = replace(RUMMY, name=name.strip() or "x", pots=pots)
    assert preset_from_code(preset_to_code(board)).name == board.name


def test_the_code_of_version_1_never_changes() -> None:
    assert zlib.crc32(preset_words()) == WORDS_OF_VERSION_1


def test_a_code_with_a_wrong_letter_never_gives_another_board_and_is_nearly_always_refused() -> None:
    """A letter may stand for bits behind the end, or for another way to say the same."""
    code, read = preset_to_code(RUMMY), []
    wrong = [code[:at] + letter + code[at + 1 :] for at in range(len(code)) for letter in LETTERS if letter != code[at]]
    for text in wrong:
        with suppress(PresetError):
            read.append(preset_from_code(text))
    assert set(map(preset_to_code, read)) <= {code}
    assert len(read) < len(wrong) / 200


# `board-tracker presets` lists, shows, checks and prints boards.


def run(folder: Path, *words: str | Path, text: str | None = None) -> Result:
    return run_subcommand("presets", *words, text=text, BOARD_TRACKER_DATA=str(folder))


def own_preset(folder: Path, **changes: Any) -> None:
    with closing(Store(folder / "nights.db")) as store:
        EditedLibrary(store).save(
            replace(built_in("michigan-rummy"), id="ours", name="Our board", base="michigan-rummy", **changes)
        )


def test_presets_are_listed_with_the_tables_own_first_and_shown_as_files(tmp_path: Path) -> None:
    own_preset(tmp_path)
    ids = [line.split()[0] for line in run(tmp_path).stdout.splitlines()]
    assert ids == ["ours", *(preset.id for preset in all_built_in())]
    assert run(tmp_path, "list").stdout == run(tmp_path).stdout
    for preset in ids[:2]:
        text = run(tmp_path, preset).stdout
        assert preset_to_toml(preset_from_toml(text)) == text == run(tmp_path, "show", preset).stdout
        assert run(tmp_path, "check", "-", text=text).exit_code == 0


def test_what_is_not_there_or_no_preset_is_refused_in_one_line(tmp_path: Path) -> None:
    for words, status in ((["show", "chess"], 1), (["print", "chess"], 1), (["chess"], 1), (["check", "no.toml"], 2)):
        answer = run(tmp_path, *words)
        assert (answer.exit_code, answer.stderr.count("\n")) == (status, 1), words
    assert [run(tmp_path, "check", "-", text=text).exit_code for text in ("", "[", "x" * 20_000)] == [2] * 3


def test_a_rule_card_is_printed_with_the_rules_that_differ_from_the_printed_game(tmp_path: Path) -> None:
    own_preset(tmp_path, rules={"ante.dealer": 3})
    said = run(tmp_path, "print", "ours").stdout
    assert "* Everybody puts 1 chip in each place, the dealer 3. (printed: Everybody puts 1 chip in each place" in said
    file = tmp_path / "board.toml"
    file.write_text(run(tmp_path, "ours").stdout, "utf-8")
    assert run(tmp_path, "print", file).stdout == said


def test_a_preset_file_is_imported_once_under_its_own_id_where_that_is_free(tmp_path: Path) -> None:
    text = run(tmp_path, "michigan-rummy").stdout.replace("stack = 100", "stack = 50")
    free = text.replace('id = "michigan-rummy"', 'id = "theirs"')
    told = [run(tmp_path, "import", "-", text=one).stdout.split()[0] for one in (text, free.replace("50", "60"), text)]
    assert told == ["michigan-rummy-2", "theirs", "michigan-rummy-2"]
    assert [line.split()[0] for line in run(tmp_path).stdout.splitlines()][2] == "michigan-rummy"


def test_a_terminal_without_the_suits_shows_a_question_mark(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    printed = subprocess.run(
        command_line("presets", "print", "michigan-rummy", "--data", tmp_path),
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
        stdout=theirs,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(theirs)
    said = os.read(ours, 100_000)
    os.close(ours)
    assert (printed.returncode, printed.stderr) == (0, b"")
    assert b"10?" in said


# The library of boards: ids of their own, and nothing that came with the tracker is overwritten.


@pytest.mark.every_place
def test_boards_of_the_table_have_ids_of_their_own_and_leave_those_of_the_tracker(store: Store) -> None:
    library = EditedLibrary(store)
    with pytest.raises(NotAllowed):
        library.save(replace(RUMMY, stack=1))
    with pytest.raises(Unknown):
        library.delete(RUMMY.id)
    with pytest.raises(PresetError):
        library.save(replace(RUMMY, id="ours", pots=()))
    assert library.own() == []
    first = library.add(replace(RUMMY, name="Michigan Rummy"))
    assert library.add(replace(first, id="elsewhere")) == first
    assert (first.id, library.add(replace(first, stack=50)).id) == ("michigan-rummy-2", "michigan-rummy-3")
    copy = library.duplicate("michigan-kitty", "Ours")
    assert (copy.base, copy.name, copy.id) == ("michigan-kitty", "Ours", "ours")
    assert library.duplicate("ours", "Ours").base == "michigan-kitty", "the printed game"
    assert [one.id for one in library.own() if one.name == "Ours"] == ["ours", "ours-2"]


@given(st.text(max_size=60), st.sets(st.sampled_from(["board", "board-2", "a", "import"])))
def test_every_name_makes_a_good_id(name: str, taken: set[str]) -> None:
    made = free_id(name, taken)
    assert made not in taken
    assert made != "import"
    assert faults(replace(RUMMY, id=made)) == []


# On a phone: a board made from nothing, and read by another phone from its code.


_here = at_table("here")


def add_place(phone: BrowserPhone, rank: str, sign: str) -> None:
    """A new place, its card typed with one tap on the suit; it moves before the kitty."""
    count = phone.page.locator(".pot").count()
    phone.tap_word("Add a place")
    phone.see(f".pot:nth-child({count + 1})")
    phone.page.tap(f"[name='pot.{count}.cards']")
    phone.page.keyboard.type(rank)
    phone.tap(f".pot:nth-child({count + 1}) [data-sign='{sign}']")
    phone.see(f"#preview .board .place-label:has-text('{rank}')")
    phone.tap(f"[value='pot.up.{count}']")
    until(phone.page, "at => document.querySelector(`[name='pot.${at}.cards']`)?.value === ''", count)


def test_a_new_preset_is_painted_before_it_is_saved_and_shared_by_its_code(here: BrowserNight) -> None:
    ann = here.host_phone("Ann")
    ann.page.goto(f"{here.server.here}/new")
    ann.tap_word("Your boards and rules", "Begin with an empty board")
    ann.page.wait_for_url("**/boards/blank")  # all of it: the name stands before the places, which are counted
    ann.page.fill("[name=name]", "Kitchen table")
    for rank, sign in (("A", "♠"), ("K", "♥"), ("Q", "♦")):
        add_place(ann, rank, sign)
    ann.tap(".stepper:has([name='ante.dealer']) [data-step='1']")
    ann.see_word("24 chips a hand")
    ann.tap(".pot:nth-child(2) summary", ".pot:nth-child(2) label:has([value='#23497F'])")
    tint = tint_of("#23497F")
    assert tint
    painted = f"#preview .w1 use[fill='{tint.fill}']"
    ann.see(painted)
    shown = ann.page.locator(painted).bounding_box()
    assert shown
    assert 0 <= shown["y"] < 400, "it is on the same screen"
    ann.tap_word("Save as our board")
    ann.see_word("Everybody puts 1 chip in each place, the dealer 2.")
    ann.tap_word("Share")
    ann.see(".boardqr .qr")
    ann.page.evaluate("document.adoptedStyleSheets = []")  # drawn from here on
    (found,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(ann.page.screenshot())))
    guest = here.phone("Guest")  # somebody who is no host there only reads
    guest.page.goto(here.server.here + urlsplit(found.text).path)
    guest.see_word("Everybody puts 1 chip in each place, the dealer 2.")
    guest.see_word("Carry it to your own tracker")


def test_a_place_of_a_side_bet_offers_no_ante_of_its_own(here: BrowserNight) -> None:
    ann = here.host_phone("Ann")
    ann.page.goto(f"{here.server.here}/boards/royal-rummy")
    place = ann.page.locator(".pot:has(option[value=side]:checked)").first
    place.locator("summary").click()
    at = place.locator("[name$='.won_by']")
    ante, dealer = place.locator("[name$='.ante']"), place.locator("[name$='.dealer_ante']")
    assert (ante.is_visible(), dealer.is_visible()) == (False, False)
    assert place.locator("[name$='.fed_by']").is_visible()
    name = at.get_attribute("name")
    assert name
    ann.page.select_option(f"[name='{name}']", "card")
    pot = ann.page.locator(f".pot:has([name='{name}'])")
    pot.locator("[name$='.ante']").fill("3")
    assert pot.locator("[name$='.dealer_ante']").is_visible()
    ann.page.select_option(f"[name='{name}']", "side")
    ann.see(f"[id='e-{name.removesuffix('won_by')}ante']:has-text('Leave this empty')")
    assert pot.locator("[name$='.ante']").is_visible()
    assert not pot.locator("[name$='.dealer_ante']").is_visible()
