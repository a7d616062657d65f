"""What all measurements share: taps that are timed while phones watch, and the lines of the tables that are printed."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import click
from support.bench_table import MONEY_POTS, SEATS, BenchTable
from support.process_time import processor_seconds
from support.socket_phones import Heard, Line, SocketPhone, Watcher, exchange, until_all_have, watching

BETWEEN_TAPS, BETWEEN_HANDS = 0.02, 0.4
"""Seconds; in the long run the server takes ten posts a second of one sender."""
SETTLED_SECONDS = 2.0
"""Until the streams of several processes have shown who else is there, which these tell each other late."""


@dataclass
class Taps:
    """Seconds that each tap took: to its answer, to the last of those watching, and of the server's processor.

    And the bytes that it sent to each of those watching.
    """

    answers: list[float] = field(default_factory=list)
    lasts: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    async def add(self, tap: Callable[[], Awaitable[object]], followers: Sequence[Watcher], process: int = 0) -> None:
        """Tap, and wait until all have the next number."""
        number = followers[0].newest + 1
        processor, started = processor_seconds(process) if process else 0.0, time.perf_counter()
        await tap()
        self.answers.append(time.perf_counter() - started)
        self.lasts.append(await until_all_have(followers, number) - started)
        await asyncio.sleep(BETWEEN_TAPS)
        self.processor.append(processor_seconds(process) - processor if process else 0.0)
        self.sizes += [one.sizes[one.place_of(number) or 0] for one in followers]


async def accepted(line: Line, request: bytes) -> Heard:
    """Send a request and return the answer; RuntimeError when it is refused."""
    heard = await exchange(line, request)
    if not 200 <= heard.status < 300:
        raise RuntimeError(f"{heard.status}: {heard.text[:300]}")
    return heard


async def broadcast(table: BenchTable, watchers: Sequence[Watcher], rounds: int, settle: float = 0.0) -> Taps:
    """Return what taps take while these watch: so many hands, seven taps each."""
    taps, process = Taps(), table.process.pid if table.process else 0
    async with watching(watchers):
        await asyncio.sleep(settle)
        line = await SocketPhone(table.port, table.code).connected()
        for _ in range(rounds):
            await until_all_have(watchers, await asyncio.to_thread(table.begin_hand))
            await asyncio.sleep(BETWEEN_HANDS / 2)
            for seat, pot in zip(SEATS, MONEY_POTS, strict=False):
                await taps.add(lambda: accepted(line, table.collected(pot, seat)), watchers, process)  # noqa: B023
            await asyncio.to_thread(table.end_hand)
            await asyncio.sleep(BETWEEN_HANDS / 2)
        line[1].close()
    return taps


def crowd(table: BenchTable, count: int) -> list[Watcher]:
    """Return the phones of the seats, or so many that only watch."""
    if count <= len(SEATS):
        return table.phones(Watcher)
    return [Watcher(table.port, table.code, cookie=cookie) for cookie in table.watchers[:count]]


def line(what: str, figure: str, aim: str = "") -> None:
    click.echo(f"| {what} | {figure} | {aim} |")


def heading() -> None:
    line("what", "median / p95", "aim")
    line("---", "---", "---")


def ms(seconds: Sequence[float]) -> str:
    """Return median and 95th percentile."""
    ordered = sorted(seconds)
    return f"{1000 * statistics.median(ordered):.2f} / {1000 * ordered[int(len(ordered) * 0.95)]:.2f} ms"


def ratio(some: Sequence[float], others: Sequence[float]) -> str:
    """Return the ratio of two medians."""
    return f"{statistics.median(some) / statistics.median(others):.2f}"
