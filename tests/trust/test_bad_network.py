"""A bad network between phones and the server: what was tapped is recorded, once, and everybody sees the same.

The second half gives a server and eight phones networks of their own: packets that get lost, a server that moves,
phones kept apart. pytest --long tests/trust/test_bad_network.py plays as much as docs/trust.md says.
"""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


def in_the_air(mode: str, folder: Path, count: int = 1) -> dict[str, Any]:
    """Run a night in networks that only this test sees; skip where the system or its tools allow none."""
    missing = [tool for tool in ("unshare", "nsenter", "ip", "nft", "tc") if not shutil.which(tool)]
    if missing:
        pytest.skip(f"not on this machine: {', '.join(missing)}")
    if subprocess.run([*ALONE, "sh", "-c", TRIAL], capture_output=True, check=False).returncode:
        pytest.skip("this system allows no networks of one's own")
    return run_apart(ALONE, "packet_loss.py", mode, folder, count)


def test_moves_through_a_network_that_loses_packets_are_recorded_once_and_everybody_sees_them(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    moves = short_or_long(16, 320)
    came = in_the_air("loss", tmp_path, moves)
    assert came["recorded"] == dict.fromkeys(SEATS, moves // len(SEATS))
    assert came["lost"] > moves, "the air was too good for this test"
    figure(
        f"an air that loses 10 % each way: {moves} moves of 8 phones in {came['posts']} posts and "
        f"{came['seconds']:.0f} s; {came['lost']} packets lost, {came['resent']} sent again by the server; "
        "0 moves lost or doubled"
    )


def test_everybody_is_back_when_the_server_has_another_address(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    moves = short_or_long(8, 160)
    came = in_the_air("moved", tmp_path, moves)
    assert came["kept"] == came["before"]
    assert came["recorded"] == dict.fromkeys(SEATS, 2 * moves // len(SEATS))
    figure(f"a server that moves to another address: 8 of 8 seats back after {came['seconds']:.1f} s, 0 events lost")


def test_the_host_is_told_that_no_phone_can_reach_the_table_until_one_does(tmp_path: Path) -> None:
    assert in_the_air("apart", tmp_path)["reached and told of it"] == [[False, True], [True, False]]
