"""The page of 8 Round Rummy: the round cards in their circle, and who has won which."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tracker.app.open_night import OpenNight
from tracker.core.preset import RoundCard
from tracker.extras._score.pages import ScorePages
from tracker.extras._score.view import ScoreView
from tracker.extras.rounds import drawing
from tracker.extras.rounds.rules import (
    LAST_ROUND,
    asks_seven_alike,
    automatic_winner,
    next_round,
    rounds_played,
    rounds_won,
    winning_reason,
)
from tracker.extras.rounds.words import KINDS, RoundWords
from tracker.web.base.snapshot import Viewer, snapshot_of
from tracker.web.drawing.player_token import PlayerToken
from tracker.web.table.game_pages import add_game
from tracker.web.wording.texts import gettext as _


@dataclass(frozen=True)
class RoundsView(ScoreView):
    """Everything on the page of 8 Round Rummy for one viewer."""

    @cached_property
    def now(self) -> RoundCard | None:
        """The round being played; None when the game is over."""
        return None if self.is_over else next_round(self.night)

    @property
    def rounds(self) -> tuple[tuple[int, RoundCard], ...]:
        """The round cards on the table, each after its place in the circle, 0 to 7: a short game has every second."""
        played = rounds_played(self.night.preset)
        step = 8 // len(played) if len(played) in (1, 2, 4, 8) else 1
        return tuple((place * step % 8, card) for place, card in enumerate(played))

    @property
    def won(self) -> Mapping[int, PlayerToken]:
        """Who won each round card, by its number."""
        return {one.number: self.faces[one.winner] for one in rounds_won(self.night)}

    @property
    def second_question(self) -> str:
        """What is asked of the hand that won the round being played: `jokers`, `alike` or nothing."""
        if self.now is None:
            return ""
        if self.now.number == LAST_ROUND:
            return "jokers"
        return "alike" if asks_seven_alike(self.night, self.now.number) else ""

    @property
    def is_unfinished(self) -> bool:
        is_stopped = next_round(self.night) is not None and not automatic_winner(self.night)
        return self.is_over and is_stopped

    @cached_property
    def won_by(self) -> str:
        """Why the winner has won: `automatic`, `shared`, `round_8`, `most_cards`, `points`, or nothing yet."""
        return winning_reason(self.night)

    def cards(self, seat: str) -> tuple[int, ...]:
        """Return the numbers of the round cards that somebody has won."""
        return tuple(one.number for one in rounds_won(self.night) if one.winner == seat)


class RoundPages(ScorePages):
    """The pages of 8 Round Rummy."""

    own, shared, tv = "rounds/_own.html", "rounds/_shared.html", "rounds/_tv.html"

    def view(self, table: OpenNight, viewer: Viewer) -> RoundsView:
        return RoundsView(snapshot_of(table), viewer)

    def context(self) -> dict[str, Any]:
        return {"art": drawing}

    def leaving(self, _view: ScoreView, name: str, _seat: str) -> str:
        return _("%(name)s keeps the round cards, and can’t win the game any more.", name=name)


add_game("rounds", RoundWords(), KINDS, RoundPages(), {})
