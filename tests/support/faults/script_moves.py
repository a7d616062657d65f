"""Moves of script phones: made, shown by every phone, and counted on the disk."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from support.faults.script_phones import ScriptPhone
from support.socket_phones import in_background

from tracker.app.event_rows import from_row
from tracker.cli.data_folder import DATA_FILE
from tracker.core.events import Event, Penalty
from tracker.storage import DataPlace, Store

MOVE = "penalty:wrong-lead"


async def make_moves(phone: ScriptPhone, count: int) -> None:
    for _ in range(count):
        assert await phone.tap(MOVE) in {200, 204}


async def until_all_show(phones: Sequence[ScriptPhone], port: int) -> None:
    """Wait until every phone shows what the server would show it: a picture comes late, never wrong."""
    async with asyncio.timeout(60):
        for phone in phones:
            while phone.picture != await phone.look(port):
                await asyncio.sleep(0.05)


async def play(phones: Sequence[ScriptPhone], port: int, moves: int) -> None:
    """Have all phones make their moves at once; return when all show what the server at the port shows."""
    async with in_background(*(phone.follow() for phone in phones)):
        await until_all_show(phones, port)
        await asyncio.gather(*(make_moves(phone, moves // len(phones)) for phone in phones))
        await until_all_show(phones, port)


def recorded_moves(place: Path | DataPlace, *codes: str) -> Counter[str]:
    """Return how many moves of these nights stand in a data folder, or in another place, by seat."""
    with closing(Store(place / DATA_FILE if isinstance(place, Path) else place, read_only=True)) as store:
        return moves_in(from_row(row).event for code in codes for row in store.events(code))


def moves_in(events: Iterable[Event]) -> Counter[str]:
    """Return how many of these events are moves, by seat."""
    return Counter(event.seat for event in events if isinstance(event, Penalty))
