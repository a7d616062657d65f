"""The best moments of many nights, told from their summaries, in the measures of `core.queries.best_moments`.

Of each kind the greatest one: chips are compared as numbers, whatever they were worth.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.archive.statistics.played_nights import PlayedNight
from tracker.core.queries.best_moments import Kind, Moment

NightMoment = tuple[PlayedNight, Moment]
KINDS: Sequence[Kind] = ("pot", "hand", "comeback", "streak", "dummy", "finish")


def year_moments(nights: Sequence[PlayedNight]) -> list[NightMoment]:
    """Return the greatest moment of each kind with its night: pot, hand, comeback, streak, dummy hand, close finish."""
    greatest: dict[Kind, NightMoment] = {}
    for night in nights:
        for moment in night.summary.moments:
            known = greatest.get(moment.kind)
            if known is None or moment.weight > known[1].weight:
                greatest[moment.kind] = night, moment
    return [greatest[kind] for kind in KINDS if kind in greatest]
