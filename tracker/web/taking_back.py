"""What one tap takes back, and what was taken back last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tracker.core.events import Event, Undo
from tracker.core.log import Entry, find

KEPT_BY_HOST = ("sit", "end", "count", "leave", "order")
"""Kinds of events that a seat's phone does not take back, even its own."""


class Recorded(Protocol):
    """A night's log, and which of its entries were taken back."""

    @property
    def entries(self) -> Sequence[Entry]: ...

    @property
    def struck(self) -> Mapping[int, int]: ...


@dataclass(frozen=True)
class UndoView:
    """The event that one tap takes back (or brings back)."""

    number: int
    is_redo: bool
    is_own: bool
    further: int | None = None
    """Right after an undo: the event before the one undone, which can be taken back too."""


def undo_for(scene: Recorded, role: str, seat: str | None) -> UndoView | None:
    """Return what can be taken back: the newest event for the host, the own newest of this hand for a seat.

    Right after an undo its event can be brought back, and the one before it be taken back too.
    """
    if role not in ("host", "seat"):
        return None
    redo: int | None = None
    for entry in reversed(scene.entries):
        if entry.number in scene.struck:
            continue
        is_undo, is_own = isinstance(entry.event, Undo), entry.by == seat
        if is_undo and entry.number == len(scene.entries) and (role == "host" or is_own):
            redo = entry.number
        elif not is_undo and (role == "host" or (is_own and entry.event.kind not in KEPT_BY_HOST)):
            own = role != "host"
            return UndoView(redo, True, own, entry.number) if redo else UndoView(entry.number, False, own)
        if entry.event.kind == "hand" and role != "host":
            break
    return UndoView(redo, True, is_own=True) if redo else None


def undone(scene: Recorded) -> Event | None:
    """Return the event that the newest entry took back, if it is an undo."""
    last = scene.entries[-1] if scene.entries else None
    if last is None or not isinstance(last.event, Undo):
        return None
    return find(scene.entries, last.event.event).event
