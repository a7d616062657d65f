"""The settlement of several nights at once: open payments and what people paid for each other, in whole cents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tracker.core.settlement import payments


class Owed(NamedTuple):
    """Cents that one party owes another; a party is a person, or the box of the table."""

    debtor: str
    creditor: str
    cents: int


class SharedCost(NamedTuple):
    """What one party has paid for several, itself among them or not."""

    payer: str
    sharers: Sequence[str]
    cents: int


def equal_shares(cents: int, sharers: Sequence[str]) -> dict[str, int]:
    """Return what each one's share of a cost is: the first ones bear the cents that can't be split. No cent is lost."""
    each, rest = divmod(cents, len(sharers))
    return {sharer: each + (place < rest) for place, sharer in enumerate(sharers)}


def combined_nets(owed: Iterable[Owed], costs: Iterable[SharedCost] = ()) -> dict[str, int]:
    """Return what each party gets (+) or pays (-) in the end, in cents; they sum to zero."""
    nets: dict[str, int] = {}
    for one in owed:
        nets[one.debtor] = nets.get(one.debtor, 0) - one.cents
        nets[one.creditor] = nets.get(one.creditor, 0) + one.cents
    for cost in costs:
        nets[cost.payer] = nets.get(cost.payer, 0) + cost.cents
        for sharer, share in equal_shares(cost.cents, cost.sharers).items():
            nets[sharer] = nets.get(sharer, 0) - share
    return nets


def fewest_payments(owed: Iterable[Owed], costs: Iterable[SharedCost] = ()) -> list[Owed]:
    """Return payments that settle all of it: as few as possible for up to 15 parties, else nearly so."""
    nets = {party: cents for party, cents in sorted(combined_nets(owed, costs).items()) if cents}
    return [Owed(one.debtor, one.creditor, one.chips) for one in payments(nets)]
