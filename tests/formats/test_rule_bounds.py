"""The bounds that a refusal names: of a house rule, on each way to change one, and of every number in a preset file."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from support.random_nights import every_preset

from tracker.core.apply import apply_new
from tracker.core.errors import PresetError, TableError
from tracker.core.house_rules import HOUSE_RULES
from tracker.core.night import Night
from tracker.core.preset_faults import faults
from tracker.formats.codec import event_from, preset_from, preset_to
from tracker.web.wording.game_words import rule_value

NUMBER = re.compile(r"from ([\d,]+) to ([\d,]+), not")


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


def numbers(value: Any, *path: str | int) -> Iterator[tuple[str | int, ...]]:
    """Yield the path to each whole number in lists and objects."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield path
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from numbers(part, *path, key)


def refused_with(plain: Any, path: tuple[str | int, ...], value: int | None) -> str:
    """Return why a file is refused that has another value at a path; empty when it is not."""
    changed = json.loads(json.dumps(plain))
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    try:
        preset_from(changed)
    except PresetError as error:
        return str(error)
    return ""


def test_every_number_of_a_preset_file_is_refused_above_the_limit_that_is_named_and_taken_at_it() -> None:
    seen = set()
    for preset in every_preset():
        plain = preset_to(preset)
        for path in numbers({key: value for key, value in plain.items() if key != "rules"}):
            kind = tuple(key for key in path if isinstance(key, str))
            if kind in seen:
                continue
            seen.add(kind)
            (bounds,) = NUMBER.findall(refused_with(plain, path, 2_000_000))
            low, high = (int(number.replace(",", "")) for number in bounds)
            for value in (low - 1, high + 1, 10**39):
                assert NUMBER.findall(refused_with(plain, path, value)) == [bounds], (path, value)
            fault = refused_with(plain, path, high)
            assert not fault or kind == ("seats", "min"), (path, fault)
            assert kind[-1].endswith("ante") or "must be a whole number" in refused_with(plain, path, None), path
    some = {("pots", "ante"), ("pots", "dealer_ante"), ("dues", "chips"), ("seats", "max")}
    assert some < seen
