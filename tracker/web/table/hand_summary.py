"""What a hand has brought one person so far, as the items of a strip that add up to the change shown beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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


@dataclass(frozen=True)
class HandSums:
    """What a hand has brought every seat up to some event of it. Immutable: another event makes another object."""

    steps: Sequence[log.Step] = ()
    """The step before the hand and those that are summed up."""
    sums: Mapping[str, dict[tuple[str, str], int]] = field(default_factory=dict)
    """By seat of the hand: (reason, pot or nothing) -> chips, in the order in which they came."""

    def after(self, night: Night, steps: Sequence[log.Step]) -> HandSums:
        """Return the sums after these steps, of which only the new ones are looked at: a long hand costs no more."""
        deal, count = night.deal, len(self.steps)
        if deal is None or night.phase in (LOBBY, ENDED):
            return HandSums()
        # A correction replaces every step from the one that it changes on, so where the last is the same, all are.
        is_longer = 0 < count <= len(steps) and steps[0] is self.steps[0] and steps[count - 1] is self.steps[-1]
        sums = dict(self.sums) if is_longer else {seat: {} for seat in deal.seats}
        for (_number, _event, before), (_next, event, after) in pairwise(steps[count - 1 :] if is_longer else steps):
            for seat in _concerned(before, after, deal.seats):
                sums[seat] = of_seat = dict(sums[seat])
                for what, pot, chips in _changes(event, before, after, seat):
                    if chips:
                        of_seat[what, pot] = of_seat.get((what, pot), 0) + chips
        return HandSums(steps, sums)

    def items(self, night: Night, seat: str | None) -> tuple[SummaryItem, ...]:
        """Return the items of a seat, oldest first, whose sum is what its stack has changed; nothing outside a hand."""
        return tuple(
            SummaryItem(what, chips, label_of(night.preset.board[pot]) if pot else None)
            for (what, pot), chips in self.sums.get(seat or "", {}).items()
            if chips
        )


def _concerned(before: Night, after: Night, seats: Sequence[str]) -> Sequence[str]:
    """Return the seats whose chips or IOUs an event may have moved; all of them where it moved IOUs."""
    if before.ledger.iou != after.ledger.iou:
        return seats
    moved = {account for one in after.last_transfers for account in (one.source, one.target)}
    return [seat for seat in seats if seat in moved or before.stack(seat) != after.stack(seat)]


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
