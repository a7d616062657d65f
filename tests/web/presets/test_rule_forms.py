"""House rules in forms: of a new night, of a night that is being played, and of the editor."""

import pytest
from markupsafe import escape
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage, form_of

from tracker.core.events import Chips, Hand, NoSale, Out
from tracker.core.house_rules import HOUSE_RULES
from tracker.core.preset import Preset, fits_preset, has_effect, idle_when
from tracker.formats.built_in import all_built_in, built_in, built_in_ids, printed_game
from tracker.web.wording.game_words import RULE_WORDS, hint, label, sentence, value_words


@pytest.mark.parametrize("preset_id", [one.id for one in all_built_in()])
def test_set_up_and_the_editor_ask_for_each_house_rule_that_fits_the_board_in_the_same_words(
    host: ClientPhone, preset_id: str
) -> None:
    preset = built_in(preset_id)
    set_up, editor = host.get(f"/new/{preset_id}").text, host.get(f"/boards/{preset_id}").text
    for key, rule in HOUSE_RULES[preset.game].items():
        assert (f'name="{key}"' in set_up) == fits_preset(preset, key), key
        assert (f'name="{key}"' in editor) == (fits_preset(preset, key) and key != "stop.pot"), key
        if key != "stop.pot" and not key.startswith("money.") and fits_preset(preset, key):
            said = hint(preset.game, key, printed_game(preset))
            for words in (label(key), said, *(value_words(key, choice) for choice in rule.choices)):
                assert str(escape(words)) in set_up, (key, words)
                assert str(escape(words)) in editor, (key, words)


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
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


def test_a_new_night_offers_boards_score_sheets_and_their_own_boards(site: Site, host: ClientPhone) -> None:
    host.post("/boards/blank", form_of(host.get("/boards/blank").text))
    shown = HtmlPage(host.get("/new").text).values("[name=preset]", "value")
    assert shown[:4] == ["michigan-rummy", "michigan-kitty", "hearts-played", "hearts-three-stages"]
    assert shown[-1] == "our-board"
    assert len(shown) == len(set(shown)) == len(built_in_ids()) + 1
    site.open_night(host, preset="pope-joan")
    assert HtmlPage(host.get("/new").text).values("[name=preset]", "value")[0] == "pope-joan"


def test_last_time_is_offered_with_its_own_rules(site: Site, host: ClientPhone) -> None:
    host.post("/new", {"preset": "michigan-rummy", "host": "Ruth", "full": "1", "ante.dealer": "5"})
    assert HtmlPage(host.get("/new").text).values("[name=preset]", "value")[0] == "as-last"
    code = host.post("/new", {"preset": "as-last", "host": "Ruth"}).location.split("/")[2]
    assert site.tables.get(code).preset["ante.dealer"] == 5


def test_a_rule_changed_in_mid_night_holds_from_the_next_hand_and_is_described_in_words(
    site: Site, host: ClientPhone
) -> None:
    code = site.open_night(host)
    guest, watcher = site.join(code, "Ben"), site.request_join(code, watch="1")
    site.start_first_hand(host, code)
    page = host.get(f"/n/{code}/rules").text
    form = {name: value for name, value in form_of(page).items() if name != "key"}
    assert "Change a rule" not in guest.get(f"/n/{code}/rules").text
    assert guest.post(f"/n/{code}/rules", form).status_code == 403
    assert host.post(f"/n/{code}/rules", {**form, "out.per_card": "x"}).status_code == 422
    assert host.post(f"/n/{code}/rules", {**form, "out.per_card": "3"}).status_code == 303
    table = site.tables.get(code)
    assert (table.night.preset["out.per_card"], table.night.new_rules) == (1, {"out.per_card": 3})
    told = "Chips for every card left: 3"
    assert f"A new rule from the next hand on: {told}" in guest.get(f"/n/{code}/log").text
    assert told in guest.get(f"/n/{code}/rules").text
    for phone in (host, guest, watcher):
        assert f"<b>Next hand:</b> {told}</a>" in phone.get(f"/n/{code}").text
    table.record(NoSale(), id="a", by="host")  # other things happen, and it is still to be read
    table.record(Out("ruth", {"ben": Chips(2)}), id="b", by="host")
    assert told in guest.get(f"/n/{code}").text
    table.record(Hand("ben"), id="c", by="host")
    assert table.night.preset["out.per_card"] == 3
    assert 'id="news"' not in guest.get(f"/n/{code}").text
    assert host.post(f"/n/{code}/rules", form).status_code == 303
    assert host.get(f"/n/{code}/rules").status_code == 200


@pytest.mark.parametrize("preset", all_built_in(), ids=lambda preset: preset.id)
def test_a_form_marks_rules_without_effect_and_names_the_values_that_cause_it(
    host: ClientPhone, preset: Preset
) -> None:
    page = HtmlPage(host.get(f"/new/{preset.id}").text)
    for key in HOUSE_RULES[preset.game]:
        field = f'[name="{key}"]'
        if key.startswith("money.") or not page.has(field):
            continue
        box = f"div:has(> .field {field}), div:has(> .stepper {field})"
        is_marked = "Not in force as the other rules stand." in " ".join(page.texts(f"{box}"))
        assert is_marked == (not has_effect(preset, key)), key
        conditions = page.select(box)[0].get("data-idle").split()
        idle = {one.partition("=")[0]: one.partition("=")[2].split(",") for one in conditions}
        assert idle == {other: list(map(str, values)) for other, values in idle_when(preset, key).items()}


def test_where_all_ante_alike_the_dealer_does_so_too_when_the_ante_is_changed(host: ClientPhone) -> None:
    said = {"michigan-kitty": "Everybody puts 3 chips in each place.", "michigan-rummy": "each place, the dealer 2."}
    for preset, said_there in said.items():
        lobby = host.post("/new", {"preset": preset, "host": "Ruth", "full": "1", "ante.each": "3"}).location
        assert said_there in host.get(lobby.replace("lobby", "rules")).text


def test_a_stake_on_every_place_is_refused_with_too_few_chips_when_it_is_chosen(site: Site, host: ClientPhone) -> None:
    chosen = {"stakes.budget": "3", "stakes.cover_all": "on"}
    answer = host.post("/new", {"preset": "newmarket", "host": "Ruth", "full": "1", **chosen})
    assert answer.status_code == 422
    assert "a chip for each place" in answer.text
    code = site.open_night(host, preset="newmarket")
    page = f"/n/{code}/rules"
    form: dict[str, str | list[str]] = {**HtmlPage(host.get(page).text).form("form:has([name='stakes.budget'])")}
    answer = host.post(page, {**form, **chosen})
    assert answer.status_code == 422
    assert "a chip for each place" in answer.text
    assert not site.tables.get(code).night.new_rules
    assert host.post(page, {**form, **chosen, "stakes.budget": "4"}).status_code == 303


@pytest.mark.parametrize("preset", ["michigan-rummy", "michigan-rummy-snake"])
def test_a_link_to_a_part_of_a_page_shows_that_part_unfolded(site: Site, host: ClientPhone, preset: str) -> None:
    night = f"/n/{site.open_night(host, preset=preset)}"
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
