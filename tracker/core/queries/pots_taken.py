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
    """See `hands_grown`."""


def hand_ends(states: Iterable[Night]) -> list[Night]:
    """Return the last state of every hand, in the order of the hands; the end of a pot game's night is no part of one.

    `states` are the states after each event in force, oldest first.
    """
    ends: dict[int, Night] = {}
    for night in states:
        if night.hand and not (night.is_over and night.preset.game == "pots"):
            ends[night.hand] = night
    return [*ends.values()]


def hands_grown(ends: Iterable[Night]) -> dict[tuple[int, str], int]:
    """Return over how many hands each pot had grown that was taken, by the hand and the pot; poker pools among them.

    `ends` are the last states of the hands. A pot grows in every hand since it was last taken or empty at a hand's end,
    the hand in which it is taken included: at least 1. What is given back in the same hand was not taken.
    """
    grown: dict[tuple[int, str], int] = {}
    began: dict[str, int] = {}  # pot -> the hand in which it began to grow
    for night in ends:
        taken = {*night.deal.taken} if night.deal else set()
        if night.deal and night.deal.poker is not None:
            taken |= {pool.id for pool in night.preset.won_by("poker")}
        for pot in night.preset.board:
            first = began.setdefault(pot, night.hand)
            if pot in taken:
                grown[night.hand, pot] = night.hand - first + 1
            if pot in taken or not night.ledger.holds(pot):
                began[pot] = night.hand + 1
    return grown


def pots_taken(ends: Sequence[Night]) -> Iterator[PotTaken]:
    """Yield every pot that was taken for its card, hand by hand; `ends` are the last states of the hands."""
    grown = hands_grown(ends)
    for night in ends:
        for pot, taken in night.deal.taken.items() if night.deal else ():
            if taken.chips:
                yield PotTaken(night.hand, pot, (taken.seat, *taken.others), taken.chips, grown[night.hand, pot])
