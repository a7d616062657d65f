"""What a correction would change: which places hold more or less, which IOUs, and what to hand over at the table."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tracker.core.ledger import BANK
from tracker.core.night import Night
from tracker.core.settlement import Payment, payments


@dataclass(frozen=True)
class NoteChange:
    """An IOU that a correction makes, changes or tears up."""

    debtor: str
    holder: str
    then: int
    now: int


@dataclass(frozen=True)
class Difference:
    """Two states of one night compared; every number is what the second has more than the first."""

    seats: Mapping[str, int]
    pots: Mapping[str, int]
    bank: int
    notes: tuple[NoteChange, ...]
    points: Mapping[str, int]

    @property
    def board(self) -> int:
        return sum(self.pots.values())

    @property
    def accounts(self) -> dict[str, int]:
        """Return the chips of every seat, pot and the bank that differ; they sum to zero."""
        bank = {BANK: self.bank} if self.bank else {}
        return {**self.seats, **self.pots, **bank}

    @property
    def is_nothing(self) -> bool:
        return not self.accounts and not self.notes and not self.points

    @property
    def moves(self) -> list[Payment]:
        """Return who hands how many chips to whom, so that the table is as the corrected book says: the fewest."""
        return payments(self.accounts)

    @property
    def mark(self) -> str:
        """Return a short text that is another one for another difference: what a form says it has shown."""
        notes = ((f"{one.debtor}>{one.holder}", one.now - one.then) for one in self.notes)
        return " ".join(
            f"{key}{value:+d}" for key, value in sorted([*self.accounts.items(), *notes, *self.points.items()])
        )


def difference(then: Night, now: Night) -> Difference:
    order = (*now.all_seats, *then.all_seats)
    return Difference(
        seats=_changed(order, then.ledger.balances, now.ledger.balances),
        pots=_changed(now.preset.board, then.ledger.balances, now.ledger.balances),
        bank=now.ledger.balance(BANK) - then.ledger.balance(BANK),
        notes=tuple(
            NoteChange(*pair, old, new)
            for pair in dict.fromkeys((*then.ledger.iou, *now.ledger.iou))
            if (old := then.ledger.iou.get(pair, 0)) != (new := now.ledger.iou.get(pair, 0))
        ),
        points=_changed(order, then.points, now.points),
    )


def _changed(accounts: Iterable[str], then: Mapping[str, int], now: Mapping[str, int]) -> dict[str, int]:
    found = {account: now.get(account, 0) - then.get(account, 0) for account in accounts}
    return {account: more for account, more in found.items() if more}
