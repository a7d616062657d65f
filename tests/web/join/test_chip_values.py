"""The lobby says what chips are worth: each colour where chips have colours, and money where some is at stake."""

from __future__ import annotations

from collections.abc import Mapping

from support.client_phones import Site
from support.html_page import HtmlPage
from support.sample_nights import sample_night


def values(site: Site, preset: str = "michigan-rummy", rules: Mapping[str, int | str] | None = None) -> str:
    found = sample_night(site, preset, rules)
    page = HtmlPage(found.ben.get(f"{found.base}/lobby").text)
    return page.text("#chip-values") if page.has("#chip-values") else ""


def test_each_colour_and_the_money_are_said_to_everybody(site: Site) -> None:
    said = values(site, rules={"money.chips": 20, "money.cents": 100})
    assert "Chips count: white 1, red 5, blue 10 and gold 25." in said
    assert "20 chips are worth 1.00." in said


def test_without_money_only_the_colours_are_said(site: Site) -> None:
    assert "worth" not in values(site)


def test_a_game_without_chips_and_money_says_nothing(site: Site) -> None:
    assert values(site, "eight-round-rummy") == ""
