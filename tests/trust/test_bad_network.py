"""A bad network between phones and the server: what was tapped is recorded, once, and everybody sees the same."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from support.bench_table import SEATS, BenchTable, new_bench_table, served
from support.faults.faulty_network import BadNetwork
from support.faults.script_moves import make_moves, recorded_moves, until_all_show
from support.faults.script_phones import ScriptPhone, run

SEED = 20


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


def test_every_move_through_a_bad_network_is_recorded_once_and_everybody_sees_it(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    moves = short_or_long(40, 320)
    table = new_bench_table(tmp_path, watchers=0)
    network = BadNetwork(("127.0.0.1", 0), SEED)
    with served(table):
        for seat in SEATS:
            table.api({"kind": "buy", "seat": seat, "chips": 2000})
        table.begin_hand()
        network.server = ("127.0.0.1", table.port)
        phones = run(play(table, network, moves))
    posts = sum(phone.posts for phone in phones)
    assert recorded_moves(tmp_path, table.code) == dict.fromkeys(SEATS, moves // len(SEATS))
    assert {status for phone in phones for status in phone.statuses} <= {200, 204}
    assert posts > moves, "the network was too good for this test"
    figure(f"a bad network: {moves} moves in {posts} posts, {sum(network.happened.values())} faults: 0 lost, 0 doubled")
