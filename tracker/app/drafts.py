"""Drafts of a hand's payment: what phones have typed of it and nobody has recorded yet."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Self

from tracker.app.log_history import steps_of_last_hand
from tracker.core.log import Entry, Step
from tracker.core.night import Deal, Night
from tracker.core.queries.undo_policy import NEW_HAND


@dataclass(frozen=True)
class HandState:
    """Which state of play a draft belongs to: it is worthless in any other."""

    hand: int
    """The number of the hand."""
    began: int = 0
    """The number of the entry by which it began: a hand that was taken back and dealt again is another one."""
    changed: int = 0
    """In pot games the number of the newest entry in force that changed the hand: chips lent or corrected do not."""


def hand_state(night: Night, steps: Sequence[Step], entries: Sequence[Entry]) -> HandState:
    """Return the state of play that a night has reached, by its events in force and its whole log."""
    recent = steps_of_last_hand(steps)
    if not recent:  # a score game, where a deal that was taken back is typed again from the log
        return HandState(night.hand, next((one.number for one in reversed(entries) if one.event.kind in NEW_HAND), 0))
    began = changed = recent[1][0]
    for (_, _, before), (number, _, after) in pairwise(recent[1:]):
        if _as_played(before.deal) != _as_played(after.deal):
            changed = number
    return HandState(night.hand, began, changed)


def _as_played(deal: Deal | None) -> Deal | None:
    """Return a hand without the stacks of its players, which events beside the play may change."""
    return deal and replace(deal, stacks_before={})


@dataclass(frozen=True)
class HandDraft:
    """What was typed of one hand's payment. It belongs to a state of play, and to one claim to be out of cards."""

    state: HandState
    claim: int = 0
    """How many times in this hand somebody was said to be out, or not to be: another claim has other numbers."""
    winner: str | None = None
    counts: Mapping[str, Any] = field(default_factory=dict)
    """Each seat's number of cards left (or its hand, in the rum game)."""
    cover: Mapping[str, str] = field(default_factory=dict)
    """For payers with too few chips: who lends, `bank` to buy, or nothing to pay what is there."""
    excused: str | None = None
    """Who was said to pay nothing for cards left."""

    @property
    def claim_id(self) -> str:
        """The claim that a form was filled in for, as it names it."""
        return f"{self.state.hand}.{self.state.began}.{self.claim}"

    def at(self, state: HandState) -> HandDraft:
        """Return what is left of the draft in a state: of an earlier state of the same hand, who is out of cards."""
        if self.state == state:
            return self
        if (self.state.hand, self.state.began) == (state.hand, state.began):
            return HandDraft(state, self.claim, self.winner)
        return HandDraft(state)

    def claimed_by(self, winner: str | None) -> HandDraft:
        """Return the empty draft of another claim: numbers are never paid to anybody but for whom they were counted."""
        return HandDraft(self.state, self.claim + 1, winner)

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the draft in a setting's text. Raises ValueError, TypeError or KeyError for an invalid text."""
        raw = json.loads(text)  # `said` is what stored drafts call the counts
        cover, excused = raw.get("cover", {}), raw.get("excused")
        if not (isinstance(raw["said"], dict) and isinstance(cover, dict)):
            raise TypeError
        if not (isinstance(raw["winner"], str | None) and isinstance(excused, str | None)):
            raise TypeError
        state = HandState(raw["hand"], raw.get("began", 0), raw.get("changed", 0))
        return cls(state, raw.get("claim", 0), raw["winner"], raw["said"], cover, excused)

    def text(self) -> str:
        """Return the draft as JSON, for the setting."""
        state = {"hand": self.state.hand, "began": self.state.began, "changed": self.state.changed}
        typed = {"winner": self.winner, "said": dict(self.counts), "cover": dict(self.cover), "excused": self.excused}
        return json.dumps({**state, "claim": self.claim, **typed}, separators=(",", ":"))
