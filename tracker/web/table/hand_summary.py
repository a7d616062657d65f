"""What a hand has brought one person so far, as the items of a strip that add up to the change shown beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tracker.core import log
from tracker.core.events import Event
from tracker.core.night import ENDED, LOBBY, Night
from tracker.web.drawing.player_token import PotLabel, label_of
from tracker.web.events.registry import outside_net, split_by_reason


@dataclass(frozen=True)
class SummaryItem:
    """Chips won (+) or paid (-) by one thing: a reason (`reason_name`), or `pot` with the pot's label."""

    what: str
    chips: int
    label: PotLabel | None = None


def hand_summary(night: Night, seat: str | None, steps: Sequence[log.Step]) -> tuple[SummaryItem, ...]:
    """Return the items of this hand for `seat`, oldest first; nothing when it is not in a hand.

    `steps` are the step before the hand and all since. The items' sum is what the seat's stack has changed.
    """
    deal = night.deal
    if deal is None or seat is None or seat not in deal.seats or night.phase in (LOBBY, ENDED):
        return ()
    sums: dict[tuple[str, str], int] = {}
    for (_number, _event, before), (_next, event, after) in pairwise(steps):
        if not _concerns(before, after, seat):
            continue
        for what, pot, chips in _changes(event, before, after, seat):
            if chips:
                sums[what, pot] = sums.get((what, pot), 0) + chips
    return tuple(
        SummaryItem(what, chips, label_of(night.preset.board[pot]) if pot else None)
        for (what, pot), chips in sums.items()
        if chips
    )


def _concerns(before: Night, after: Night, seat: str) -> bool:
    """Return whether an event may have moved chips or IOUs of this seat."""
    if any(seat in (one.source, one.target) for one in after.last_transfers):
        return True
    return before.ledger.iou != after.ledger.iou or before.stack(seat) != after.stack(seat)


def _changes(event: Event, before: Night, after: Night, seat: str) -> Iterator[tuple[str, str, int]]:
    """Yield (reason, pot or nothing, chips) for what one event changed of a seat's stack."""
    if event.kind == "move":  # also one between a stack and the bank, which counts as bought
        yield "corrections", "", after.stack(seat) - before.stack(seat)
        return
    yield from ((reason, "", chips) for reason, chips in outside_net(before, after, seat))
    pots = _pots_taken(event, before, after, seat)
    yield from (("pot", pot, chips) for pot, chips in pots.items())
    taken = sum(pots.values())  # part of what the first reason is about
    for reason, chips in split_by_reason(event, after, seat, after.net(seat) - before.net(seat)):
        yield reason, "", chips - taken
        taken = 0


def _pots_taken(event: Event, before: Night, after: Night, seat: str) -> dict[str, int]:
    """Return what a seat got by one event from each pot that it took; a penalty only gives pots back."""
    if event.kind in ("hand", "penalty") or before.deal is None or after.deal is None:
        return {}
    old, new = before.deal.taken, after.deal.taken
    return {pot: taken.part(seat) for pot, taken in new.items() if old.get(pot) != taken and taken.part(seat)}
