"""The words of the log: one frozen dataclass per kind of event (NIGHT-FORMAT)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NewType, TypeVar, dataclass_transform

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


# Every kind of game


@event
class Sit(Event):
    kind = "sit"
    seat: SeatId
    name: Name
    chips: Chips | None = None


@event
class Leave(Event):
    kind = "leave"
    seat: str


@event
class Order(Event):
    kind = "order"
    seats: tuple[str, ...]


@event
class Undo(Event):
    kind = "undo"
    event: int | str


@event
class Amend(Event):
    kind = "amend"
    event: int | str
    change: Mapping[str, Any]


@event
class End(Event):
    kind = "end"
    winners: tuple[str, ...] = ()
    """Who has the best hand, where one poker hand decides what is left on the board."""


@event
class Paid(Event):
    """A payment of the settlement was made; in chips or points where those are worth no money."""

    kind = "paid"
    source: str
    target: str
    cents: Cents


@event
class Count(Event):
    kind = "count"
    stacks: Mapping[str, Chips]


# Pot games


@event
class Buy(Event):
    kind = "buy"
    seat: str
    chips: Amount


@event
class Borrow(Event):
    kind = "borrow"
    seat: str
    source: str
    chips: Amount


@event
class Repay(Event):
    kind = "repay"
    seat: str
    holder: str
    chips: Amount


@event
class Hand(Event):
    kind = "hand"
    dealer: str
    sits_out: tuple[str, ...] = ()
    cover: Cover = field(default_factory=dict)


@event
class Exchange(Event):
    kind = "exchange"


@event
class Bid(Event):
    kind = "bid"
    seat: str
    chips: Amount
    cover: Cover = field(default_factory=dict)


@event
class Pass(Event):
    kind = "pass"
    seat: str
    cover: Cover = field(default_factory=dict)


@event
class Sale(Event):
    kind = "sale"
    buyer: str
    price: Amount
    cover: Cover = field(default_factory=dict)


@event
class NoSale(Event):
    kind = "no-sale"


@event
class Collect(Event):
    kind = "collect"
    seat: str
    pot: str


@event
class Penalty(Event):
    kind = "penalty"
    seat: str
    offence: str
    suit: str | None = None
    cover: Cover = field(default_factory=dict)


@event
class Out(Event):
    kind = "out"
    seat: str
    cards: Mapping[str, Chips] | None = None
    excused: tuple[str, ...] = ()
    """Who pays nothing for cards left, by a house rule, as the holder of the Pope."""
    cover: Cover = field(default_factory=dict)


@event
class MatchWithheld(Event):
    kind = "held"
    pot: str
    seat: str
    offender: str
    cover: Cover = field(default_factory=dict)


@event
class Poker(Event):
    kind = "poker"
    winners: tuple[str, ...]


@event
class Abandon(Event):
    """The hand that is being played is given up: what was bid, taken and paid in it goes back, the antes stay."""

    kind = "abandon"


@event
class Move(Event):
    kind = "move"
    source: str
    target: str
    chips: Amount
    why: Text = Text("")


# Of games with more stages or other payments


@event
class Place(Event):
    """A player's own stakes, chip by chip on pots of their choice."""

    kind = "place"
    seat: str
    pots: Mapping[str, Amount]
    cover: Cover = field(default_factory=dict)


@event
class Share(Event):
    """Several who hold the same combination share its pot; what doesn't divide stays."""

    kind = "share"
    pot: str
    seats: tuple[str, ...]


@event
class Bet(Event):
    """Chips bet into the poker pool, or on a side pot."""

    kind = "bet"
    seat: str
    chips: Amount
    pot: str | None = None
    cover: Cover = field(default_factory=dict)


@event
class GoOn(Event):
    """The present stage is over; the next one begins."""

    kind = "go-on"


@event
class TurnUp(Event):
    """The turned-up card is a money card: the dealer takes its pot."""

    kind = "turn-up"
    pot: str
    cards: Mapping[str, Chips] | None = None
    """Cards dealt to each other player, when this card ends the hand."""
    cover: Cover = field(default_factory=dict)


@event
class Fine(Event):
    """Can't play or lead, and pays for it."""

    kind = "fine"
    seat: str
    cover: Cover = field(default_factory=dict)


@event
class PayDue(Event):
    """A card was played that everybody else pays for at once."""

    kind = "due"
    seat: str
    due: str
    cover: Cover = field(default_factory=dict)


@event
class Left(Event):
    """A money card is still in somebody's hand when the hand is over."""

    kind = "left"
    seat: str
    pot: str
    cover: Cover = field(default_factory=dict)


@event
class Sweep(Event):
    """All cards played in one go: the whole board."""

    kind = "sweep"
    seat: str


@event
class Rule(Event):
    """House rules changed in mid-night, from the next hand on."""

    kind = "rule"
    change: Mapping[str, int | str]


# 8 Round Rummy


@event
class Round(Event):
    kind = "round"
    winner: str
    jokers: Chips = Chips(0)
    seven_alike: bool = False
    """The winning hand was seven equal numbers, where the house rule `auto_win` asks for that in every round."""


@event
class Reverse(Event):
    kind = "reverse"


# Michigan Rummy with the snake (its `penalty` is the one above, without a suit)


@event
class Rummy(Event):
    kind = "rummy"
    seat: str
    hands: Mapping[str, Held_Hand]
    one_turn: bool = False
    """All cards laid down in one turn, where the house doubles that (RULES G9)."""


@event
class StockOut(Event):
    kind = "stock-out"
    hands: Mapping[str, Held_Hand]


# A plain score sheet


@event
class Scores(Event):
    """Everybody's points of a round; where only the winner is written down, 1 for that person and 0 for the others."""

    kind = "scores"
    points: Mapping[str, Score]


KINDS: Mapping[str, type[Event]] = {one.kind: one for one in Event.__subclasses__()}
"""Every kind of event, by its word."""
