"""A bad network between phones and the server: what was tapped is recorded, once, and everybody sees the same."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from bad_network import BadNetwork
from script_phones import ScriptPhone, run
from table import SEATS, BenchTable, laid_table, served

from tracker.cli.store import DATA_FILE
from tracker.core.events import Penalty
from tracker.sealing import entry_of
from tracker.store import Store

SEED = 20
WHAT = "penalty:wrong-lead"


async def play(table: BenchTable, network: BadNetwork, moves: int) -> list[ScriptPhone]:
    """Have eight phones make their moves at once; return them when all show what the server shows."""
    await network.open()
    phones = [
        ScriptPhone(network.port, table.code, seat, cookie) for seat, cookie in zip(SEATS, table.seats, strict=True)
    ]
    following = [asyncio.create_task(phone.follow()) for phone in phones]
    try:
        await until_all_show(phones, table.port)
        await asyncio.gather(*(make_moves(phone, moves // len(phones)) for phone in phones))
        await until_all_show(phones, table.port)
    finally:
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        await network.close()
    return phones


async def make_moves(phone: ScriptPhone, count: int) -> None:
    for _ in range(count):
        assert await phone.tap(WHAT) == 200


async def until_all_show(phones: list[ScriptPhone], port: int) -> None:
    """Wait until every phone shows what the server would show it: a picture comes late, never wrong."""
    async with asyncio.timeout(60):
        for phone in phones:
            while phone.picture != await phone.look(port):
                await asyncio.sleep(0.05)


def recorded(folder: Path, code: str) -> Counter[str]:
    """Return how many of the moves stand on the disk, by seat."""
    store = Store(folder / DATA_FILE, read_only=True)
    events = [entry_of(row).event for row in store.events(code)]
    store.close()
    return Counter(event.seat for event in events if isinstance(event, Penalty))


def test_every_move_through_a_bad_network_is_recorded_once_and_everybody_sees_it(
    tmp_path: Path, often: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    moves = often(40, 320)
    table = laid_table(tmp_path, watchers=0)
    network = BadNetwork(("127.0.0.1", 0), SEED)
    with served(table):
        for seat in SEATS:
            table.api({"kind": "buy", "seat": seat, "chips": 2000})
        table.begin_hand()
        network.server = ("127.0.0.1", table.port)
        phones = run(play(table, network, moves))
    posts = sum(phone.posts for phone in phones)
    assert recorded(tmp_path, table.code) == dict.fromkeys(SEATS, moves // len(SEATS))
    assert {status for phone in phones for status in phone.statuses} == {200}
    assert posts > moves, "the network was too good for this test"
    figure(f"a bad network: {moves} moves in {posts} posts, {sum(network.happened.values())} faults: 0 lost, 0 doubled")
