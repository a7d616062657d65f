"""The summary of one night: what is shown and counted over many nights, so that none of them is replayed for it.

It is computed from the log by `summarize`. Chips are whole numbers; in score games `net` and `chips` are points.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from sys import intern
from typing import Any, Generic, NamedTuple, Self, TypeVar

from tracker.core.night import ENDED

NOBODY = -1
"""Stands for a seat where there is none."""
OFFENCES = ("wrong-lead", "withheld-card", "match", "false-rummy", "unused-purchase")
"""The penalties of all games; `match` is what an offender pays for a money card that somebody else holds."""


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
    series: tuple[int, ...]
    """The total after each hand; the end of the night, when the board is shared out, is in `net` alone."""


class PotSummary(NamedTuple):
    """A pot of the board of a night."""

    id: str
    name: str
    label: str
    won_by: str
    most: int
    """The most that it ever held in this night: chips and IOUs."""


class HandEnd(NamedTuple):
    """How a hand ended: one row for each hand, or for each of several winners of a deal that is scored."""

    hand: int
    dealer: int
    """The place of a seat in `seats`, or NOBODY in games where it is not recorded."""
    winner: int
    """Who went out, or won the round or deal: a place in `seats`; NOBODY where nobody did, and in a hand going on."""


class PotTaken(NamedTuple):
    """What one seat got when a pot was taken: a pot that several shared has a row for each of them."""

    hand: int
    pot: int
    """The place of the pot in `pots`."""
    seat: int
    """The place of the seat in `seats`."""
    chips: int
    """What this seat got, in chips and IOUs."""
    grown: int
    """Over how many hands the pot had grown: 1 where it was taken in the hand after it was emptied."""
    sharers: int
    """How many seats shared it: mostly 1."""


class DummyBought(NamedTuple):
    """A dummy hand that was sold, in a hand that is over."""

    hand: int
    buyer: int
    seller: int
    """Places in `seats`."""
    price: int
    won: int
    """By how much the buyer's net changed from the purchase to the end of the hand; the price is not in it."""


class PenaltyPaid(NamedTuple):
    """A penalty that somebody was given."""

    hand: int
    seat: int
    offence: int
    """The place of its name in OFFENCES."""
    chips: int
    """What it cost at once."""


class PaymentSummary(NamedTuple):
    """A payment of the settlement: seats, or `bank`."""

    source: str
    target: str
    cents: int
    is_paid: bool


Row = TypeVar("Row", HandEnd, PotTaken, DummyBought, PenaltyPaid)


class Rows(Generic[Row]):
    """Rows of whole numbers, held as one array: those of a thousand nights are a hundred and fifty thousand."""

    __slots__ = ("_numbers", "_text", "kind")

    def __init__(self, kind: type[Row], numbers: Iterable[int] | str) -> None:
        """`numbers` are the fields of the first row, then those of the next one; as a text they are read when used.

        Raises ValueError or TypeError, for a text when it is used.
        """
        self.kind: type[Row] = kind
        self._text: str | None = numbers if isinstance(numbers, str) else None
        self._numbers: array[int] | None = None if isinstance(numbers, str) else self._array(numbers)

    def _array(self, numbers: Iterable[int]) -> array[int]:
        listed = [*numbers]
        if len(listed) % len(self.kind._fields):
            raise ValueError(f"{len(listed)} numbers are no rows of {len(self.kind._fields)}")
        try:
            return array("i", listed)
        except OverflowError:
            return array("q", listed)

    @property
    def numbers(self) -> array[int]:
        """The fields of the first row, then those of the next one."""
        if self._numbers is None:
            self._numbers = self._array(map(int, self._text.split(",")) if self._text else ())
            self._text = None
        return self._numbers

    @property
    def text(self) -> str:
        """The numbers as a text, which the constructor takes."""
        return ",".join(map(str, self.numbers))

    @classmethod
    def of(cls, kind: type[Row], rows: Iterable[Row]) -> Self:
        """Return these rows."""
        return cls(kind, (number for row in rows for number in row))

    def __iter__(self) -> Iterator[Row]:
        fields = [iter(self.numbers)] * len(self.kind._fields)
        return map(self.kind._make, zip(*fields, strict=True))

    def __len__(self) -> int:
        return len(self.numbers) // len(self.kind._fields)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows) and other.kind is self.kind and list(other.numbers) == list(self.numbers)

    def __hash__(self) -> int:
        return hash((self.kind, tuple(self.numbers)))

    def __repr__(self) -> str:
        return f"Rows({list(self)!r})"


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
    pots: tuple[PotSummary, ...]
    payments: tuple[PaymentSummary, ...]
    """After the end, where chips are worth money: the payments of the settlement."""
    hands: Rows[HandEnd]
    taken: Rows[PotTaken]
    dummies: Rows[DummyBought]
    penalties: Rows[PenaltyPaid]
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


_LABELS = ("code", "name", "created_at", "put_away")
"""The fields that are not in the log."""


def to_json(summary: NightSummary) -> dict[str, Any]:
    """Return a summary as plain JSON values, without what is not in the log."""
    plain = {field.name: getattr(summary, field.name) for field in fields(summary) if field.name not in _LABELS}
    return {key: value.text if isinstance(value, Rows) else value for key, value in plain.items()}


def from_json(raw: Mapping[str, Any], **labels: str) -> NightSummary:
    """Return the summary that `to_json` wrote, with `labels` for what is not in the log.

    Raises ValueError, TypeError, KeyError or AttributeError for others.
    """
    seats = (SeatSummary._make([*values[:-1], tuple(values[-1])]) for values in raw["seats"])
    lists = {
        "money": tuple(raw["money"]),
        "winners": tuple(raw["winners"]),
        "seats": tuple(seats),
        "pots": tuple(PotSummary._make([*map(intern, texts), most]) for *texts, most in raw["pots"]),
        "payments": tuple(map(PaymentSummary._make, raw["payments"])),
        "hands": Rows(HandEnd, raw["hands"]),
        "taken": Rows(PotTaken, raw["taken"]),
        "dummies": Rows(DummyBought, raw["dummies"]),
        "penalties": Rows(PenaltyPaid, raw["penalties"]),
    }
    return NightSummary(**{**raw, **lists, **labels})
