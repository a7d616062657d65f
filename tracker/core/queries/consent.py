"""Whose yes an event needs: whose chips it takes other than by the rules of the game; and who covers what is short."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from tracker.core import events
from tracker.core.apply import apply
from tracker.core.errors import NeedsConsent, NotEnoughChips, TableError
from tracker.core.ledger import BANK
from tracker.core.log import LogChange, PlayedEvent, Steps
from tracker.core.night import Night


def check(steps: Steps, change: LogChange, agreed: Collection[str]) -> None:
    """Raise NeedsConsent when a change takes chips by agreement from seats that have not agreed."""
    if missing := givers(steps, change) - set(agreed):
        raise NeedsConsent(sorted(missing), steps.night.names())


def givers(steps: Steps, change: LogChange) -> frozenset[str]:
    """Return the seats that lose chips by agreement when `change` is made to `steps`.

    By agreement are loans, covers, repayments and moves by hand. Of a correction it is the difference that counts:
    taking a repayment back takes the chips of whoever got them, and a loan that holds again those of the lender.
    """
    before = steps.state_after(change.kept_count)
    balance = agreed_balance(before, change.steps)
    balance.subtract(agreed_balance(before, steps[change.kept_count :]))
    return frozenset(seat for seat, chips in balance.items() if chips < 0 and seat in before.people)


def agreed_balance(before: Night, steps: Iterable[PlayedEvent]) -> Counter[str]:
    """Return what each account gets (+) or gives (-) in chips by agreement in steps that follow `before`."""
    balance: Counter[str] = Counter()
    for _number, event, after in steps:
        match event:
            case (
                events.Borrow(seat, source, chips)
                | events.Move(source, seat, chips)
                | events.Repay(source, seat, chips)
            ):
                balance.update({source: -chips, seat: chips})
        for lender, lent in _lent(before, event, after):
            balance[lender] -= lent
        before = after
    return balance


def _lent(before: Night, event: events.Event, after: Night) -> Iterable[tuple[str, int]]:
    """Yield who covers a payment of somebody else, and the most chips; an IOU by a house rule is no agreement."""
    cover: Mapping[str, str] = getattr(event, "cover", {})
    if not cover:
        return
    by_rule: Mapping[str, str] = getattr(with_default_cover(before, replace(event, cover={})), "cover", {})  # type: ignore[call-arg]
    for payer, lender in cover.items():
        if by_rule.get(payer) != lender:
            owed = after.ledger.iou.get((payer, lender), 0) - before.ledger.iou.get((payer, lender), 0)
            yield lender, event.chips if isinstance(event, events.Bid) else owed


Payment = (
    events.Penalty | events.Fine | events.PayDue | events.Left | events.MatchWithheld | events.Place | events.TurnUp
)


def with_default_cover(night: Night, event: events.Event) -> events.Event:
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
