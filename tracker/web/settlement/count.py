"""Counting the chips on the table against the book: what was counted so far, what differs, what sets it right.

The numbers wait in the night's settings until the host says what they are for; each is dropped when its book moves.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tracker.app.log_history import History
from tracker.app.open_night import OpenNight
from tracker.app.settings import CountedChips, StoredGroup
from tracker.core.events import Amount, Chips, Count, Event, Move, Text
from tracker.core.ledger import BANK
from tracker.core.night import Night
from tracker.core.settlement import Payment

REASON = Text("counted")


@dataclass(frozen=True)
class AccountCount:
    """One stack or pot: what the book says, and what was counted, if anybody has."""

    account: str
    book: int
    counted: int | None = None

    @property
    def off(self) -> int:
        """How many chips more (or fewer) than the book lie there; 0 while nobody has counted."""
        return 0 if self.counted is None else self.counted - self.book


@dataclass(frozen=True)
class ChipCount:
    """A count that is going on."""

    night: Night
    seats: tuple[AccountCount, ...]
    pots: tuple[AccountCount, ...]

    @property
    def all(self) -> tuple[AccountCount, ...]:
        return self.seats + self.pots

    @property
    def counted(self) -> dict[str, int]:
        return {one.account: one.counted for one in self.all if one.counted is not None}

    @property
    def at_seats(self) -> int:
        """Chips at the seats, as counted and else as in the book."""
        return sum(one.book + one.off for one in self.seats)

    @property
    def on_board(self) -> int:
        return sum(one.book + one.off for one in self.pots)

    @property
    def all_there(self) -> int:
        """All chips that should be on the table."""
        return sum(one.book for one in self.all)

    @property
    def off(self) -> int:
        return sum(one.off for one in self.all)

    @property
    def mark(self) -> str:
        """Return a short text that is another one for another count: what a form says it has shown."""
        return " ".join(f"{one.account}:{one.book}:{one.counted}" for one in self.all if one.counted is not None)

    @property
    def to_go(self) -> tuple[AccountCount, ...]:
        return tuple(one for one in self.seats if one.counted is None)

    @property
    def wrong(self) -> tuple[AccountCount, ...]:
        return tuple(one for one in self.all if one.off)


def read_chip_count(table: OpenNight) -> ChipCount:
    """Return the count of this table, from the night's settings."""
    night, stored = table.night, table.settings.counted
    return ChipCount(
        night,
        tuple(_account_counts(night, night.seats, stored)),
        tuple(_account_counts(night, night.preset.board, stored)),
    )


def _account_counts(night: Night, accounts: Iterable[str], stored: StoredGroup[CountedChips]) -> Iterator[AccountCount]:
    for account in accounts:
        book, chips = night.ledger.balance(account), stored.get(account)
        yield AccountCount(account, book, chips.counted if chips and chips.in_log == book else None)


def save_count(table: OpenNight, account: str, counted: int | None) -> None:
    """Store what somebody counted; None deletes it. Raises Unknown when there is no such stack or pot."""
    table.night.require_account(account)
    book = table.night.ledger.balance(account)
    table.settings.counted.put(account, None if counted is None else CountedChips(counted, book))


def clear_counts(table: OpenNight) -> None:
    for account in table.settings.counted.names():
        table.settings.counted.put(account, None)


def setting_right(chip_count: ChipCount) -> list[Payment]:
    """Return the moves that bring the book to what was counted.

    Chips that nobody finds go to the bank, and chips that nobody missed come from it, but none from or to a pot (see
    `unsettled_pots`).
    """
    return [one for one in _pairs(chip_count) if not _is_pot_at_bank(chip_count, one)]


def unsettled_pots(chip_count: ChipCount) -> dict[str, int]:
    """Return the chips that `setting_right` leaves short or over in each pot: they were found nowhere else."""
    left = [one for one in _pairs(chip_count) if _is_pot_at_bank(chip_count, one)]
    return {one.creditor if one.debtor == BANK else one.debtor: one.chips for one in left}


def _is_pot_at_bank(chip_count: ChipCount, one: Payment) -> bool:
    ends = {one.debtor, one.creditor}
    return BANK in ends and not ends.isdisjoint(chip_count.night.preset.board)


def _pairs(chip_count: ChipCount) -> list[Payment]:
    """Match what is short with what is over: pots first, the bank last."""
    off = {one.account: one.off for one in (*chip_count.pots, *chip_count.seats)} | {BANK: -chip_count.off}
    short = {account: -chips for account, chips in off.items() if chips < 0}
    over = {account: chips for account, chips in off.items() if chips > 0}
    made = []
    while short:
        source, target = next(iter(short)), next(iter(over))
        chips = min(short[source], over[target])
        made.append(Payment(source, target, chips))
        for side, account in ((short, source), (over, target)):
            side[account] -= chips
            if not side[account]:
                del side[account]
    return made


def events_of(chip_count: ChipCount, *, use: bool) -> list[Event]:
    """Return what a finished count records: the count and, if it is to be used, the moves that set the book right."""
    counted = Count({account: Chips(chips) for account, chips in chip_count.counted.items()})
    made = setting_right(chip_count) if use else []
    return [counted, *(Move(one.debtor, one.creditor, Amount(one.chips), REASON) for one in made)]


def count_difference(history: History) -> int:
    """Return how many chips more (or fewer) the last count found than the book had, once its own moves are made."""
    events = [event for _number, event, _night in history.steps]
    index = max(index for index, event in enumerate(events) if isinstance(event, Count))
    counted = history.steps[index][2].counted or {}
    while index + 1 < len(events) and isinstance(move := events[index + 1], Move) and move.why == REASON:
        index += 1
    book = history.steps[index][2].ledger
    return sum(counted.values()) - sum(book.balance(account) for account in counted)
