"""Who covers a payment that falls due at the table when somebody can't pay it and nobody has said."""

from __future__ import annotations

from dataclasses import replace

from tracker.core.apply import apply
from tracker.core.errors import NotEnoughChips, TableError
from tracker.core.events import Event, Fine, Held, Left, PayDue, Penalty, Place, TurnUp
from tracker.core.ledger import BANK
from tracker.core.night import Night

Payment = Penalty | Fine | PayDue | Left | Held | Place | TurnUp


def with_default_cover(night: Night, event: Event) -> Event:
    """Return the event with a cover for everybody who can't pay it, by the house rule `shortage`.

    That is an IOU to whom they pay where the house has it so, it is possible and no player has to lend chips for it,
    else chips from the bank. An event that names a cover, or whose sum is somebody's choice, is returned as it is.
    """
    if not isinstance(event, Payment) or event.cover:
        return event
    try:
        apply(night, event)
    except NotEnoughChips as error:
        bought = replace(event, cover=dict.fromkeys(error.short, BANK))
        owed = replace(event, cover={seat: error.payees.get(seat, BANK) for seat in error.short})
        return owed if night.house_rules.shortage == "iou" and _is_possible(night, owed) else bought
    except TableError:
        pass  # recording it says why
    return event


def _is_possible(night: Night, event: Payment) -> bool:
    """Return whether everybody who is short can leave an IOU in place of their own payment to that player or pot."""
    try:
        made = apply(night, event).last_transfers
    except TableError:
        return False
    return not any(event.cover.get(one.target) == one.source and one.source in night.people for one in made)
