"""House rules are typed attributes, and do something wherever a board offers them."""

import re
from dataclasses import fields, replace

import pytest
from support.of_extras import needs
from support.paths import ROOT
from support.random_nights import every_preset

from tracker.core.game import GAMES
from tracker.core.house_rules import HOUSE_RULES, Value
from tracker.core.preset import Preset, has_effect
from tracker.formats.built_in import built_in, built_in_ids

EVERY_KEY = {key for rules in HOUSE_RULES.values() for key in rules}
KEY_IN_TEMPLATE = re.compile(r"""\b(?:p|preset)\[(['"])([^'"]+)\1\]""")


def test_each_attribute_is_the_key_with_underscores_for_dots() -> None:
    needs("rum")  # the core has attributes for its games that are played to a number
    attributes = {one.name for game in GAMES.values() for one in fields(game.rules)}
    assert attributes == {key.replace(".", "_") for key in EVERY_KEY}
    assert len(attributes) == len(EVERY_KEY)


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: preset.id)
def test_an_attribute_and_its_key_give_the_same_value(preset: Preset) -> None:
    for key in HOUSE_RULES[preset.game]:
        assert getattr(preset.house_rules, key.replace(".", "_")) == preset[key]


def test_every_house_rule_that_a_template_names_exists() -> None:
    needs("rum")  # a template of all score games names one of its rules
    texts = [path.read_text("utf-8") for path in (ROOT / "templates").rglob("*.html")]
    named = {match[2] for text in texts for match in KEY_IN_TEMPLATE.finditer(text)}
    assert named
    assert named <= EVERY_KEY


@pytest.mark.parametrize("game", HOUSE_RULES)
def test_a_rule_is_idle_by_values_of_other_rules_of_its_game(game: str) -> None:
    for rule in HOUSE_RULES[game].values():
        for other, values in rule.idle_when.items():
            assert other != rule.key
            assert [value for value in values if HOUSE_RULES[game][other].fault(value)] == []


WITHOUT_EFFECT: list[tuple[str, str, dict[str, Value]]] = [
    *((preset, "ante.each", {}) for preset in ("newmarket", "nain-jaune", "pope-joan", "spinado")),
    ("hearts-three-stages", "late_claim", {}),
    ("michigan-rummy", "late_claim", {"claim": "held"}),
    ("michigan-rummy", "claim.tie", {}),
    ("michigan-rummy", "barred_out", {"penalties": "off"}),
    ("michigan-rummy", "bet.limit", {}),
    ("michigan-kitty", "poker.when", {}),
    ("michigan-rummy-snake", "game.deals", {}),
    ("michigan-rummy-snake", "fault.own", {"fault.to": "sheet"}),
]
WITH_EFFECT: list[tuple[str, str, dict[str, Value]]] = [
    ("michigan-rummy", "ante.each", {}),
    ("michigan-rummy", "late_claim", {}),
    ("michigan-rummy", "claim.tie", {"claim": "held"}),
    ("michigan-rummy", "bet.limit", {"poker.when": "before_betting"}),
    ("royal-rummy", "bet.limit", {}),
    ("michigan-rummy-snake", "game.deals", {"game": "deals"}),
]


def test_a_rule_with_effect_and_one_without_are_known_as_such() -> None:
    for expected, rules in ((False, WITHOUT_EFFECT), (True, WITH_EFFECT)):
        for preset, key, changed in rules:
            if preset not in built_in_ids():  # its extra was deleted
                continue
            house = replace(built_in(preset), rules={**built_in(preset).rules, **changed})
            assert has_effect(house, key) == expected, (preset, key, changed)
