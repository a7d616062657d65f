"""Drafts of a hand's payment: cards left that phones have typed and nobody has recorded yet."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

DRAFT = "draft"
"""The key of the night's setting that stores it."""


@dataclass
class HandDraft:
    """The numbers typed for one hand; ignored once another hand is dealt."""

    hand: int
    winner: str | None = None
    said: dict[str, Any] = field(default_factory=dict)
    """Each seat's number of cards left (or its hand, in the rum game)."""

    def text(self) -> str:
        """Return the draft as JSON, for the setting."""
        return json.dumps({"hand": self.hand, "winner": self.winner, "said": self.said}, separators=(",", ":"))


def draft_of(text: str, hand: int) -> HandDraft:
    """Return the draft in a setting's text; an empty one when the text is invalid or of another hand."""
    try:
        found = json.loads(text or "{}")
        is_whole = isinstance(found["said"], dict) and isinstance(found["winner"], str | None)
        if is_whole and found["hand"] == hand:
            return HandDraft(hand, found["winner"], found["said"])
    except (ValueError, TypeError, KeyError):
        pass
    return HandDraft(hand)
