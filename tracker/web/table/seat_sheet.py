"""What can happen to one person at the table, with what it would cost, as values for the seat's sheet."""

from __future__ import annotations

from dataclasses import dataclass

from tracker.core.events import Penalty
from tracker.core.games import pot_game
from tracker.core.night import ENDED, LOBBY, PLAY, SHOWDOWN, Night
from tracker.core.preset import DirectPayment, Pot
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
    may_penalise: bool
    wrong_lead: int
    """Chips that a wrong lead costs in all."""
    lift: int | None
    """The number of the penalty that bars this seat, to be taken back."""
    lenders: tuple[Lender, ...]
    owed: tuple[Owed, ...]
    short: int
    """Chips lacking for the next ante."""
    plan: str
    may_sit_out: bool
    may_leave: bool
    amounts: tuple[int, ...]
    fine: int
    """Chips paid when the seat can't play or lead, where the board has that."""
    dues: tuple[DirectPayment, ...]
    """Cards that everybody pays for at once and that were not played in this hand."""
    left: tuple[Pot, ...]
    """After a hand: pots whose card the seat may still hold."""
    may_sweep: bool


def sheet_view(view: TableView, seat: str) -> SheetView | None:
    """Return the sheet of a seat at the table; None for somebody who has left."""
    night = view.night
    found = next((one for one in view.seats if one.face.seat == seat), None)
    if found is None:
        return None
    is_before = view.moment.name == "ante"
    in_hand = night.deal is not None and seat in night.deal.seats
    on = night.phase in (PLAY, SHOWDOWN) and night.house_rules.penalties == "on"
    return SheetView(
        seat=found,
        may_penalise=on and in_hand and seat in pot_game.players(night),
        wrong_lead=wrong_lead_cost(night, seat) if on and in_hand else 0,
        lift=_lift(view.scene, seat),
        lenders=_lenders(night, seat),
        owed=tuple(
            Owed(note.holder, night.name(note.holder), note.chips, min(note.chips, night.stack(seat)))
            for note in night.ledger.notes()
            if note.debtor == seat
        ),
        short=view.moment.short.get(seat, 0),
        plan=view.scene.plan.get(seat, ""),
        may_sit_out=is_before and seat != view.moment.dealer,
        may_leave=night.phase != ENDED and not (in_hand and night.phase not in (LOBBY, SHOWDOWN)),
        amounts=amounts(night),
        fine=night.house_rules.stop_fine if _plays(night, seat) else 0,
        dues=_dues(night, seat),
        left=_left(night, seat),
        may_sweep=night.house_rules.sweep == "on" and _plays(night, seat),
    )


def _plays(night: Night, seat: str) -> bool:
    return night.phase == PLAY and seat in pot_game.players(night)


def _dues(night: Night, seat: str) -> tuple[DirectPayment, ...]:
    paid = night.deal.paid if night.deal else ()
    return tuple(due for due in night.preset.dues if due.id not in paid) if _plays(night, seat) else ()


def _left(night: Night, seat: str) -> tuple[Pot, ...]:
    """Return the pots whose card costs something when this seat still holds it at the end of the hand."""
    deal = night.deal
    if night.phase != SHOWDOWN or deal is None or seat not in deal.seats or seat == deal.winner:
        return ()
    if night.house_rules.left_in_hand == "off":
        return ()
    return tuple(pot for pot in night.preset.won_by("card") if pot.id not in deal.left and pot.id not in deal.taken)


def amounts(night: Night) -> tuple[int, ...]:
    """Return the sums to buy or borrow with one tap: a small one, half a stack and a whole one."""
    stack = night.preset.stack or 100
    return tuple(sorted({max(1, stack // 10), max(1, stack // 5), max(1, stack // 2), stack}))


def wrong_lead_cost(night: Night, seat: str) -> int:
    """Return what a wrong lead costs this seat now: so many chips to every other player of the hand."""
    others = [one for one in night.the_deal().seats if one != seat]
    return night.house_rules.wrong_lead_each * len(others)


def _lift(scene: Scene, seat: str) -> int | None:
    if scene.night.deal is None or seat not in scene.night.deal.barred:
        return None
    for entry in reversed(scene.entries):
        if entry.number in scene.struck:
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
