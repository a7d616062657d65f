"""Drafts of a hand's payment: cards left that phones have typed and nobody has recorded yet."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Self


@dataclass
class HandDraft:
    """The numbers typed for one hand; ignored once another hand is dealt."""

    hand: int
    winner: str | None = None
    counts: dict[str, Any] = field(default_factory=dict)
    """Each seat's number of cards left (or its hand, in the rum game)."""

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the draft in a setting's text. Raises ValueError, TypeError or KeyError for an invalid text."""
        raw = json.loads(text)  # `said` is what stored drafts call the counts
        if not isinstance(raw["said"], dict) or not isinstance(raw["winner"], str | None):
            raise TypeError
        return cls(raw["hand"], raw["winner"], raw["said"])

    def text(self) -> str:
        """Return the draft as JSON, for the setting."""
        return json.dumps({"hand": self.hand, "winner": self.winner, "said": self.counts}, separators=(",", ":"))
