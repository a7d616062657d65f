"""A long evening: 200 watchers, 8 players and an event a second. Run with `python tests/bench/load.py`; prints a table.

The figures are for docs/trust.md. `tests/trust/test_load.py --long` runs half a minute of it and checks the counts.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import click

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
from support.bench_table import SEATS, BenchTable, new_bench_table, served
from support.faults.script_phones import ScriptPhone, head_of, run
from support.stream_clients import Party, Watcher

from tracker.app.event_rows import from_row
from tracker.cli.data_folder import DATA_FILE
from tracker.core.events import Penalty
from tracker.server.thread_pool import FEWEST_THREADS, IDLE_SECONDS
from tracker.storage import Store

WHAT = "penalty:wrong-lead"
MOST_LATE_SECONDS = 120.0


@dataclass
class Loaded:
    """What a run has counted and measured; seconds and megabytes."""

    watchers: int
    taps: int = 0
    posts: int = 0
    recorded: int = 0
    pictures: int = 0
    twice: int = 0
    late: int = 0
    """Watchers whose last picture is not the newest."""
    answers: list[float] = field(default_factory=list)
    lasts: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)
    files: list[int] = field(default_factory=list)

    @property
    def lost(self) -> int:
        return max(0, self.taps - self.recorded) + self.late

    @property
    def doubled(self) -> int:
        return max(0, self.recorded - self.taps) + self.twice


class Crowd:
    """Everybody who watches: each stream counts the pictures it is sent."""

    def __init__(self, table: BenchTable, count: int) -> None:
        self.watchers = [Watcher() for _ in range(count)]
        self.counts: Counter[int] = Counter()
        self.tasks = [
            asyncio.create_task(watcher.watch(table.port, f"/n/{table.code}/stream?tab=1", cookie, self._counter(at)))
            for at, (watcher, cookie) in enumerate(zip(self.watchers, map(_cookie, table.watchers), strict=False))
        ]

    def _counter(self, at: int) -> Callable[[], None]:
        return lambda: self.counts.update([at])

    async def vanish(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.sleep(0.1)


def _cookie(cookie: str) -> str:
    return f"Cookie: {cookie}"


async def play(table: BenchTable, loaded: Loaded, taps: int, gap: float) -> None:
    """Play so many taps with everybody watching, then have all phones vanish."""
    crowd = Crowd(table, loaded.watchers)
    players = [
        ScriptPhone(table.port, table.code, seat, cookie, patience=MOST_LATE_SECONDS)
        for seat, cookie in zip(SEATS, table.seats, strict=True)
    ]
    following = [asyncio.create_task(player.follow()) for player in players]
    await asyncio.gather(*(watcher.is_open.wait() for watcher in crowd.watchers))
    while not all(player.picture for player in players):
        await asyncio.sleep(0.05)
    party, begun = Party(crowd.watchers), time.perf_counter()
    note(table, loaded)
    while loaded.taps < taps:
        await tap(players[loaded.taps % len(players)], party, loaded)
        if loaded.taps % 60 == 0:
            note(table, loaded)
        await asyncio.sleep(max(0.0, begun + loaded.taps * gap - time.perf_counter()))
    note(table, loaded)
    newest = max(head_of(player.picture) for player in players)
    with suppress(TimeoutError):  # who has not got it then is counted
        async with asyncio.timeout(MOST_LATE_SECONDS):
            while any(head_of(player.picture) < newest for player in players):
                await asyncio.sleep(0.05)
    count(crowd, players, loaded)
    for task in following:
        task.cancel()
    await asyncio.gather(*following, return_exceptions=True)
    await crowd.vanish()


async def tap(player: ScriptPhone, party: Party, loaded: Loaded) -> None:
    started = time.perf_counter()
    before = head_of(player.picture)
    status = await player.tap(WHAT)
    loaded.answers.append(time.perf_counter() - started)
    loaded.taps += 1
    if status != 200:
        raise RuntimeError(f"refused: {status}")
    loaded.lasts.append(await party.until_all_have(before + 1, MOST_LATE_SECONDS) - started)


def count(crowd: Crowd, players: list[ScriptPhone], loaded: Loaded) -> None:
    """Compare what was tapped with what everybody was sent."""
    head = max(head_of(player.picture) for player in players)
    loaded.posts = sum(player.posts for player in players)
    loaded.pictures = sum(crowd.counts.values())
    loaded.twice = loaded.pictures - sum(len(watcher.arrived) for watcher in crowd.watchers)
    loaded.late = sum(1 for watcher in crowd.watchers if max(watcher.arrived) != head)
    loaded.late += sum(1 for player in players if head_of(player.picture) != head)


def note(table: BenchTable, loaded: Loaded) -> None:
    loaded.memory.append(table.memory_mb())
    loaded.threads.append(table.threads())
    loaded.files.append(table.files())


def recorded(table: BenchTable) -> int:
    """Return how many of the taps stand on the disk."""
    store = Store(table.folder / DATA_FILE, read_only=True)
    found = sum(1 for row in store.events(table.code) if isinstance(from_row(row).event, Penalty))
    store.close()
    return found


def wait_for(fact: Callable[[], bool], seconds: float) -> None:
    """Wait until something is so, or the time is over: the figures say which."""
    end = time.monotonic() + seconds
    while not fact() and time.monotonic() < end:
        time.sleep(0.1)


def load(folder: Path, watchers: int, taps: int, gap: float = 1.0, rest: float = 3 * IDLE_SECONDS) -> Loaded:
    """Run an evening on a table of its own; the last figures are those after everybody has gone, and a rest."""
    table, loaded = new_bench_table(folder, watchers), Loaded(watchers)
    with served(table):
        for seat in SEATS:
            table.api({"kind": "buy", "seat": seat, "chips": 9000})
        table.begin_hand()
        note(table, loaded)
        run(play(table, loaded, taps, gap))
        wait_for(lambda: table.files() <= loaded.files[0] + 2, MOST_LATE_SECONDS)
        wait_for(lambda: table.threads() <= FEWEST_THREADS + 2, rest)
        note(table, loaded)
    loaded.recorded = recorded(table)
    return loaded


def ms(seconds: list[float], share: float) -> float:
    return 1000 * statistics.quantiles(seconds, n=1000)[int(share * 1000) - 1]


def lines(loaded: Loaded) -> list[tuple[str, str]]:
    """Return the rows to print."""
    return [
        ("watchers, players", f"{loaded.watchers}, {len(SEATS)}"),
        ("taps, posts, events on the disk", f"{loaded.taps}, {loaded.posts}, {loaded.recorded}"),
        ("pictures sent to watchers", f"{loaded.pictures}"),
        ("lost, doubled", f"{loaded.lost}, {loaded.doubled}"),
        ("tap to its answer, p50 / p99", f"{ms(loaded.answers, 0.5):.0f} / {ms(loaded.answers, 0.99):.0f} ms"),
        ("tap to the last watcher, p50 / p99", f"{ms(loaded.lasts, 0.5):.0f} / {ms(loaded.lasts, 0.99):.0f} ms"),
        ("memory: nobody, all watching, at the end", ", ".join(f"{at:.1f}" for at in loaded.memory) + " MB"),
        ("threads: before, while all watch, after", ", ".join(map(str, loaded.threads))),
        ("files: before, while all watch, after", ", ".join(map(str, loaded.files))),
    ]


@click.command()
@click.option("--watchers", default=200)
@click.option("--seconds", default=600)
def main(watchers: int, seconds: int) -> None:
    """Run it and print."""
    with tempfile.TemporaryDirectory() as folder:
        for what, figure in lines(load(Path(folder), watchers, seconds)):
            click.echo(f"| {what} | {figure} |")


if __name__ == "__main__":
    main()
