"""A bad network between phones and the server: what was tapped is recorded, once, and everybody sees the same.

The second half gives a server and eight phones networks of their own, which lose packets.
pytest --long tests/trust/test_bad_network.py plays as much as docs/trust.md says.
"""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from support.bench_table import SEATS, BenchTable, new_bench_table, served
from support.faults.faulty_network import BadNetwork
from support.faults.namespaces import MOUNTS, run_apart
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


# Networks of their own

ALONE = (*MOUNTS, "--net")
TRIAL = (
    "ip link add one type veth peer name two && nft add table inet air && "
    "tc qdisc add dev one root tbf rate 1mbit burst 10kb latency 50ms"
)


def test_moves_through_a_network_that_loses_packets_are_recorded_once_and_everybody_sees_them(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    missing = [tool for tool in ("unshare", "nsenter", "ip", "nft", "tc") if not shutil.which(tool)]
    if missing:
        pytest.skip(f"not on this machine: {', '.join(missing)}")
    if subprocess.run([*ALONE, "sh", "-c", TRIAL], capture_output=True, check=False).returncode:
        pytest.skip("this system allows no networks of one's own")
    moves = short_or_long(8, 320)
    came = run_apart(ALONE, "packet_loss.py", "loss", tmp_path, moves)
    assert came["recorded"] == dict.fromkeys(SEATS, moves // len(SEATS))
    assert came["lost"] > moves, "the air was too good for this test"
    figure(
        f"an air that loses 10 % each way: {moves} moves of 8 phones in {came['posts']} posts and "
        f"{came['seconds']:.0f} s; {came['lost']} packets lost, {came['resent']} sent again by the server; "
        "0 moves lost or doubled"
    )
