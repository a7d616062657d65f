"""The state of a night in plain values, as `replay --json` and the JSON API give it."""

from __future__ import annotations

from typing import Any

from tracker.core.games import points_game, rounds_game, rum_game
from tracker.core.night import Night
from tracker.core.queries.payment_list import nets, settling


def winners(night: Night) -> list[str]:
    """Return who has the highest net or score, clockwise; several on a tie."""
    if night.preset.game == "rounds":
        return rounds_game.winners(night)
    if night.preset.game == "rum":
        return rum_game.winners(night)
    if night.preset.game == "points":
        return points_game.winners(night)
    most = max((night.net(seat) for seat in night.all_seats), default=0)
    return [seat for seat in night.all_seats if night.net(seat) == most]


def leaders(night: Night) -> list[str]:
    """Return who leads, or has won, as `winners` does; nobody before the first hand."""
    return winners(night) if night.hand else []


def summary(night: Night, name: str = "") -> dict[str, Any]:
    """Return the state of a night called `name`, with the keys of the night format, in whole chips and points."""
    is_pots = night.preset.is_pot_game
    place = {account: at for at, account in enumerate((*night.all_seats, *night.preset.board))}
    notes = sorted(night.ledger.notes(), key=lambda note: (place[note.debtor], place[note.holder]))
    return {
        "preset": night.preset.id,
        "phase": night.phase,
        "hand": night.hand,
        "dealer": night.dealer,
        "name": name,
        "names": {seat: person.name for seat, person in night.people.items()},
        "seats": list(night.seats),
        "direction": -1 if night.is_reversed else 1,
        "barred": [seat for seat in night.all_seats if night.deal and seat in night.deal.barred],
        "stacks": {seat: night.stack(seat) for seat in night.all_seats} if is_pots else {},
        "bought": {seat: night.ledger.bought.get(seat, 0) for seat in night.all_seats} if is_pots else {},
        "pots": {pot: night.pot(pot) for pot in night.preset.board} if is_pots else {},
        "notes": [{"debtor": note.debtor, "holder": note.holder, "chips": note.chips} for note in notes],
        "scores": {} if is_pots else {seat: night.points.get(seat, 0) for seat in night.all_seats},
        "worth": {seat: night.worth(seat) if is_pots else night.points.get(seat, 0) for seat in night.all_seats},
        "net": nets(night),
        "winners": winners(night),
        "payments": [{"debtor": one.debtor, "creditor": one.creditor, "chips": one.chips} for one in settling(night)],
    }
