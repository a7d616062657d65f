"""Three evenings are played by keyboard alone, and what a screen reader says in them is what docs/by-ear.md says."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from support.evenings_by_ear import EVENINGS, PAGE, evening_lines
from support.listeners import EarsNight
from support.of_extras import needs_all_extras

MOST_KEYS = 40
"""Of all together in a hand in which nothing special happens: by Tab alone the host needed 124."""


@pytest.fixture(name="played", scope="module", params=EVENINGS)
def _played(
    request: pytest.FixtureRequest, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, EarsNight]:
    """Give the name of an evening, and the evening once it is over."""
    needs_all_extras()
    folder: Path = tmp_path_factory.mktemp("evening")
    return request.param, EVENINGS[request.param](browser, folder)


def test_an_evening_is_heard_as_the_page_says(played: tuple[str, EarsNight]) -> None:
    """Where not: `PYTHONPATH=.:tests python tests/support/evenings_by_ear.py` writes the page anew: read it then."""
    name, night = played
    kept = PAGE.read_text("utf-8").partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    assert kept.strip() == "\n".join(evening_lines(night)).strip()


def test_nothing_without_a_name_has_the_focus_and_nothing_is_told_twice(played: tuple[str, EarsNight]) -> None:
    _name, night = played
    assert {one.name: one.unnamed for one in night.listeners} == {"Ruth": [], "Gus": []}
    said = [line for _title, parts in night.sections for _name, lines in parts for line in lines]
    assert [one for one, after in pairwise(said) if one == after] == []
    assert [line for line in said if re.search(r"(“.+”) \1", line)] == []


HANDS = {"Michigan Rummy": 9, "Michigan Kitty": 3, "Hearts": 5}


def test_all_hands_are_played_and_a_hand_takes_few_keys(played: tuple[str, EarsNight]) -> None:
    name, night = played
    hands = {title: keys for title, keys in night.keys_of_sections().items() if re.match(r"Hand \d|Round \d", title)}
    assert len(hands) == HANDS[name]
    usual = {title: keys for title, keys in hands.items() if ":" not in title or "as most are" in title}
    assert usual
    assert max(usual.values()) <= MOST_KEYS, usual
