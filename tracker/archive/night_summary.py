"""The summary of one night, so that lists replay none; in score games `net` and `chips` are points."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from functools import cached_property
from typing import NamedTuple

from tracker.core.night import ENDED
from tracker.formats.evening import evening_of, order_of
from tracker.formats.records import made, plain


@dataclass(frozen=True)
class SeatSummary:
    """What a night was for one seat."""

    seat: str
    name: str
    is_here: bool
    """False for somebody who left before the end."""
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


@dataclass(frozen=True)
class NightSummary:
    """What is known of one night without its log. The last four fields are not in its log."""

    preset: str
    """The id of the board or game that was played."""
    game_name: str
    game: str
    """`pots`, `rounds`, `rum` or `points`."""
    phase: str
    hand: int
    """How many hands (rounds, deals) have begun."""
    hands: int
    """How many of them are finished: one that was given up is none."""
    head: int
    """Number of events in the log that this was computed from."""
    began_at: str
    """When the first event was recorded (ISO 8601); empty before it, or where the log does not say."""
    last_at: str
    """When the newest event was recorded."""
    dealer: str
    """The seat that deals, or dealt last; empty before the first hand."""
    money: tuple[int, int]
    """(chips, cents): so many chips or points are worth so many cents; 0 cents where they are worth no money."""
    decimals: int
    """How many the money has: with 2, a cent is a hundredth."""
    winners: tuple[str, ...]
    """Who leads, or has won: seats; several when they are level, nobody before the first hand."""
    seats: tuple[SeatSummary, ...]
    """Everybody of the night, clockwise, also who left."""
    unpaid: tuple[PaymentSummary, ...]
    """After the end, where chips are worth money: the payments of the settlement that were not ticked off."""
    series: tuple[tuple[int, ...], ...]
    """By the places of the seats: the total after each hand. The end of the night, when the board is shared out, is in
    the seat's `net` alone."""
    pots: tuple[str, ...]
    """The names of all places that its board had."""
    more: Mapping[str, str]
    """What extras keep of it, see `summarize.MORE`."""
    code: str = ""
    name: str = ""
    created_at: str = ""
    put_away: str = ""
    """`archived`, `deleted`, or empty for a night that is listed."""

    @property
    def is_over(self) -> bool:
        return self.phase == ENDED

    def counts_for(self, seat: SeatSummary) -> bool:
        """Return whether the night counts for a seat: it has ended, and the seat played a finished hand or round."""
        return self.is_over and seat.hands > 0

    @property
    def day(self) -> str:
        """When the night began, or was opened if nothing was recorded yet (ISO 8601)."""
        return self.began_at or self.created_at

    @cached_property
    def evening(self) -> date | None:
        """The day of play; None where nobody knows when it was."""
        return evening_of(self.day)

    @cached_property
    def place_of(self) -> Mapping[str, int]:
        """The place of each seat in `seats`."""
        return {one.seat: place for place, one in enumerate(self.seats)}

    @property
    def winner_names(self) -> list[str]:
        return [self.seats[self.place_of[seat]].name for seat in self.winners]


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
