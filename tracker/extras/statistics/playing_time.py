"""How long a night took, hand by hand, by the times in its log."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from tracker.core.log import Entry, PlayedEvent
from tracker.formats.evening import moment_of

BREAK_SECONDS = 600
"""What lies further apart in the log is a break: no part of the play."""
LEAST_SECONDS = 10
"""A hand takes longer at a table: a log whose hands took less on average was not written while they were played."""


class PlayingTime(NamedTuple):
    """How long a night took from its first hand to its end, in seconds."""

    hands: tuple[int, ...]
    """What each hand took, without breaks, the first hand first; hands that were given up are left out."""
    numbers: tuple[int, ...]
    """The numbers of these hands."""
    longest_wait: int
    """The longest time between two entries that is no break."""

    @property
    def played(self) -> int:
        """The night without its breaks."""
        return sum(self.hands)

    @property
    def longest_hand(self) -> int:
        """The number of the hand that took longest, the first of several."""
        return self.numbers[self.hands.index(max(self.hands))]


def playing_time(entries: Sequence[Entry], steps: Sequence[PlayedEvent]) -> PlayingTime | None:
    """Return how long a night took, by entries in force; given-up hands count as none, backward clocks add nothing.

    None where times are missing or can't be those of play: LEAST_SECONDS a hand on average, breaks in few hands.
    """
    played = _in_play(steps)
    moments = [moment_of(entries[number - 1].at) for number, _, _ in played]
    known = [one.replace(microsecond=0) for one in moments if one]
    if not played or len(known) < len(moments):
        return None
    count, given_up = played[-1][2].hand, {night.hand for _, _, night in played if night.is_abandoned}
    seconds, longest, broken = [0] * count, 0, set[int]()
    for (then, now), (_, _, night) in zip(pairwise(known), played, strict=False):
        hand = min(night.hand + (not night.preset.is_pot_game), count)
        wait = max(0, int((now - then).total_seconds()))
        if hand in given_up:
            continue
        if wait > BREAK_SECONDS:
            broken.add(hand)
        else:
            seconds[hand - 1] += wait
            longest = max(longest, wait)
    numbers = [hand for hand in range(1, count + 1) if hand not in given_up]
    if not numbers or sum(seconds) < LEAST_SECONDS * len(numbers) or 2 * len(broken) > len(numbers):
        return None
    return PlayingTime(tuple(seconds[hand - 1] for hand in numbers), tuple(numbers), longest)


def _in_play(steps: Sequence[PlayedEvent]) -> Sequence[PlayedEvent]:
    """Return the steps from the first hand, in a score game the one before its result, to the end; none without."""
    first = next((at for at, (_, _, night) in enumerate(steps) if night.hand), len(steps))
    end = next((at for at, (_, _, night) in enumerate(steps) if night.is_over), len(steps))
    is_scored = first < len(steps) and not steps[first][2].preset.is_pot_game
    return steps[max(0, first - is_scored) : end + 1] if first < len(steps) else ()
