"""The words of the log: one frozen dataclass per kind of event (NIGHT-FORMAT)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NewType, dataclass_transform

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

Cover = Mapping[str, str]


KINDS: "dict[str, type[Event]]" = {}
"""Every kind of event, by its word; those that extras declare once these are loaded."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
@dataclass(frozen=True)
class Event:
    """Something that happened at the table; `kind` is its word in the log. Every subclass is a frozen dataclass."""

    kind: ClassVar[str]
    ends_deal: ClassVar[bool]
    """Whether it ends a round or deal of a score game."""
    is_of_deal: ClassVar[bool]
    """Whether it belongs to the round or deal that is being played."""

    def __init_subclass__(cls, kind: str, *, ends_deal: bool = False, is_of_deal: bool = False) -> None:
        cls.kind, cls.ends_deal, cls.is_of_deal = kind, ends_deal, is_of_deal or ends_deal
        KINDS[kind] = cls
        cls.__doc__ = cls.__doc__ or f"A line `{kind}` of the log."
        dataclass(frozen=True)(cls)


# Every kind of game


class Sit(Event, kind="sit"):
    seat: SeatId
    name: Name
    chips: Chips | None = None


class Leave(Event, kind="leave"):
    seat: str


class Order(Event, kind="order"):
    seats: tuple[str, ...]


class Undo(Event, kind="undo"):
    event: int | str


class Amend(Event, kind="amend"):
    event: int | str
    change: Mapping[str, Any]


class End(Event, kind="end"):
    winners: tuple[str, ...] = ()
    """Who has the best hand, where one poker hand decides what is left on the board; on a score sheet whose last task
    decides who has won, who completed it."""


class Paid(Event, kind="paid"):
    """A payment of the settlement was made; in chips or points where those are worth no money."""

    source: str
    target: str
    cents: Cents


class Count(Event, kind="count"):
    stacks: Mapping[str, Chips]


# Pot games


class Buy(Event, kind="buy"):
    seat: str
    chips: Amount


class Borrow(Event, kind="borrow"):
    seat: str
    source: str
    chips: Amount


class Repay(Event, kind="repay"):
    seat: str
    holder: str
    chips: Amount


class Hand(Event, kind="hand"):
    dealer: str
    sits_out: tuple[str, ...] = ()
    cover: Cover = field(default_factory=dict)


class Exchange(Event, kind="exchange"):
    """The dealer takes the dummy hand for the own one."""


class Bid(Event, kind="bid"):
    seat: str
    chips: Amount
    cover: Cover = field(default_factory=dict)


class Pass(Event, kind="pass"):
    seat: str
    cover: Cover = field(default_factory=dict)


class Sale(Event, kind="sale"):
    buyer: str
    price: Amount
    cover: Cover = field(default_factory=dict)


class NoSale(Event, kind="no-sale"):
    """Nobody takes the dummy hand: it stays face down."""


class Collect(Event, kind="collect"):
    seat: str
    pot: str


class Penalty(Event, kind="penalty", is_of_deal=True):
    seat: str
    offence: str
    suit: str | None = None
    cover: Cover = field(default_factory=dict)


class Out(Event, kind="out"):
    seat: str
    cards: Mapping[str, Chips] | None = None
    excused: tuple[str, ...] = ()
    """Who pays nothing for cards left, by a house rule, as the holder of the Pope."""
    cover: Cover = field(default_factory=dict)


class MatchWithheld(Event, kind="held"):
    pot: str
    seat: str
    offender: str
    cover: Cover = field(default_factory=dict)


class Poker(Event, kind="poker"):
    winners: tuple[str, ...]


class Abandon(Event, kind="abandon"):
    """The hand that is being played is given up: what was bid, taken and paid in it goes back, the antes stay."""


class Move(Event, kind="move"):
    source: str
    target: str
    chips: Amount
    why: Text = Text("")


# Of games with more stages or other payments


class Place(Event, kind="place"):
    """A player's own stakes, chip by chip on pots of their choice."""

    seat: str
    pots: Mapping[str, Amount]
    cover: Cover = field(default_factory=dict)


class Share(Event, kind="share"):
    """Several who hold the same combination share its pot; what doesn't divide stays."""

    pot: str
    seats: tuple[str, ...]


class Bet(Event, kind="bet"):
    """Chips bet into the poker pool, or on a side pot."""

    seat: str
    chips: Amount
    pot: str | None = None
    cover: Cover = field(default_factory=dict)


class GoOn(Event, kind="go-on"):
    """The present stage is over; the next one begins."""


class TurnUp(Event, kind="turn-up"):
    """The turned-up card is a money card: the dealer takes its pot."""

    pot: str
    cards: Mapping[str, Chips] | None = None
    """Cards dealt to each other player, when this card ends the hand."""
    cover: Cover = field(default_factory=dict)


class Fine(Event, kind="fine"):
    """Can't play or lead, and pays for it."""

    seat: str
    cover: Cover = field(default_factory=dict)


class PayDue(Event, kind="due"):
    """A card was played that everybody else pays for at once."""

    seat: str
    due: str
    cover: Cover = field(default_factory=dict)


class Left(Event, kind="left"):
    """A money card is still in somebody's hand when the hand is over."""

    seat: str
    pot: str
    cover: Cover = field(default_factory=dict)


class Sweep(Event, kind="sweep"):
    """All cards played in one go: the whole board."""

    seat: str


class Rule(Event, kind="rule"):
    """House rules changed in mid-night, from the next hand on."""

    change: Mapping[str, int | str]
