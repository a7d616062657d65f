"""A list that settles several nights together, as it is stored: it is kept beside the logs until its last tick."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from tracker.core.errors import NotAllowed, Stale, Unknown
from tracker.core.events import Cents, Paid
from tracker.core.ledger import BANK
from tracker.core.settlement import Payment, equal_shares, payments

PERSON = "person:"
"""How the party of seats begins that are one person's."""
MOST_CENTS = 1_000_000_00


class OpenPayment(NamedTuple):
    """A payment of a night's own settlement that was open when the list was made."""

    code: str
    source: str
    target: str
    cents: int

    @property
    def event(self) -> Paid:
        """What notes in the night's log that it was made."""
        return Paid(self.source, self.target, Cents(self.cents))


class ListedSeat(NamedTuple):
    """A seat of a night of the list, and which party it is: seats of one person are one party."""

    code: str
    seat: str
    party: str
    name: str


class NightCost(NamedTuple):
    """What somebody has paid for others on one of the evenings; payer and sharers are parties."""

    code: str
    what: str
    payer: str
    sharers: tuple[str, ...]
    cents: int
    key: str = ""
    """Of the form that added it: sent twice, it is one cost."""


@dataclass(frozen=True)
class SettleUp:
    """A list that settles several nights together."""

    made_at: str
    seats: tuple[ListedSeat, ...]
    open: tuple[OpenPayment, ...]
    costs: tuple[NightCost, ...] = ()
    paid: frozenset[int] = frozenset()
    """The places in `payments` of those that are ticked."""
    last: int = -1
    """The place of the last tick."""
    times: int = 0
    """How often it was taken back after its last tick: each time is recorded under ids of its own."""
    is_recorded: bool = False
    """Whether every open payment stands as paid in the nights' logs."""
    decimals: int = 2
    """How many the money of its nights has."""

    @property
    def codes(self) -> list[str]:
        return [*dict.fromkeys(seat.code for seat in self.seats)]

    @property
    def party_of(self) -> Mapping[tuple[str, str], str]:
        """The party of each seat, by (code, seat); the box is the same at every night."""
        return {(seat.code, seat.seat): seat.party for seat in self.seats} | {(code, BANK): BANK for code in self.codes}

    @property
    def payments(self) -> list[Payment]:
        """The fewest payments, in cents, that settle what is open and what was paid for others."""
        nets, party_of = Counter[str](), self.party_of
        for one in self.open:
            nets[party_of[one.code, one.source]] -= one.cents
            nets[party_of[one.code, one.target]] += one.cents
        for cost in self.costs:
            nets[cost.payer] += cost.cents
            nets.subtract(equal_shares(cost.cents, cost.sharers))
        return payments(dict(sorted(nets.items())))

    def is_made(self, place: int) -> bool:
        """Return whether the payment at this place is ticked off."""
        return self.is_recorded or place in self.paid

    @property
    def is_all_paid(self) -> bool:
        return len(self.paid) == len(self.payments)

    def with_cost(self, cost: NightCost) -> Self:
        """Return the list with a shared cost, once however often it is sent. Raises NotAllowed after the first tick."""
        self._check_untouched()
        if cost.key in [one.key for one in self.costs]:
            return self
        parties = {seat.party for seat in self.seats if seat.code == cost.code}
        if cost.payer not in parties or not cost.sharers or not parties.issuperset(cost.sharers):
            raise NotAllowed("choose who paid and for whom, of the people of that evening")
        if not 0 < cost.cents <= MOST_CENTS:
            raise NotAllowed("say what it cost, in money")
        return replace(self, costs=(*self.costs, cost))

    def without_cost(self, key: str) -> Self:
        """Return the list without the cost that a form of this key added. Raises NotAllowed after the first tick."""
        self._check_untouched()
        return replace(self, costs=tuple(cost for cost in self.costs if cost.key != key))

    def _check_untouched(self) -> None:
        if self.paid or self.is_recorded:
            raise NotAllowed("payments are ticked off already: what they settle stays as it is")

    def ticked(self, place: int, *, is_paid: bool, owed: Payment | None = None) -> Self:
        """Return the list with one payment ticked, or not; as it is once it is recorded.

        Raises Unknown, Stale when the payment there is not `owed` any more.
        """
        if not 0 <= place < len(self.payments):
            raise Unknown("there is no such payment in this list")
        if owed not in (None, self.payments[place]):
            raise Stale("somebody was faster: look at the table and tap again")
        paid = self.paid | {place} if is_paid else self.paid - {place}
        return self if self.is_recorded else replace(self, paid=paid, last=place)

    def taken_back(self) -> Self:
        """Return the list as it was before its last tick recorded it."""
        if not self.is_recorded:
            return self
        return replace(self, paid=self.paid - {self.last}, times=self.times + 1, is_recorded=False)
