"""The words of the log: one frozen dataclass per kind of event (NIGHT-FORMAT)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NewType

from tracker.core.cards import Holding

SEAT_ID = re.compile(r"[a-z0-9-]{1,32}")

Chips = NewType("Chips", int)
"""A whole number of chips, cards or points, 0 to 1,000,000."""
Amount = NewType("Amount", int)
"""Chips that really move: 1 to 1,000,000."""
SeatId = NewType("SeatId", str)
"""A seat that sits down: 1 to 32 of a-z, 0-9 and -."""
Name = NewType("Name", str)
"""What a person is called: 1 to 40 printable characters."""
Text = NewType("Text", str)
"""A short remark, up to 200 printable characters."""

Cover = Mapping[str, str]
Held_Hand = Chips | Holding


@dataclass(frozen=True)
class Event:
    """Something that happened at the table; `kind` is its word in the log."""

    kind: ClassVar[str]


# Every kind of game


@dataclass(frozen=True)
class Sit(Event):
    kind = "sit"
    seat: SeatId
    name: Name
    chips: Chips | None = None


@dataclass(frozen=True)
class Leave(Event):
    kind = "leave"
    seat: str


@dataclass(frozen=True)
class Order(Event):
    kind = "order"
    seats: tuple[str, ...]


@dataclass(frozen=True)
class Undo(Event):
    kind = "undo"
    event: int | str


@dataclass(frozen=True)
class Amend(Event):
    kind = "amend"
    event: int | str
    change: Mapping[str, Any]


@dataclass(frozen=True)
class End(Event):
    kind = "end"


@dataclass(frozen=True)
class Count(Event):
    kind = "count"
    stacks: Mapping[str, Chips]


# Pot games


@dataclass(frozen=True)
class Buy(Event):
    kind = "buy"
    seat: str
    chips: Amount


@dataclass(frozen=True)
class Borrow(Event):
    kind = "borrow"
    seat: str
    source: str
    chips: Amount


@dataclass(frozen=True)
class Repay(Event):
    kind = "repay"
    seat: str
    holder: str
    chips: Amount


@dataclass(frozen=True)
class Hand(Event):
    kind = "hand"
    dealer: str
    sits_out: tuple[str, ...] = ()
    cover: Cover = field(default_factory=dict)


@dataclass(frozen=True)
class Exchange(Event):
    kind = "exchange"


@dataclass(frozen=True)
class Bid(Event):
    kind = "bid"
    seat: str
    chips: Amount
    cover: Cover = field(default_factory=dict)


@dataclass(frozen=True)
class Pass(Event):
    kind = "pass"
    seat: str
    cover: Cover = field(default_factory=dict)


@dataclass(frozen=True)
class Sale(Event):
    kind = "sale"
    buyer: str
    price: Amount
    cover: Cover = field(default_factory=dict)


@dataclass(frozen=True)
class NoSale(Event):
    kind = "no-sale"


@dataclass(frozen=True)
class Collect(Event):
    kind = "collect"
    seat: str
    pot: str


@dataclass(frozen=True)
class Penalty(Event):
    kind = "penalty"
    seat: str
    offence: str
    suit: str | None = None
    cover: Cover = field(default_factory=dict)


@dataclass(frozen=True)
class Out(Event):
    kind = "out"
    seat: str
    cards: Mapping[str, Chips] | None = None
    cover: Cover = field(default_factory=dict)


@dataclass(frozen=True)
class Held(Event):
    kind = "held"
    pot: str
    seat: str
    offender: str
    cover: Cover = field(default_factory=dict)


@dataclass(frozen=True)
class Poker(Event):
    kind = "poker"
    winners: tuple[str, ...]


@dataclass(frozen=True)
class Move(Event):
    kind = "move"
    source: str
    target: str
    chips: Amount
    why: Text = Text("")


# 8 Round Rummy


@dataclass(frozen=True)
class Round(Event):
    kind = "round"
    winner: str
    jokers: Chips = Chips(0)


@dataclass(frozen=True)
class Reverse(Event):
    kind = "reverse"


# Michigan Rummy with the snake (its `penalty` is the one above, without a suit)


@dataclass(frozen=True)
class Rummy(Event):
    kind = "rummy"
    seat: str
    hands: Mapping[str, Held_Hand]
    one_turn: bool = False
    """All cards laid down in one turn, where the house doubles that (RULES G9)."""


@dataclass(frozen=True)
class StockOut(Event):
    kind = "stock-out"
    hands: Mapping[str, Held_Hand]


KINDS: Mapping[str, type[Event]] = {
    one.kind: one
    for one in (
        *(Sit, Leave, Order, Undo, Amend, End, Count),
        *(Buy, Borrow, Repay, Hand, Exchange, Bid, Pass, Sale, NoSale, Collect, Penalty, Out, Held, Poker, Move),
        *(Round, Reverse, Rummy, StockOut),
    )
}
"""Every kind of event, by its word."""
