"""What the table's page shows: the state of a night turned into values that templates only have to print.

Pure functions: no Flask, no words. Everything depends on the night, its log and who looks, nothing on the request.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from tracker.core.errors import TableError
from tracker.core.events import Exchange
from tracker.core.log import Entry
from tracker.core.night import ENDED
from tracker.core.payments import may_excuse
from tracker.core.pot_game import with_new_rules
from tracker.core.preset import Pot
from tracker.core.queries.options import (
    HandPayment,
    covers,
    hand_payment,
    may_bet_on_pool,
    may_happen,
    may_share,
    pots_to_turn_up,
)
from tracker.core.queries.prompts import Prompt, ante_fault, asked_seats, night_pool
from tracker.core.queries.undo_policy import UndoView, undo_for
from tracker.web.drawing.board_places import PlaceView, board_size, places_of
from tracker.web.drawing.player_token import PlayerToken, PotLabel, label_of, player_tokens
from tracker.web.events.last_event import LastEvent, last_event
from tracker.web.snapshot import NightSnapshot, SnapshotView, Viewer
from tracker.web.table.hand_summary import HandSums, SummaryItem
from tracker.web.table.seats_view import SeatView, seat_view


@dataclass(frozen=True)
class BoardView(SnapshotView):
    """What everybody sees alike of a night with a board. It knows no viewer, so what is rendered from it is for all."""

    @property
    def moment(self) -> Prompt:
        """What is asked now."""
        return self.snapshot.moment

    # Made once for all who look at the same snapshot

    @property
    def places(self) -> tuple[PlaceView, ...]:
        return self.snapshot.cached("places", lambda: places_of(self.night))

    @property
    def seats(self) -> tuple[SeatView, ...]:
        return self.snapshot.cached("seats", lambda: tuple(self._seat(seat) for seat in self.night.seats))

    def _seat(self, seat: str) -> SeatView:
        snapshot, face, asks = self.snapshot, self.faces[seat], {place.id: place.ask for place in self.places}
        return seat_view(self.night, snapshot.moment, snapshot.plan, face, questions=asks)

    @property
    def faces(self) -> Mapping[str, PlayerToken]:
        return self.snapshot.cached("faces", lambda: player_tokens(self.night))

    # The board

    @property
    def hub(self) -> PlaceView | None:
        return next((place for place in self.places if place.at is None), None)

    @property
    def board_size(self) -> int:
        return board_size(self.night)

    def label(self, pot: str) -> PotLabel:
        return label_of(self.night.preset.board[pot])

    @property
    def collecting(self) -> bool:
        """Whether some place can be taken now."""
        return any(place.ask == "collect" for place in self.places)

    @property
    def bets_on_pool(self) -> bool:
        """Whether chips can be bet into the poker pool now."""
        return self.snapshot.cached("bets_on_pool", lambda: may_bet_on_pool(self.night))

    @property
    def betting(self) -> bool:
        """Whether chips can be bet now: into the poker pool, or on a side pot."""
        return self.bets_on_pool or any(place.ask == "bettor" for place in self.places)

    @property
    def sharing(self) -> tuple[str, ...]:
        """The pots that can be taken now and that several may share."""
        return tuple(place.id for place in self.places if place.ask == "collect" and may_share(self.night, place.id))

    @property
    def turn_ups(self) -> tuple[Pot, ...]:
        """The pots whose card may be the one turned up now."""
        return self.snapshot.cached("turn_ups", lambda: pots_to_turn_up(self.night))

    @property
    def may_exchange(self) -> bool:
        """Whether the dealer may take the dummy hand now."""
        return may_happen(self.night, Exchange())

    @property
    def may_sell(self) -> bool:
        """Whether anybody can buy the dummy hand now."""
        return self.moment.name == "dummy" and any("buyer" not in seat.no.split() for seat in self.seats)

    @property
    def pool(self) -> int:
        """What the poker pool is worth."""
        pools = self.night.preset.won_by("poker")
        return sum(self.night.pot(pool.id) + self.night.ledger.notes_in(pool.id) for pool in pools)

    @property
    def payment(self) -> HandPayment:
        """What the payment that is counted would be."""
        snapshot = self.snapshot
        return snapshot.cached("payment", lambda: hand_payment(self.night, snapshot.moment, snapshot.count))

    @property
    def covers(self) -> tuple[str, ...]:
        """How somebody with too few chips can pay whoever is out."""
        return covers(self.night, self.moment.winner or "")

    @property
    def to_count(self) -> int:
        """How many hands are still to be counted."""
        return sum(seat not in self.snapshot.count.cards for seat in self.moment.payers)

    @property
    def asks_excused(self) -> bool:
        """Whether somebody may hold the card that pays nothing for cards left."""
        return may_excuse(self.night)

    @property
    def excusing_pot(self) -> Pot | None:
        """The place of that card, where the board names one."""
        return self.night.preset.excusing_pot

    @property
    def coming_times(self) -> int:
        """By how much every ante of the next hand is multiplied."""
        return with_new_rules(self.night).house_rules.ante_times

    @property
    def pool_waits(self) -> bool:
        """Whether the poker pool of the whole night is won after the hand that is being played."""
        is_on = not self.night.is_between_hands
        return self.snapshot.is_last and is_on and night_pool(self.night) is not None

    # The moment

    @property
    def last(self) -> Entry | None:
        """The newest entry of the log."""
        return self.snapshot.entries[-1] if self.snapshot.entries else None

    @property
    def dealer(self) -> PlayerToken | None:
        """Who deals, or will; nobody while the table is asked."""
        seat = self.moment.dealer or (None if self.night.is_abandoned else self.night.dealer)
        return self.faces.get(seat) if seat else None

    @cached_property
    def ante_fault(self) -> TableError | None:
        """Why the next hand can't begin as it is planned."""
        if self.moment.name != "ante" or self.moment.dealer is None:
            return None
        return ante_fault(self.night, self.snapshot.plan)

    @property
    def hand_number(self) -> int:
        """The number of the hand that is played, or whose antes are due."""
        return self.night.hand + (self.moment.name == "ante" and self.last_hand != "over")

    @property
    def last_hand(self) -> str:
        """`now` while the hand is on that was announced to be the last, `over` after it; else empty."""
        if not self.snapshot.is_last or self.night.is_over:
            return ""
        return "over" if self.moment.name == "ante" and self.night.hand else "now"

    @property
    def first_bidder(self) -> str:
        return self.night.current_deal().seats[0]

    @property
    def not_in(self) -> tuple[str, ...]:
        """Who does not put in for the next hand: sits out, or is short and has no cover."""
        words = ("sits-out", "short")
        return tuple(seat.face.seat for seat in self.seats if seat.state in words)


@dataclass(frozen=True)
class TableView(BoardView):
    """Everything on the table's page for one viewer."""

    viewer: Viewer

    @cached_property
    def me(self) -> SeatView | None:
        """The viewer's own seat."""
        return next((seat for seat in self.seats if seat.face.seat == self.viewer.seat), None)

    @cached_property
    def is_own(self) -> bool:
        """Whether somebody at the table looks at it on the own phone."""
        return self.viewer.role == "seat" and self.me is not None

    @property
    def place(self) -> int | None:
        """Where the viewer sits, from 1; None for whoever has no seat at the table."""
        return self.night.seats.index(self.me.face.seat) + 1 if self.me else None

    @property
    def may_act(self) -> bool:
        return self.viewer.role in ("host", "seat") and self.night.phase != ENDED

    @property
    def own_turn(self) -> str:
        """The question that waits for the viewer's own answer, by its name and hand; empty when it is not asked."""
        seat, prompt = self.viewer.seat, self.moment
        has_answered = prompt.name == "count" and seat in self.snapshot.count.cards
        is_asked = seat in asked_seats(self.night, prompt) and not has_answered
        return f"{prompt.name}-{self.night.hand}" if is_asked and self.last_hand != "over" else ""

    @cached_property
    def undo(self) -> UndoView | None:
        """What one tap of the viewer takes back."""
        return undo_for(
            self.snapshot, self.viewer.role, self.viewer.seat, self.snapshot.claimed_out, is_open=self.viewer.is_open
        )

    @property
    def key(self) -> str:
        return self.viewer.form_key(self.head)

    @cached_property
    def strip(self) -> tuple[SummaryItem, ...]:
        """What this hand has brought the viewer."""
        return self.snapshot.cached("sums", self._sums).items(self.night, self.viewer.seat)

    def _sums(self) -> HandSums:
        snapshot = self.snapshot
        before: HandSums = snapshot.kept.get("sums", HandSums())
        snapshot.kept["sums"] = sums = before.after(self.night, snapshot.steps)
        return sums

    @property
    def missing_chips(self) -> int:
        """Chips that the viewer still has to find for the next ante."""
        seat = self.viewer.seat
        return self.moment.short.get(seat, 0) if seat and not self.snapshot.plan.get(seat) else 0

    @cached_property
    def last_event(self) -> LastEvent:
        """The newest event in words, as the viewer reads it."""
        return last_event(self.snapshot, self.night, self.viewer.seat if self.did else None)

    @cached_property
    def did(self) -> bool:
        """Whether the line under the table is about whoever looks on the own phone."""
        change = self.snapshot.change
        seat = change and (change.seat or (change.entry and getattr(change.entry.event, "seat", None)))
        return self.viewer.role == "seat" and seat == self.viewer.seat


def table_view(snapshot: NightSnapshot, viewer: Viewer) -> TableView:
    """Return what `viewer` sees of the table."""
    return TableView(snapshot, viewer)
