"""House rules in forms: of a new night, of one that is played, and of the editor; and what they call usual."""

from collections.abc import Collection, Iterator
from dataclasses import replace

import pytest
from markupsafe import escape
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage, Tag, form_of, text_of
from support.of_extras import of_extras
from support.sample_nights import Form, record

from tracker.core.events import Chips, Hand, NoSale, Out
from tracker.core.house_rules import HOUSE_RULES
from tracker.core.preset import Preset, fits_preset, has_effect, idle_when
from tracker.formats.built_in import all_built_in, built_in, built_in_ids, printed_game
from tracker.web.wording.game_words import RULE_WORDS, change_words, groups, hint, label, value_words


def test_a_new_night_offers_boards_score_sheets_and_their_own_boards(site: Site, host: ClientPhone) -> None:
    site.tables.library.settings.own_presets.put("our-board", replace(built_in("michigan-rummy"), id="our-board"))
    shown = HtmlPage(host.get("/new").text).values("[name=preset]", "value")
    assert shown[:4] == ["michigan-rummy", "michigan-kitty", "hearts-played", "hearts-three-stages"]
    assert shown[-1] == "our-board"
    assert len(shown) == len(set(shown)) == len(built_in_ids()) + 1


def test_the_game_of_last_time_is_offered_first_with_its_own_rules_and_the_hosts_name(
    site: Site, host: ClientPhone
) -> None:
    host.post("/new", {"preset": "michigan-rummy", "host": "Ruth", "full": "1", "ante.dealer": "5"})
    page = HtmlPage(host.get("/new").text)  # after one night: two of one second have no order
    assert page.values("[name=preset]", "value")[0] == "as-last"
    assert page.has('[value="Ruth"]')
    code = host.post("/new", {"preset": "as-last", "host": "Ruth"}).location.split("/")[2]
    assert site.tables.get(code).preset["ante.dealer"] == 5


def test_a_rule_changed_in_mid_night_holds_from_the_next_hand_and_is_described_in_words(
    site: Site, host: ClientPhone
) -> None:
    code = site.open_night(host)
    guest, watcher = site.join(code, "Ben"), site.request_join(code, watch="1")
    site.start_first_hand(host, code)
    rules, table, told = f"/n/{code}/rules", site.tables.get(code), "Chips for every card left: 3"
    form = {name: value for name, value in form_of(host.get(rules).text).items() if name != "key"}
    assert "Change a rule" not in guest.get(rules).text
    for phone, typed, status in ((guest, "3", 403), (host, "x", 422), (host, "3", 303)):
        assert phone.post(rules, {**form, "out.per_card": typed}).status_code == status
    assert (table.night.preset["out.per_card"], table.night.new_rules) == (1, {"out.per_card": 3})
    assert f"A new rule from the next hand on: {told}" in guest.get(f"/n/{code}/log").text
    assert told in guest.get(rules).text
    for phone in (host, guest, watcher):
        assert f"<b>Next hand:</b> {told}</a>" in phone.get(f"/n/{code}").text
    record(table, NoSale(), Out("ruth", {"ben": Chips(2)}))  # other things happen, and it is still to be read
    assert told in guest.get(f"/n/{code}").text
    record(table, Hand("ben"))
    assert table.night.preset["out.per_card"] == 3
    assert 'id="news"' not in guest.get(f"/n/{code}").text
    assert host.post(rules, form).status_code == 303
    assert host.get(rules).status_code == 200


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_set_up_asks_for_each_house_rule_that_fits_the_board_in_words_and_marks_those_without_effect(
    host: ClientPhone, preset: Preset
) -> None:
    set_up = host.get(f"/new/{preset.id}").text
    page = HtmlPage(set_up)
    for key, rule in HOUSE_RULES[preset.game].items():
        field = f'[name="{key}"]'
        assert page.has(field) == fits_preset(preset, key), key
        if key.startswith("money.") or not page.has(field):
            continue
        choices = () if key == "stop.pot" else rule.choices
        said = hint(preset.game, key, printed_game(preset))
        for words in (label(key), said, *(value_words(key, choice) for choice in choices)):
            assert str(escape(words)) in set_up, (key, words)
        box = page.one(f"div:has(> .field {field}), div:has(> .stepper {field})")
        is_marked = "Not in force as the other rules stand." in text_of(box)
        assert is_marked == (not has_effect(preset, key)), key
        idle = dict(one.split("=") for one in box.get("data-idle").split())
        assert idle == {other: ",".join(map(str, values)) for other, values in idle_when(preset, key).items()}


def test_where_all_ante_alike_the_dealer_does_so_too_when_the_ante_is_changed(host: ClientPhone) -> None:
    said = {"michigan-kitty": "Everybody puts 3 chips in each place.", "michigan-rummy": "each place, the dealer 2."}
    for preset, said_there in said.items():
        lobby = host.post("/new", {"preset": preset, "host": "Ruth", "full": "1", "ante.each": "3"}).location
        assert said_there in host.get(lobby.replace("lobby", "rules")).text


def test_a_stake_on_every_place_is_refused_with_too_few_chips_when_it_is_chosen(site: Site, host: ClientPhone) -> None:
    code = site.open_night(host, preset="newmarket")
    new: Form = {"preset": "newmarket", "host": "Ruth", "full": "1"}
    tonight: Form = {**HtmlPage(host.get(f"/n/{code}/rules").text).form("form:has([name='stakes.budget'])")}
    for page, form in (("/new", new), (f"/n/{code}/rules", tonight)):
        answer = host.post(page, {**form, "stakes.budget": "3", "stakes.cover_all": "on"})
        assert answer.status_code == 422
        assert "a chip for each place" in answer.text
        assert not site.tables.get(code).night.new_rules
        assert host.post(page, {**form, "stakes.budget": "4", "stakes.cover_all": "on"}).status_code == 303


def test_a_link_to_a_part_of_a_page_shows_that_part_unfolded(site: Site, host: ClientPhone, code: str) -> None:
    night = f"/n/{code}"
    site.join(night[3:], "Ben")
    links = {
        f"{path.partition('?')[0] * (not link.partition('#')[0])}{link}"
        for path in ("/", f"{night}/lobby", f"{night}/dealer")
        for link in HtmlPage(host.get(path).text).values('a[href*="#"]', "href")
    }
    assert {link for link in links if link.startswith(night)} == {f"{night}/rules?rule=money.cents#l-money.cents"}
    for link in links:
        address, _, part = link.partition("#")
        page = HtmlPage(host.get(address).text)
        assert page.has(f'[id="{part}"]'), link
        assert not page.has(f'details:not([open]) > :not(summary) [id="{part}"]'), link
        assert not page.has(f'details:not([open]) > :not(summary)[id="{part}"]'), link


# What a form calls usual is what the printed game of that form has, and the page says so in both languages


USUALLY = {"en-GB": "Usually: {}.", "de-DE": "Üblich: {}."}


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
    forms = [path.format(preset.id) for path in of_extras("form_of_preset")]
    for path in (f"/new/{preset.id}", f"/n/{code}/rules", *forms):
        found = [*fields(HtmlPage(host.get(path, Accept_Language=language).text), rules)]
        assert len(found) >= 3, path
        assert [key for key, value, said in found if USUALLY[language].format(value) not in said] == [], path


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_a_board_made_from_a_printed_game_keeps_that_games_usual_values(preset: Preset) -> None:
    printed = printed_game(preset)
    assert printed
    own = replace(preset, id="our-way", base=printed.id, source="")
    assert printed_game(own) == printed
    for other in (replace(own, base=""), replace(own, game="of another kind")):
        assert printed_game(other) is None


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_a_value_of_the_games_own_is_not_said_to_be_another_sheets(preset: Preset) -> None:
    for key, rule in HOUSE_RULES[preset.game].items():
        said, has_source = hint(preset.game, key, preset), bool(rule.source) and preset[key] == rule.default
        assert (f"Source: {rule.source}." in said) == has_source, key
        assert f"Usually: {value_words(key, preset[key])}." in said, key


# The words


@pytest.mark.parametrize("game", HOUSE_RULES)
def test_every_house_rule_has_a_name_words_for_its_choices_and_a_place_in_the_editor(game: str) -> None:
    placed = [key for group in groups(game) for key in group.keys]
    assert sorted(placed) == sorted(HOUSE_RULES[game])
    for key, rule in HOUSE_RULES[game].items():
        words = RULE_WORDS[key]
        assert words.label
        assert set(words.choices) == set(rule.choices)
        assert set(words.sentences) <= set(rule.choices)
        source = f"Source: {rule.source}." if rule.source else ""
        default = f"Usually: {value_words(key, rule.default)}."
        assert hint(game, key, None) == " ".join(filter(None, (words.help, default, source)))
        assert not words.help or words.help.endswith(".")


def test_no_two_choices_of_a_rule_read_the_same() -> None:
    for key, words in RULE_WORDS.items():
        for told in (words.choices, words.sentences):
            assert len(set(told.values())) == len(told), key


def test_a_changed_rule_reads_as_words() -> None:
    rummy = built_in("michigan-rummy")
    end = "Left on the board at the end: goes to the winner of the last hand"
    assert change_words(rummy, "end", "last_hand_winner") == end
    assert change_words(rummy, "out.per_card", 2) == "Chips for every card left: 2"
    assert change_words(rummy, "stop.pot", "poker") == "Stuck: into which place: Poker pool"
