"""What people say of a night's hand before it is recorded: read, changed by several phones at once, and stored."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from tracker.app.drafts import HandDraft, HandState, hand_state
from tracker.app.settings import HandChoices, NightSettings, Setting
from tracker.core.errors import Stale
from tracker.core.log import Entry, Steps
from tracker.core.night import Night
from tracker.storage import NotSaved, Store


class DraftHolder:
    """The part of an open night that holds the draft of the current hand's payment, and the choices for the hand."""

    code: str
    night: Night
    entries: list[Entry]
    settings: NightSettings
    _store: Store
    _lock: threading.RLock
    _steps: Steps
    _draft: HandDraft | None

    def _publish(self) -> None:
        raise NotImplementedError

    @property
    def draft(self) -> HandDraft:
        """The draft of the hand as it is played now; empty when the stored one belongs to another state of play."""
        with self._lock:
            if self._draft is None:  # after a start, or when another process has written it
                self._draft = self.settings.draft or HandDraft(HandState(-1))
            return self._draft.at(hand_state(self.night, self._steps, self.entries))

    def set_draft_value(self, seat: str, value: Any, claim: str = "") -> None:
        """Store a seat's cards left until they are paid; None removes them. Raises Unknown for no seat, Stale."""
        self.night.require_seated(seat)
        self._change_draft(lambda draft: replace(draft, counts=_with(draft.counts, seat, value)), claim)

    def set_draft_cover(self, seat: str, source: str, claim: str = "") -> None:
        """Store how a seat with too few chips pays. Raises Unknown for no seat, Stale."""
        self.night.require_seated(seat)
        self._change_draft(lambda draft: replace(draft, cover=_with(draft.cover, seat, source)), claim)

    def set_draft_excused(self, seat: str | None, claim: str = "") -> None:
        """Store who pays nothing for cards left, or that nobody does. Raises Unknown for no seat, Stale."""
        if seat is not None:
            self.night.require_seated(seat)
        self._change_draft(lambda draft: replace(draft, excused=seat), claim)

    def set_draft_winner(self, seat: str | None, claim: str = "") -> None:
        """Store which seat went out, or None; the others are asked for their cards left anew. Raises Stale."""
        if seat is not None:
            self.night.require_seated(seat)
        self._change_draft(lambda draft: draft if seat and seat == draft.winner else draft.claimed_by(seat), claim)

    def start_draft(self, winner: str | None, counts: Mapping[str, Any]) -> None:
        """Store a draft of the current hand with these values, unless there is one."""
        self._change_draft(
            lambda draft: draft if draft.winner or draft.counts else replace(draft, winner=winner, counts=counts)
        )

    def _change_draft(self, change: Callable[[HandDraft], HandDraft], claim: str = "") -> None:
        """Store a changed draft. Raises Stale when the form was filled in for another claim than that which stands."""
        with self._lock, self._store.alone(self.code) as is_shared:
            if is_shared:
                self._draft = None  # phones at other processes may be typing at the same moment
            before = self.draft
            if claim and claim != before.claim_id:
                raise Stale("the count has begun again: look at the table and type your number again")
            draft = change(before)
            if draft == before:
                return  # a repeated request: nothing to publish
            self._draft = draft
            with suppress(NotSaved):  # with a full disk it is in memory only, so that people can go on counting
                NightSettings(self._store, self.code).draft = draft  # published below, without the lock
        self._publish()

    def choose(self, kind: Setting[HandChoices], changes: Mapping[str, str | None]) -> None:
        """Store some more choices for the current hand, as `NightSettings.plan`; None removes one. Raises NotSaved."""
        is_written = threading.Event()
        with self._lock, self._store.alone(self.code):
            settings = NightSettings(self._store, self.code, is_written.set)
            before = kind.__get__(settings, NightSettings)
            kind.__set__(settings, before.changed(self.night.hand, changes))
        if is_written.is_set():
            self._publish()

    def forget_draft(self) -> None:
        """Read the draft again when it is next asked for: another process has written it."""
        with self._lock:
            self._draft = None


def _with(values: Mapping[str, Any], seat: str, value: Any) -> Mapping[str, Any]:
    """Return the values with the seat's set, or without it where `value` is None."""
    others = {other: one for other, one in values.items() if other != seat}
    return others if value is None else {**others, seat: value}
