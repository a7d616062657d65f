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
    winners: tuple[str, ...] = ()
    """Who has the best hand, where one poker hand decides what is left on the board."""


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
    excused: tuple[str, ...] = ()
    """Who pays nothing for cards left, by a house rule, as the holder of the Pope."""
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


# Pot games with more stages or other payments


@dataclass(frozen=True)
class Place(Event):
    """A player's own stakes, chip by chip on pots of their choice."""

    kind = "place"
    seat: str
    pots: Mapping[str, Amount]
    cover: Cover = field(default_factory=dict)


@dataclass(frozen=True)
class Share(Event):
    """Several who hold the same combination share its pot; what doesn't divide stays."""

    kind = "share"
    pot: str
    seats: tuple[str, ...]


@dataclass(frozen=True)
class Bet(Event):
    """Chips bet into the poker pool, or on a side pot."""

    kind = "bet"
    seat: str
    chips: Amount
    pot: str | None = None
    cover: Cover = field(default_factory=dict)


@dataclass(frozen=True)
class GoOn(Event):
    """The present stage is over; the next one begins."""

    kind = "go-on"


@dataclass(frozen=True)
class TurnUp(Event):
    """The turned-up card is a money card: the dealer takes its pot."""

    kind = "turn-up"
    pot: str
    cards: Mapping[str, Chips] | None = None
    """Cards dealt to each other player, when this card ends the hand."""
    cover: Cover = field(default_factory=dict)


@dataclass(frozen=True)
class Fine(Event):
    """Can't play or lead, and pays for it."""

    kind = "fine"
    seat: str
    cover: Cover = field(default_factory=dict)


@dataclass(frozen=True)
class PayDue(Event):
    """A card was played that everybody else pays for at once."""

    kind = "due"
    seat: str
    due: str
    cover: Cover = field(default_factory=dict)


@dataclass(frozen=True)
class Left(Event):
    """A money card is still in somebody's hand when the hand is over."""

    kind = "left"
    seat: str
    pot: str
    cover: Cover = field(default_factory=dict)


@dataclass(frozen=True)
class Sweep(Event):
    """All cards played in one go: the whole board."""

    kind = "sweep"
    seat: str


@dataclass(frozen=True)
class Rule(Event):
    """House rules changed in mid-night, from the next hand on."""

    kind = "rule"
    change: Mapping[str, int | str]


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
        *(Place, Share, Bet, GoOn, TurnUp, Fine, PayDue, Left, Sweep, Rule),
        *(Round, Reverse, Rummy, StockOut),
    )
}
"""Every kind of event, by its word."""
