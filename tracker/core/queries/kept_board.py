"""A board that was left as it was: what lies on it, and the events that put it there again in the next night."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tracker.core.events import Amount, Buy, Event, Move, Text
from tracker.core.night import Night


def kept_board(night: Night) -> dict[str, int]:
    """Return what each pot is worth that a night left for the next one: its chips, and the IOUs in it.

    The debtors of those have paid with the settlement. Empty where the board was shared out, or the night goes on.
    """
    if not night.preset.is_pot_game or not night.is_over:
        return {}
    return {pot: chips for pot in night.preset.board if (chips := night.ledger.holds(pot))}


def shares_of(total: int, seats: Sequence[str]) -> dict[str, int]:
    """Return equal parts of so many chips for these seats; the first seats have one of the odd chips each."""
    each, odd = divmod(total, len(seats))
    return {seat: each + (place < odd) for place, seat in enumerate(seats)}


def refill(board: Mapping[str, int], seats: Sequence[str], why: str) -> list[Event]:
    """Return the events by which these seats buy what lay on a board in equal parts, and put it there again.

    `why` is the reason that the log gives for the chips moved.
    """
    shares = {seat: chips for seat, chips in shares_of(sum(board.values()), seats).items() if chips}
    bought: list[Event] = [Buy(seat, Amount(chips)) for seat, chips in shares.items()]
    moves: list[Event] = []
    empty = {pot: chips for pot, chips in board.items() if chips}
    for seat, share in shares.items():
        rest = share
        while rest:
            pot = next(iter(empty))
            part = min(rest, empty[pot])
            moves.append(Move(seat, pot, Amount(part), Text(why)))
            rest -= part
            empty[pot] -= part
            if not empty[pot]:
                del empty[pot]
    return [*bought, *moves]
