"""What the player of a film is rendered from: the drawings it needs, its data, and the night's result at its end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from tracker.app.log_history import History
from tracker.core.queries.best_moments import Moment
from tracker.web.drawing import board
from tracker.web.drawing.board import pile_size
from tracker.web.drawing.board_places import PlaceView, board_size, colouring, places_of
from tracker.web.drawing.player_token import PlayerToken
from tracker.web.film.frames import Film, film_of
from tracker.web.night_result import NightResult

TELLS_THE_END = ("comeback", "finish")
"""Kinds of moments whose sentence would say before its time how the night ends."""


@dataclass(frozen=True)
class Player:
    """A night's film with everything that its page shows."""

    result: NightResult
    film: Film

    @property
    def is_pots(self) -> bool:
        return self.result.is_pots

    @property
    def seats(self) -> list[PlayerToken]:
        """Everybody of the night, clockwise."""
        return [self.result.faces[seat] for seat in self.result.night.all_seats]

    @property
    def ranking(self) -> list[tuple[PlayerToken, int]]:
        """Everybody with what they won or lost (in a score game their total), the best first."""
        result = self.result
        order = sorted(self.seats, key=lambda face: (face not in result.winners, -result.nets[face.seat]))
        shown = result.nets if self.is_pots else result.totals
        return [(face, shown[face.seat]) for face in order]

    @cached_property
    def board_size(self) -> int:
        return board_size(self.film.board)

    @cached_property
    def places(self) -> tuple[PlaceView, ...]:
        return places_of(self.film.board) if self.is_pots else ()

    @property
    def has_centre(self) -> bool:
        return any(place.at is None for place in self.places)

    def colouring(self, place: PlaceView) -> str:
        return colouring(place.at)

    @property
    def drawings(self) -> str:
        """The board, its places, and each pile that the film shows, as SVG symbols."""
        shown = [(self.film.accounts.index(place.id), colouring(place.at)) for place in self.places]
        piles = {f"{mix}{pile_size(frame.balances[at])}" for frame in self.film.frames for at, mix in shown}
        art = board.art(self.board_size) if self.is_pots else ""
        return art + board.chip_symbols(sorted(pile for pile in piles if pile[1:] != "0"))

    def fitting(self, most_bytes: int) -> Player:
        """Return the player of as much of the film as fits in so many bytes of JSON."""
        return replace(self, film=self.film.fitting(most_bytes))


def player_of(history: History, opening: str) -> Player | None:
    """Return the player of a night's film, which begins with the sentence `opening`; None when no hand was played."""
    result = NightResult(history)
    told = zip(result.chosen_moments, result.best_moments, strict=True)
    moments = {
        event_of(history, moment): sentence.striptags() for moment, sentence in told if moment.kind not in TELLS_THE_END
    }
    film = film_of(history, opening, moments)
    return Player(result, replace(film, hand_times=result.hand_times).fitting()) if film else None


def event_of(history: History, moment: Moment) -> int:
    """Return the number of the event that shows a moment: the one that took its pot, else the last of its hand."""
    numbers = [number for number, _event, night in history.steps if night.hand == moment.hand and not night.is_over]
    taken = [number for number in numbers if moment.pot and _took(history, number, moment.pot.pot)]
    return (taken or numbers or [history.steps[-1][0]])[-1]


def _took(history: History, number: int, pot: str) -> bool:
    after = history.line(number).after
    return after is not None and any(one.source == pot for one in after.last_transfers)
