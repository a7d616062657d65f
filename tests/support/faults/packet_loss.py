"""A server and its phones in networks of their own, with a network between them that loses packets or carries none.

Usage: unshare -Urnm python packet_loss.py MODE FOLDER COUNT. It prints the result as JSON. Nothing leaves the
namespaces.
"""

import asyncio
import ctypes
import json
import re
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from support.bench_table import SEATS, BenchTable, new_bench_table, served
from support.faults.script_phones import ScriptPhone, play, recorded_moves
from support.html_page import HtmlPage

T = TypeVar("T")

HERE, MOVED = "192.168.77.1", "192.168.77.2"
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
        which = "" if percent == 100 else f"numgen random mod 100 < {percent}"
        for run in (sh, self.there):
            run("nft add table inet air")
            run("nft add chain inet air in { type filter hook input priority 0 ; }")
            run("nft flush chain inet air in")
            if percent:
                run(f"nft add rule inet air in iifname != lo {which} counter drop")

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


def phones_of(table: BenchTable, server: str = HERE) -> list[ScriptPhone]:
    phones = table.phones(ScriptPhone, server=server, patience=8.0)
    for number, phone in enumerate(phones):
        phone.address = f"192.168.77.{FIRST_PHONE + number}"
    return phones


# What is tried


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


def moved(folder: Path, moves: int) -> dict[str, Any]:
    """Give the server another address in mid-night: every phone has to come in anew, and the host lets it."""
    table = new_bench_table(folder, watchers=0, chips=2000)
    with lossy_network() as between, served(table, ["--full-disk"]):
        between.among_phones(play(phones_of(table), table.port, moves))
        head = heads(table)
        sh(f"ip addr add {MOVED}/24 dev wlan0")
        sh(f"ip addr del {HERE}/24 dev wlan0")
        sh(f"ip addr replace {MOVED}/24 dev wlan0")  # it may have gone with the other, as the second of its network
        began = time.monotonic()
        table.browser(table.host).post(f"/n/{table.code}/new-code")
        link = until_shown(table, rf"http://{re.escape(MOVED)}:{table.port}(/j/[\w-]+)")
        host = threading.Thread(target=let_all_in, args=[table])
        host.start()
        table.seats = between.among_phones(all_come_in(table, link))
        host.join()
        back_after, kept = time.monotonic() - began, heads(table)
        between.among_phones(play(phones_of(table, MOVED), table.port, moves))
        return {
            "before": head, "kept": kept, "seconds": back_after, "moves": moves,
            "recorded": recorded_moves(folder, table.code),
        }  # fmt: skip


def host_sees(table: BenchTable, page: str) -> HtmlPage:
    """Return what the host's own machine shows."""
    return HtmlPage(table.browser(table.host).get(f"/n/{table.code}/{page}").text)


def heads(table: BenchTable) -> int:
    return int(host_sees(table, "live").value("[data-head]", "data-head"))


def until_shown(table: BenchTable, pattern: str) -> str:
    """Wait until the host's page shows the code for the new address; return what it leads to."""
    for _ in range(600):
        if found := re.search(pattern, " ".join(host_sees(table, "share").values("svg.qr", "data-link"))):
            return found[1]
        time.sleep(0.1)
    raise TimeoutError(pattern)


def let_all_in(table: BenchTable) -> None:
    """Tap "Let in" on the host's page for everybody who waits there, until eight are in."""
    host, done = table.browser(table.host), set[str]()
    while len(done) < len(SEATS):
        forms = host_sees(table, "live").values("form", "action")
        waiting = {form for form in forms if re.fullmatch(rf"/n/{table.code}/knocks/\d+/in", form)}
        for form in waiting - done:
            host.post(form)
            done.add(form)
        time.sleep(0.05)


async def all_come_in(table: BenchTable, link: str) -> list[str]:
    """Each scans the code and says who it is; the host lets in whoever asks. Return the new cookies."""
    return await asyncio.gather(*(join(phone, link) for phone in phones_of(table, MOVED)))


async def join(phone: ScriptPhone, link: str) -> str:
    phone.cookie = ""
    await phone.ask_until_answered("GET", link)
    form = {"token": link.rpartition("/")[2], "seat": phone.seat, "key": secrets.token_hex(16)}
    phone.cookie = cookie_in((await phone.ask_until_answered("POST", "/join", form)).head)
    while "data-go" not in (await phone.ask_until_answered("GET", f"/n/{phone.code}/knock/answer")).text:
        await asyncio.sleep(0.2)
    return cookie_in((await phone.ask_until_answered("POST", f"/n/{phone.code}/enter")).head)


def cookie_in(head: str) -> str:
    found = re.search(r"(?i)^set-cookie: (board_[^;]+)", head, re.MULTILINE)
    assert found, head
    return found[1]


def apart(folder: Path, _: int) -> dict[str, Any]:
    """Keep the phones apart from the server, as guest networks do, and then no more."""
    table, came = new_bench_table(folder, watchers=0), list[tuple[bool, bool]]()
    with lossy_network() as between, served(table, ["--full-disk"]):
        for lost in (100, 0):
            between.lose(lost)
            reached = between.among_phones(reaches(table))
            came.append((reached, bool(host_sees(table, "lobby").select("#unreached"))))
    return {"reached and told of it": came}


async def reaches(table: BenchTable) -> bool:
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(3):
            return (await phones_of(table)[0].ask_until_answered("GET", f"/n/{table.code}/lobby")).status == 200
    return False


def main() -> None:
    modes = {"loss": loss, "moved": moved, "apart": apart}
    print(json.dumps(modes[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]))))  # noqa: T201


if __name__ == "__main__":
    main()
