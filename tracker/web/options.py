"""The house rules of a game as a form: what was typed for each, in the editor, at set-up and in mid-night."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from tracker.core.house_rules import HouseRule, Value
from tracker.core.preset import rules_of
from tracker.web.texts import gettext as _


class Standing(Protocol):
    """House rules as they are now, by key: a preset, or those of the next hand."""

    def __getitem__(self, key: str, /) -> Value: ...


def rules_typed(typed: Mapping[str, str], game: str, now: Standing, wrong: dict[str, str]) -> dict[str, Value]:
    """Return the rules that a form gives another value than they have now; what is wrong is told by key in `wrong`."""
    found: dict[str, Value] = {}
    for key, rule in rules_of(game).items():
        value = rule_value(rule, typed[key].strip()) if key in typed else now[key]
        if value is None:
            wrong[key] = why_not(rule)
        elif value != now[key]:
            found[key] = value
    return found


def rule_value(rule: HouseRule, text: str) -> Value | None:
    """Return what a field says for a rule; None when the rule refuses it."""
    if rule.choices:
        return next((choice for choice in rule.choices if str(choice) == text), None)
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 7 else -1
    return None if rule.fault(number) else number


def why_not(rule: HouseRule) -> str:
    """Return what is wrong with a field whose rule refuses what it says."""
    if rule.choices:
        return _("Choose one of these, please.")
    return _("A whole number from %(low)s to %(high)s, please.", low=rule.low, high=rule.high)
