"""What a form calls usual is what the printed game of that form has, and the page says so in both languages."""

from collections.abc import Collection, Iterator
from dataclasses import replace

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage, Tag
from support.translatable_texts import compile_texts

from tracker.core.house_rules import HOUSE_RULES, HouseRule
from tracker.core.preset import Preset
from tracker.formats.built_in import all_built_in, printed_game
from tracker.web.wording.game_words import hint, value_words

USUALLY = {"en-GB": "Usually: {}.", "de-DE": "Üblich: {}."}


@pytest.fixture(autouse=True, scope="module")
def _german() -> None:
    compile_texts()


def fields(page: HtmlPage, keys: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the key, the value in words and the sentence of those settings of a form that have a sentence."""
    for field in page.select("select[name], input[name]"):
        key = field.get("name")
        if key in keys and page.has(f'[id="h-{key}"]'):
            yield key, shown(field), page.text(f'[id="h-{key}"]')


def shown(field: Tag) -> str:
    chosen = field.select_one("option[selected]")
    return chosen.get_text().strip() if chosen else field.get("value") or field.get("placeholder")


@pytest.mark.parametrize("language", USUALLY)
@pytest.mark.parametrize("preset", [one for one in all_built_in() if not one.base], ids=lambda preset: preset.id)
def test_the_forms_of_a_printed_game_call_usual_what_it_has(
    site: Site, host: ClientPhone, preset: Preset, language: str
) -> None:
    rules, code = set(HOUSE_RULES[preset.game]), site.open_night(host, preset=preset.id)
    for path in (f"/new/{preset.id}", f"/n/{code}/rules", f"/boards/{preset.id}"):
        found = [*fields(HtmlPage(host.get(path, Accept_Language=language).text), rules)]
        assert len(found) >= 3, path
        assert [key for key, value, said in found if USUALLY[language].format(value) not in said] == [], path


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_a_board_made_from_a_printed_game_keeps_that_games_usual_values(site: Site, preset: Preset) -> None:
    printed, host = printed_game(preset), site.host()
    assert printed
    changed = {key: next(one for one in rule.choices if one != printed[key]) for key, rule in choices(preset).items()}
    own = replace(preset, id="our-way", base=printed.id, rules={**preset.rules, **changed}, source="")
    site.tables.library.add(own)
    found = [*fields(HtmlPage(host.get("/new/our-way").text), changed)]
    for key, value, said in found:
        usual = value_words(key, printed[key])
        assert f"Usually: {usual}." in said, key
        assert value != usual, key


def choices(preset: Preset) -> dict[str, HouseRule]:
    return {key: rule for key, rule in HOUSE_RULES[preset.game].items() if len(rule.choices) > 1}


@pytest.mark.parametrize("game", HOUSE_RULES)
def test_a_board_from_no_printed_game_is_told_what_holds_unless_it_says_otherwise(site: Site, game: str) -> None:
    like = next(one for one in all_built_in() if one.game == game)
    own = replace(like, id="from-nowhere", base="", rules={})
    site.tables.library.add(own)
    assert printed_game(own) is None
    found = [*fields(HtmlPage(site.host().get("/new/from-nowhere").text), HOUSE_RULES[game])]
    assert len(found) >= 3
    for key, value, said in found:
        assert f"Usually: {value}." in said, key


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_a_value_of_the_games_own_is_not_said_to_be_another_sheets(preset: Preset) -> None:
    for key, rule in HOUSE_RULES[preset.game].items():
        said, has_source = hint(preset.game, key, preset), bool(rule.source) and preset[key] == rule.default
        assert (f"Source: {rule.source}." in said) == has_source, key
        assert f"Usually: {value_words(key, preset[key])}." in said, key
