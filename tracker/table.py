"""One night that is open: its log, its state, and the one way to add to both."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tracker.codec import amended, night_to
from tracker.core import log
from tracker.core.apply import apply
from tracker.core.errors import AlreadyDone, Stale, TableError
from tracker.core.events import Amend, End, Event, Undo
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.live import Live
from tracker.presets import as_written
from tracker.sealing import entry_of, now, sealed
from tracker.store import NightRow, NotRead, NotSaved, SameId, Store, Taken


@dataclass(frozen=True)
class Seen:
    """What the sender's page showed: checked against the present, so that no tap lands on another meaning."""

    head: int | None = None
    """How many events the log had."""
    hand: int | None = None
    pots: Mapping[str, int] = field(default_factory=dict)
    """Chips that the named pots held."""
    is_exact: bool = False
    """Whether anything at all recorded since `head` is too much."""


@dataclass(frozen=True)
class Outcome:
    """What recording came to; `is_fresh` is False when the same event stood in the log already."""

    entry: Entry
    before: Night
    night: Night
    is_fresh: bool = True


@dataclass
class Draft:
    """What phones have typed for the end of a hand but nobody has paid yet: lost in a restart, never a balance."""

    hand: int
    winner: str | None = None
    said: dict[str, Any] = field(default_factory=dict)
    """Each seat's own number of cards left (or its hand, in the rum game)."""


class Table:
    """One night that is open: its log, its state, and the one way to add to both. Any thread may call any method."""

    def __init__(self, row: NightRow, preset: Preset, entries: list[Entry], store: Store, live: Live) -> None:
        self.code = row.code
        self.created_at = row.created_at
        self.preset = preset
        self.options: dict[str, Any] = json.loads(row.options)
        self._store, self._live = store, live
        self._lock = threading.RLock()
        self._draft = Draft(0)
        self._load(entries)

    def _load(self, entries: list[Entry]) -> None:
        replayed = log.replay(self.preset, entries, amended)
        if replayed.failure is not None:
            raise TableError(
                "night {code} can't be read past event {number}: {why}",
                code=self.code,
                number=replayed.number,
                why=str(replayed.failure),
            )
        self.entries = entries
        self.night = replayed.night
        self._by_id = {entry.id: entry for entry in entries if entry.id is not None}
        self.standing = log.standing(entries, amended)

    @property
    def head(self) -> int:
        """How many events the log has."""
        return len(self.entries)

    def latest(self) -> tuple[int, Night]:
        """Return how many events the log has and the state after them, both of one moment."""
        with self._lock:
            return self.head, self.night

    def record(self, event: Event, *, id: str, by: str, seen: Seen | None = None) -> Outcome:  # noqa: A002
        """Check one event, write it to the disk, then show it to everybody; return what it came to.

        The same id, or the same event that the sender could not have seen yet, is recorded once. Raises TableError
        (Stale when the sender's page was out of date) with nothing changed, or NotSaved when the disk failed.
        """
        with self._lock:
            known = self._known(event, id, seen)
            if known:
                return Outcome(known, self.night, self.night, is_fresh=False)
            self._check_seen(event, seen)
            entry = Entry(self.head + 1, event, id, now(), by)
            before = self.night
            after = log.record(before, self.entries, entry, amended)
            self._write(entry)
            self.entries.append(entry)
            self._by_id[id] = entry
            self.night = after
            if isinstance(event, Undo | Amend):
                self.standing = log.standing(self.entries, amended)
            outcome = Outcome(entry, before, after)
        self._live.publish(self.code)
        return outcome

    def _write(self, entry: Entry) -> None:
        try:
            self._store.append(self.code, sealed(entry))
        except NotSaved:
            with suppress(NotRead):  # then the number is taken the next time, and the night is read anew
                self._reload()  # the event may be on the disk after all: memory must not know better
            self._live.publish(self.code)
            raise
        except (SameId, Taken) as taken:
            self._reload()
            raise Stale("somebody was faster: look at the table and tap again") from taken

    def _reload(self) -> None:
        self._load([entry_of(row) for row in self._store.events(self.code)])

    def _known(self, event: Event, id: str, seen: Seen | None) -> Entry | None:  # noqa: A002
        entry = self._by_id.get(id)
        if entry and entry.event != event:
            raise AlreadyDone("this form was used for something else already: look at the table and tap again")
        if entry or seen is None or seen.is_exact or seen.head is None or seen.head < 0:
            return entry
        news = self.entries[seen.head :]
        return next((one for one in news if one.event == event and one.number not in self.standing.struck), None)

    def _check_seen(self, event: Event, seen: Seen | None) -> None:
        if seen is None:
            return
        if seen.hand is not None and seen.hand != self.night.hand:
            raise Stale("that page showed hand {old}, now it is hand {new}", old=seen.hand, new=self.night.hand)
        for pot, chips in seen.pots.items():
            if pot in self.night.preset.board and self.night.pot(pot) != chips:
                raise Stale(
                    "{pot} now holds {now}, not {then}: look and tap again",
                    pot=self.night.name(pot),
                    now=self.night.pot(pot),
                    then=chips,
                )
        if seen.head is not None and seen.head != self.head:
            if seen.is_exact:
                raise Stale("the night is at event {head}, not {seen}", head=self.head, seen=seen.head)
            if isinstance(event, End):
                raise Stale("something was recorded in the meantime: look at the board, then end the night")

    def preview(self, event: Event) -> Night:
        """Return the state that `event` would lead to; TableError when it would be refused. Nothing is recorded."""
        with self._lock:
            return log.record(self.night, self.entries, Entry(self.head + 1, event), amended)

    def in_force(self, entry: Entry) -> Event | None:
        """Return the event as it stands now, with its corrections; None when it was taken back."""
        if entry.number in self.standing.struck:
            return None
        changed = log.standing(self.entries, amended).events if entry.number in self.standing.amended else ()
        return dict(changed).get(entry.number, entry.event)

    def states(self) -> Iterable[tuple[Entry, Night]]:
        """Yield every entry in force with the state after it, oldest first: what the log page and charts need."""
        with self._lock:
            entries = list(self.entries)
        stands = log.standing(entries, amended)
        night = Night(self.preset)
        for number, event in stands.events:
            night = apply(night, event)
            yield entries[number - 1], night

    # What phones type before it is paid

    @property
    def draft(self) -> Draft:
        """The numbers typed for this hand so far; an empty one when another hand is on."""
        with self._lock:
            if self._draft.hand != self.night.hand:
                self._draft = Draft(self.night.hand)
            return self._draft

    def say(self, seat: str, value: Any) -> None:
        """Keep what a seat says it still holds, until it is paid; None takes it back."""
        with self._lock:
            said = self.draft.said
            self.night.present(seat)
            said[seat] = value
            if value is None:
                del said[seat]
        self._live.publish(self.code)

    def say_out(self, seat: str | None) -> None:
        """Keep who says to be out of cards, so that the others are asked for theirs."""
        with self._lock:
            if seat is not None:
                self.night.present(seat)
            self.draft.winner = seat
        self._live.publish(self.code)

    # Settings of the night: names and who may record are no part of the log

    @property
    def name(self) -> str:
        row = self._store.night(self.code)
        return row.name if row else ""

    def setting(self, key: str, default: str = "") -> str:
        return self._store.setting(self.code, key, default)

    def change_setting(self, key: str, value: str | None) -> None:
        self._store.set_setting(self.code, key, value)
        self._live.publish(self.code)

    def export(self) -> str:
        """Return the night as a file's text: it can be imported on any other machine and goes on there."""
        with self._lock:
            entries = list(self.entries)
        return night_to(as_written(self.preset, self.options), self.options, entries)
