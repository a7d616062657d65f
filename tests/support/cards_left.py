"""Counting the cards left at a night of four: what is said of it, and what pages have to show."""

from random import Random
from typing import NamedTuple

from support.table_nights import TableNight

from tracker.core import events
from tracker.core.events import Amount, SeatId, Undo
from tracker.web.base.snapshot import snapshot_of
from tracker.web.table.view import BoardView

COVERS = {"writes an IOU": "winner", "buys chips": "bank", "pays what is there": ""}
OTHERS = {"ruth", "ben", "mia", "tom"}


class Shown(NamedTuple):
    """What a page says of a count."""

    winner: str
    cards: dict[str, str]
    cover: dict[str, str]
    jackpot: str
    total: str


def record(night: TableNight, event: events.Event) -> None:
    night.table.record(event, id=f"e{night.table.head}", by="host")


def poor(night: TableNight, *seats: str) -> TableNight:
    """Leave these seats two chips at most."""
    for seat in (one for one in seats if night.stacks[one] > 2):
        record(night, events.Move(SeatId(seat), "bank", Amount(night.stacks[seat] - 2)))
    return night


def by_the_draft(night: TableNight) -> Shown | None:
    """Return what pages have to show, by the draft and the core."""
    snapshot = snapshot_of(night.table)
    moment, draft = snapshot.moment, night.table.draft
    if moment.name != "count":
        return None
    pay = BoardView(snapshot).payment
    cover = {seat: "winner" if source == moment.winner else source for seat, source in pay.cover.items()}
    cards = {seat: str(draft.counts.get(seat, "")) for seat in moment.payers}
    return Shown(str(draft.winner), cards, cover, str(pay.jackpot), str(pay.total))


def one_entry(night: TableNight, chance: Random) -> None:
    """Have one phone say something of the count, or somebody record an event."""
    seat = chance.choice(sorted(OTHERS))
    phone = chance.choice([night.host, night.phones.get(seat, night.host), chance.choice([*night.phones.values()])])
    verbs = ["say"] * 8 + ["cover"] * 6 + ["excuse", "not-out", "lend", "collect", "undo"]
    if night.table.draft.winner is None:
        verbs = ["out", "out", "collect", "say"]
    match chance.choice(verbs):
        case "out":
            night.tap("out", phone, seat=seat)
        case "say":
            night.tap(f"say:{chance.choice(['', '1', '3', '6'])}", phone, seat=seat)
        case "cover":
            ways, short = (
                ["bank", "", str(night.table.draft.winner)],
                [*BoardView(snapshot_of(night.table)).payment.cover],
            )
            night.tap(f"cover:{chance.choice(short or [seat])}:{chance.choice(ways)}", phone)
        case "excuse":
            night.tap(f"excuse:{chance.choice(['', seat])}", phone)
        case "not-out":
            night.tap("not-out", phone)
        case "lend" if seat != "ruth" and night.stacks["ruth"] > 1:
            record(night, events.Borrow(SeatId(seat), "ruth", Amount(1)))
        case "collect" if night.pots["ten-hearts"]:
            record(night, events.Collect(SeatId(seat), "ten-hearts"))
        case "undo" if isinstance(night.table.entries[-1].event, events.Collect | events.Borrow):
            record(night, Undo(night.table.head))
