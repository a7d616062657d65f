"""What the pages of the score games show: 8 Round Rummy, the snake game, and a plain score sheet.

Pure functions, like those of `view`: no Flask, no words. Everything depends on the night, its log and who looks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tracker.core import points_game, rounds_game, rum_game
from tracker.core.apply import apply
from tracker.core.errors import TableError
from tracker.core.events import Chips, Event, Penalty, Rummy, Score, Scores, StockOut
from tracker.core.house_rules import MOST_CHIPS
from tracker.core.log import Entry
from tracker.core.night import ENDED, Settled
from tracker.core.preset import RoundCard
from tracker.core.queries import summary
from tracker.core.queries.undo_policy import UndoView, undo_for, undone
from tracker.web.base.snapshot import NightSnapshot, SnapshotView, Viewer
from tracker.web.drawing.game_picture import snake
from tracker.web.drawing.line_chart import TABLE, ChartLine, lines
from tracker.web.drawing.player_token import PlayerToken, player_tokens

DEALS = ("rummy", "stock-out", "scores")


@dataclass(frozen=True)
class ScoreSeat:
    """A person of a score game."""

    face: PlayerToken
    is_winner: bool
    """Leads or has won the night; of deals that are counted, while they are played: won the last one."""
    points: int
    cards: tuple[int, ...]
    """The numbers of the round cards won so far."""
    change: int | None
    """The points that the last deal has moved."""
    faults: tuple[str, ...]
    """What waits to be paid with this deal."""


@dataclass(frozen=True)
class ScoreView(SnapshotView):
    """What the pages of both games have in common."""

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
                cards=tuple(one.number for one in night.rounds if one.winner == seat),
                change=last.change.get(seat) if last else None,
                faults=self.faults(seat),
            )
            for seat in (night.all_seats if self.is_over else night.seats)
        )

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


@dataclass(frozen=True)
class RoundsView(ScoreView):
    """Everything on the page of 8 Round Rummy for one viewer."""

    @cached_property
    def now(self) -> RoundCard | None:
        """The round being played; None when the game is over."""
        return None if self.is_over else rounds_game.next_round(self.night)

    @property
    def rounds(self) -> tuple[tuple[int, RoundCard], ...]:
        """The round cards on the table, each after its place in the circle, 0 to 7: a short game has every second."""
        played = self.night.preset.rounds_played
        step = 8 // len(played) if len(played) in (1, 2, 4, 8) else 1
        return tuple((place * step % 8, card) for place, card in enumerate(played))

    @property
    def won(self) -> Mapping[int, PlayerToken]:
        """Who won each round card, by its number."""
        return {one.number: self.faces[one.winner] for one in self.night.rounds}

    @property
    def second_question(self) -> str:
        """What is asked of the hand that won the round being played: `jokers`, `alike` or nothing."""
        if self.now is None:
            return ""
        if self.now.number == rounds_game.LAST_ROUND:
            return "jokers"
        return "alike" if rounds_game.asks_seven_alike(self.night, self.now.number) else ""

    @property
    def is_unfinished(self) -> bool:
        is_stopped = rounds_game.next_round(self.night) is not None and not rounds_game.automatic_winner(self.night)
        return self.is_over and is_stopped

    @cached_property
    def won_by(self) -> str:
        """Why the winner has won: `automatic`, `shared`, `round_8`, `most_cards`, `points`, or nothing yet."""
        return rounds_game.winning_reason(self.night)


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
class RumView(ScoreView):
    """Everything on the page of the snake game for one viewer."""

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

    @property
    def first_points(self) -> Mapping[str, int]:
        """With how many points those began who have joined later: with none in this game."""
        return {}

    @property
    def card_keys(self) -> tuple[rum_game.CardPoints, ...]:
        """What each card counts that can still be in a hand."""
        return rum_game.card_points(self.night)

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
        return {**self.hands, **dict.fromkeys(self.paused, points_game.PAUSES)}

    @property
    def is_asked(self) -> bool:
        """Whether this phone is asked for its own hand."""
        return self.my_seat in self.asked

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

    @property
    def so_far(self) -> int:
        """What the hands that are known cost together, in points."""
        return rum_game.owed_for(self.night, sum(self.hands.values()), one_turn=self.one_turn)

    @property
    def asks_one_turn(self) -> bool:
        """Whether it matters that the winner went out in one turn, and the viewer may say so."""
        may_say = self.records_for_all or self.my_seat == self.winner
        return rum_game.may_pay_double(self.night) and not self.is_stock_out and may_say

    def unpaid_faults(self, seat: str) -> list[Entry]:
        """Return the entries of the faults of one person that this deal has not paid yet."""
        found = []
        for entry in reversed(self.snapshot.entries):
            if entry.number in self.snapshot.undone:
                continue
            if entry.event.kind in DEALS:
                break
            if isinstance(entry.event, Penalty) and entry.event.seat == seat:
                found.append(entry)
        return found[::-1]

    @property
    def in_seat_order(self) -> tuple[PlayerToken, ...]:
        """Everybody of the night, for the columns of the sheet."""
        return tuple(self.faces[seat] for seat in self.night.all_seats)


def counted_view(
    kind: type[RumView], snapshot: NightSnapshot, viewer: Viewer, how: str, deals: tuple[DealRow, ...]
) -> RumView:
    """Return what `viewer` sees of a game whose hands are counted; one taken back shows its hands again."""
    winner, counts, said_of = snapshot.out, dict(snapshot.count.cards), snapshot.count.cover
    back = undone(snapshot)
    if not (winner or counts or how) and isinstance(back, Scores):
        how, counts = STOCK, dict(back.points)
        said_of = {**dict.fromkeys(back.points, points_game.PLAYS), **dict.fromkeys(back.sits_out, points_game.PAUSES)}
    elif not (winner or counts or how) and isinstance(back, Rummy | StockOut):
        winner = back.seat if isinstance(back, Rummy) else None
        how = STOCK if isinstance(back, StockOut) else ONE_TURN if back.one_turn else ""
        counts = {seat: rum_game.hand_points(snapshot.night, hand) for seat, hand in back.hands.items()}
    if how == NOBODY:
        winner, how = None, ""
    return kind(snapshot, viewer, winner, how, counts, deals, said_of)


@dataclass(frozen=True)
class PointsView(RumView):
    """Everything on the page of a score sheet for one viewer: a deal in which everybody is asked."""

    least_in_hand, most_in_hand = -MOST_CHIPS, MOST_CHIPS

    @cached_property
    def dealer(self) -> PlayerToken | None:
        """Who deals the present round, where the page says so."""
        seat = points_game.dealer_now(self.night)
        return self.faces[seat] if seat and self.night.house_rules.points_dealer == "on" and not self.is_over else None

    @property
    def first_points(self) -> Mapping[str, int]:
        """With how many points those began, or will begin, who have joined later."""
        first = {seat: points_game.starting_points(self.night, seat) for seat in self.night.all_seats}
        return {seat: points for seat, points in first.items() if points}

    @cached_property
    def odd_sum(self) -> int | None:
        """What everybody's points of the round come to, where the house rule says another sum."""
        is_odd = self.settled is not None and points_game.is_odd_sum(self.night, self.hands)
        return sum(self.hands.values()) if is_odd else None

    @cached_property
    def paused(self) -> tuple[str, ...]:
        return tuple(seat for seat in points_game.pausing(self.night, self.said_of) if seat not in self.counts)

    @property
    def may_pause(self) -> bool:
        """Whether two still play a round in which one more pauses."""
        return len(self.night.seats) > 2

    @property
    def closing(self) -> Event:
        return Scores({seat: Score(points) for seat, points in self.hands.items()}, self.paused)
