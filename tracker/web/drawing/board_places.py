"""The compartments of the board as the page shows them: what lies in each, how loud its number is, who took it."""

from collections.abc import Mapping
from typing import NamedTuple

from tracker.core.night import ENDED, LOBBY, Night
from tracker.core.queries.options import place_question
from tracker.web.drawing.board import COLOURINGS, FEWEST, MOST, pile, pile_size
from tracker.web.drawing.colors import Tint, tint_of
from tracker.web.drawing.player_token import PlayerToken, PotLabel, label_of

FACING = (1, 3)
"""Two places alone face each other across the centre."""


class PlaceView(NamedTuple):
    """A compartment: where it is, what lies in it, who took it, what a tap on it asks."""

    id: str
    at: int | None
    label: PotLabel
    chips: int
    notes: int
    pile: str
    """The drawing of its chips as SVG; empty when there are none."""
    size: str
    """How loud the number is: v0 (nothing) to v3 (the richest)."""
    taker: PlayerToken | None
    ask: str
    by: str = ""
    """The seat that took it by its card in this hand."""
    only: str | None = None
    """Of a place that only who has bet on it wins: their seats, separated by spaces."""
    bettors: tuple[str, ...] = ()
    """Their names."""
    tint: Tint | None = None
    """The colour of its own that a table gave it."""


def board_size(night: Night) -> int:
    """Return how many places the board is drawn with around its centre."""
    centre = _centre(night)
    return min(MOST, max(FEWEST, sum(pot != centre for pot in night.preset.board)))


def _centre(night: Night) -> str | None:
    return next((pot.id for pot in night.preset.won_by("out")), None)


def places_of(night: Night, faces: Mapping[str, PlayerToken]) -> tuple[PlaceView, ...]:
    """Return the places in the order of the board; the jackpot is the one in the centre."""
    centre, sizes = _centre(night), number_sizes(night)
    around = [pot for pot in night.preset.board if pot != centre][:MOST]
    spots = dict(zip(around, FACING if len(around) == len(FACING) else range(len(around)), strict=True))
    found = []
    for pot in night.preset.board.values():
        if pot.id not in spots and pot.id != centre:
            continue
        at, chips, notes = spots.get(pot.id), night.pot(pot.id), night.ledger.notes_in(pot.id)
        is_side = pot.won_by == "side"
        bettors = [seat for seat, bet_on in (night.deal.bets if night.deal and is_side else ()) if bet_on == pot.id]
        found.append(
            PlaceView(
                id=pot.id,
                at=at,
                label=label_of(pot),
                chips=chips,
                notes=notes,
                pile=pile(f"{colouring(at)}{pile_size(chips)}") if chips else "",
                size=sizes[pot.id],
                taker=None if chips or notes else faces.get(_taker(night, pot.id)),
                ask=place_question(night, pot.id),
                by=_taker(night, pot.id) if pot.won_by in ("card", "side") and not chips and not notes else "",
                only=" ".join(bettors) if is_side else None,
                bettors=tuple([night.name(seat) for seat in bettors]),
                tint=tint_of(pot.colour),
            )
        )
    return tuple(found)


def colouring(at: int | None) -> str:
    return COLOURINGS[(at or 0) % len(COLOURINGS)]


def number_sizes(night: Night) -> dict[str, str]:
    """Return how loud the number of each pot is drawn: v0 (nothing lies there) to v3 (the richest)."""
    worths = {pot: night.ledger.holds(pot) for pot in night.preset.board}
    most = max(worths.values(), default=0)
    loud = sum(worth >= 0.85 * most for worth in worths.values())
    rich = "v3" if loud <= 2 else "v2"  # one or two rich places pull the eye, a poor one stays quiet
    return {
        pot: "v0" if not worth else rich if worth >= 0.85 * most else "v2" if worth >= 0.4 * most else "v1"
        for pot, worth in worths.items()
    }


def _taker(night: Night, pot_id: str) -> str:
    """Return who took a pot in this hand; nobody when it was shared, or taken in another hand."""
    deal = night.deal
    if deal is None or night.phase in (LOBBY, ENDED):
        return ""
    if night.preset.board[pot_id].won_by == "poker":
        return deal.poker[0] if deal.poker and len(deal.poker) == 1 else ""
    taken = deal.taken.get(pot_id)
    return taken.seat if taken and not taken.others else ""
