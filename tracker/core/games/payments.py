"""Paying what an event makes due, with the ways out when somebody can't (NIGHT-FORMAT: `cover`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tracker.core.errors import NotAllowed, NotEnoughChips
from tracker.core.ledger import BANK, Moves
from tracker.core.night import Night


@dataclass(frozen=True)
class Due:
    """Chips that a payer owes to a payee (a seat or a pot) by one event."""

    payer: str
    payee: str
    chips: int


def check_cover(night: Night, cover: Mapping[str, str]) -> None:
    """Unknown or NotAllowed when a cover names somebody or some place that can't lend."""
    for seat, source in cover.items():
        night.present(seat)
        if source != BANK:
            night.account(source)
        if seat == source:
            raise NotAllowed("{name} can't borrow from themself", name=night.name(seat))


def caps_payments(night: Night) -> bool:
    """Return whether somebody who can't pay in a hand pays what there is and owes nothing (RULES P6)."""
    return night.house_rules.shortage in ("cap", "end_session")


def pay(moves: Moves, dues: Sequence[Due], cover: Mapping[str, str], *, is_capped: bool = False) -> None:
    """Pay all dues: who can pay does so first, then the short ones in the order given, each by the cover named.

    With `is_capped`, who is short and has no cover pays what there is, in the order given. Otherwise raises
    NotEnoughChips with everyone who is short and not covered, or with a lender who holds too little.
    """
    by_payer: dict[str, list[Due]] = {}
    for due in dues:
        by_payer.setdefault(due.payer, []).append(due)
    owing = {payer: sum(due.chips for due in owed) for payer, owed in by_payer.items()}
    able = [payer for payer in owing if moves.balance(payer) >= owing[payer]]
    for payer in able:
        _hand_over(moves, by_payer[payer])
    short = [payer for payer in owing if payer not in able]
    missing = {
        payer: owing[payer] - moves.balance(payer)
        for payer in short
        if payer not in cover and owing[payer] > moves.balance(payer)
    }
    if missing and not is_capped:
        raise NotEnoughChips(missing, moves.names, {payer: by_payer[payer][0].payee for payer in missing})
    for payer in short:
        if payer in missing:
            _hand_over(moves, _within(moves.balance(payer), by_payer[payer]))
        else:
            _hand_over(moves, _covered(moves, by_payer[payer], cover.get(payer, BANK)))


def _hand_over(moves: Moves, dues: Sequence[Due]) -> None:
    for due in dues:
        moves.move(due.payer, due.payee, due.chips)


def _within(chips: int, dues: Sequence[Due]) -> list[Due]:
    """Return as much of some dues as that many chips pay, the first ones first."""
    paid: list[Due] = []
    for due in dues:
        part = min(due.chips, chips)
        chips -= part
        paid.append(Due(due.payer, due.payee, part))
    return paid


def _covered(moves: Moves, dues: Sequence[Due], source: str) -> list[Due]:
    """Borrow or buy the shortfall and return what is still to be paid in chips.

    A payee who lends to his own payer gets the paper in place of the chips, so nothing has to move for that part.
    """
    payer = dues[0].payer
    shortfall = sum(due.chips for due in dues) - moves.balance(payer)
    if shortfall <= 0:
        return list(dues)
    if source == BANK:
        moves.buy(payer, shortfall)
        return list(dues)
    left = shortfall
    rest: list[Due] = []
    for due in dues:
        forgone = min(left, due.chips) if due.payee == source else 0
        left -= forgone
        rest.append(Due(payer, due.payee, due.chips - forgone))
    moves.owe(payer, source, shortfall - left)
    moves.borrow(payer, source, left)
    return rest
