"""One night that is open: its log, its state, and the one way to add to both."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Any
from weakref import WeakMethod

from tracker.app.drafts import HandDraft
from tracker.app.event_rows import now, read_entries, replay_log, to_row
from tracker.app.expected_state import ExpectedState
from tracker.app.log_history import History, steps_of_last_hand
from tracker.app.settings import NightSettings
from tracker.core import log
from tracker.core.errors import AlreadyDone, NotAllowed, Stale
from tracker.core.events import Event
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.formats.codec import amended, preset_to
from tracker.formats.night_file import night_to
from tracker.storage import IdExists, NightRow, NotRead, NotSaved, NumberTaken, Store
from tracker.streaming.hub import StreamHub

_LOADS = count()


@dataclass(frozen=True)
class Outcome:
    """The result of recording; `is_fresh` is False when the same event was in the log already."""

    entry: Entry
    before: Night
    night: Night
    is_fresh: bool = True


def is_hand_over(before: Night, after: Night) -> bool:
    """Return whether a hand, or the night, ended between two states."""
    if not after.preset.is_pot_game and after.hand != before.hand:
        return True
    return after.phase != before.phase and (after.is_between_hands or after.is_over)


def weak_call(method: Callable[[], None]) -> Callable[[], None]:
    """Return a function that calls a method while its object lives: in a cycle a night would stay longer in memory."""
    found = WeakMethod(method)

    def call() -> None:
        if alive := found():
            alive()

    return call


class OpenNight:
    """One night that is open: its log, its state, and the one way to add to both. Any thread may call any method."""

    def __init__(
        self,
        row: NightRow,
        preset: Preset,
        entries: list[Entry],
        store: Store,
        live: StreamHub,
        on_hand_over: Callable[[OpenNight], None] = lambda _: None,
    ) -> None:
        self.code = row.code
        self.created_at = row.created_at
        self.preset = preset
        self.options: dict[str, Any] = json.loads(row.options)
        self._store, self._live, self._on_hand_over = store, live, on_hand_over
        self._lock = threading.RLock()
        self._draft: HandDraft | None = None
        self.load_number = next(_LOADS)
        """No other object of this process has it, also none of the same night."""
        self.version = 0
        """Incremented by everything that pages show: events, drafts and settings."""
        self.settings = NightSettings(store, row.code, weak_call(self._publish))
        self._load(entries)

    def show_again(self) -> None:
        """Have every page of the night made anew, after a change that is neither in the log nor in its settings."""
        self._publish()

    def _publish(self) -> None:
        """Increment the version and send the change to all watchers; never under the lock, which pages take."""
        with self._lock:
            self.version += 1
            head = self.head
        self._live.publish_and_send(self.code, head)

    def _load(self, entries: list[Entry]) -> None:
        self._steps = replay_log(self.code, self.preset, entries)
        self._history: History | None = None
        self.entries = entries
        self.night = self._steps[-1][2] if self._steps else Night(self.preset)
        self._by_id = {entry.id: entry for entry in entries if entry.id is not None}
        self.undone: Mapping[int, int] = log.find_undone(entries)  # undone number -> number of its undo

    @property
    def is_temporary(self) -> bool:
        """Whether the night is in memory only: no list, copy or file has it."""
        return self._store.is_in_memory

    @property
    def began_at(self) -> str:
        """When the first event was recorded, or the night was opened if there is none (ISO 8601)."""
        return (self.entries[0].at if self.entries else None) or self.created_at

    @property
    def head(self) -> int:
        """Number of events in the log."""
        return len(self.entries)

    @property
    def present(self) -> frozenset[str]:
        """Return the seats that have a phone connected."""
        return self._live.present(self.code)

    def snapshot(self) -> tuple[Sequence[Entry], Mapping[int, int], list[log.Step], Night, HandDraft]:
        """Return entries, undone numbers, the last hand's steps, state and draft, read together under the lock."""
        with self._lock:
            draft = HandDraft(self.draft.hand, self.draft.winner, dict(self.draft.counts))
            return tuple(self.entries), self.undone, steps_of_last_hand(self._steps), self.night, draft

    def record(self, event: Event, *, id: str, by: str, seen: ExpectedState | None = None) -> Outcome:  # noqa: A002
        """Check one event, write it to the disk, then send it to all watchers.

        The same id, or the same event recorded after the state that the sender saw, is recorded once. Raises TableError
        (Stale when the sender's page was out of date) with nothing changed, or NotSaved when the disk failed.
        """
        with self._lock:
            known = self._find_repeat(event, id, seen)
            if known:
                return Outcome(known, self.night, self.night, is_fresh=False)
            self._check_not_truncated()
            if seen:
                seen.check(event, self.night, self.head)
            entry = Entry(self.head + 1, event, id, now(), by)
            before = self.night
            change = log.change(before, self.entries, entry, amended, self._steps)
            try:
                self._write(entry)
            except Stale:
                if known := self._find_repeat(
                    event, id, seen
                ):  # an earlier attempt was written, though the disk reported an error
                    return Outcome(known, self.night, self.night, is_fresh=False)
                raise
            self._apply(entry, change)
            outcome = Outcome(entry, before, self.night)
        self._publish()
        if is_hand_over(outcome.before, outcome.night):
            self._on_hand_over(self)
        return outcome

    def _apply(self, entry: Entry, change: log.Change) -> None:
        """Add an entry, which is on the disk, to what is held in memory."""
        self.entries.append(entry)
        if entry.id is not None:
            self._by_id[entry.id] = entry
        change.onto(self._steps)
        self.night = self._steps[-1][2] if self._steps else Night(self.preset)
        self.undone = log.undone_after(self.entries, self.undone)
        self._history = None

    def outcome_of(self, id: str, *, by: str) -> Outcome | None:  # noqa: A002
        """Return the outcome that the same sender has recorded under this id; None when the id is new."""
        with self._lock:
            entry = self._by_id.get(id)
            return Outcome(entry, self.night, self.night, is_fresh=False) if entry and entry.by == by else None

    def _write(self, entry: Entry) -> None:
        try:
            self._store.append(self.code, to_row(entry))
        except NotSaved:
            with suppress(NotRead):  # then the next attempt gets NumberTaken and reloads
                self._reload()  # the event may have been written after all
            self.version += 1
            self._live.publish(self.code, self.head)
            raise
        except (IdExists, NumberTaken) as taken:
            self._reload()
            raise Stale("somebody was faster: look at the table and tap again") from taken

    def reload(self) -> None:
        """Read the log from the disk again, after a write that went past this object, and send it to all watchers."""
        with self._lock:
            self._reload()
        self._publish()

    def _reload(self) -> None:
        self._load(read_entries(self._store, self.code))

    def _find_repeat(self, event: Event, id: str, seen: ExpectedState | None) -> Entry | None:  # noqa: A002
        entry = self._by_id.get(id)
        if entry and entry.event != event:
            raise AlreadyDone("this form was used for something else already: look at the table and tap again")
        if entry or seen is None or seen.is_exact or seen.head is None or seen.head < 0:
            return entry
        newer = self.entries[seen.head :]
        return next((entry for entry in newer if entry.event == event and entry.number not in self.undone), None)

    def is_recorded(self, event: Event, id: str) -> bool:  # noqa: A002
        """Return whether the log has this event under this id, so that recording it again would change nothing."""
        known = self._by_id.get(id)
        return known is not None and known.event == event

    def _check_not_truncated(self) -> None:
        if self.settings.truncation:
            raise NotAllowed(
                "the file was damaged and this night ends at event {number}: the host has to say that it goes on there",
                number=self.head,
            )

    def preview(self, event: Event) -> Night:
        """Return the state after `event` without recording it. Raises TableError when it would be refused."""
        with self._lock:
            change = log.change(self.night, self.entries, Entry(self.head + 1, event), amended, self._steps)
            steps = change.steps or self._steps[: change.kept_count]
            return steps[-1][2] if steps else Night(self.preset)

    def history(self) -> History:
        """Return the log with the state after each entry, for the log's pages; cached until the next event."""
        with self._lock:
            if self._history is None:
                self._history = History(self.preset, self.entries, self._steps, self.undone)
            return self._history

    # The draft of the hand's payment

    @property
    def draft(self) -> HandDraft:
        """The draft of the current hand; empty when the stored one is of another hand."""
        with self._lock:
            draft = self._draft or self.settings.draft  # the stored one is read only after a start
            self._draft = draft if draft and draft.hand == self.night.hand else HandDraft(self.night.hand)
            return self._draft

    def set_draft_value(self, seat: str, value: Any) -> None:
        """Store a seat's cards left until they are paid; None removes them. Raises Unknown for no seat."""
        with self._lock:
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
        with self._lock:
            if seat is not None:
                self.night.present(seat)
            if self.draft.winner == seat:
                return
            self.draft.winner = seat
            self._save_draft()
        self._publish()

    def start_draft(self, winner: str | None, counts: Mapping[str, Any]) -> None:
        """Store a draft of the current hand with these values, unless there is one."""
        with self._lock:
            if self.draft.winner is not None or self.draft.counts:
                return
            self.draft.winner, self.draft.counts = winner, dict(counts)
            self._save_draft()
        self._publish()

    def _save_draft(self) -> None:
        with suppress(NotSaved):  # with a full disk the draft is kept in memory only, so that people can go on counting
            NightSettings(self._store, self.code).draft = self.draft  # published by the callers, without the lock

    @property
    def name(self) -> str:
        """What the night is called; empty while the disk fails, when the log in memory can still be shown and saved."""
        with suppress(NotRead):
            if row := self._store.night(self.code):
                return row.name
        return ""

    def export(self) -> str:
        """Return the night as the text of a night file, which `Nights.import_night` reads."""
        with self._lock:
            entries = list(self.entries)
        return night_to(preset_to(self.preset), self.options, entries, self.name)
