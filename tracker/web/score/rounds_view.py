"""What the page of 8 Round Rummy shows: the round cards in their circle, who has won which, whose turn comes next."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tracker.core import rounds_game
from tracker.core.preset import RoundCard
from tracker.web.drawing.player_token import PlayerToken
from tracker.web.score.view import ScoreView


@dataclass(frozen=True)
class RoundView:
    """One of the round cards on the table: still to be won, being played, or in front of whoever won it."""

    card: RoundCard
    at: int
    """Its place in the circle, 0 to 7; the short game uses every second one."""
    is_now: bool
    winner: PlayerToken | None = None


@dataclass(frozen=True)
class RoundsSeat:
    """A person, with the round cards won so far."""

    face: PlayerToken
    points: int
    cards: tuple[int, ...]
    is_me: bool
    is_winner: bool


@dataclass(frozen=True)
class RoundsView(ScoreView):
    """Everything on the page of 8 Round Rummy for one viewer."""

    shared_templates = "rounds"

    @cached_property
    def now(self) -> RoundCard | None:
        """The round being played; None when the game is over."""
        return None if self.is_over else rounds_game.next_round(self.night)

    @cached_property
    def rounds(self) -> tuple[RoundView, ...]:
        played = self.night.preset.rounds_played
        won = {one.number: one for one in self.night.rounds}
        step = 8 // len(played) if len(played) in (1, 2, 4, 8) else 1
        return tuple(
            RoundView(
                card=card,
                at=place * step % 8,
                is_now=card == self.now,
                winner=self.faces[won[card.number].winner] if card.number in won else None,
            )
            for place, card in enumerate(played)
        )

    @cached_property
    def seats(self) -> tuple[RoundsSeat, ...]:
        shown = self.night.all_seats if self.is_over else self.night.seats
        return tuple(self._seat(seat) for seat in shown)

    def _seat(self, seat: str) -> RoundsSeat:
        night = self.night
        return RoundsSeat(
            face=self.faces[seat],
            points=night.points.get(seat, 0),
            cards=tuple(one.number for one in night.rounds if one.winner == seat),
            is_me=seat == self.viewer.seat,
            is_winner=any(face.seat == seat for face in self.winners),
        )

    @property
    def me(self) -> RoundsSeat | None:
        return next((seat for seat in self.seats if seat.is_me), None)

    @property
    def second_question(self) -> str:
        """What is asked of the hand that won the round being played: `jokers`, `alike` or nothing."""
        if self.now is None:
            return ""
        if self.now.number == rounds_game.LAST_ROUND:
            return "jokers"
        return "alike" if rounds_game.asks_seven_alike(self.night, self.now.number) else ""

    @property
    def is_unfinished(self) -> bool:
        is_stopped = rounds_game.next_round(self.night) is not None and not rounds_game.automatic_winner(self.night)
        return self.is_over and is_stopped

    @cached_property
    def won_by(self) -> str:
        """Why the winner has won: `automatic`, `shared`, `round_8`, `most_cards`, `points`, or nothing yet."""
        return rounds_game.winning_reason(self.night)
