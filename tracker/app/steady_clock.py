"""Seconds since 1970 that never jump while the program runs, for whatever lasts minutes or hours."""

import time
from collections.abc import Callable

SKEW_SECONDS = 60.0
"""By how much the clocks of machines that use the same nights may differ."""


class SteadyClock:
    """Returns the seconds since 1970, from the machine's time at the start, by a clock that is never set."""

    def __init__(self, wall: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._wall, self._monotonic = wall, monotonic
        self._begun = wall() - monotonic()

    def __call__(self) -> float:
        # A computer without a battery has its clock set when it first reaches a network: nothing ends early by that.
        return self._begun + self._monotonic()

    def on_machine(self, seconds: float) -> float:
        """Return what the machine's clock shows at a moment of this one."""
        return seconds + self._wall() - self()


def is_before(now: float, until: float, most_seconds: float) -> bool:
    """Return whether an end has not come that was set at most so many seconds ahead.

    One further ahead was set by another clock, before a restart: it counts as passed.
    """
    return now < until <= now + most_seconds + SKEW_SECONDS
