"""One night that is open: its log, its state, and the one way to add to both."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace
from itertools import count
from operator import gt
from typing import Any
from weakref import WeakMethod

from tracker.app.event_rows import now, read_entries, replay_log, to_row
from tracker.app.log_history import History
from tracker.app.settings import HandChoices, HandDraft, HandState, NightSettings, Setting, hand_state
from tracker.core import log
from tracker.core.errors import AlreadyDone, NotAllowed, Stale
from tracker.core.events import Amend, End, Event, Undo
from tracker.core.log import Entry
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.core.queries import consent
from tracker.formats import night_file
from tracker.formats.codec import amended, preset_to
from tracker.formats.evening import moment_of
from tracker.formats.night_file import night_to
from tracker.storage import IdExists, NightRow, NotRead, NotSaved, NumberTaken, Store
from tracker.streaming.hub import StreamHub

_LOADS = count()
MOST_CORRECTIONS = 20
"""How often one player may correct the same event, as the own name; the host may go on."""
HOST_NAMES = ("host", "script")
"""What the log says of a host without a seat or a name."""


@dataclass(frozen=True)
class ExpectedState:
    """The state that the sender's page showed; None or empty where the form does not say."""

    head: int | None = None
    """Number of events in the log."""
    hand: int | None = None
    pots: Mapping[str, int] = field(default_factory=dict)
    """Chips that the named pots held."""
    is_exact: bool = False
    """Whether any event recorded since `head` is a conflict."""

    def check(self, event: Event, night: Night, head: int) -> None:
        """Raise Stale when the hand, the chips of a named pot or, where it matters, the log's head have changed."""
        if self.hand is not None and self.hand != night.hand:
            raise Stale("that page showed hand {old}, now it is hand {new}", old=self.hand, new=night.hand)
        for pot, chips in self.pots.items():
            taken = night.deal.taken.get(pot) if night.deal else None
            if taken and chips != night.pot(pot):
                raise Stale("{name} took it", name=", ".join(map(night.name, (taken.seat, *taken.others))))
            if pot in night.preset.board and night.pot(pot) != chips:
                raise Stale(
                    "{pot} now holds {now}, not {then}: look and tap again",
                    pot=night.name(pot),
                    now=night.pot(pot),
                    then=chips,
                )
        if self.head is not None and self.head != head:
            if self.is_exact:
                raise Stale("the night is at event {head}, not {seen}", head=head, seen=self.head)
            if isinstance(event, End):
                raise Stale("something was recorded in the meantime: look at the board, then end the night")


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


def _with(values: Mapping[str, Any], seat: str, value: Any) -> Mapping[str, Any]:
    """Return the values with the seat's set, or without it where `value` is None."""
    others = {other: one for other, one in values.items() if other != seat}
    return others if value is None else {**others, seat: value}


class OpenNight:
    """One night that is open: its log, its state, and the one way to add to both. Any thread may call any method."""

    tries = 2
    """How often an event is checked and written: again where the store had more than is in memory."""

    def __init__(
        self,
        row: NightRow,
        preset: Preset,
        entries: list[Entry],
        store: Store,
        live: StreamHub,
        on_recorded: Callable[[OpenNight, Outcome], None] = lambda *_: None,
        seconds: Callable[[], float] = time.time,
    ) -> None:
        """`seconds` returns the seconds since 1970, by which `moment` answers."""
        self.code, self.row = row.code, row
        self.created_at = row.created_at
        self.preset = preset
        self.options: dict[str, Any] = json.loads(row.options)
        self._store, self._live, self._on_recorded = store, live, on_recorded
        self._lock = threading.RLock()
        self._seconds, self._moments = seconds, dict[int, float]()
        self._draft: HandDraft | None = None
        self.load_number = next(_LOADS)
        """No other object of this process has it, also none of the same night."""
        self._versions = count(1)
        self.version = 0
        """Incremented by everything that pages show: events, drafts and settings."""
        self.settings = NightSettings(store, row.code, weak_call(self._publish))
        self._load(entries)

    def show_again(self) -> None:
        """Have every page of the night made anew, after a change that is neither in the log nor in its settings."""
        self._publish()

    def show_again_later(self) -> None:
        """Have every page of the night made anew and sent by the hub's own thread; takes no lock of the night."""
        self.version = next(self._versions)
        self._live.publish(self.code, self.head)

    def _publish(self) -> None:
        """Increment the version and send the change to all watchers; never under the lock, which pages take."""
        with self._lock:
            self.version = next(self._versions)
            head = self.head
        self._live.publish_and_send(self.code, head)

    def _load(self, entries: list[Entry]) -> None:
        self._steps = replay_log(self.code, self.preset, entries)
        self._size: night_file.LogSize | None = None
        self._history: History | None = None
        self.entries = entries
        self.night = self._steps.night
        self._by_id = {entry.id: entry for entry in entries if entry.id is not None}
        self.undone: Mapping[int, int] = self._steps.corrections.undone()  # undone number -> number of its undo

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

    def snapshot(self) -> tuple[Sequence[Entry], Mapping[int, int], list[log.PlayedEvent], Night, HandDraft]:
        """Return entries, undone numbers, the last hand's steps, state and draft, read together under the lock."""
        with self._lock:
            return tuple(self.entries), self.undone, self._steps.of_last_hand(), self.night, self.draft

    def record(
        self,
        event: Event,
        *,
        id: str,  # noqa: A002
        by: str,
        seen: ExpectedState | None = None,
        agreed: Collection[str] | None = None,
    ) -> Outcome:
        """Check one event, write it to the disk, then send it to all watchers; sent again, it is recorded once.

        `agreed` are the seats that have said yes; None for a sender who decides for everybody. Raises TableError (Stale
        when the sender's page was out of date, NeedsConsent) with nothing changed, or NotSaved.
        """
        with self._lock:
            for _ in range(self.tries):
                if known := self._find_repeat(event, id, seen):
                    return Outcome(known, self.night, self.night, is_fresh=False)
                self.check_not_truncated()
                if seen:
                    seen.check(event, self.night, self.head)
                entry, before = Entry(self.head + 1, event, id, now(), by), self.night
                change = log.change(self.entries, entry, amended, self._steps)
                self._check_room(entry)
                if agreed is not None:
                    consent.check(self._steps, change, agreed)
                if self._write(entry):
                    break
            else:
                raise Stale("somebody was faster: look at the table and tap again")
            self._apply(entry, change)
            self._moments[entry.number] = time.monotonic()
            outcome = Outcome(entry, before, self.night)
        self._publish()
        self._on_recorded(self, outcome)
        return outcome

    def moment(self, number: int) -> float | None:
        """Return when an entry was recorded, in seconds since 1970; None where that is not known.

        What this process has recorded, by a clock that never jumps; of other entries, by the log.
        """
        if number in self._moments:
            return self._seconds() - (time.monotonic() - self._moments[number])
        if not self.entries:
            return None
        found = moment_of(self.entries[number - 1].at)
        return found.timestamp() if found else None

    def _apply(self, entry: Entry, change: log.LogChange) -> None:
        """Add an entry, which is on the disk, to what is held in memory."""
        self.entries.append(entry)
        if entry.id is not None:
            self._by_id[entry.id] = entry
        if self._size:
            self._size.add(entry)
        change.onto(self._steps)
        self.night = self._steps.night
        if isinstance(entry.event, Undo):
            self.undone = self._steps.corrections.undone()
        self._history = None

    def outcome_of(self, id: str, *, by: str) -> Outcome | None:  # noqa: A002
        """Return the outcome that the same sender has recorded under this id; None when the id is new."""
        with self._lock:
            entry = self._by_id.get(id)
            return Outcome(entry, self.night, self.night, is_fresh=False) if entry and entry.by == by else None

    def _write(self, entry: Entry) -> bool:
        """Write an entry; False when its number or id is there already: then what came before it is loaded now."""
        try:
            self._store.append(self.code, to_row(entry))
        except NotSaved:
            with suppress(NotRead):  # then the next attempt finds the number taken and reloads
                self._reload()  # the event may have been written after all
            self.show_again_later()
            raise
        except (IdExists, NumberTaken):
            self._read_newer()
            self.show_again_later()  # also when nothing more is recorded now: the answer shows the newer state
            return False
        return True

    def _read_newer(self) -> None:
        """Take in what the store has after the entries in memory; raises TableError, NotRead."""
        self._reload()

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

    def check_not_truncated(self) -> None:
        """Raise NotAllowed where the log ends too early, and the host has not said that it goes on there."""
        if self.settings.truncation:
            raise NotAllowed(
                "the file was damaged and this night ends at event {number}: the host has to say that it goes on there",
                number=self.head,
            )

    def _check_room(self, entry: Entry) -> None:
        """Raise NotAllowed for an entry by which the night's file could not be brought in again, or nearly so."""
        self._size = size = self._size or night_file.LogSize(self.entries)
        larger = size.with_entry(entry)
        if any(map(gt, larger, night_file.MOST)):
            raise NotAllowed("this night is full: go on in a new one")
        if self._is_by_host(entry.by):
            return
        if any(map(gt, larger, night_file.MOST_OF_PLAYERS)):
            raise NotAllowed("this night is nearly full, and what is left is for the host: let the host record it")
        if isinstance(entry.event, Undo | Amend):
            same = size.corrections.of_event(size.corrections.root_of(entry.event.event))
            if sum(self.entries[number - 1].by == entry.by for number in same) >= MOST_CORRECTIONS:
                raise NotAllowed("you have corrected this {most} times: let the host do it", most=MOST_CORRECTIONS)

    def _is_by_host(self, by: str | None) -> bool:
        if by in HOST_NAMES and by not in self.night.people:
            return True
        hosts = self._store.devices.of(self.code, "host")
        return any(by == (row.seat or row.name) for row in hosts)

    # What people say of the hand before it is recorded

    @property
    def draft(self) -> HandDraft:
        """The draft of the hand as it is played now; empty when the stored one belongs to another state of play."""
        with self._lock:
            if self._draft is None:  # after a start
                self._draft = self.settings.draft or HandDraft(HandState(-1))
            return self._draft.at(hand_state(self._steps, self.entries))

    def set_draft_value(self, seat: str, value: Any, claim: str = "") -> None:
        """Store a seat's cards left until they are paid; None removes them. Raises Unknown for no seat, Stale."""
        self.night.require_seated(seat)
        self.change_draft(lambda draft: replace(draft, counts=_with(draft.counts, seat, value)), claim)

    def set_draft_cover(self, seat: str, source: str, claim: str = "") -> None:
        """Store how a seat with too few chips pays. Raises Unknown for no seat, Stale."""
        self.night.require_seated(seat)
        self.change_draft(lambda draft: replace(draft, cover=_with(draft.cover, seat, source)), claim)

    def set_draft_excused(self, seat: str | None, claim: str = "") -> None:
        """Store who pays nothing for cards left, or that nobody does. Raises Unknown for no seat, Stale."""
        if seat is not None:
            self.night.require_seated(seat)
        self.change_draft(lambda draft: replace(draft, excused=seat), claim)

    def set_draft_winner(self, seat: str | None, claim: str = "") -> None:
        """Store which seat went out, or None; the others are asked for their cards left anew. Raises Stale."""
        if seat is not None:
            self.night.require_seated(seat)
        self.change_draft(
            lambda draft: draft if seat and seat == draft.winner else draft.claimed_by(seat, self.head), claim
        )

    def _alone(self) -> AbstractContextManager[object]:
        """Keep everybody else from changing what is typed of the hand, until the end of `with`."""
        return self._lock

    def change_draft(self, change: Callable[[HandDraft], HandDraft], claim: str = "") -> None:
        """Store a changed draft. Raises Stale when the form was filled in for another claim than that which stands."""
        with self._alone():
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
        with self._alone():
            settings = NightSettings(self._store, self.code, is_written.set)
            before = kind.__get__(settings, NightSettings)
            kind.__set__(settings, before.changed(self.night.hand, changes))
        if is_written.is_set():
            self._publish()

    # What the log was, and is, as a whole

    def preview(self, event: Event) -> Night:
        """Return the state after `event` without recording it. Raises TableError when it would be refused."""
        with self._lock:
            change = log.change(self.entries, Entry(self.head + 1, event), amended, self._steps)
            return change.night(self._steps)

    def history(self) -> History:
        """Return the log with the state after each entry, for the log's pages; cached until the next event."""
        with self._lock:
            if self._history is None:
                self._history = History(self.entries, self._steps)
            return self._history

    @property
    def name(self) -> str:
        """What the night is called; empty while the disk fails, when the log in memory can still be shown and saved."""
        with suppress(NotRead):
            if row := self._store.night(self.code):
                return row.name
        return ""

    def export(self) -> str:
        """Return the night as the text of a night file."""
        with self._lock:
            entries = list(self.entries)
        return night_to(preset_to(self.preset), self.options, entries, self.name, self.settings.group)
