"""The state of a night in plain values, as `replay --json` and the JSON API give it."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from tracker.core.game import GAMES
from tracker.core.night import Night
from tracker.core.payment_list import nets, settling, totals


def winners(night: Night) -> list[str]:
    """Return which of those who can win have the best net or score, clockwise; several on a tie."""
    return GAMES[night.preset.game].winners(night)


def leaders(night: Night) -> list[str]:
    """Return who leads, or has won, as `winners` does; nobody before the first hand, or after one that was given up."""
    return winners(night) if night.players else []


def fewest_win(night: Night) -> bool:
    return GAMES[night.preset.game].fewest_win(night.preset)


class Ranked(NamedTuple):
    """A seat and its place, from 1; 0 for somebody who has no part in the result."""

    place: int
    seat: str


def ranking(night: Night) -> list[Ranked]:
    """Return everybody of the night, the best first; equal results have the same place.

    Every list of places follows it. In a score game those at the table come before those who have left. Who has played
    nothing comes last.
    """
    first, all_totals = winners(night), totals(night)
    has_part = night.contenders if night.preset.is_pot_game else night.players
    is_low = fewest_win(night)

    def key(seat: str) -> tuple[bool, bool, bool, bool, int]:
        total = all_totals[seat] if is_low else -all_totals[seat]
        is_behind = seat not in night.completed  # of a game that somebody has completed
        return (seat not in has_part, seat not in night.contenders, seat not in first, is_behind, total)

    found: list[Ranked] = []
    for at, seat in enumerate(sorted(night.all_seats, key=key)):
        place = found[-1].place if found and key(found[-1].seat) == key(seat) else at + 1
        found.append(Ranked(0 if key(seat)[0] else place, seat))
    return found


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


def hand_ends(states: Iterable[Night]) -> list[Night]:
    """Return the last state of every hand that was not given up; `states` are those after each event in force."""
    ends: dict[int, Night] = {}
    for night in states:
        if night.hand and not (night.is_over and night.preset.is_pot_game):
            ends[night.hand] = night
    return [end for end in ends.values() if not end.is_abandoned]
