"""The house rules of a game as a form: what was typed for each, in the editor, at set-up and in mid-night."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from tracker.core.house_rules import HouseRule, Value
from tracker.core.preset import Preset, rules_of
from tracker.core.preset_faults import conflicts, follows_ante
from tracker.web.wording.numbers import whole_number
from tracker.web.wording.texts import gettext as _
from tracker.web.wording.texts import whole_number_from


class CurrentRule(Protocol):
    """House rules as they are now, by key: a preset, or those of the next hand."""

    def __getitem__(self, key: str, /) -> Value: ...


def rules_typed(typed: Mapping[str, str], preset: Preset, now: CurrentRule, wrong: dict[str, str]) -> dict[str, Value]:
    """Return the rules that a form gives another value than they have now; what is wrong is told by key in `wrong`."""
    found: dict[str, Value] = {}
    for key, rule in rules_of(preset.game).items():
        value = rule_value(rule, typed[key].strip()) if key in typed else now[key]
        if value is None:
            wrong[key] = why_not(rule)
        elif value != now[key]:
            found[key] = value
    before = replace(preset, rules={key: now[key] for key in rules_of(preset.game)})
    if "ante.each" in found and "ante.dealer" not in found and follows_ante(before):
        found["ante.dealer"] = found["ante.each"]  # where all ante alike, they still do
    for fault in conflicts(before, found):
        wrong.setdefault(str(fault.facts["field"]), _(fault.template).format_map(fault.facts))
    return found


def rule_value(rule: HouseRule, text: str) -> Value | None:
    """Return what a field says for a rule; None when the rule refuses it."""
    if rule.names_pot:
        return None if rule.fault(text) else text
    if rule.choices:
        return next((choice for choice in rule.choices if str(choice) == text), None)
    number = whole_number(text)
    return None if number is None or rule.fault(number) else number


def why_not(rule: HouseRule) -> str:
    """Return what is wrong with a field whose rule refuses what it says."""
    if rule.choices:
        return _("Choose one of these, please.")
    return whole_number_from(rule.low, rule.high)
