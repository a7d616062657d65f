"""Which pots were taken in a night, and for how many hands each had grown by then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tracker.core.night import Night


@dataclass(frozen=True)
class PotTaken:
    """A pot that one seat took, or several shared."""

    hand: int
    pot: str
    seats: tuple[str, ...]
    chips: int
    """What lay in it, in chips and IOUs."""
    hands_grown: int
    """How many hands put chips into it since it was last taken or empty, this hand included: at least 1."""


def hand_ends(states: Iterable[Night]) -> list[Night]:
    """Return the last state of every hand, in the order of the hands; the end of a pot game's night is no part of one.

    `states` are the states after each event in force, oldest first.
    """
    ends: dict[int, Night] = {}
    for night in states:
        if night.hand and not (night.is_over and night.preset.game == "pots"):
            ends[night.hand] = night
    return [*ends.values()]


def pots_taken(ends: Sequence[Night]) -> Iterator[PotTaken]:
    """Yield every pot that was taken, in the order of the hands; `ends` are the last states of the hands."""
    began: dict[str, int] = {}  # pot -> the hand in which it began to grow
    for night in ends:
        taken = night.deal.taken if night.deal else {}
        for pot in night.preset.board:
            first = began.setdefault(pot, night.hand)
            if pot in taken and taken[pot].chips:
                seats = (taken[pot].seat, *taken[pot].others)
                yield PotTaken(night.hand, pot, seats, taken[pot].chips, night.hand - first + 1)
            if pot in taken or not night.ledger.holds(pot):
                began[pot] = night.hand + 1
