"""One sentence for each house rule as a preset has it, for its rule card; none where the rule changes nothing there."""

from __future__ import annotations

from tracker.core.house_rules import HOUSE_RULES
from tracker.core.preset import Preset
from tracker.core.rule_effects import has_effect
from tracker.web.wording.rule_labels import RULE_WORDS
from tracker.web.wording.score_rule_words import GAME_SENTENCES
from tracker.web.wording.texts import gettext as _


def sentence(preset: Preset, key: str) -> str:
    """Return what a rule says at this table; empty when it plays no part there."""
    if not has_effect(preset, key):
        return ""
    words = RULE_WORDS[key]
    chosen = words.sentences.get(preset[key])
    parts = (_(chosen) if chosen else "", words.sentence(preset) if words.sentence else "")
    return " ".join(part for part in parts if part)


def rule_lines(preset: Preset) -> list[str]:
    """Return the rules of a game without its board, a sentence each: what always holds, then the house rules."""
    always = [_(text) for text in GAME_SENTENCES.get(preset.game, ())]
    on_card = (key for key in HOUSE_RULES[preset.game] if not RULE_WORDS[key].said_with)
    return always + [text for key in on_card if (text := sentence(preset, key))]
