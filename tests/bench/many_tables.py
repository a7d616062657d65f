"""Many tables at once: the time from a tap to the last phone of its table. `python tests/bench/many_tables.py`.

Prints how the time from a tap to the last phone of the table is spread, the server's processor time for each event, and
its memory, threads and files at the beginning, each minute, and when all phones are gone.
"""

from __future__ import annotations

import asyncio
import re
import resource
import secrets
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import click

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parent.parent)
from bench.harness import SETTLED_SECONDS, line
from support.bench_table import BenchTable, new_tables, served
from support.faults.script_phones import MOVE, recorded_moves
from support.process_time import Moment
from support.socket_phones import Watcher, exchange, run, watching

CHIPS = 9000
LAST_SECONDS = 20.0  # how long the last events are waited for
GONE_SECONDS = 30.0  # how long the server's threads and files are waited for after the last phone has gone


@dataclass(frozen=True)
class Shape:
    """How many tables, phones at each, watchers of the first, slow ones among them, and seconds between its events."""

    tables: int = 250
    phones: int = 8
    watchers: int = 0
    slow: int = 0
    every: float = 5.0
    seconds: float = 600.0


@dataclass
class Loaded:
    """What a run has measured: seconds, and the server's process before, with all phones, each minute, and after."""

    shape: Shape
    taps: int = 0
    recorded: int = 0
    messages: int = 0
    twice: int = 0
    late: int = 0
    """Streams whose newest page is not their table's."""
    missed: int = 0
    """Events that did not reach every phone of their table."""
    slow_messages: int = 0
    refused: list[str] = field(default_factory=list)
    ended: int = 0
    """Streams that the server has ended."""
    answers: list[float] = field(default_factory=list)
    lasts: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    """Seconds from a tap to the last phone at the tables without watchers."""
    moments: list[Moment] = field(default_factory=list)

    @property
    def lost(self) -> int:
        return max(0, self.taps - self.recorded) + self.late + self.missed

    @property
    def doubled(self) -> int:
        return max(0, self.recorded - self.taps) + self.twice


class Group:
    """The phones of a table and who else watches it, and its taps: number of the event, when tapped, when answered."""

    def __init__(self, shape: Shape, number: int, table: BenchTable, port: int) -> None:
        self.shape, self.first_at = shape, shape.every * number / shape.tables
        self.phones = table.phones(Watcher)
        self.others = [
            Watcher(port, table.code, cookie=cookie, is_slow=at < shape.slow)
            for at, cookie in enumerate(table.watchers)
        ]
        for stream in self.streams:
            stream.port, stream.address = port, f"127.1.{number // 250}.{number % 250 + 1}"
            stream.http = "1.0"  # so a proxy sends no chunks, whose lengths would stand in the middle of a page
        self.taps: list[tuple[int, float, float]] = []
        self.refused: list[str] = []

    @property
    def streams(self) -> list[Watcher]:
        return [*self.phones, *self.others]

    @property
    def is_shown(self) -> bool:
        """Whether every stream has the last tap."""
        return all(stream.newest >= tap[0] for tap in self.taps[-1:] for stream in self.streams)

    async def play(self) -> None:
        """Tap with each seat in turn until the time is over."""
        head, end = max(one.newest for one in self.streams), time.perf_counter() + self.shape.seconds
        at, number = time.perf_counter() + self.first_at, 0
        while at < end:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            phone = self.phones[number % len(self.phones)]
            form = urlencode({"do": MOVE, "seat": phone.seat, "key": secrets.token_hex(16)}).encode()
            connected = await phone.connected()
            tapped = time.perf_counter()
            heard = await exchange(connected, phone.request("POST", f"/n/{phone.code}/record", form))
            answered = time.perf_counter()
            connected[1].close()
            found = re.search(r'data-head="(\d+)"', heard.text)
            if found or heard.status == 204:  # no page where the stream has shown it: nobody else taps at this table
                head = int(found[1]) if found else head + 1
                self.taps.append((head, tapped, answered))
            else:
                self.refused.append(f"tap: {heard.status} {heard.text[:200]!r}")
            at, number = max(at + self.shape.every, answered), number + 1


def groups(shape: Shape, tables: Sequence[BenchTable], port: int) -> list[Group]:
    return [Group(shape, number, table, port) for number, table in enumerate(tables)]


async def measure(
    loaded: Loaded, playing: Sequence[Group], process: int = 0, on_open: Callable[[], None] = lambda: None
) -> None:
    """Open all streams, call `on_open`, tap until the time is over, and put together what the phones have seen."""

    def note() -> None:
        if process:
            loaded.moments.append(Moment.of(process))

    async def note_each_minute() -> None:
        end = time.monotonic() + loaded.shape.seconds
        while (left := end - time.monotonic()) > 0:
            await asyncio.sleep(min(60.0, left))
            note()

    note()
    async with watching([stream for group in playing for stream in group.streams]):
        await asyncio.sleep(SETTLED_SECONDS)
        note()
        on_open()
        firsts = {id(stream): len(stream.numbers) for group in playing for stream in group.streams}
        await asyncio.gather(note_each_minute(), *(group.play() for group in playing))
        end = time.monotonic() + LAST_SECONDS
        while time.monotonic() < end and not all(group.is_shown for group in playing):
            await asyncio.sleep(0.1)
        for group in playing:
            put_together(loaded, group, firsts)


def put_together(loaded: Loaded, group: Group, firsts: dict[int, int]) -> None:
    """Add what was seen at a table, without the messages of each stream before its first tap."""
    for stream in group.streams:
        before, shown = stream.numbers[: firsts[id(stream)]], stream.numbers[firsts[id(stream)] :]
        if stream.is_slow:
            loaded.slow_messages += len(shown)
        else:
            loaded.messages += len(shown)
            of_taps = [number for number in shown if number not in before]  # who is there is news of the first page
            loaded.twice += len(of_taps) - len(set(of_taps))
        loaded.late += bool(group.taps) and stream.newest != group.taps[-1][0]
        loaded.ended += stream.has_ended
        loaded.refused += [stream.refused] if stream.refused else []
    loaded.refused += group.refused
    prompt = [stream for stream in group.streams if not stream.is_slow]
    for number, tapped, answered in group.taps:
        loaded.taps += 1
        loaded.answers.append(answered - tapped)
        places = [stream.place_of(number) for stream in prompt]
        if None in places:
            loaded.missed += 1
            continue
        last = max(stream.moments[place or 0] for stream, place in zip(prompt, places, strict=True)) - tapped
        (loaded.lasts if group.others else loaded.others).append(last)


def load(folder: Path, shape: Shape, rest: float = GONE_SECONDS) -> Loaded:
    """Run tables of their own on a server of its own; the last figures are those after everybody has gone."""
    loaded = Loaded(shape)
    tables = new_tables(folder, shape.tables, phones=shape.phones, watchers=shape.watchers, chips=CHIPS)
    with served(tables[0]) as first:
        assert first.process
        process, before = first.process.pid, first.now
        run(measure(loaded, groups(shape, tables, first.port), process))
        end = time.monotonic() + rest
        while time.monotonic() < end:
            if first.now.files <= before.files + 2 and first.now.threads <= before.threads + 2:
                break
            time.sleep(0.2)
        loaded.moments.append(first.now)
    loaded.recorded = recorded_moves(folder, *(table.code for table in tables)).total()
    return loaded


def spread(seconds: list[float]) -> str:
    """Return p50, p95, p99 and the longest in milliseconds."""
    if len(seconds) < 2:
        return "-"
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return " / ".join(f"{1000 * one:.1f}" for one in (cuts[49], cuts[94], cuts[98], max(seconds))) + " ms"


def lines(loaded: Loaded) -> list[tuple[str, str]]:
    """Return the rows to print."""
    shape, moments = loaded.shape, loaded.moments
    used = 1000 * (moments[-1].processor - moments[1].processor) / max(1, loaded.taps)
    return [
        ("tables, phones at each", f"{shape.tables}, {shape.phones}"),
        ("watchers of the first table, slow ones", f"{shape.watchers}, {shape.slow}"),
        ("taps, events on the disk", f"{loaded.taps}, {loaded.recorded}"),
        ("lost, doubled, refused, ended", f"{loaded.lost}, {loaded.doubled}, {len(loaded.refused)}, {loaded.ended}"),
        ("pages sent, to slow ones", f"{loaded.messages}, {loaded.slow_messages}"),
        ("tap to its answer, p50 / p95 / p99 / max", spread(loaded.answers)),
        ("tap to the last phone of its table, the same", spread(loaded.others)),
        ("the same at the table that is watched", spread(loaded.lasts)),
        ("processor time an event, with heartbeats", f"{used:.1f} ms"),
        ("MB: before, all there, each minute, after", ", ".join(f"{one.memory:.1f}" for one in moments)),
        ("threads: the same", ", ".join(str(one.threads) for one in moments)),
        ("files: the same", ", ".join(str(one.files) for one in moments)),
        *(("refused", one) for one in sorted(set(loaded.refused))[:5]),
    ]


@click.command()
@click.option("--tables", default=250)
@click.option("--phones", default=8, help="At each table.")
@click.option("--watchers", default=0, help="Of the first table, besides its phones.")
@click.option("--slow", default=0, help="How many of these read slowly.")
@click.option("--every", default=5.0, help="Seconds between two events of a table.")
@click.option("--minutes", default=10.0)
def main(minutes: float, **of: float) -> None:
    """Run it and print."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # each stream is a file
    with tempfile.TemporaryDirectory() as place:
        loaded = load(Path(place), Shape(seconds=minutes * 60, **of))  # type: ignore[arg-type]
    for what, figure in lines(loaded):
        line(what, figure)


if __name__ == "__main__":
    main()
