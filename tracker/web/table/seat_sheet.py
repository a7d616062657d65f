"""What can happen to one person at the table, with what it would cost, as values for the seat's sheet."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tracker.core.errors import TableError
from tracker.core.events import Event, Penalty, Undo
from tracker.core.night import Night
from tracker.core.queries.options import SeatOptions, seat_options
from tracker.core.queries.undo_policy import may_take_back
from tracker.core.settlement import has_money, price_of
from tracker.web.snapshot import NightSnapshot
from tracker.web.table.view import SeatView, TableView
from tracker.web.wording.texts import amount


@dataclass(frozen=True)
class Lender:
    """Where chips can be borrowed: a seat or a pot, its name, and the chips it holds."""

    account: str
    name: str
    chips: int


@dataclass(frozen=True)
class OwedNote:
    """One IOU of this person."""

    holder: str
    name: str
    chips: int
    payable: int
    """How much of it the stack can pay back now."""


@dataclass(frozen=True)
class SheetView:
    """Everything a seat's sheet offers just now."""

    seat: SeatView
    options: SeatOptions
    lift: int | None
    """The number of the penalty that bars this seat, where the viewer may take it back and nothing hangs on it."""
    lenders: tuple[Lender, ...]
    owed: tuple[OwedNote, ...]
    short: int
    """Chips lacking for the next ante."""
    plan: str
    amounts: tuple[int, ...]
    prices: Mapping[int, str]
    """What each of the amounts, and the seat's stack, costs in money; empty where chips are worth none."""


Preview = Callable[[Event], Night]
"""Returns the state after an event that is not recorded; raises TableError where it would be refused."""


def sheet_view(view: TableView, seat: str, preview: Preview) -> SheetView | None:
    """Return the sheet of a seat at the table; None for somebody who has left."""
    night = view.night
    found = next((one for one in view.seats if one.face.seat == seat), None)
    if found is None:
        return None
    return SheetView(
        seat=found,
        options=seat_options(night, view.moment, seat),
        lift=_lift(view, seat, preview),
        lenders=_lenders(night, seat),
        owed=tuple(
            OwedNote(note.holder, night.name(note.holder), note.chips, min(note.chips, night.stack(seat)))
            for note in night.ledger.notes()
            if note.debtor == seat
        ),
        short=view.moment.short.get(seat, 0),
        plan=view.snapshot.plan.get(seat, ""),
        amounts=amounts(night),
        prices=prices(night, *amounts(night), found.stack),
    )


def amounts(night: Night) -> tuple[int, ...]:
    """Return the sums to buy or borrow with one tap: a small one, half a stack and a whole one."""
    stack = night.preset.stack or 100
    return tuple(sorted({max(1, stack // 10), max(1, stack // 5), max(1, stack // 2), stack}))


def prices(night: Night, *sums: int) -> dict[int, str]:
    """Return what each of some sums of chips costs in money, in the reader's language; nothing without money."""
    return {chips: amount(price_of(night, chips)) for chips in sums} if has_money(night) else {}


def _lift(view: TableView, seat: str, preview: Preview) -> int | None:
    number, viewer = _penalty_of(view.snapshot, seat), view.viewer
    if number is None or not may_take_back(view.snapshot, viewer.role, viewer.seat, number):
        return None
    try:
        preview(Undo(number))
    except TableError:  # a withheld card that was matched since, for one
        return None
    return number


def _penalty_of(snapshot: NightSnapshot, seat: str) -> int | None:
    """Return the number of the newest penalty that bars a seat in this hand."""
    if snapshot.night.deal is None or seat not in snapshot.night.deal.barred:
        return None
    for entry in reversed(snapshot.entries):
        if entry.event.kind == "hand" and entry.number not in snapshot.undone:
            return None
        if isinstance(entry.event, Penalty) and entry.event.seat == seat and entry.number not in snapshot.undone:
            return entry.number
    return None


def _lenders(night: Night, seat: str) -> tuple[Lender, ...]:
    """Return who could lend, the richest first: pots that are getting full are where people borrow."""
    accounts = [*(one for one in night.seats if one != seat), *night.preset.board]
    found = [Lender(one, night.name(one), night.ledger.balance(one)) for one in accounts]
    return tuple(sorted((one for one in found if one.chips), key=lambda one: -one.chips))
