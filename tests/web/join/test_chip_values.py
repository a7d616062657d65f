"""The lobby says what chips are worth: each colour where chips have colours, and money where some is at stake."""

import re
from collections.abc import Mapping

import pytest
from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import sample_night

from tracker.core.preset import Preset
from tracker.formats.built_in import all_built_in


def values(site: Site, preset: str = "michigan-rummy", rules: Mapping[str, int | str] | None = None) -> str:
    found = sample_night(site, preset, rules)
    page = HtmlPage(found.ben.get(f"{found.base}/lobby").text)
    return " ".join(page.texts("#chip-values, #money"))


def test_each_colour_and_the_money_are_said_to_everybody(site: Site) -> None:
    said = values(site, rules={"money.chips": 20, "money.cents": 100})
    assert "Chips count: white 1, red 5, blue 10 and gold 25." in said
    assert "20 chips are worth 1.00." in said


def test_without_money_only_the_colours_are_said(site: Site) -> None:
    assert "worth" not in values(site)


def test_a_game_without_chips_and_money_says_nothing(site: Site) -> None:
    assert values(site, "eight-round-rummy") == ""


@pytest.mark.parametrize("preset", [one for one in all_built_in() if one.chips], ids=lambda preset: preset.id)
def test_the_lobby_counts_the_colours_as_the_other_pages_do(site: Site, preset: Preset) -> None:
    found = sample_night(site, preset.id)
    lobby, count, card = (HtmlPage(found.host.get(f"{found.base}/{path}").text) for path in ("lobby", "count", "rules"))
    said = [f"{one.name} {one.value}" for one in preset.chips]
    values = re.search(r"Chips count: (.*?)[.]", lobby.text("#chip-values"))
    assert values
    assert values[1].replace(" and ", ", ").split(", ") == said
    assert values[0] in card.text()
    counted = count.texts(".colours")[0]
    assert re.findall(r"(\w+) × (\d+)", counted) == [(one.name, str(one.value)) for one in preset.chips]
