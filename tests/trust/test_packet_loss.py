"""A server and eight phones in networks of their own: packets that get lost, a server that moves, phones kept apart.

pytest --long tests/trust/test_packet_loss.py plays as much as docs/trust.md says.
"""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.bench_table import SEATS
from support.faults.namespaces import MOUNTS, run_apart
from support.of_extras import needs

ALONE = (*MOUNTS, "--net")
TRIAL = (
    "ip link add one type veth peer name two && nft add table inet air && "
    "tc qdisc add dev one root tbf rate 1mbit burst 10kb latency 50ms"
)


def in_the_air(mode: str, folder: Path, count: int = 1) -> dict[str, Any]:
    """Run a night in networks that only this test sees; skip where the system or its tools allow none."""
    needs("api")
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
    came = in_the_air("apart", tmp_path)
    assert came == {"reached": False, "notice": True, "reached then": True, "notice then": False}
