"""What the page of the snake game shows: totals, the hands counted at a deal's end, what it pays, and the sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from tracker.core import rum_game
from tracker.core.apply import apply
from tracker.core.errors import TableError
from tracker.core.events import Chips, Event, Penalty, Rummy, Scores, StockOut
from tracker.core.night import Settled
from tracker.core.queries.undo_policy import undone
from tracker.web.drawing.game_picture import snake
from tracker.web.drawing.line_chart import TABLE, ChartLine, lines
from tracker.web.drawing.player_token import PlayerToken
from tracker.web.score.view import DEALS, ScoreView
from tracker.web.snapshot import NightSnapshot, Viewer

STOCK, ONE_TURN, NOBODY = "stock", "one-turn", "nobody"
"""How a deal ends, beside somebody going out: nobody does, or all in one turn; or it was only thought to end."""


@dataclass(frozen=True)
class RumSeat:
    """A person: the total so far, what the last deal brought, the faults that wait to be paid."""

    face: PlayerToken
    total: int
    change: int | None
    faults: tuple[str, ...]
    is_me: bool
    is_winner: bool
    """Won the last deal; at the end, the night."""


@dataclass(frozen=True)
class HandRow:
    """A hand at the end of a deal: its points when they are known, and what this person will pay or get."""

    face: PlayerToken
    points: int | None
    faults: tuple[str, ...]
    change: int | None
    """The points that will move, faults included; known when every hand is."""
    is_winner: bool
    is_asked: bool
    """Whether this hand counts: everybody's when the stock is used up, else everybody's but the winner's."""
    waits: bool = False
    """Whether this person sat down since the last deal and plays from the next one, unless points are typed."""


@dataclass(frozen=True)
class DealRow:
    """One line of the sheet."""

    number: int
    """The deal's number, from 1."""
    event: int
    """The number of its entry in the log."""
    deal: Settled
    totals: Mapping[str, int]

    def fault_of(self, seat: str) -> bool:
        """Return whether this person paid for a fault in this deal."""
        return any(offender == seat for offender, _ in self.deal.faults)


@dataclass(frozen=True)
class PenaltyRow:
    """A fault that waits to be paid, and the number of its entry in the log."""

    offence: str
    event: int


@dataclass(frozen=True)
class RumView(ScoreView):
    """Everything on the page of the snake game for one viewer."""

    winner: str | None = None
    how: str = ""
    """`stock` or `one-turn` while a deal is counted."""
    counts: Mapping[str, int | None] | None = None
    deals: tuple[DealRow, ...] = ()

    shared_templates = "rum"
    least_in_hand, most_in_hand = 0, 999
    """The points that one person can have said."""

    @property
    def first_points(self) -> Mapping[str, int]:
        """With how many points those began who have joined later: with none in this game."""
        return {}

    @property
    def card_keys(self) -> tuple[rum_game.CardPoints, ...]:
        """What each card counts that can still be in a hand."""
        return rum_game.card_points(self.night)

    @property
    def fault_cost(self) -> int:
        """What a fault costs, in points."""
        return self.night.house_rules.fault_points

    @property
    def moment(self) -> str:
        """Where the night is: `play`, `count` or `ended`."""
        if self.is_over:
            return "ended"
        return "count" if self.is_stock_out or self.winner in self.night.seats else "play"

    @property
    def is_stock_out(self) -> bool:
        return self.how == STOCK

    @property
    def one_turn(self) -> bool:
        return self.how == ONE_TURN

    @property
    def picture(self) -> str:
        """What the table shows, 200 wide and 124 high: everybody's total after each deal, before that the snake."""
        if not self.deals:
            return snake()
        totals = [row.totals for row in self.deals]
        series = [ChartLine(face, (0, *(row.get(face.seat, 0) for row in totals))) for face in self.in_seat_order]
        return lines(series, ["", *(str(row.number) for row in self.deals)], TABLE)

    @property
    def deal_number(self) -> int:
        return len(self.night.deals) + (not self.is_over)

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """Whose hands count, clockwise from the winner's left."""
        if self.is_stock_out:
            return self.night.seats
        return tuple(seat for seat in self.night.clockwise_from(self.winner) if seat != self.winner)

    @cached_property
    def hands(self) -> Mapping[str, int]:
        counts = self.counts or {}
        return {seat: points for seat in self.asked if (points := counts.get(seat)) is not None}

    @cached_property
    def missing(self) -> tuple[PlayerToken, ...]:
        return tuple(self.faces[seat] for seat in self.asked if seat not in self.hands and not self.waits(seat))

    def waits(self, seat: str) -> bool:
        """Return whether somebody who sat down since the last deal has no points in this one."""
        return seat in self.night.newcomers and seat not in self.hands

    @property
    def closing(self) -> Event:
        """The event that pays this deal, with the hands that are known."""
        hands = {seat: Chips(points) for seat, points in self.hands.items()}
        if self.is_stock_out:
            return StockOut(hands)
        return Rummy(str(self.winner), hands, one_turn=self.one_turn)

    @cached_property
    def settled(self) -> Settled | None:
        """What the payment of this deal would be; None while a hand is missing or the rules refuse it."""
        if self.moment != "count" or self.missing:
            return None
        try:
            return apply(self.night, self.closing).deals[-1]
        except TableError:
            return None

    @cached_property
    def rows(self) -> tuple[HandRow, ...]:
        asked = self.asked if self.is_stock_out or not self.winner else (*self.asked, self.winner)
        return tuple(
            HandRow(
                face=self.faces[seat],
                points=self.hands.get(seat),
                faults=self._faults(seat),
                change=self.settled.change.get(seat) if self.settled else None,
                is_winner=seat in self.settled.winners if self.settled else seat == self.winner,
                is_asked=seat in self.asked,
                waits=seat in self.asked and self.waits(seat),
            )
            for seat in asked
        )

    @property
    def so_far(self) -> int:
        """What the hands that are known cost together, in points."""
        return rum_game.owed_for(self.night, sum(self.hands.values()), one_turn=self.one_turn)

    @property
    def asks_one_turn(self) -> bool:
        """Whether it matters that the winner went out in one turn, and the viewer may say so."""
        may_say = self.records_for_all or self.my_seat == self.winner
        return rum_game.may_pay_double(self.night) and not self.is_stock_out and may_say

    @cached_property
    def seats(self) -> tuple[RumSeat, ...]:
        shown = self.night.all_seats if self.is_over else self.night.seats
        return tuple(self._seat(seat) for seat in shown)

    def _seat(self, seat: str) -> RumSeat:
        last = self.night.deals[-1] if self.night.deals else None
        won = [face.seat for face in self.winners] if self.is_over else last.winners if last else ()
        return RumSeat(
            face=self.faces[seat],
            total=self.night.points.get(seat, 0),
            change=last.change.get(seat) if last else None,
            faults=self._faults(seat),
            is_me=seat == self.viewer.seat,
            is_winner=seat in won,
        )

    @property
    def me(self) -> RumSeat | None:
        return next((seat for seat in self.seats if seat.is_me), None)

    @property
    def my_row(self) -> HandRow | None:
        """The own hand that this phone is asked for."""
        return next((row for row in self.rows if row.face.seat == self.my_seat and row.is_asked), None)

    def _faults(self, seat: str) -> tuple[str, ...]:
        return tuple(offence for offender, offence in self.night.faults if offender == seat)

    def unpaid_faults(self, seat: str) -> tuple[PenaltyRow, ...]:
        """Return the faults of one person that this deal has not paid yet, with the entries that recorded them."""
        found = []
        for entry in reversed(self.snapshot.entries):
            if entry.number in self.snapshot.undone:
                continue
            if entry.event.kind in DEALS:
                break
            if isinstance(entry.event, Penalty) and entry.event.seat == seat:
                found.append(PenaltyRow(entry.event.offence, entry.number))
        return tuple(reversed(found))

    @property
    def in_seat_order(self) -> tuple[PlayerToken, ...]:
        """Everybody of the night, for the columns of the sheet."""
        return tuple(self.faces[seat] for seat in self.night.all_seats)


def counted_view(
    kind: type[RumView], snapshot: NightSnapshot, viewer: Viewer, how: str, deals: tuple[DealRow, ...]
) -> RumView:
    """Return what `viewer` sees of a game whose hands are counted; one taken back shows its hands again."""
    winner, counts = snapshot.out, dict(snapshot.count.cards)
    back = undone(snapshot)
    if not (winner or counts or how) and isinstance(back, Scores):
        how, counts = STOCK, dict(back.points)
    elif not (winner or counts or how) and isinstance(back, Rummy | StockOut):
        winner = back.seat if isinstance(back, Rummy) else None
        how = STOCK if isinstance(back, StockOut) else ONE_TURN if back.one_turn else ""
        counts = {seat: rum_game.hand_points(snapshot.night, hand) for seat, hand in back.hands.items()}
    if how == NOBODY:
        winner, how = None, ""
    return kind(snapshot, viewer, winner, how, counts, deals)
