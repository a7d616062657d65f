"""How fast, how small: the figures of docs/figures.md. Run with `python tests/bench/bench.py`; prints a table.

Nothing here is a test: it measures, beside each figure the aim, and beside the broadcast a floor taken in the same run.
"""

import asyncio
import http.client
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urljoin

import click

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parent.parent)
from bench.disk_waits import waits_per_event
from support.bench_table import MONEY_POTS, SEATS, BenchTable, baseline, new_bench_table, served
from support.stream_clients import Party, Poster, Watcher

LIBRARIES = ("flask", "sqlite_utils", "qrcode", "waitress")
STARTS = 7
PAUSE = 0.4
"""Seconds between two hands: in the long run the server takes ten posts a second of one sender."""
PROCESSOR_AIMS = {8: "at most 2.5 ms", 200: "at most 6 ms"}


@dataclass
class Taps:
    """Seconds that each tap took: to its answer, to the last of those watching, and of the server's processor.

    And the bytes that it sent to each of those watching.
    """

    answers: list[float] = field(default_factory=list)
    lasts: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)


async def broadcast(table: BenchTable, cookies: Sequence[str], rounds: int) -> Taps:
    """Return what taps take while these phones watch."""
    watchers, tasks = [Watcher() for _ in cookies], list[asyncio.Task[None]]()
    for watcher, cookie in zip(watchers, cookies, strict=True):
        path = f"/n/{table.code}/stream?tab={len(tasks)}"
        tasks.append(asyncio.create_task(watcher.watch(table.port, path, f"Cookie: {cookie}", lambda: None)))
    await asyncio.gather(*(watcher.is_open.wait() for watcher in watchers))
    poster, party = Poster(table.port), Party(watchers)
    await poster.open()
    taps = Taps()
    for _ in range(rounds):
        await asyncio.to_thread(table.begin_hand)
        await asyncio.sleep(0.05)
        for at, pot in enumerate(MONEY_POTS):
            head = max(watchers[0].arrived)
            processor, started = table.processor_seconds(), time.perf_counter()
            await poster.post(*table.tap(pot, SEATS[at]))
            taps.answers.append(time.perf_counter() - started)
            taps.lasts.append(await party.until_all_have(head + 1) - started)
            await asyncio.sleep(0.02)
            taps.processor.append(table.processor_seconds() - processor)
            taps.sizes += [watcher.sizes.get(head + 1, 0) for watcher in watchers]
        await asyncio.to_thread(table.end_hand)
        await asyncio.sleep(PAUSE)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return taps


async def bare_broadcast(port: int, count: int, taps: int) -> list[float]:
    """Return the floor: seconds from a post to the last of `count` clients of the bare server."""
    watchers = [Watcher() for _ in range(count)]
    tasks = [asyncio.create_task(watcher.watch(port, "/", "X: y", lambda: None)) for watcher in watchers]
    await asyncio.gather(*(watcher.is_open.wait() for watcher in watchers))
    poster, party, lasts = Poster(port), Party(watchers), []
    await poster.open()
    for _ in range(taps):
        started = time.perf_counter()
        number = int(await poster.post("/", b"x" * 120, "X: y"))
        lasts.append(await party.until_all_have(number) - started)
        await asyncio.sleep(0.02)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return lasts


async def recording_costs(tables: Sequence[BenchTable], taps: int) -> list[float]:
    """Return the median seconds that one recorded event takes in each night, by turns, nobody watching.

    By turns, so that a noisy minute of the machine is a noisy minute for all of them.
    """
    poster, taken = Poster(tables[0].port), [list[float]() for _ in tables]
    await poster.open()
    for at in range(taps):
        for table, times in zip(tables, taken, strict=True):
            started = time.perf_counter()
            await poster.post(*bought(table, at))
            times.append(time.perf_counter() - started)
    return [statistics.median(times) for times in taken]


def bought(table: BenchTable, at: int) -> tuple[str, bytes, str]:
    """Return path, body and headers of what a script sends for one more chip."""
    headers = f"Authorization: Bearer {table.token}\r\nContent-Type: application/json"
    body = f'{{"kind": "buy", "seat": "{SEATS[at % 8]}", "chips": 1, "id": "{at}-{time.time_ns()}"}}'.encode()
    return f"/api/nights/{table.code}/events", body, headers


async def fill(table: BenchTable, events: int) -> None:
    poster = Poster(table.port)
    await poster.open()
    for at in range(events):
        await poster.post(*bought(table, at))


def import_seconds() -> float:
    """Return how long an empty program takes that imports the libraries on which all of this is built."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", f"import {', '.join(LIBRARIES)}"], check=True)
    return time.perf_counter() - started


def starts(table: BenchTable, count: int) -> None:
    """Print how long the server takes to its first answer, and how long the imports, in turn."""
    taken, imports = list[float](), list[float]()
    for _ in range(count):
        imports.append(import_seconds())
        with served(table):
            taken.append(table.first_answer_seconds)
    line("start to the first answer", ms(taken), "under 400 ms")
    line(f"importing {', '.join(LIBRARIES)}", ms(imports))
    line("ratio", f"{statistics.median(taken) / statistics.median(imports):.2f}", "at most 2")


def first_page_bytes(table: BenchTable) -> tuple[int, list[tuple[str, int]]]:
    """Return the bytes of an English table's page with everything it loads until it stands, and each part's, as they
    cross the network."""
    found, wanted, seen = [], [f"/n/{table.code}"], set()
    while wanted:
        path = wanted.pop()
        if path in seen:
            continue
        seen.add(path)
        size, text = fetched(table, path)
        found.append((path.partition("?")[0], size))
        wanted += [link for link in re.findall(r'(?:href|src)="(/static/[^"#]+)', text) if "print" not in link]
        fonts = re.findall(r"url\(([^)\"':#]+)\)", text)
        wanted += [urljoin(path, link) for link in fonts if not re.search(r"-(accented|more)\.woff2", link)]
    return sum(size for _, size in found), found


def fetched(table: BenchTable, path: str) -> tuple[int, str]:
    """Return the size on the wire, headers left out, and the text when it is one."""
    connection = http.client.HTTPConnection("127.0.0.1", table.port)
    sizes = []
    for coding in ("gzip", "identity"):
        connection.request("GET", path, headers={"Cookie": table.seats[0], "Accept-Encoding": coding})
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status}")
        sizes.append(len(body))
    connection.close()
    return sizes[0], body.decode("utf-8", "replace")


def fragment_bytes(table: BenchTable) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", table.port)
    connection.request("GET", f"/n/{table.code}/live", headers={"Cookie": table.watchers[0]})
    return len(connection.getresponse().read())


def line(what: str, figure: str, aim: str = "") -> None:
    click.echo(f"| {what} | {figure} | {aim} |")


def ms(seconds: Sequence[float]) -> str:
    ordered = sorted(seconds)
    return f"{1000 * statistics.median(ordered):.2f} / {1000 * ordered[int(len(ordered) * 0.95)]:.2f} ms"


async def crowd(table: BenchTable, count: int, rounds: int, aim: float | None) -> None:
    """Print what a crowd of watchers costs, the floor before and after it so that neither has the quieter minute."""
    size = fragment_bytes(table)
    cookies = (table.seats if count <= 8 else table.watchers)[:count]
    with tempfile.TemporaryDirectory() as folder, baseline(Path(folder), size) as port:
        bare = await bare_broadcast(port, count, rounds * 4)
        taps = await broadcast(table, cookies, rounds)
        bare += await bare_broadcast(port, count, rounds * 4)
    ratio = statistics.median(taps.lasts) / statistics.median(bare)
    phones = "phones, each its own page" if count <= 8 else "watchers"
    line(f"tap to its answer, {count} {phones}", ms(taps.answers))
    line(f"tap to the last of {count} {phones}", ms(taps.lasts))
    line(f"processor time of a tap, {count} {phones}", ms(taps.processor), PROCESSOR_AIMS.get(count, ""))
    line(f"bytes of a tap to each of {count} {phones}", f"{statistics.median(taps.sizes):.0f}", "at most 1500")
    line("the same by a bare broadcast", ms(bare))
    line("ratio", f"{ratio:.2f}", f"under {aim:g}" if aim else "")


@click.command()
@click.option("--rounds", default=12, help="Hands played for each crowd, seven taps each.")
@click.option("--events", default=5000, help="The length of the long night.")
def main(rounds: int, events: int) -> None:
    """Measure and print."""
    line("what", "median / p95", "aim")
    line("---", "---", "---")
    with tempfile.TemporaryDirectory() as folder:
        table = new_bench_table(Path(folder))
        starts(table, STARTS)
        with served(table):
            total, parts = first_page_bytes(table)
            line("first page with all its parts", f"{total / 1000:.1f} kB", "under 80 kB")
            for path, size in sorted(parts, key=lambda part: -part[1]):
                line(f"- {re.sub(table.code, 'CODE', path)}", f"{size / 1000:.1f} kB")
            asyncio.run(crowd(table, 8, rounds, 3))
            line("memory with 8 phones", f"{table.memory_mb():.1f} MB", "under 50 MB")
            asyncio.run(crowd(table, 50, rounds, None))
            asyncio.run(crowd(table, 200, max(2, rounds // 2), 4))
            line("memory with 200 watchers", f"{table.memory_mb():.1f} MB")
    with tempfile.TemporaryDirectory() as folder:
        table = new_bench_table(Path(folder))
        with served(table):
            young = table.another_night()
            asyncio.run(fill(table, events))
            asyncio.run(fill(young, 90))
            early, late = asyncio.run(recording_costs((young, table), 200))
            line("one event at about the 100th", f"{1000 * early:.2f} ms")
            line(f"one event at about the {events}th", f"{1000 * late:.2f} ms")
            line("ratio", f"{late / early:.2f}", "under 1.1")
    line("waits for the disk an event, alone", f"{waits_per_event(1):.2f}", "1")
    line("waits for the disk an event, 8 tables at once", f"{waits_per_event(8):.2f}")


if __name__ == "__main__":
    main()
