"""The form that corrects a rule changed in mid-night: each rule that the entry changes, and what else it may be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.core.events import Rule
from tracker.core.house_rules import HouseRule
from tracker.core.preset import rules_of
from tracker.web.options import rule_value
from tracker.web.questions import Field, Option, whole
from tracker.web.rule_words import label, value_words


def rule_fields(event: Rule, game: str) -> list[Field]:
    """Return a question for each rule that the entry changes, with its present answer."""
    rules = rules_of(game)
    return [_field(rules[key], str(value)) for key, value in event.change.items() if key in rules]


def _field(rule: HouseRule, value: str) -> Field:
    if not rule.choices:
        return Field(rule.key, "number", label(rule.key), value, least=rule.low)
    said = tuple(Option(str(choice), value_words(rule.key, choice)) for choice in rule.choices)
    return Field(rule.key, "pick", label(rule.key), value, said)


def rule_change(event: Rule, game: str, form: Mapping[str, str]) -> dict[str, Any]:
    """Return what a filled form changes, as the raw `change` of an `amend`; nonsense is left to be refused."""
    rules = rules_of(game)
    typed = {key: form.get(key, str(value)).strip() for key, value in event.change.items() if key in rules}
    read = {key: rule_value(rules[key], text) for key, text in typed.items()}
    said = {key: whole(typed[key]) if value is None else value for key, value in read.items()}
    now = {**event.change, **said}
    return {"change": now} if now != dict(event.change) else {}
