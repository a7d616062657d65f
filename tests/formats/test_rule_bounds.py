"""The bounds that a refusal of a house rule names, on each way to change one."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from support.random_nights import every_preset

from tracker.core.apply import apply_new
from tracker.core.errors import PresetError, TableError
from tracker.core.house_rules import HOUSE_RULES
from tracker.core.night import Night
from tracker.core.preset_faults import faults
from tracker.formats.codec import event_from, preset_from, preset_to
from tracker.web.wording.house_rules import rule_value

NUMBER = re.compile(r"from (\d+) to (\d+), not")


def test_the_limit_that_is_named_is_the_one_above_which_a_rule_is_refused() -> None:
    presets = {preset.game: preset for preset in every_preset()}
    for game, rules in HOUSE_RULES.items():
        preset = presets[game]
        for key, rule in rules.items():
            if rule.choices or rule.names_pot:
                continue
            named = (str(rule.low), str(rule.high))
            for value in (rule.low - 1, rule.high + 1, 2_000_000, 10**39):
                with pytest.raises(TableError) as refused:
                    apply_new(Night(preset), event_from({"kind": "rule", "change": {key: value}}))
                assert NUMBER.findall(str(refused.value)) == [named], (game, key, value)
                with pytest.raises(PresetError) as in_file:
                    preset_from({**preset_to(preset), "rules": {key: value}})
                assert NUMBER.findall(str(in_file.value)) == [named], (game, key, value)
                assert rule_value(rule, str(value)) is None
            assert rule_value(rule, str(rule.high)) == rule.high
            high = replace(preset, rules={**preset.rules, key: rule.high})
            assert not [fault for fault in faults(high) if NUMBER.search(str(fault))]
