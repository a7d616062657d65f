"""What the page of a plain score sheet shows: totals, the points of the round that are still to come, the sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from tracker.core import points_game
from tracker.core.events import Event, Score, Scores
from tracker.web.drawing.player_token import PlayerToken
from tracker.web.score.rum_view import RumView


@dataclass(frozen=True)
class PointsView(RumView):
    """Everything on the page of a score sheet for one viewer: a deal in which everybody is asked."""

    least_in_hand, most_in_hand = -9999, 9999

    @property
    def is_winner_only(self) -> bool:
        """Whether only who won a round is written down."""
        return self.night.house_rules.points_entry == "winner"

    @cached_property
    def dealer(self) -> PlayerToken | None:
        """Who deals the present round, where the page says so."""
        seat = points_game.dealer_now(self.night)
        return self.faces[seat] if seat and self.night.house_rules.points_dealer == "on" and not self.is_over else None

    @property
    def first_points(self) -> Mapping[str, int]:
        """With how many points those began, or will begin, who have joined later."""
        first = {seat: points_game.starting_points(self.night, seat) for seat in self.night.all_seats}
        return {seat: points for seat, points in first.items() if points}

    @property
    def closing(self) -> Event:
        return Scores({seat: Score(points) for seat, points in self.hands.items()})
