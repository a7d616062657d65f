"""What the newest change of a night was, who may take back what, and what one tap takes back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tracker.core.events import Borrow, Collect, Event, Hand, Leave, Repay, Sit, Undo
from tracker.core.log import Entry, find, find_undone

HOST_ONLY = ("sit", "end", "count", "leave", "order", "move", "rule", "abandon", "amend")
"""Kinds of events that a seat's phone does not take back, even its own; but it does its own leaving."""
RECORDED, UNDONE, RESTORED, ANNOUNCED, WITHDRAWN = "recorded", "undone", "restored", "announced", "withdrawn"


def is_new_hand(event: Event) -> bool:
    """Return whether an event begins a hand or ends a deal: a seat's phone takes back nothing before it."""
    return event.ends_deal or isinstance(event, Hand)


class Recorded(Protocol):
    """A night's log, and which of its entries were taken back."""

    @property
    def entries(self) -> Sequence[Entry]: ...

    @property
    def undone(self) -> Mapping[int, int]: ...


@dataclass(frozen=True)
class NewestChange:
    """The newest change: an event that was recorded, taken back or restored, or a going out, said or withdrawn."""

    kind: str
    """`recorded`, `undone`, `restored`, `announced` or `withdrawn`."""
    entry: Entry | None = None
    """The event that it is about; None for an announcement, which is not in the log yet."""
    seat: str | None = None
    """Who announced to be out of cards, or is not out after all."""


@dataclass(frozen=True)
class UndoView:
    """What one tap takes back (or brings back): always the newest change."""

    number: int | None
    """The entry that an `undo` takes back; None where an announcement is withdrawn."""
    is_redo: bool
    is_own: bool
    is_by_other: bool = False
    """Whether a seat takes back what somebody else recorded for it."""


def newest_change(log: Recorded, announced: str | None = None, withdrawn: str | None = None) -> NewestChange | None:
    """Return what the sentence under the table is about; `announced` is who says to be out, or has `withdrawn` it."""
    if announced is not None:
        return NewestChange(ANNOUNCED, seat=announced)
    if not log.entries:
        return None
    entry, undos = undone_by(log.entries, log.entries[-1])
    if entry.number in log.undone:
        return NewestChange(WITHDRAWN, seat=withdrawn) if withdrawn else NewestChange(UNDONE, entry)
    return NewestChange(RESTORED if undos else RECORDED, entry)


def undone_by(entries: Sequence[Entry], entry: Entry) -> tuple[Entry, int]:
    """Return the event that an undo is about in the end, and over how many undos: an odd number takes it back."""
    undos = 0
    while isinstance(entry.event, Undo):
        entry, undos = find(entries, entry.event.event, entry.number), undos + 1
    return entry, undos


def undone(log: Recorded) -> Event | None:
    """Return the event that the newest entry took back; None when it took none back."""
    change = newest_change(log)
    return change.entry.event if change and change.kind == UNDONE and change.entry else None


def own_newest(log: Recorded, seat: str) -> Entry | None:
    """Return the newest entry of this hand that a seat may take back; None when there is none."""
    for entry in reversed(log.entries):
        if entry.number not in log.undone:
            event, undos = undone_by(log.entries, entry)
            is_undo = undos % 2 == 1
            if _is_own_entry(entry, seat) and not _is_for_host(log, event.event, seat) and (is_undo or not undos):
                return entry
            if is_new_hand(entry.event):
                return None
    return None


def _is_own_entry(entry: Entry, seat: str) -> bool:
    """Return whether a seat recorded an entry, or was given a place by it, which its own phone may give back."""
    return entry.by == seat or (isinstance(entry.event, Collect) and entry.event.seat == seat)


def _is_for_host(log: Recorded, event: Event, seat: str) -> bool:
    """Return whether only the host takes an event back; also one by which somebody else got chips by agreement."""
    match event:
        case Borrow():
            return event.seat != seat
        case Repay():
            return any(isinstance(one.event, Sit) and one.event.seat == event.holder for one in log.entries)
        case Leave():
            return event.seat != seat
        case _:
            return event.kind in HOST_ONLY


def may_take_back(log: Recorded, role: str | None, seat: str | None, number: int) -> bool:
    """Return whether somebody may undo the entry `number`: the host any that stands, a seat its own newest."""
    if role == "host":
        return number not in log.undone
    if role != "seat" or not seat or not _is_own_entry(log.entries[number - 1], seat):
        return False
    mine = own_newest(log, seat)
    return mine is not None and mine.number == number


def undo_for(
    log: Recorded,
    role: str,
    seat: str | None,
    announced: str | None = None,
    withdrawn: str | None = None,
    *,
    is_open: bool = False,
) -> UndoView | None:
    """Return what one tap takes back: the newest change, for whoever may; None for everybody else.

    `is_open` is whether every seat may record for every other: then anybody withdraws an announcement.
    """
    change = newest_change(log, announced, withdrawn)
    if change is None or change.kind == WITHDRAWN or role not in ("host", "seat"):
        return None
    is_own = role != "host"
    if change.entry is None:
        may_withdraw = role == "host" or seat == announced or is_open
        return UndoView(None, is_redo=False, is_own=is_own) if may_withdraw else None
    number = log.entries[-1].number if change.kind == UNDONE else change.entry.number
    if not may_take_back(log, role, seat, number):
        return None
    after = [*log.entries, Entry(len(log.entries) + 1, Undo(number))]
    if number != change.entry.number and change.entry.number in find_undone(after):
        return None  # another undo names the same event, so it stays undone
    return UndoView(number, change.kind == UNDONE, is_own, is_own and log.entries[number - 1].by != seat)
