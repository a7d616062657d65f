"""Score games at the pages that all games share: lobby, menu, house rules, first page and settlement."""

from collections.abc import Sequence

import pytest
from extras._shared.score_nights import ScoreNight, round_won, rummy
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.of_extras import of_extras
from support.sample_nights import record, sample_night

from tracker.core import events
from tracker.core.preset import Preset
from tracker.formats.built_in import all_built_in

ROUNDS, SNAKE = "eight-round-rummy", "michigan-rummy-snake"
SCORE_GAMES = [preset for preset in all_built_in() if not preset.is_pot_game]
CHANGES = {
    ROUNDS: ("tie", "round_8", "Equal points at the end: whoever won round 8"),
    SNAKE: ("fault.points", "30", "A fault costs: 30"),
}


def begun(phone: ClientPhone, code: str) -> str:
    """Return where a phone in the lobby is led to."""
    return HtmlPage(phone.get(f"/n/{code}/lobby/seats").text).value("[data-begun]", "data-begun")


@pytest.mark.parametrize("preset", SCORE_GAMES, ids=lambda preset: preset.id)
def test_every_phone_goes_to_the_table_when_everyone_is_here_and_each_link_of_its_menu_opens(
    site: Site, preset: Preset
) -> None:
    host = site.host()
    code = site.open_night(host, preset=preset.id)
    host.post(f"/n/{code}/dealer", {})
    assert "Everyone is here" in host.get(f"/n/{code}/lobby").text, "one person alone begins none"
    ben = site.join(code, "Ben")
    assert begun(ben, code) == ""
    version = site.tables.get(code).version
    assert f'action="/n/{code}/dealer"' in host.get(f"/n/{code}/lobby").text
    assert host.post(f"/n/{code}/dealer", {}).location == f"/n/{code}"
    assert site.tables.get(code).version > version, "which sends it to every phone"
    assert begun(ben, code) == f"/n/{code}"
    assert "To the table" in ben.get(f"/n/{code}/lobby").text
    assert f'href="/n/{code}"' in host.get("/").text
    late = site.request_join(code, name="Jo")
    assert site.role(late.cookies, code) == "knock", "somebody at the table is asked, as after the first hand"
    for phone in (host, ben):
        menu = HtmlPage(phone.get(f"/n/{code}/sheet", HX_Request="true").text)
        links = menu.values(f'[href^="/n/{code}/"]', "href")
        assert {f"/n/{code}/{page}" for page in ("rules", "lobby", "files", *of_extras("menu"))} <= {*links}
        assert [link for link in links if link.isascii() and phone.get(link).status_code != 200] == []
        assert menu.has("form[action='/language'] [aria-pressed=true]")
        assert "This is the last hand" not in menu.text()


def test_the_address_of_a_sheet_that_is_loaded_again_shows_it_open_over_the_table(site: Site) -> None:
    night = ScoreNight(site, ROUNDS)
    for path in ("sheet", "sheet/ben"):
        whole = night.host.get(f"/n/{night.code}/{path}").text
        assert '<div class="sheets" id="sheets">' in whole
        assert night.host.get(f"/n/{night.code}/{path}", HX_Request="true").text.strip()[:80] in whole


def test_a_lobby_without_chips_says_nothing_of_their_worth(site: Site) -> None:
    found = sample_night(site, ROUNDS)
    assert HtmlPage(found.ben.get(f"{found.base}/lobby").text).texts("#chip-values, #money") == []


@pytest.mark.parametrize("game", CHANGES)
def test_a_changed_rule_holds_at_once_and_is_shown_on_every_screen(site: Site, game: str) -> None:
    night, (rule, value, told) = ScoreNight(site, game), CHANGES[game]
    assert night.host.post(f"/n/{night.code}/rules", {rule: value, "key": "k" * 22}).status_code == 303
    assert str(night.night.preset[rule]) == value
    for phone in night.phones.values():
        assert told in phone.get(f"/n/{night.code}").text
    for page in of_extras("watched"):
        assert told in night.host.get(f"/n/{night.code}{page}").text


@pytest.mark.parametrize(("game", "winners"), [(ROUNDS, ["Ben"]), (SNAKE, ["Ben", "Tom"])])
def test_the_first_page_and_the_settlement_name_the_same_winners(site: Site, game: str, winners: Sequence[str]) -> None:
    found = sample_night(site, game)
    if game == ROUNDS:
        record(found.table, *[round_won("ben")] * 7, round_won("mia", jokers=1))
    else:
        record(found.table, rummy("tom", {"ruth": 2, "ben": 4, "mia": 2}))
        record(found.table, rummy("ben", {"ruth": 2, "mia": 2, "tom": 4}), events.End())
    first, settlement = (HtmlPage(found.host.get(page).text) for page in ("/", f"{found.base}/settle"))
    names, is_shared = " and ".join(winners), len(winners) > 1
    assert first.text(f'a[href="{found.base}/settle"] .nm') == ("A tie" if is_shared else f"{names} won")
    podium = " ".join(settlement.texts(".podium h2"))
    assert podium == (f"{names} share the night" if is_shared else f"{names} wins the night")
