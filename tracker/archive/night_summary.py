"""The summary of one night: what is shown and counted over many nights, so that none of them is replayed for it.

It is computed from the log by `summarize`. Chips are whole numbers; in score games `net` and `chips` are points.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, NamedTuple

from tracker.archive.night_details import NightDetails
from tracker.archive.night_facts import NightFacts
from tracker.core.night import ENDED
from tracker.core.queries.best_moments import Kind, Moment, PotTaken


class SeatSummary(NamedTuple):
    """What a night was for one seat."""

    seat: str
    name: str
    is_here: bool
    """False for somebody who left before the end."""
    net: int
    """What was won or lost, as it is settled."""
    cents: int
    """The net in cents, rounded to the smallest coin; 0 where chips are worth no money."""
    score: int
    """The total of a score game, in points; 0 in pot games."""
    hands: int
    """How many finished hands (rounds, deals) this seat was dealt in."""


class PaymentSummary(NamedTuple):
    """A payment of the settlement: seats, or `bank`."""

    source: str
    target: str
    cents: int
    is_paid: bool


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
    head: int
    """Number of events in the log that this was computed from."""
    began_at: str
    """When the first event was recorded (ISO 8601); empty before it, or where the log does not say."""
    ended_at: str
    """When the night ended; empty while it goes on."""
    last_at: str
    """When the newest event was recorded."""
    dealer: str
    """The seat that deals, or dealt last; empty before the first hand."""
    on_board: int
    """Chips in all pots."""
    money: tuple[int, int]
    """(chips, cents): so many chips or points are worth so many cents; 0 cents where they are worth no money."""
    winners: tuple[str, ...]
    """Who leads, or has won: seats; several when they are level, nobody before the first hand."""
    seats: tuple[SeatSummary, ...]
    """Everybody of the night, clockwise, also who left."""
    payments: tuple[PaymentSummary, ...]
    """After the end, where chips are worth money: the payments of the settlement."""
    facts_text: str
    """`facts`, `moments` and `details` as texts, each of which is read when it is used."""
    moments_text: str
    details_text: str
    code: str = ""
    name: str = ""
    created_at: str = ""
    put_away: str = ""
    """`archived`, `deleted`, or empty for a night that is listed."""

    @property
    def is_over(self) -> bool:
        return self.phase == ENDED

    @property
    def day(self) -> str:
        """When the night began, or was opened if nothing was recorded yet (ISO 8601)."""
        return self.began_at or self.created_at

    @cached_property
    def facts(self) -> NightFacts:
        """What each seat did, and what each pot paid."""
        return NightFacts.from_text(self.facts_text)

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """The greatest moment of each kind that the night has, the greatest first."""
        return moments_from(self.moments_text)

    @cached_property
    def details(self) -> NightDetails:
        """The night hand by hand."""
        return NightDetails.from_text(self.details_text)

    @cached_property
    def place_of(self) -> Mapping[str, int]:
        """The place of each seat in `seats`."""
        return {one.seat: place for place, one in enumerate(self.seats)}

    @property
    def winner_names(self) -> list[str]:
        return [self.seats[self.place_of[seat]].name for seat in self.winners]

    @property
    def unpaid(self) -> tuple[PaymentSummary, ...]:
        """The payments of the settlement that were not ticked off."""
        return tuple(one for one in self.payments if not one.is_paid)


def moments_text(moments: Iterable[Moment]) -> str:
    """Return moments as one line of JSON."""
    values = ([*vars(replace(one, pot=None)).values(), one.pot and [*vars(one.pot).values()]] for one in moments)
    return json.dumps([*values], separators=(",", ":"))


def moments_from(text: str) -> tuple[Moment, ...]:
    """Return what `moments_text` wrote."""
    return tuple(_moment(*values) for values in json.loads(text))


def _moment(kind: Kind, seats: list[str], *values: Any) -> Moment:
    *others, pot = values
    if pot:
        hand, name, takers, *chips = pot
        pot = PotTaken(hand, name, tuple(takers), *chips)
    return replace(Moment(kind, tuple(seats), *others), pot=pot)


_LABELS = ("code", "name", "created_at", "put_away")
"""The fields that are not in the log."""
_TEXTS = ("facts_text", "moments_text", "details_text")
_NOT_PLAIN = {*_LABELS, *_TEXTS}


def to_text(summary: NightSummary) -> str:
    """Return a summary as lines of JSON, without what is not in the log: its fields, facts, moments, and details."""
    plain = {field.name: getattr(summary, field.name) for field in fields(summary) if field.name not in _NOT_PLAIN}
    first = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    return "\n".join([first, *(getattr(summary, name) for name in _TEXTS)])


def from_text(text: str, labels: Mapping[str, str]) -> NightSummary:
    """Return the summary that `to_text` wrote, with `labels` for what is not in the log.

    Raises ValueError, TypeError, KeyError or AttributeError for others.
    """
    first, *texts = text.split("\n")
    raw = json.loads(first)
    lists = {
        "money": tuple(raw["money"]),
        "winners": tuple(raw["winners"]),
        "seats": tuple(map(SeatSummary._make, raw["seats"])),
        "payments": tuple(map(PaymentSummary._make, raw["payments"])),
    }
    return NightSummary(**{**raw, **lists, **dict(zip(_TEXTS, texts, strict=True)), **labels})
