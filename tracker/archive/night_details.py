"""What a night's summary says hand by hand: totals, pots, and rows of whole numbers.

Most pages need none of it, so it is kept as a text that is read when it is used.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from sys import intern
from typing import Generic, NamedTuple, Self, TypeVar

NOBODY = -1
"""Stands for a seat where there is none."""
OFFENCES = ("wrong-lead", "withheld-card", "match", "false-rummy", "unused-purchase")
"""The penalties of all games; `match` is what an offender pays for a money card that somebody else holds."""


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
    """The place of the seat in `seats`."""
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
            self._numbers = self._array(json.loads(f"[{self._text}]"))
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
class NightDetails:
    """A night hand by hand."""

    series: tuple[tuple[int, ...], ...]
    """By the places of the seats: the total after each hand. The end of the night, when the board is shared out, is in
    the seat's `net` alone."""
    pots: tuple[PotSummary, ...]
    hands: Rows[HandEnd]
    taken: Rows[PotTaken]
    dummies: Rows[DummyBought]
    penalties: Rows[PenaltyPaid]

    def to_text(self) -> str:
        """Return it as one line of JSON."""
        rows = {key: getattr(self, key).text for key in ("hands", "taken", "dummies", "penalties")}
        return json.dumps({"series": self.series, "pots": self.pots, **rows}, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return what `to_text` wrote."""
        raw = json.loads(text)
        return cls(
            series=tuple(map(tuple, raw["series"])),
            pots=tuple(PotSummary._make([*map(intern, texts), most]) for *texts, most in raw["pots"]),
            hands=Rows(HandEnd, raw["hands"]),
            taken=Rows(PotTaken, raw["taken"]),
            dummies=Rows(DummyBought, raw["dummies"]),
            penalties=Rows(PenaltyPaid, raw["penalties"]),
        )
