"""Where every chip is. Chips move only by transfers between accounts, so all balances, the bank's too, sum to zero."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

from tracker.core.errors import NotEnoughChips, TooFewThere, TranslatableText

_K = TypeVar("_K")

BANK = "bank"


@dataclass(frozen=True)
class Transfer:
    """Chips that went from one account (a seat, a pot or the bank) to another."""

    source: str
    target: str
    chips: int


_transfer = lru_cache(maxsize=1024)(Transfer)
"""The same transfer as one object: a night keeps those of each of its events."""


@dataclass(frozen=True)
class Note:
    """An IOU: a claim of `holder` on `debtor` at face value, never chips."""

    debtor: str
    holder: str
    chips: int


@dataclass(frozen=True)
class HandChange:
    """What the events of a hand since its antes have moved, so that it can be given back."""

    transfers: tuple[Transfer, ...] = ()
    iou: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """By (debtor, holder): chips of IOUs written (+) or redeemed, passed on and torn up (-)."""
    bought: Mapping[str, int] = field(default_factory=dict)

    def then(self, before: Ledger, after: Ledger, transfers: tuple[Transfer, ...]) -> HandChange:
        """Return this and what one more event has changed."""
        if before is after:
            return self
        iou, bought = _added(self.iou, before.iou, after.iou), _added(self.bought, before.bought, after.bought)
        return HandChange(self.transfers + transfers, iou, bought)


def _added(sums: Mapping[_K, int], before: Mapping[_K, int], after: Mapping[_K, int]) -> Mapping[_K, int]:
    """Return the sums with the differences of two mappings added."""
    if before is after:
        return sums
    changes = {key: after.get(key, 0) - before.get(key, 0) for key in (*before, *after)}
    return {key: sums.get(key, 0) + changes.get(key, 0) for key in (*sums, *changes)}


@dataclass(frozen=True)
class Ledger:
    """Balances of all accounts in chips, the IOUs, and what each seat bought from the bank and cashed out."""

    balances: Mapping[str, int] = field(default_factory=dict)
    iou: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """What each (debtor, holder) pair stands at, always above zero."""
    bought: Mapping[str, int] = field(default_factory=dict)
    cashed: Mapping[str, int] = field(default_factory=dict)
    claims: Mapping[str, int] = field(default_factory=dict)
    """After the end only: what redeemed IOUs left an account owed (+) or owing (-) because chips ran out."""

    def balance(self, account: str) -> int:
        return self.balances.get(account, 0)

    def notes(self) -> list[Note]:
        return [Note(debtor, holder, chips) for (debtor, holder), chips in self.iou.items()]

    def notes_in(self, holder: str) -> int:
        """Return the face value in chips of the IOUs that `holder` has."""
        return sum(chips for (_, kept_by), chips in self.iou.items() if kept_by == holder) if self.iou else 0

    def holds(self, account: str) -> int:
        """Return what an account is good for, in chips: those in it, the IOUs, and after the end what it is owed."""
        return self.balance(account) + self.notes_in(account) + self.claims.get(account, 0)

    def owed_by(self, debtor: str) -> int:
        return sum(chips for (owes, _), chips in self.iou.items() if owes == debtor) if self.iou else 0

    def worth(self, seat: str) -> int:
        """Return what the seat would leave with now: stack, cashed chips and claims, less what it owes."""
        kept = self.balance(seat) + self.cashed.get(seat, 0) + self.claims.get(seat, 0)
        return kept + self.notes_in(seat) - self.owed_by(seat)

    def net(self, seat: str) -> int:
        return self.worth(seat) - self.bought.get(seat, 0)


class LedgerDraft:
    """The working copy on which one event's transfers are made; `close` gives the new ledger and the transfers."""

    def __init__(self, ledger: Ledger, names: Mapping[str, str] | None = None) -> None:
        self._before = ledger
        self.balances = dict(ledger.balances)
        self.iou = dict(ledger.iou)
        self.bought = dict(ledger.bought)
        self.cashed = dict(ledger.cashed)
        self.claims = dict(ledger.claims)
        self.made: list[Transfer] = []
        self.names = dict(names or {})

    def balance(self, account: str) -> int:
        return self.balances.get(account, 0)

    def move(self, source: str, target: str, chips: int) -> None:
        """Move chips; NotEnoughChips when the source holds fewer (the bank always has more)."""
        if chips == 0 or source == target:
            return
        if source != BANK and self.balance(source) < chips:
            held, name = self.balance(source), self.names.get(source)
            if isinstance(name, TranslatableText):  # the name of a place; people's names are their own words
                text = "only {held} lie there: take no more, or the rest from somewhere else ({pot})"
                if not held:
                    text = "no chips lie there: take them from somewhere else ({pot})"
                raise TooFewThere(text, account=source, missing=chips - held, pot=name, held=held)
            raise NotEnoughChips({source: chips - held}, self.names)
        self.balances[source] = self.balance(source) - chips
        self.balances[target] = self.balance(target) + chips
        self.made.append(_transfer(source, target, chips))

    def buy(self, seat: str, chips: int) -> None:
        self.move(BANK, seat, chips)
        self.bought[seat] = self.bought.get(seat, 0) + chips

    def cash(self, seat: str) -> None:
        """Exchange a stack at the bank; one that lacks chips gets them back from there."""
        chips = self.balance(seat)
        self.move(*((seat, BANK, chips) if chips > 0 else (BANK, seat, -chips)))
        self.cashed[seat] = self.cashed.get(seat, 0) + chips

    def owe(self, debtor: str, holder: str, chips: int) -> None:
        """Write an IOU; one's own paper is torn up at once."""
        if chips and debtor != holder:
            self.iou[debtor, holder] = self.iou.get((debtor, holder), 0) + chips

    def redeem(self, debtor: str, holder: str, chips: int) -> None:
        left = self.iou[debtor, holder] - chips
        if left:
            self.iou[debtor, holder] = left
        else:
            del self.iou[debtor, holder]

    def borrow(self, debtor: str, source: str, chips: int) -> None:
        self.move(source, debtor, chips)
        self.owe(debtor, source, chips)

    def share_out(self, holder: str, takers: Sequence[str], *, goes_round: bool = False) -> None:
        """Share what an account holds, chips and IOUs together, in parts of equal worth among `takers`.

        What doesn't divide stays where it is, or goes to the first takers, one chip each, where it `goes_round`.
        """
        papers = {debtor: chips for (debtor, kept_by), chips in self.iou.items() if kept_by == holder}
        chips, count = self.balance(holder), len(takers)
        each, odd = divmod(chips + sum(papers.values()), count)
        equal = chips // count  # of the chips and of every IOU first; only what is left of them is told apart
        missing = {taker: each + (goes_round and place < odd) - equal for place, taker in enumerate(takers)}
        for debtor, paper in papers.items():
            for taker in takers:
                self._give_paper(debtor, holder, taker, paper // count)
                missing[taker] -= paper // count
        left = chips - equal * count
        for taker in takers:
            part = min(missing[taker], left)
            self.move(holder, taker, equal + part)
            left -= part
            for debtor in papers:
                paper = min(missing[taker] - part, self.iou.get((debtor, holder), 0))
                self._give_paper(debtor, holder, taker, paper)
                part += paper

    def _give_paper(self, debtor: str, holder: str, taker: str, chips: int) -> None:
        """Pass (part of) an IOU on."""
        if chips:
            self.redeem(debtor, holder, chips)
            self.owe(debtor, taker, chips)

    def give_back(self, change: HandChange) -> None:
        """Move everything of a hand back, paid IOUs as chips; an account that lacks chips gets a negative balance."""
        net: dict[tuple[str, str], int] = {}
        for one in change.transfers:
            net[one.target, one.source] = net.get((one.target, one.source), 0) + one.chips
            net[one.source, one.target] = -net[one.target, one.source]
        for seat, chips in change.bought.items():
            self.bought[seat] = self.bought.get(seat, 0) - chips
        for (debtor, holder), chips in change.iou.items():
            left = self.iou.pop((debtor, holder), 0) - chips
            if left > 0:
                self.iou[debtor, holder] = left
            elif left < 0:
                net[holder, debtor] = net.get((holder, debtor), 0) - left
                net[debtor, holder] = -net[holder, debtor]
        for (source, target), chips in net.items():
            if chips > 0:
                self.balances[source] = self.balance(source) - chips
                self.balances[target] = self.balance(target) + chips
                self.made.append(_transfer(source, target, chips))

    def close(self) -> Ledger:
        """Return the ledger as it is now; a sum that is not zero or a negative holding is our own mistake."""
        assert sum(self.balances.values()) == 0, self.balances
        assert all(chips >= 0 for account, chips in self.balances.items() if account != BANK), self.balances
        assert sum(self.claims.values()) == 0, self.claims
        before = self._before
        return Ledger(
            self.balances,
            _same_or_new(before.iou, self.iou),
            _same_or_new(before.bought, self.bought),
            _same_or_new(before.cashed, self.cashed),
            _same_or_new(before.claims, self.claims),
        )


def _same_or_new(before: Mapping[_K, int], after: Mapping[_K, int]) -> Mapping[_K, int]:
    """Return what did not change as the object that it was: a night keeps the state after each of its events."""
    return before if before == after else after
