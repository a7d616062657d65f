"""The house rules of a game as a form: what was chosen when the night was set up."""

from __future__ import annotations

from collections.abc import Mapping

from tracker.core.house_rules import HouseRule, Value
from tracker.core.preset import Preset, rules_of
from tracker.web.texts import gettext as _


def options_from(form: Mapping[str, str], game: Preset) -> tuple[dict[str, Value], dict[str, str]]:
    """Return the rules that differ from the preset's, and by key what is wrong with the others. Money is not ours."""
    options: dict[str, Value] = {}
    wrong: dict[str, str] = {}
    for key, rule in rules_of(game.game).items():
        text = form.get(key, "").strip()
        if key.startswith("money.") or not text:
            continue
        value = _value(rule, text)
        if value is None:
            wrong[key] = _("From %(low)s to %(high)s, please.", low=rule.low, high=rule.high)
        elif value != game[key]:
            options[key] = value
    return options, wrong


def _value(rule: HouseRule, text: str) -> Value | None:
    """Return what a field says for a rule; None when the rule refuses it."""
    if rule.choices:
        return next((choice for choice in rule.choices if str(choice) == text), None)
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 7 else -1
    return None if rule.fault(number) else number
