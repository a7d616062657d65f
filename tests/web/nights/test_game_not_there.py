"""A night or a preset of a game whose extra is not there says so in a sentence, and takes down no list."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage

from tracker.core.apply import EVERY_GAME
from tracker.core.game import Game, add_game, remove_game
from tracker.core.preset import Preset, Seats

SAID = "ame must be one of pots"


class Towers(Game):
    """A game that is there until it is forgotten."""

    name = "towers"
    handlers = EVERY_GAME


@dataclass(frozen=True)
class Later:
    """A host's phone at a process without the game, and the codes of a night of it and of another one."""

    host: ClientPhone
    code: str
    other: str


@pytest.fixture(name="later")
def _later(site: Site, host: ClientPhone) -> Iterator[Later]:
    add_game(Towers())
    preset = site.tables.library.add(Preset("our-towers", "Our towers", "towers", Seats(2, 6)))
    code, other = site.open_night(host, "", preset.id), site.open_night(host, "Ruth")
    remove_game("towers")
    site.tables._open.pop(code)
    yield Later(host, code, other)
    remove_game("towers")


def test_a_list_of_nights_has_all_others(later: Later) -> None:
    home = HtmlPage(later.host.get("/nights").text)
    assert home.has(f'a[href^="/n/{later.other}"]')


def test_the_pages_of_such_a_night_say_why_it_can_t_be_shown(later: Later) -> None:
    assert "its game is not in this program" in HtmlPage(later.host.get(f"/nights/{later.code}").text).text()
    table = later.host.get(f"/n/{later.code}")
    assert table.status_code < 500
    assert SAID in HtmlPage(table.text).text()


def test_the_choice_of_games_goes_on_without_the_presets_of_such_a_game(later: Later) -> None:
    page = HtmlPage(later.host.get("/new").text).text()
    assert "Michigan Kitty" in page
    assert "Our towers" not in page
