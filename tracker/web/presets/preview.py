"""A board as it would lie on the table after the first antes: what the editor draws while somebody types."""

from __future__ import annotations

from dataclasses import dataclass

from tracker.core.apply import apply
from tracker.core.errors import TableError
from tracker.core.events import Hand, Sit
from tracker.core.night import Night
from tracker.core.preset import Preset
from tracker.core.queries.chip_supply import antes_of
from tracker.web.drawing import board
from tracker.web.drawing.board_places import PlaceView, board_size, places_of


@dataclass(frozen=True)
class BoardPreview:
    """A board as it lies after the first antes, and what these cost, in numbers."""

    places: tuple[PlaceView, ...]
    size: int
    people: int
    dealer: int
    other: int
    total: int
    hands: int
    """For how many hands the starting stack lasts without winning."""
    stack: int

    @property
    def is_short(self) -> bool:
        return self.stack < self.dealer

    @property
    def art(self) -> str:
        return board.art(self.size)


def drawing_of(preset: Preset) -> BoardPreview | None:
    """Return the board of a game of pots; None for score games."""
    if preset.game != "pots" or not preset.board:
        return None
    people = max(2, preset.seats.min, min(5, preset.seats.max))
    dealer, other = antes_of(preset, people)
    night = after_antes(preset, people)
    lying = sum(night.pot(pot) for pot in preset.board)
    total = lying or dealer + other * (people - 1)
    hands = preset.stack * people // total if total else 0
    return BoardPreview(places_of(night), board_size(night), people, dealer, other, total, hands, preset.stack)


def after_antes(preset: Preset, people: int) -> Night:
    """Return a night of so many people after its first antes; before them when those can't be paid."""
    night = Night(preset)
    try:
        for seat in range(people):
            night = apply(night, Sit(f"p{seat}", f"P{seat}", chips=1_000_000))  # type: ignore[arg-type]
        return apply(night, Hand("p0"))
    except TableError:
        return Night(preset)
