"""What the pages of the two score games have in common: who looks, who leads, what can be taken back.

Pure functions, like `views`: no Flask, no words. Everything depends on the night, its log and who looks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from tracker.core import summary
from tracker.core.events import Undo
from tracker.core.night import ENDED, Night
from tracker.web.faces import Face, faces
from tracker.web.taking_back import UndoView
from tracker.web.views import Scene, Viewer

DEALS = ("rummy", "stock-out")


@dataclass(frozen=True)
class ScoreView:
    """What the pages of both games have in common."""

    scene: Scene
    viewer: Viewer

    @property
    def night(self) -> Night:
        return self.scene.night

    @property
    def head(self) -> int:
        return self.scene.head

    @property
    def key(self) -> str:
        """Sent with every form: with what it says it makes the event's id, so a double tap is one event."""
        return f"{self.viewer.seat or self.viewer.role}-{self.head}"

    @property
    def is_over(self) -> bool:
        return self.night.phase == ENDED

    @property
    def is_seated(self) -> bool:
        return self.viewer.role in ("host", "seat")

    @property
    def may_act(self) -> bool:
        return self.is_seated and not self.is_over

    @property
    def records_for_all(self) -> bool:
        return self.may_act and self.viewer.records_for_all

    @property
    def records_own(self) -> bool:
        """Whether this is somebody's own phone, which records for its seat only."""
        return self.may_act and not self.viewer.records_for_all and self.my_seat is not None

    @cached_property
    def faces(self) -> Mapping[str, Face]:
        return faces(self.night)

    @property
    def my_seat(self) -> str | None:
        """The seat of this phone while it sits at the table."""
        return self.viewer.seat if self.viewer.seat in self.night.seats else None

    @cached_property
    def undo(self) -> UndoView | None:
        return undo_for(self.scene, self.viewer)

    @property
    def ring(self) -> tuple[Face, ...]:
        """The people at the table, clockwise."""
        return tuple(self.faces[seat] for seat in self.night.seats)

    @property
    def most(self) -> int:
        """The most points that anybody has."""
        return max(self.night.points.values(), default=0)

    @cached_property
    def winners(self) -> tuple[Face, ...]:
        """Who leads, or has won; nobody while everybody has nothing."""
        if not any(self.night.points.values()):
            return ()
        return tuple(self.faces[seat] for seat in summary.winners(self.night))


def undo_for(scene: Scene, viewer: Viewer) -> UndoView | None:
    """Return what one tap takes back: the newest event for the host, a seat's own newest of this round or deal."""
    if viewer.role not in ("host", "seat"):
        return None
    for entry in reversed(scene.entries):
        if entry.number in scene.struck:
            continue
        is_redo = isinstance(entry.event, Undo)
        if viewer.role == "host":
            return UndoView(entry.number, is_redo, is_own=False) if entry.event.kind != "sit" else None
        if entry.by == viewer.seat and entry.event.kind not in ("sit", "end", "count"):
            return UndoView(entry.number, is_redo, is_own=True)
        if entry.event.kind in ("round", "end", *DEALS):
            return None
    return None
