"""What one viewer's dock shows, as values: viewers for whom these are the same are shown the same dock."""

from __future__ import annotations

from dataclasses import dataclass

from tracker.core.queries.undo_policy import UndoView
from tracker.web.table.view import TableView

ASKS = {"dummy": "buyer", "play": "out", "poker": "poker"}
"""What an own phone answers for its seat at each moment, as `SeatView.no` calls it."""


@dataclass(frozen=True)
class DockView:
    """All that the dock depends on besides the snapshot. Its template is given no other value of the viewer."""

    records_for_all: bool
    is_host: bool
    is_own: bool
    """Whether somebody at the table looks at it on the own phone."""
    may_collect: bool
    """Whether this phone has a seat that can take a place for itself."""
    named_seat: str
    """The own seat where the dock says it: while chips are lacking, and while chips are placed; else empty."""
    is_barred: bool
    may_take: bool
    """Whether the own seat can be who takes some place."""
    may_bet: bool
    """Whether the own seat can be who bets."""
    is_no_answer: bool
    """Whether the own seat can't be who bought the dummy hand, is out or wins at poker, whichever is asked."""
    waits: bool
    decides_dummy: bool
    """Whether the viewer deals and chooses what becomes of the dummy hand."""
    deals_next: bool
    is_winner: bool
    is_turn: bool
    bids_first: bool
    places_chips: bool
    missing_chips: int
    """Chips still to be found for the next ante."""
    calls: int
    """Chips that the own seat lacks to the highest bet on the poker hand."""
    short_to_call: int
    """Chips that the own stack lacks for that."""
    undo: UndoView | None
    last: str
    """What happened last, as HTML."""


def dock_view(view: TableView, last: str) -> DockView:
    """Return what the dock shows to this viewer."""
    viewer, moment, night, me, seat = view.viewer, view.moment, view.night, view.me, view.viewer.seat
    no = me.no.split() if me else ()
    places_chips = view.is_own and seat in moment.needs and moment.name == "stakes"
    calls = moment.calls.get(seat, 0) if seat else 0
    short_to_call = max(calls - night.stack(seat), 0) if seat and view.is_own else 0
    return DockView(
        records_for_all=viewer.records_for_all,
        is_host=viewer.role == "host",
        is_own=view.is_own,
        may_collect=me is not None and (viewer.records_for_all or viewer.role == "seat"),
        named_seat=seat or "" if view.missing_chips or places_chips or short_to_call else "",
        is_barred=night.deal is not None and seat in night.deal.barred,
        may_take="collect" not in no,
        may_bet=view.is_own and "bettor" not in no,
        is_no_answer=ASKS.get(moment.name) in no,
        waits=me is not None and me.state == "waits",
        decides_dummy=view.is_own and night.dealer == seat and moment.name == "dummy",
        deals_next=view.is_own and moment.dealer == seat,
        is_winner=bool(seat) and moment.winner == seat,
        is_turn=bool(seat) and moment.turn == seat,
        bids_first=bool(seat) and moment.name in ("dummy", "auction") and view.first_bidder == seat,
        places_chips=places_chips,
        missing_chips=view.missing_chips,
        calls=calls,
        short_to_call=short_to_call,
        undo=view.undo,
        last=last,
    )
