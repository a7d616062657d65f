"""A log of what a night's server has acknowledged, played by the pure core alone: how everybody has to be answered."""

from dataclasses import dataclass
from typing import Any

from tracker.core import log
from tracker.core.apply import apply_new
from tracker.core.errors import TableError
from tracker.core.events import Buy, Event, Undo
from tracker.core.log import Entry
from tracker.core.preset import Preset
from tracker.formats.codec import amended, event_from
from tracker.web.events.registry import kind_of

CONFLICTS = ("stale", "already-done")


@dataclass(frozen=True)
class Sent:
    """A request of a script, to be sent again as it was."""

    sender: str
    id: str
    event: dict[str, Any]
    if_match: int | None = None


@dataclass(frozen=True)
class Tapped:
    """A form of a phone, as its page was when somebody tapped."""

    sender: str
    event: Event
    form: tuple[tuple[str, str], ...]
    head: int
    hand: int
    held: int | None


class ReferenceLog:
    """What was acknowledged, and what has to be answered next."""

    def __init__(self, preset: Preset, entries: list[Entry]) -> None:
        self.preset, self.entries = preset, entries
        self._steps, replayed = log.replay_accepted(preset, entries, amended)
        self.night = replayed.night
        self._by_form: set[tuple[str, str]] = set()

    def __len__(self) -> int:
        return len(self.entries)

    def check(self) -> None:
        """The state that was kept is the one that a replay of the whole log comes to."""
        assert log.replay(self.preset, self.entries, amended) == log.Replay(self.night)

    # Scripts

    def status_for_script(self, sent: Sent) -> int:
        """Return the status that a script has to be answered with, and keep what is recorded by it."""
        if sent.sender in ("nobody", "knock", "watcher"):
            return 401 if sent.sender == "nobody" else 403
        try:
            event = event_from(sent.event)
            same = next((entry for entry in self.entries if entry.id == sent.id), None)
            if same and same.event == event:
                return 200
            if not self._is_allowed(sent.sender, event):
                return 403
        except TableError:
            return 422
        if same or (sent.if_match is not None and sent.if_match != len(self)):
            return 409
        return self._record(event, sent.id, sent.sender) or 201

    def _is_allowed(self, sender: str, event: Event) -> bool:
        undone = log.find(self.entries, event.event).number if isinstance(event, Undo) else None
        if sender == "host":
            return True
        if undone is not None:
            return self.own_newest(sender) == undone
        return kind_of(event, self.night).may_record(event, self.night, sender, is_open=False)

    def own_newest(self, seat: str) -> int | None:
        """Return the number of what a seat may take back: its own newest entry of this hand that stands."""
        for entry in reversed(self.entries):
            if entry.number in self._undone:
                continue
            undone = isinstance(entry.event, Undo) and log.find(self.entries, entry.event.event, entry.number).event
            if entry.by == seat and entry.event.kind not in ("sit", "end", "count") and not isinstance(undone, Undo):
                return entry.number
            if entry.event.ends_deal or entry.event.kind == "hand":
                return None
        return None

    # Phones

    def status_for_form(self, tapped: Tapped) -> int:
        """Return the status that a phone has to be answered with, and keep what is recorded by it."""
        form = dict(tapped.form)
        if isinstance(tapped.event, Buy) and tapped.event.seat == tapped.sender != "ann":
            return self._refusal(tapped.event) or 200  # the host is asked: nothing is recorded
        if tapped.sender != "ann" and not kind_of(tapped.event, self.night).may_record(
            tapped.event, self.night, tapped.sender, is_open=False
        ):
            return 403
        news = [one for one in self.entries[tapped.head :] if one.number not in self._undone]
        if (form["key"], repr(tapped.event)) in self._by_form or any(one.event == tapped.event for one in news):
            return 200
        if tapped.hand != self.night.hand or (tapped.held is not None and tapped.held != self.night.pot(form["pot"])):
            return 409
        refused = self._record(tapped.event, None, tapped.sender)
        if not refused:
            self._by_form.add((form["key"], repr(tapped.event)))
        return refused or 200

    # Both

    @property
    def _undone(self) -> set[int]:
        return set(log.find_undone(self.entries))

    def _refusal(self, event: Event) -> int:
        """Return the status of an event's refusal; 0 where it may be recorded."""
        try:
            apply_new(self.night, event)
        except TableError as refusal:
            return 409 if refusal.code in CONFLICTS else 422
        return 0

    def _record(self, event: Event, id: str | None, by: str) -> int:  # noqa: A002
        """Keep one more event; return 0, or the status of its refusal."""
        entry = Entry(len(self) + 1, event, id, by=by)
        try:
            self.night = log.record(self.entries, entry, amended, self._steps)
        except TableError as refusal:
            return 409 if refusal.code in CONFLICTS else 422
        self.entries.append(entry)
        return 0
