"""What phones have typed for the end of a hand but nobody has paid yet: a convenience, never a balance."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

DRAFT = "draft"
"""The night's setting that keeps it."""


@dataclass
class Draft:
    """The numbers typed for one hand; they outlive a restart, and another hand makes them worthless."""

    hand: int
    winner: str | None = None
    said: dict[str, Any] = field(default_factory=dict)
    """Each seat's own number of cards left (or its hand, in the rum game)."""

    def text(self) -> str:
        """Return it as a setting's text."""
        return json.dumps({"hand": self.hand, "winner": self.winner, "said": self.said}, separators=(",", ":"))


def draft_of(text: str, hand: int) -> Draft:
    """Return the draft that a setting keeps for this hand; an empty one when it keeps another hand's, or none."""
    try:
        found = json.loads(text or "{}")
        is_whole = isinstance(found["said"], dict) and isinstance(found["winner"], str | None)
        if is_whole and found["hand"] == hand:
            return Draft(hand, found["winner"], found["said"])
    except (ValueError, TypeError, KeyError):
        pass
    return Draft(hand)
