"""One night that is open: its log, its state, and the one way to add to both."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tracker.codec import amended, night_to
from tracker.core import log
from tracker.core.errors import AlreadyDone, NotAllowed, Stale, TableError
from tracker.core.events import Event
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.drafts import DRAFT, Draft, draft_of
from tracker.live import Live
from tracker.presets import as_written
from tracker.sealing import entry_of, now, sealed
from tracker.seen import Seen
from tracker.store import HURT, Damaged, NightRow, NotRead, NotSaved, SameId, Store, Taken


@dataclass(frozen=True)
class Outcome:
    """What recording came to; `is_fresh` is False when the same event stood in the log already."""

    entry: Entry
    before: Night
    night: Night
    is_fresh: bool = True


def read_entries(store: Store, code: str) -> list[Entry]:
    """Return a night's log as it is on the disk. Raises TableError when it is not what was recorded, NotRead."""
    try:
        return [entry_of(event) for event in store.events(code)]
    except Damaged as damage:
        template = "night {code} is damaged at event {number}: it is not what was recorded"
        raise TableError(template, code=code, number=damage.number) from damage


def played(code: str, preset: Preset, entries: Sequence[Entry]) -> log.Trail:
    """Return the steps of a log that was accepted once. Raises TableError, naming the entry that does not fit."""
    trail: log.Trail = []
    if (replayed := log.settled(preset, entries, amended, trail)).failure is not None:
        asked = log.replay(preset, entries, amended)  # which entry is to blame
        raise TableError(
            "night {code} can't be read past event {number}: {why}",
            code=code,
            number=asked.number or replayed.number,
            why=str(asked.failure or replayed.failure),
        )
    return trail


@dataclass(frozen=True)
class Hurt:
    """A night that was not read to its end, because the data file was damaged."""

    events: int
    """How many events could be read: each is proved by its hash."""
    seen: int
    """How many there must have been; as many as `events` when nothing is left that tells of more."""
    aside: str
    """The name of the damaged file, which is kept."""


def is_hand_over(before: Night, after: Night) -> bool:
    """Say whether a hand, or the night, ended between two states: a good moment for a backup."""
    if after.preset.game != "pots" and after.hand != before.hand:
        return True
    return after.phase != before.phase and (after.is_between_hands or after.is_over)


class Table:
    """One night that is open: its log, its state, and the one way to add to both. Any thread may call any method."""

    def __init__(
        self,
        row: NightRow,
        preset: Preset,
        entries: list[Entry],
        store: Store,
        live: Live,
        on_hand_over: Callable[[Table], None] = lambda _: None,
    ) -> None:
        self.code = row.code
        self.created_at = row.created_at
        self.preset = preset
        self.options: dict[str, Any] = json.loads(row.options)
        self._store, self._live, self._on_hand_over = store, live, on_hand_over
        self._lock = threading.RLock()
        self._draft: Draft | None = None
        self.version = 0
        """Grows with everything that pages show: events, and what phones type or the host plans."""
        self._load(entries)

    def _publish(self) -> None:
        """Show everybody what has changed; not to be called under the lock, which drawing a page takes."""
        with self._lock:
            self.version += 1
            head = self.head
        self._live.show(self.code, head)

    def _load(self, entries: list[Entry]) -> None:
        self._trail = played(self.code, self.preset, entries)
        self.entries = entries
        self.night = self._trail[-1][2] if self._trail else Night(self.preset)
        self._by_id = {entry.id: entry for entry in entries if entry.id is not None}
        self.struck: Mapping[int, int] = log.struck_in(entries)  # number taken back -> number of the undo

    @property
    def head(self) -> int:
        """How many events the log has."""
        return len(self.entries)

    def latest(self) -> tuple[int, Night]:
        """Return how many events the log has and the state after them, both of one moment."""
        with self._lock:
            return self.head, self.night

    def now(self) -> tuple[Sequence[Entry], Mapping[int, int], Night, Draft]:
        """Return the log, what was taken back in it, the state and what phones have typed, all of one moment."""
        with self._lock:
            draft = self.draft
            return tuple(self.entries), self.struck, self.night, Draft(draft.hand, draft.winner, dict(draft.said))

    def record(self, event: Event, *, id: str, by: str, seen: Seen | None = None) -> Outcome:  # noqa: A002
        """Check one event, write it to the disk, then show it to everybody; return what it came to.

        The same id, or the same event that the sender could not have seen yet, is recorded once. Raises TableError
        (Stale when the sender's page was out of date) with nothing changed, or NotSaved when the disk failed.
        """
        with self._lock:
            known = self._known(event, id, seen)
            if known:
                return Outcome(known, self.night, self.night, is_fresh=False)
            self._check_whole()
            if seen:
                seen.check(event, self.night, self.head)
            entry = Entry(self.head + 1, event, id, now(), by)
            before = self.night
            change = log.change(before, self.entries, entry, amended, self._trail)
            try:
                self._write(entry)
            except Stale:
                if known := self._known(event, id, seen):  # it was on the disk, and nobody could read that then
                    return Outcome(known, self.night, self.night, is_fresh=False)
                raise
            self._take(entry, change)
            outcome = Outcome(entry, before, self.night)
        self._publish()
        if is_hand_over(outcome.before, outcome.night):
            self._on_hand_over(self)
        return outcome

    def _take(self, entry: Entry, change: log.Change) -> None:
        """Bring memory up to what is on the disk now."""
        self.entries.append(entry)
        if entry.id is not None:
            self._by_id[entry.id] = entry
        change.onto(self._trail)
        self.night = self._trail[-1][2] if self._trail else Night(self.preset)
        self.struck = log.struck_after(self.entries, self.struck)

    def recorded(self, id: str, *, by: str) -> Outcome | None:  # noqa: A002
        """Return what the same sender has recorded under this id, None if it is new: its answer may have got lost."""
        with self._lock:
            entry = self._by_id.get(id)
            return Outcome(entry, self.night, self.night, is_fresh=False) if entry and entry.by == by else None

    def _write(self, entry: Entry) -> None:
        try:
            self._store.append(self.code, sealed(entry))
        except NotSaved:
            with suppress(NotRead):  # then the number is taken the next time, and the night is read anew
                self._reload()  # the event may be on the disk after all: memory must not know better
            self.version += 1
            self._live.publish(self.code, self.head)
            raise
        except (SameId, Taken) as taken:
            self._reload()
            raise Stale("somebody was faster: look at the table and tap again") from taken

    def read_again(self) -> None:
        """Take in what was written to the disk past this table, and show it to everybody."""
        with self._lock:
            self._reload()
        self._publish()

    def _reload(self) -> None:
        self._load(read_entries(self._store, self.code))

    def _known(self, event: Event, id: str, seen: Seen | None) -> Entry | None:  # noqa: A002
        entry = self._by_id.get(id)
        if entry and entry.event != event:
            raise AlreadyDone("this form was used for something else already: look at the table and tap again")
        if entry or seen is None or seen.is_exact or seen.head is None or seen.head < 0:
            return entry
        news = self.entries[seen.head :]
        return next((one for one in news if one.event == event and one.number not in self.struck), None)

    def is_recorded(self, event: Event, id: str) -> bool:  # noqa: A002
        """Return whether this event stands in the log already under this id: recording it again changes nothing."""
        known = self._by_id.get(id)
        return known is not None and known.event == event

    @property
    def hurt(self) -> Hurt | None:
        """How far this night was read in a damaged file, until somebody has said that it goes on from there."""
        told = self.setting(HURT)
        return Hurt(**json.loads(told)) if told else None

    def go_on(self) -> None:
        """Let the night go on from the last event that could be read."""
        self.change_setting(HURT, None)

    def _check_whole(self) -> None:
        if hurt := self.hurt:
            raise NotAllowed(
                "the file was damaged and this night ends at event {number}: the host has to say that it goes on there",
                number=hurt.events,
            )

    def preview(self, event: Event) -> Night:
        """Return the state that `event` would lead to; TableError when it would be refused. Nothing is recorded."""
        with self._lock:
            change = log.change(self.night, self.entries, Entry(self.head + 1, event), amended, self._trail)
            steps = change.steps or self._trail[: change.kept]
            return steps[-1][2] if steps else Night(self.preset)

    def states(self) -> Sequence[tuple[Entry, Night]]:
        """Return every entry in force with the state after it, oldest first: what the log page and charts need."""
        with self._lock:
            return [(self.entries[number - 1], night) for number, _, night in self._trail]

    # What phones type before it is paid

    @property
    def draft(self) -> Draft:
        """The numbers typed for this hand so far; an empty one when another hand is on."""
        with self._lock:
            if self._draft is None or self._draft.hand != self.night.hand:  # kept texts count only after a start
                self._draft = draft_of(self.setting(DRAFT) if self._draft is None else "", self.night.hand)
            return self._draft

    def say(self, seat: str, value: Any) -> None:
        """Keep what a seat says it still holds, until it is paid; None takes it back."""
        with self._lock:
            said = self.draft.said
            self.night.present(seat)
            if said.get(seat) == value:
                return  # sent again: nothing looks different
            said[seat] = value
            if value is None:
                del said[seat]
            self._keep_draft()
        self._publish()

    def say_out(self, seat: str | None) -> None:
        """Keep who says to be out of cards, so that the others are asked for theirs."""
        with self._lock:
            if seat is not None:
                self.night.present(seat)
            if self.draft.winner == seat:
                return
            self.draft.winner = seat
            self._keep_draft()
        self._publish()

    def _keep_draft(self) -> None:
        with suppress(NotSaved):  # a full disk must not stop people from counting: then it lives until a restart
            self._store.set_setting(self.code, DRAFT, self.draft.text())

    # Settings of the night: names and who may record are no part of the log

    @property
    def name(self) -> str:
        row = self._store.night(self.code)
        return row.name if row else ""

    def setting(self, key: str, default: str = "") -> str:
        return self._store.setting(self.code, key, default)

    def change_setting(self, key: str, value: str | None) -> None:
        if self.setting(key) == (value or ""):
            return
        self._store.set_setting(self.code, key, value)
        self._publish()

    def export(self) -> str:
        """Return the night as a file's text: it can be imported on any other machine and goes on there."""
        with self._lock:
            entries = list(self.entries)
        return night_to(as_written(self.preset, self.options), self.options, entries)
