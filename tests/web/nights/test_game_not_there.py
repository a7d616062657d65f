"""A night or a preset of a game whose extra is not there says so in a sentence, and takes down no list."""

from collections.abc import Iterator

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage

from tracker.core.apply import EVERY_GAME
from tracker.core.game import Game, add_game, remove_game
from tracker.core.preset import Preset, Seats


class Towers(Game):
    """A game that is there until it is forgotten."""

    name = "towers"
    handlers = EVERY_GAME


@pytest.fixture(name="code_of_towers")
def _code_of_towers(site: Site, host: ClientPhone) -> Iterator[str]:
    """The code of a night of a game that is gone by now."""
    add_game(Towers())
    preset = Preset("our-towers", "Our towers", "towers", Seats(2, 6))
    site.tables.library.settings.own_presets.put(preset.id, preset)
    code = site.open_night(host, "", preset.id)
    remove_game("towers")
    site.tables._open.pop(code)
    yield code
    remove_game("towers")


def test_a_night_of_such_a_game_says_why_it_cannot_be_shown(host: ClientPhone, code_of_towers: str) -> None:
    assert "its game is not in this program" in HtmlPage(host.get(f"/nights/{code_of_towers}").text).text()
    table = host.get(f"/n/{code_of_towers}")
    assert table.status_code < 500
    assert "ame must be one of pots" in HtmlPage(table.text).text()


@pytest.mark.usefixtures("code_of_towers")
def test_the_lists_of_nights_and_of_games_have_all_others(site: Site, host: ClientPhone) -> None:
    other = site.open_night(host)
    assert HtmlPage(host.get("/nights").text).has(f'a[href^="/n/{other}"]')
    games = HtmlPage(host.get("/new").text).text()
    assert "Michigan Kitty" in games
    assert "Our towers" not in games
