"""The lobby says what chips are worth: each colour where chips have colours, and money where some is at stake."""

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest
from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import record, sample_night

from tracker.core.events import Name, SeatId, Sit
from tracker.core.preset import ChipColour, Preset
from tracker.formats.built_in import all_built_in, built_in


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
def test_the_advice_for_a_small_box_counts_the_colours_as_the_other_pages_do(site: Site, preset: Preset) -> None:
    found = sample_night(site, preset.id)
    for number in range(5, 10):
        record(found.table, Sit(SeatId(f"p-{number}"), Name(f"P{number}")))
    lobby, settings, count, card = (
        HtmlPage(found.host.get(f"{found.base}/{path}").text) for path in ("lobby", "settings", "count", "rules")
    )
    said = [f"{one.name} {one.value}" for one in preset.chips]
    assert settings.texts(".box96 li") == said
    values = re.search(r"Chips count: (.*?)[.]", lobby.text("#chip-values"))
    assert values
    assert values[1].replace(" and ", ", ").split(", ") == said
    assert values[0] in card.text()
    counted = count.texts(".colours")[0]
    assert re.findall(r"(\w+) × (\d+)", counted) == [(one.name, str(one.value)) for one in preset.chips]


def test_colours_that_are_too_few_as_well_are_not_recommended(site: Site) -> None:
    ones = replace(built_in("michigan-rummy"), id="only-ones", chips=(ChipColour("white", "#F5E8CC", 1),))
    site.tables.library.add(ones)
    found = sample_night(site, ones.id)
    record(found.table, Sit(SeatId("jo"), Name("Jo")))
    page = HtmlPage(found.host.get(f"{found.base}/settings").text)
    assert "By colour it is too few as well" in page.text("details")
    assert not page.has(".box96")
