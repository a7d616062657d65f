"""A server and its phones in networks of their own, with a network between them that loses packets.

Usage: unshare -Urnm python packet_loss.py loss FOLDER COUNT. It prints the result as JSON. Nothing leaves the
namespaces.
"""

import asyncio
import ctypes
import json
import re
import subprocess
import sys
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from support.bench_table import BenchTable, new_bench_table, served
from support.faults.script_phones import ScriptPhone, play, recorded_moves

T = TypeVar("T")

HERE = "192.168.77.1"
FIRST_PHONE = 11
NEW_NETWORK = 0x40000000  # CLONE_NEWNET


def sh(line: str) -> str:
    return subprocess.run(line.split(), check=True, capture_output=True, encoding="utf-8").stdout


@dataclass
class LossyNetwork:
    """The way between the server's network, which this process is in, and that of the phones."""

    phones: subprocess.Popen[bytes]

    def there(self, line: str) -> str:
        return sh(f"nsenter -t {self.phones.pid} -n {line}")

    def lose(self, percent: int) -> None:
        """Lose so much of everything, each way."""
        for run in (sh, self.there):
            run("nft add table inet air")
            run("nft add chain inet air in { type filter hook input priority 0 ; }")
            run(f"nft add rule inet air in iifname != lo numgen random mod 100 < {percent} counter drop")

    def lost(self) -> int:
        """Return how many packets were lost."""
        counted = (re.findall(r"counter packets (\d+)", run("nft list ruleset")) for run in (sh, self.there))
        return sum(int(number) for found in counted for number in found)

    def among_phones(self, play: Coroutine[Any, Any, T]) -> T:
        """Run something to its end in a thread that is in the phones' network."""

        def enter() -> None:
            libc = ctypes.CDLL(None, use_errno=True)
            with Path(f"/proc/{self.phones.pid}/ns/net").open("rb") as network:
                if libc.setns(network.fileno(), NEW_NETWORK):
                    raise OSError(ctypes.get_errno(), "setns")

        with ThreadPoolExecutor(1, initializer=enter) as apart:
            return apart.submit(asyncio.run, play).result()


@contextmanager
def lossy_network() -> Iterator[LossyNetwork]:
    """Give two networks: wlan0 here, and one with an address for each of eight phones."""
    with subprocess.Popen(["unshare", "--net", "sleep", "1000"]) as holder:
        try:
            until_apart(holder.pid)
            here = LossyNetwork(holder)
            sh("ip link set lo up")
            sh(f"ip link add wlan0 type veth peer name phones netns {holder.pid}")
            sh(f"ip addr add {HERE}/24 dev wlan0")
            sh("ip link set wlan0 up")
            for number in range(8):
                here.there(f"ip addr add 192.168.77.{FIRST_PHONE + number}/24 dev phones")
            here.there("ip link set phones up")
            here.there("ip link set lo up")
            yield here
        finally:
            holder.kill()


def until_apart(pid: int) -> None:
    """Wait until the process has a network of its own."""
    own = Path("/proc/self/ns/net").readlink()
    for _ in range(1000):
        with suppress(OSError):
            if Path(f"/proc/{pid}/ns/net").readlink() != own:
                return
        time.sleep(0.01)
    raise TimeoutError


def phones_of(table: BenchTable) -> list[ScriptPhone]:
    phones = table.phones(ScriptPhone, server=HERE, patience=8.0)
    for number, phone in enumerate(phones):
        phone.address = f"192.168.77.{FIRST_PHONE + number}"
    return phones


def loss(folder: Path, moves: int) -> dict[str, Any]:
    """Play on a slow air that loses a tenth of all packets, each way."""
    table = new_bench_table(folder, watchers=0, chips=2000)
    with lossy_network() as between, served(table, ["--full-disk"]):
        sh("tc qdisc add dev wlan0 root tbf rate 4mbit burst 20kb latency 200ms")
        between.lose(10)
        began = time.monotonic()
        phones = phones_of(table)
        between.among_phones(play(phones, table.port, moves))
        return {
            "moves": moves, "recorded": recorded_moves(folder, table.code),
            "posts": sum(phone.posts for phone in phones), "lost": between.lost(),
            "resent": resent(), "seconds": time.monotonic() - began,
        }  # fmt: skip


def resent() -> int:
    """Return how often TCP has sent something again in this network."""
    names, values = (
        line.split() for line in Path("/proc/self/net/snmp").read_text(encoding="utf-8").splitlines() if "Tcp:" in line
    )
    return int(dict(zip(names, values, strict=True))["RetransSegs"])


def main() -> None:
    print(json.dumps(loss(Path(sys.argv[2]), int(sys.argv[3]))))  # noqa: T201


if __name__ == "__main__":
    main()
