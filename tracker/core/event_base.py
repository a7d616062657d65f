"""What all kinds of events have in common: the types of their fields, and their base class."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, NewType, TypeVar, dataclass_transform

from tracker.core.cards import Holding

SEAT_ID = re.compile(r"[a-z0-9-]{1,32}")

Chips = NewType("Chips", int)
"""A whole number of chips, cards or points, 0 to 1,000,000."""
Score = NewType("Score", int)
"""The points of a round: a whole number, -1,000,000 to 1,000,000."""
Amount = NewType("Amount", int)
"""Chips that really move: 1 to 1,000,000."""
Cents = NewType("Cents", int)
"""A sum of money: 1 to 1,000,000,000,000 cents."""
SeatId = NewType("SeatId", str)
"""A seat that sits down: 1 to 32 of a-z, 0-9 and -."""
Name = NewType("Name", str)
"""What a person is called: 1 to 40 printable characters."""
Text = NewType("Text", str)
"""A short remark, up to 200 printable characters."""

Made = TypeVar("Made", bound="Event")
Cover = Mapping[str, str]
Held_Hand = Chips | Holding


@dataclass(frozen=True, eq=False, repr=False)
class Event:
    """Something that happened at the table; `kind` is its word in the log."""

    kind: ClassVar[str]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


@dataclass_transform(frozen_default=True)
def event(kind: type[Made]) -> type[Made]:
    """Return an event's class as a frozen dataclass; what all kinds have in common is not written for each again."""
    kind.__doc__ = kind.__doc__ or f"A line `{kind.kind}` of the log."  # else it is made up, which takes time
    return dataclass(frozen=True, eq=False, repr=False)(kind)
