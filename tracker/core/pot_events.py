"""The kinds of events of the pot games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from tracker.core.event_base import Amount, Chips, Cover, Event, Text, event


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
class Held(Event):
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
