"""The summary of one night, so that lists replay none; in score games `net` and `chips` are points."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple

from markupsafe import Markup

from tracker.app.known_nights import KnownNight, KnownSeat
from tracker.extras._night_summaries.net_chart import net_chart
from tracker.formats.evening import order_of
from tracker.formats.records import made, plain


@dataclass(frozen=True)
class SeatSummary(KnownSeat):
    """What a night was for one seat."""

    place: int
    """The place in the ranking, from 1, equal ones the same; 0 for somebody who has no part in the result."""
    net: int
    """What was won or lost, as it is settled."""
    cents: int
    """The net in cents, rounded to the smallest coin; 0 where chips are worth no money."""
    hands: int
    """How many finished hands (rounds, deals) this seat was dealt in."""


class PaymentSummary(NamedTuple):
    """A payment of the settlement that was not ticked off: seats, or `bank`."""

    source: str
    target: str
    cents: int


@dataclass(frozen=True, kw_only=True)
class NightSummary(KnownNight):
    """What is known of one night without its log; of the hands those that are finished: one given up is none."""

    game: str
    """`pots`, `rounds`, `rum` or `points`."""
    hand: int
    """How many hands (rounds, deals) have begun."""
    head: int
    """Number of events in the log that this was computed from."""
    dealer: str
    """The seat that deals, or dealt last; empty before the first hand."""
    money: tuple[int, int]
    """(chips, cents): so many chips or points are worth so many cents; 0 cents where they are worth no money."""
    decimals: int
    """How many the money has: with 2, a cent is a hundredth."""
    seats: tuple[SeatSummary, ...]
    unpaid: tuple[PaymentSummary, ...]
    """After the end, where chips are worth money: the payments of the settlement that were not ticked off."""
    series: tuple[tuple[int, ...], ...]
    """By the places of the seats: the total after each hand. The end of the night, when the board is shared out, is in
    the seat's `net` alone."""
    pots: tuple[str, ...]
    """The names of all places that its board had."""
    more: Mapping[str, str]
    """What extras keep of it, see `summarize.MORE`."""

    def counts_for(self, seat: SeatSummary) -> bool:
        """Return whether the night counts for a seat: it has ended, and the seat played a finished hand or round."""
        return self.is_over and seat.hands > 0

    @cached_property
    def place_of(self) -> Mapping[str, int]:
        """The place of each seat in `seats`."""
        return {one.seat: place for place, one in enumerate(self.seats)}

    @property
    def picture(self) -> Markup:
        """The small chart of everybody's net."""
        series: Sequence[Sequence[int]] = self.series
        if self.game == "pots" and self.is_over:  # the board was shared out after the last hand
            series = [(*one, seat.net) for one, seat in zip(series, self.seats, strict=True)]
        return net_chart(series, {self.place_of[seat] for seat in self.winners})


def newest_first(summaries: Iterable[NightSummary]) -> list[NightSummary]:
    """Return nights, the one that was played last first."""
    return sorted(summaries, key=lambda one: (order_of(one.day), one.code), reverse=True)


_LABELS = ("code", "name", "created_at", "put_away")
"""The fields that are not in the log."""


def to_text(summary: NightSummary) -> str:
    """Return a summary as JSON, without what is not in the log."""
    known = {field.name: plain(getattr(summary, field.name)) for field in fields(NightSummary)}
    kept = {name: one for name, one in known.items() if name not in _LABELS}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def from_text(text: str, labels: Mapping[str, str]) -> NightSummary:
    """Return the summary that `to_text` wrote, with `labels` for what is not in the log.

    Raises any of UNREADABLE for others.
    """
    summary: NightSummary = made(NightSummary, {**json.loads(text), **labels})
    return summary
