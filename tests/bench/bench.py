"""How fast, how small: the figures of docs/figures.md. Run with `python tests/bench/bench.py`; prints a table.

Nothing here is a test: it measures, beside each figure the aim, and beside the broadcast a floor taken in the same run.
"""

import asyncio
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urljoin

import click

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parent.parent)
from bench.harness import Taps, accepted, broadcast, crowd, heading, line, ms, ratio
from support.bench_table import SEATS, BenchTable, new_bench_table, new_tables, served
from support.faults.faulty_disk import OK, FaultyDisk, Step
from support.socket_phones import Line, SocketPhone, Watcher, watching

from tracker.storage import NewEvent, Store

LIBRARIES = ("flask", "sqlite_utils", "qrcode", "waitress")
STARTS = 7
PROCESSOR_AIMS = {8: "at most 2.5 ms", 200: "at most 6 ms"}
SYNC_SECONDS = 0.005
"""How long a wait for the disk is made to last: that of a phone's flash memory."""


@contextmanager
def baseline(folder: Path, size: int) -> Iterator[int]:
    """Run the bare broadcast server and yield its port."""
    command = [sys.executable, str(Path(__file__).with_name("broadcast_baseline.py")), str(folder), str(size)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.terminate()


async def bare_broadcast(port: int, count: int, taps: int) -> list[float]:
    """Return the floor: seconds from a post to the last of `count` clients of the bare server."""
    watchers, taken = [Watcher(port, "") for _ in range(count)], Taps()
    async with watching(watchers):
        post = watchers[0].request("POST", "/", b"x" * 120)
        connected = await watchers[0].connected()
        for _ in range(taps):
            await taken.add(lambda: accepted(connected, post), watchers)
        connected[1].close()
    return taken.lasts


async def buy(table: BenchTable, connected: Line, at: int) -> None:
    """Record one more chip as a script does."""
    headers = [f"Authorization: Bearer {table.token}", "Content-Type: application/json"]
    body = f'{{"kind": "buy", "seat": "{SEATS[at % 8]}", "chips": 1, "id": "{at}-{time.time_ns()}"}}'.encode()
    script = SocketPhone(table.port, table.code)
    await accepted(connected, script.request("POST", f"/api/nights/{table.code}/events", body, headers))


async def recording_costs(tables: Sequence[BenchTable], lengths: Sequence[int], taps: int) -> list[float]:
    """Return the median seconds that one recorded event takes in nights of these lengths, nobody watching.

    By turns, so that a noisy minute of the machine is a noisy minute for all of them.
    """
    connected, taken = await SocketPhone(tables[0].port, "").connected(), [list[float]() for _ in tables]
    for table, length in zip(tables, lengths, strict=True):
        for at in range(length):
            await buy(table, connected, at)
    for at in range(taps):
        for table, times in zip(tables, taken, strict=True):
            started = time.perf_counter()
            await buy(table, connected, at)
            times.append(time.perf_counter() - started)
    connected[1].close()
    return [statistics.median(times) for times in taken]


def starts(table: BenchTable, count: int) -> None:
    """Print how long the server takes to its first answer, and how long the imports, in turn."""
    taken, imports = list[float](), list[float]()
    for _ in range(count):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", f"import {', '.join(LIBRARIES)}"], check=True)
        imports.append(time.perf_counter() - started)
        with served(table):
            taken.append(table.first_answer_seconds)
    line("start to the first answer", ms(taken), "under 400 ms")
    line(f"importing {', '.join(LIBRARIES)}", ms(imports))
    line("ratio", ratio(taken, imports), "at most 2")


def first_page(table: BenchTable) -> None:
    """Print the bytes, as they cross the network, of an English table's page and of all it loads until it stands."""
    phone, sizes, wanted = table.browser(table.seats[0]), dict[str, int](), [f"/n/{table.code}"]
    while wanted:
        path = wanted.pop()
        if path in sizes:
            continue
        sizes[path] = len(phone.get(path, Accept_Encoding="gzip").body)
        answer = phone.get(path)
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status}")
        wanted += [link for link in re.findall(r'(?:href|src)="(/static/[^"#]+)', answer.text) if "print" not in link]
        fonts = re.findall(r"url\(([^)\"':#]+)\)", answer.text)
        wanted += [urljoin(path, link) for link in fonts if not re.search(r"-(accented|more)\.woff2", link)]
    line("first page with all its parts", f"{sum(sizes.values()) / 1000:.1f} kB", "under 80 kB")
    for path, size in sorted(sizes.items(), key=lambda part: -part[1]):
        line(f"- {path.partition('?')[0].replace(table.code, 'CODE')}", f"{size / 1000:.1f} kB")


def broadcasts(table: BenchTable, count: int, rounds: int, aim: float | None) -> None:
    """Print what a crowd of watchers costs, the floor before and after it so that neither has the quieter minute."""
    size = len(table.browser(table.watchers[0]).get(f"/n/{table.code}/live").body)
    with tempfile.TemporaryDirectory() as folder, baseline(Path(folder), size) as port:
        bare = asyncio.run(bare_broadcast(port, count, rounds * 4))
        taps = asyncio.run(broadcast(table, crowd(table, count), rounds))
        bare += asyncio.run(bare_broadcast(port, count, rounds * 4))
    phones = "phones, each its own page" if count <= 8 else "watchers"
    line(f"tap to its answer, {count} {phones}", ms(taps.answers))
    line(f"tap to the last of {count} {phones}", ms(taps.lasts))
    line(f"processor time of a tap, {count} {phones}", ms(taps.processor), PROCESSOR_AIMS.get(count, ""))
    line(f"bytes of a tap to each of {count} {phones}", f"{statistics.median(taps.sizes):.0f}", "at most 1500")
    line("the same by a bare broadcast", ms(bare))
    line("ratio", ratio(taps.lasts, bare), f"under {aim:g}" if aim else "")


def waits_per_event(tables: int, events: int = 400) -> float:
    """Return how often the store waits for the disk for each of 400 events of so many tables, one thread each."""

    def sync_slowly(step: Step) -> tuple[bool, int]:
        if step.kind == "sync":
            time.sleep(SYNC_SECONDS)
        return True, OK

    def record(code: str) -> None:
        for number in range(1, events // tables + 1):
            store.append(code, NewEvent(number, f"id-{number}", bytes(32), "{}", ""))

    with tempfile.TemporaryDirectory() as folder, FaultyDisk() as disk, closing(Store(Path(folder) / "db")) as store:
        codes = [f"NIGHT{number}" for number in range(tables)]
        for code in codes:
            store.create_night(code=code, name="", preset="{}", options="{}", created_at="2026")
        disk.steps.clear()
        disk.fault = sync_slowly
        threads = [threading.Thread(target=record, args=[code]) for code in codes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(step.kind == "sync" for step in disk.steps) / (events // tables * tables)


@click.command()
@click.option("--rounds", default=12, help="Hands played for each crowd, seven taps each.")
@click.option("--events", default=5000, help="The length of the long night.")
def main(rounds: int, events: int) -> None:
    """Measure and print."""
    heading()
    with tempfile.TemporaryDirectory() as folder:
        table = new_bench_table(Path(folder))
        starts(table, STARTS)
        with served(table):
            first_page(table)
            broadcasts(table, 8, rounds, 3)
            line("memory with 8 phones", f"{table.now.memory:.1f} MB", "under 50 MB")
            broadcasts(table, 50, rounds, None)
            broadcasts(table, 200, max(2, rounds // 2), 4)
            line("memory with 200 watchers", f"{table.now.memory:.1f} MB")
    with tempfile.TemporaryDirectory() as folder:
        table, young = new_tables(Path(folder), 2)
        with served(table):
            young.port = table.port
            early, late = asyncio.run(recording_costs((young, table), (90, events), 200))
            line("one event at about the 100th", f"{1000 * early:.2f} ms")
            line(f"one event at about the {events}th", f"{1000 * late:.2f} ms")
            line("ratio", f"{late / early:.2f}", "under 1.1")
    line("waits for the disk an event, alone", f"{waits_per_event(1):.2f}", "1")
    line("waits for the disk an event, 8 tables at once", f"{waits_per_event(8):.2f}")


if __name__ == "__main__":
    main()
