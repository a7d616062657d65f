"""What can happen to one person at the table, with what it would cost, as values for the seat's sheet."""

from __future__ import annotations

from dataclasses import dataclass

from tracker.core.events import Penalty
from tracker.core.night import Night
from tracker.core.queries.options import SeatOptions, seat_options
from tracker.web.scene import Scene
from tracker.web.table.seats_view import SeatView
from tracker.web.table.view import TableView


@dataclass(frozen=True)
class Lender:
    """Where chips can be borrowed: a seat or a pot, its name, and the chips it holds."""

    account: str
    name: str
    chips: int


@dataclass(frozen=True)
class Owed:
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
    """The number of the penalty that bars this seat, to be taken back."""
    lenders: tuple[Lender, ...]
    owed: tuple[Owed, ...]
    short: int
    """Chips lacking for the next ante."""
    plan: str
    amounts: tuple[int, ...]


def sheet_view(view: TableView, seat: str) -> SheetView | None:
    """Return the sheet of a seat at the table; None for somebody who has left."""
    night = view.night
    found = next((one for one in view.seats if one.face.seat == seat), None)
    if found is None:
        return None
    return SheetView(
        seat=found,
        options=seat_options(night, view.moment, seat),
        lift=_lift(view.scene, seat),
        lenders=_lenders(night, seat),
        owed=tuple(
            Owed(note.holder, night.name(note.holder), note.chips, min(note.chips, night.stack(seat)))
            for note in night.ledger.notes()
            if note.debtor == seat
        ),
        short=view.moment.short.get(seat, 0),
        plan=view.scene.plan.get(seat, ""),
        amounts=amounts(night),
    )


def amounts(night: Night) -> tuple[int, ...]:
    """Return the sums to buy or borrow with one tap: a small one, half a stack and a whole one."""
    stack = night.preset.stack or 100
    return tuple(sorted({max(1, stack // 10), max(1, stack // 5), max(1, stack // 2), stack}))


def _lift(scene: Scene, seat: str) -> int | None:
    if scene.night.deal is None or seat not in scene.night.deal.barred:
        return None
    for entry in reversed(scene.entries):
        if entry.number in scene.undone:
            continue
        if entry.event.kind == "hand":
            return None
        if isinstance(entry.event, Penalty) and entry.event.seat == seat:
            return entry.number
    return None


def _lenders(night: Night, seat: str) -> tuple[Lender, ...]:
    """Return who could lend, the richest first: pots that are getting full are where people borrow."""
    accounts = [*(one for one in night.seats if one != seat), *night.preset.board]
    found = [Lender(one, night.name(one), night.ledger.balance(one)) for one in accounts]
    return tuple(sorted((one for one in found if one.chips), key=lambda one: -one.chips))
