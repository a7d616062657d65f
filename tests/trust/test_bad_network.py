"""A bad network between phones and the server: what was tapped is recorded, once, and everybody sees the same.

pytest --long tests/trust/test_bad_network.py plays as much as docs/trust.md says.
"""

from collections.abc import Callable
from pathlib import Path

from support.bench_table import SEATS, BenchTable, new_bench_table, served
from support.faults.faulty_network import BadNetwork
from support.faults.script_phones import ScriptPhone, play, recorded_moves
from support.socket_phones import run

SEED = 20


async def play_through(network: BadNetwork, table: BenchTable, moves: int) -> list[ScriptPhone]:
    await network.open()
    phones = table.phones(ScriptPhone)
    for phone in phones:
        phone.port = network.port
    try:
        await play(phones, table.port, moves)
    finally:
        await network.close()
    return phones


def test_every_move_through_a_bad_network_is_recorded_once_and_everybody_sees_it(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    moves = short_or_long(40, 320)
    table = new_bench_table(tmp_path, watchers=0, chips=2000)
    with served(table):
        network = BadNetwork(("127.0.0.1", table.port), SEED)
        phones = run(play_through(network, table, moves))
    posts = sum(phone.posts for phone in phones)
    assert recorded_moves(tmp_path, table.code) == dict.fromkeys(SEATS, moves // len(SEATS))
    assert {status for phone in phones for status in phone.statuses} <= {200, 204}
    assert posts > moves, "the network was too good for this test"
    figure(f"a bad network: {moves} moves in {posts} posts, {sum(network.happened.values())} faults: 0 lost, 0 doubled")
