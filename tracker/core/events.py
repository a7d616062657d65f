"""The words of the log: one frozen dataclass per kind of event (NIGHT-FORMAT)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.core.event_base import (
    SEAT_ID,
    Amount,
    Cents,
    Chips,
    Cover,
    Event,
    Held_Hand,
    Name,
    Score,
    SeatId,
    Text,
    event,
)
from tracker.core.pot_events import (
    Abandon,
    Bet,
    Bid,
    Borrow,
    Buy,
    Collect,
    Exchange,
    Fine,
    GoOn,
    Hand,
    Held,
    Left,
    Move,
    NoSale,
    Out,
    Pass,
    PayDue,
    Penalty,
    Place,
    Poker,
    Repay,
    Sale,
    Share,
    Sweep,
    TurnUp,
)

__all__ = [
    "KINDS",
    "SEAT_ID",
    "Abandon",
    "Amend",
    "Amount",
    "Bet",
    "Bid",
    "Borrow",
    "Buy",
    "Cents",
    "Chips",
    "Collect",
    "Count",
    "Cover",
    "End",
    "Event",
    "Exchange",
    "Fine",
    "GoOn",
    "Hand",
    "Held",
    "Held_Hand",
    "Leave",
    "Left",
    "Move",
    "Name",
    "NoSale",
    "Order",
    "Out",
    "Paid",
    "Pass",
    "PayDue",
    "Penalty",
    "Place",
    "Poker",
    "Repay",
    "Reverse",
    "Round",
    "Rule",
    "Rummy",
    "Sale",
    "Score",
    "Scores",
    "SeatId",
    "Share",
    "Sit",
    "StockOut",
    "Sweep",
    "Text",
    "TurnUp",
    "Undo",
]


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


KINDS: Mapping[str, type[Event]] = {
    one.kind: one
    for one in (
        *(Sit, Leave, Order, Undo, Amend, End, Paid, Count),
        *(
            Buy,
            Borrow,
            Repay,
            Hand,
            Exchange,
            Bid,
            Pass,
            Sale,
            NoSale,
            Collect,
            Penalty,
            Out,
            Held,
            Poker,
            Abandon,
            Move,
        ),
        *(Place, Share, Bet, GoOn, TurnUp, Fine, PayDue, Left, Sweep, Rule),
        *(Round, Reverse, Rummy, StockOut, Scores),
    )
}
"""Every kind of event, by its word."""
