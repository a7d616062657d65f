"""Moves of script phones: made, shown by every phone, and counted on the disk."""

import asyncio
from collections import Counter
from pathlib import Path

from support.faults.script_phones import ScriptPhone

from tracker.app.event_rows import from_row
from tracker.cli.data_folder import DATA_FILE
from tracker.core.events import Event, Penalty
from tracker.storage import Store

MOVE = "penalty:wrong-lead"


async def make_moves(phone: ScriptPhone, count: int) -> None:
    for _ in range(count):
        assert await phone.tap(MOVE) in {200, 204}


async def until_all_show(phones: list[ScriptPhone], port: int) -> None:
    """Wait until every phone shows what the server would show it: a picture comes late, never wrong."""
    async with asyncio.timeout(60):
        for phone in phones:
            while phone.picture != await phone.look(port):
                await asyncio.sleep(0.05)


def recorded_moves(folder: Path, code: str) -> Counter[str]:
    """Return how many of the moves stand on the disk, by seat."""
    store = Store(folder / DATA_FILE, read_only=True)
    events = [from_row(row).event for row in store.events(code)]
    store.close()
    return moves_in(events)


def moves_in(events: list[Event]) -> Counter[str]:
    """Return how many of these events are moves, by seat."""
    return Counter(event.seat for event in events if isinstance(event, Penalty))
