"""What the pages of the two score games have in common: who looks, who leads, what can be taken back.

Pure functions, like `views`: no Flask, no words. Everything depends on the night, its log and who looks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from tracker.core.night import ENDED
from tracker.core.queries import summary
from tracker.core.queries.undo_policy import UndoView, undo_for
from tracker.web.drawing.player_token import PlayerToken, player_tokens
from tracker.web.snapshot import SnapshotView, Viewer

DEALS = ("rummy", "stock-out", "scores")


@dataclass(frozen=True)
class ScoreView(SnapshotView):
    """What the pages of both games have in common."""

    viewer: Viewer

    shared_templates = ""
    """The first part of the name of the templates that show what everybody sees alike."""

    @property
    def key(self) -> str:
        return self.viewer.form_key(self.head)

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
    def may_tap_seats(self) -> bool:
        """Whether a tap on a person offers something."""
        return self.records_for_all

    @property
    def records_own(self) -> bool:
        """Whether this is somebody's own phone, which records for its seat only."""
        return self.may_act and not self.viewer.records_for_all and self.my_seat is not None

    @cached_property
    def faces(self) -> Mapping[str, PlayerToken]:
        return player_tokens(self.night)

    @property
    def my_seat(self) -> str | None:
        """The seat of this phone while it sits at the table."""
        return self.viewer.seat if self.viewer.seat in self.night.seats else None

    @cached_property
    def undo(self) -> UndoView | None:
        return undo_for(self.snapshot, self.viewer.role, self.viewer.seat)

    @property
    def all_seats(self) -> tuple[PlayerToken, ...]:
        """The people at the table, clockwise."""
        return tuple(self.faces[seat] for seat in self.night.seats)

    @property
    def most(self) -> int:
        """The most points of anybody who can win."""
        return max((self.night.points[seat] for seat in self.night.contenders), default=0)

    @cached_property
    def winners(self) -> tuple[PlayerToken, ...]:
        """Who leads, or has won; nobody before the first deal or round is over."""
        return tuple(self.faces[seat] for seat in summary.leaders(self.night))
