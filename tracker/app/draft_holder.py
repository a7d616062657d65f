"""What people say of a night's hand before it is recorded: read, changed by several phones at once, and stored."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from tracker.app.drafts import HandDraft
from tracker.app.settings import HandChoices, NightSettings, Setting
from tracker.core.night import Night
from tracker.storage import NotSaved, Store


class DraftHolder:
    """The part of an open night that holds the draft of the current hand's payment, and the choices for the hand."""

    code: str
    night: Night
    settings: NightSettings
    _store: Store
    _lock: threading.RLock
    _draft: HandDraft | None

    def _publish(self) -> None:
        raise NotImplementedError

    @property
    def draft(self) -> HandDraft:
        """The draft of the current hand; empty when the stored one is of another hand."""
        with self._lock:
            draft = self._draft or self.settings.draft  # the stored one is read only after a start
            self._draft = draft if draft and draft.hand == self.night.hand else HandDraft(self.night.hand)
            return self._draft

    def set_draft_value(self, seat: str, value: Any) -> None:
        """Store a seat's cards left until they are paid; None removes them. Raises Unknown for no seat."""
        with self._changing_draft():
            counts = self.draft.counts
            self.night.present(seat)
            if counts.get(seat) == value:
                return  # a repeated request: nothing to publish
            counts[seat] = value
            if value is None:
                del counts[seat]
            self._save_draft()
        self._publish()

    def set_draft_winner(self, seat: str | None) -> None:
        """Store which seat went out; the others are asked for their cards left. None removes it."""
        with self._changing_draft():
            if seat is not None:
                self.night.present(seat)
            if self.draft.winner == seat:
                return
            self.draft.winner = seat
            self._save_draft()
        self._publish()

    def start_draft(self, winner: str | None, counts: Mapping[str, Any]) -> None:
        """Store a draft of the current hand with these values, unless there is one."""
        with self._changing_draft():
            if self.draft.winner is not None or self.draft.counts:
                return
            self.draft.winner, self.draft.counts = winner, dict(counts)
            self._save_draft()
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

    @contextmanager
    def _changing_draft(self) -> Iterator[None]:
        """Hold the lock and the newest draft: phones at other processes may be typing at the same moment."""
        with self._lock, self._store.alone(self.code) as is_shared:
            if is_shared:
                self._draft = None
            yield

    def _save_draft(self) -> None:
        with suppress(NotSaved):  # with a full disk the draft is kept in memory only, so that people can go on counting
            NightSettings(self._store, self.code).draft = self.draft  # published by the callers, without the lock

    def forget_draft(self) -> None:
        """Read the draft again when it is next asked for: another process has written it."""
        with self._lock:
            self._draft = None
