"""What the pages of score games show, as pure functions of the night, its log and who looks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tracker.core.apply import apply
from tracker.core.errors import TableError
from tracker.core.events import Event
from tracker.core.game import game_of
from tracker.core.night import ENDED, PAUSES, Night, Settled
from tracker.core.queries import summary
from tracker.core.queries.summary import starting_points
from tracker.core.queries.undo_policy import UndoView, undo_for
from tracker.extras._chart.line_chart import TABLE, ChartLine, lines
from tracker.web.base.snapshot import SnapshotView, Viewer
from tracker.web.drawing.player_token import PlayerToken, player_tokens


@dataclass(frozen=True)
class ScoreSeat:
    """A person of a score game."""

    face: PlayerToken
    is_winner: bool
    """Leads or has won the night; of deals that are counted, while they are played: won the last one."""
    points: int
    change: int | None
    """The points that the last deal has moved."""
    faults: tuple[str, ...]
    """What waits to be paid with this deal."""


@dataclass(frozen=True)
class ScoreView(SnapshotView):
    """What the pages of all score games have in common."""

    viewer: Viewer

    @property
    def key(self) -> str:
        return self.viewer.form_key(self.head)

    @property
    def is_over(self) -> bool:
        return self.night.phase == ENDED

    @property
    def is_seated(self) -> bool:
        return self.viewer.role in ("host", "seat")

    @property
    def may_act(self) -> bool:
        return self.is_seated and not self.is_over

    @property
    def records_for_all(self) -> bool:
        return self.may_act and self.viewer.records_for_all

    @property
    def records_own(self) -> bool:
        """Whether this is somebody's own phone, which records for its seat only."""
        return self.may_act and not self.viewer.records_for_all and self.my_seat is not None

    @cached_property
    def faces(self) -> Mapping[str, PlayerToken]:
        return player_tokens(self.night)

    @cached_property
    def seats(self) -> tuple[ScoreSeat, ...]:
        night = self.night
        last = night.deals[-1] if night.deals else None
        won = summary.leaders(night) if self.is_over or last is None else last.winners
        return tuple(
            ScoreSeat(
                face=self.faces[seat],
                is_winner=seat in won,
                points=night.points.get(seat, 0),
                change=last.change.get(seat) if last else None,
                faults=self.faults(seat),
            )
            for seat in (night.all_seats if self.is_over else night.seats)
        )

    @property
    def fault_cost(self) -> int:
        return game_of(self.night).fault_cost(self.night.preset)

    @property
    def do_fewest_win(self) -> bool:
        return game_of(self.night).fewest_win(self.night.preset)

    def faults(self, seat: str) -> tuple[str, ...]:
        """Return the faults of one person that wait to be paid with this deal."""
        return tuple(offence for offender, offence in self.night.faults if offender == seat)

    @property
    def me(self) -> ScoreSeat | None:
        return next((seat for seat in self.seats if seat.face.seat == self.viewer.seat), None)

    @property
    def my_seat(self) -> str | None:
        """The seat of this phone while it sits at the table."""
        return self.viewer.seat if self.viewer.seat in self.night.seats else None

    @cached_property
    def undo(self) -> UndoView | None:
        return undo_for(self.snapshot, self.viewer.role, self.viewer.seat)

    @property
    def all_seats(self) -> tuple[PlayerToken, ...]:
        return tuple(self.faces[seat] for seat in self.night.seats)

    @property
    def most(self) -> int:
        """The most points of anybody who can win."""
        return max((self.night.points[seat] for seat in self.night.contenders), default=0)

    @cached_property
    def winners(self) -> tuple[PlayerToken, ...]:
        """Who leads, or has won; nobody before the first deal or round is over."""
        return tuple(self.faces[seat] for seat in summary.leaders(self.night))


STOCK, ONE_TURN, NOBODY = "stock", "one-turn", "nobody"
"""How a deal ends, beside somebody going out: nobody does, or all in one turn; or it was only thought to end."""


@dataclass(frozen=True)
class DealRow:
    """One line of the sheet."""

    number: int
    """The deal's number, from 1."""
    event: int
    """The number of its entry in the log."""
    deal: Settled
    totals: Mapping[str, int]


@dataclass(frozen=True)
class DealView(ScoreView):
    """Everything on the page of a game whose hands, or points of a round, are counted, for one viewer."""

    winner: str | None
    how: str
    """`stock` or `one-turn` while a deal is counted."""
    counts: Mapping[str, int]
    """The points that were said, by seat."""
    deals: tuple[DealRow, ...]
    said_of: Mapping[str, str] = field(default_factory=dict)
    """By seat, what was said of who pauses."""

    least_in_hand, most_in_hand = 0, 999
    """The points that one person can have said."""
    may_any_seat_end = False
    """Whether any phone at the table may say that the deal is over."""

    @classmethod
    def taken_back(cls, _event: Event, _night: Night) -> "Counted | None":
        """Return what a deal said whose entry was taken back; None for an event that ends none."""
        return None

    @property
    def first_points(self) -> Mapping[str, int]:
        """With how many points those began, or will begin, who have joined later; nobody with none."""
        first = {seat: starting_points(self.night, seat) for seat in self.night.all_seats}
        return {seat: points for seat, points in first.items() if points}

    @property
    def may_pause(self) -> bool:
        """Whether one more may have no part in the deal that is counted."""
        return False

    @property
    def odd_sum(self) -> int | None:
        """What everybody's points of the round come to, where a house rule says another sum."""
        return None

    @property
    def whole_sum(self) -> int | None:
        """What the points of a round come to where few win and none is below 0: nobody has more. Else None."""
        return None

    @property
    def closing(self) -> Event:
        """The event that pays this deal, with the hands that are known."""
        raise NotImplementedError

    @property
    def moment(self) -> str:
        """Where the night is: `play`, `count` or `ended`."""
        if self.is_over:
            return "ended"
        return "count" if self.is_stock_out or self.winner in self.night.seats else "play"

    @property
    def is_stock_out(self) -> bool:
        return self.how == STOCK

    first_picture = ""
    """What the table shows before the first deal."""

    @property
    def picture(self) -> str:
        """What the table shows, as SVG 200 wide and 124 high: everybody's total after each deal."""
        if not self.deals:
            return self.first_picture
        before = {face.seat: self.first_points.get(face.seat, 0) for face in self.in_seat_order}
        totals = [{**before, **row.totals} for row in self.deals]
        series = [
            ChartLine(face, (0, *(row[face.seat] for row in totals)), self.night.rounds_before(face.seat))
            for face in self.in_seat_order
        ]
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
        return {seat: self.counts[seat] for seat in self.asked if seat in self.counts}

    @cached_property
    def missing(self) -> tuple[PlayerToken, ...]:
        excused = (*self.hands, *self.paused)
        return tuple(self.faces[seat] for seat in self.asked if seat not in excused and not self.waits(seat))

    @property
    def paused(self) -> tuple[str, ...]:
        """Who has no part in the deal that is counted: on a score sheet only."""
        return ()

    @property
    def said(self) -> Mapping[str, int | str]:
        """What is known of each seat, as a form sends it back: the points, or that it pauses."""
        return {**self.hands, **dict.fromkeys(self.paused, PAUSES)}

    @property
    def is_asked(self) -> bool:
        """Whether this phone is asked for its own hand."""
        return self.my_seat in self.asked

    def waits(self, seat: str) -> bool:
        """Return whether somebody who sat down since the last deal has no points in this one."""
        return seat in self.night.newcomers and seat not in self.hands

    @cached_property
    def settled(self) -> Settled | None:
        """What the payment of this deal would be; None while a hand is missing or the rules refuse it."""
        if self.moment != "count" or self.missing:
            return None
        try:
            return apply(self.night, self.closing).deals[-1]
        except TableError:
            return None

    @property
    def in_seat_order(self) -> tuple[PlayerToken, ...]:
        """Everybody of the night, for the columns of the sheet."""
        return tuple(self.faces[seat] for seat in self.night.all_seats)


@dataclass(frozen=True)
class Counted:
    """What is known of a deal that is being counted, from the phones or from its entry that was taken back."""

    winner: str | None
    how: str
    counts: Mapping[str, int]
    said_of: Mapping[str, str] = field(default_factory=dict)
