"""How soon a tap at one process is at the phones of another: `python tests/extras/processes/bench.py` prints a table.

Two processes over one PostgreSQL database of its own; the host taps at the first, eight phones watch at the second. And
how many events a second several processes write to it, each through a store of its own.
"""

import asyncio
import multiprocessing
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import click

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parent.parent)
from extras.processes import postgres_server as postgres
from extras.processes.club import club
from support.bench_table import MONEY_POTS, SEATS, BenchTable, new_bench_table
from support.stream_clients import Party, Poster, Watcher

from tracker.extras.processes.options import Postgres
from tracker.storage import NewEvent, Store

AIM = "at most 100 ms"
WRITERS, EVENTS = 2, 1500


async def taps(table: BenchTable, watched_at: int, rounds: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each tap to its answer, and to the last phone at the other process."""
    watchers, following = [Watcher() for _ in SEATS], []
    for place, (watcher, cookie) in enumerate(zip(watchers, table.seats, strict=True)):
        path = f"/n/{table.code}/stream?tab={place}"
        watching = watcher.watch(watched_at, path, f"Cookie: {cookie}", lambda: None)
        following.append(asyncio.create_task(watching))
    await asyncio.gather(*(watcher.is_open.wait() for watcher in watchers))
    await asyncio.sleep(2)  # for as long a change of one phone's role has all phones of the night ask again
    poster, party = Poster(table.port), Party(watchers)
    await poster.open()
    answers, lasts = [], []
    for _ in range(rounds):
        await asyncio.to_thread(table.begin_hand)
        await asyncio.sleep(0.3)
        for place, pot in enumerate(MONEY_POTS):
            head, begun = max(watchers[0].arrived), time.perf_counter()
            await poster.post(*table.tap(pot, SEATS[place]))
            answers.append((time.perf_counter() - begun) * 1000)
            lasts.append((await party.until_all_have(head + 1) - begun) * 1000)
        await asyncio.to_thread(table.end_hand)
    for task in following:
        task.cancel()
    return answers, lasts


def write(place: str, code: str) -> None:
    """Append events to a night of one's own."""
    with closing(Store(Postgres(place))) as store:
        for number in range(1, EVENTS + 1):
            store.append(code, NewEvent(number, f"id-{number}", bytes(32), "{}", ""))


def events_a_second(place: str) -> float:
    """Return how many events a second several processes write, each to another night."""
    with closing(Store(Postgres(place))) as store:
        for number in range(WRITERS):
            store.create_night(code=f"w{number}", name="", preset="{}", options="{}", created_at="2026")
    writers = [multiprocessing.Process(target=write, args=(place, f"w{number}")) for number in range(WRITERS)]
    begun = time.perf_counter()
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    return WRITERS * EVENTS / (time.perf_counter() - begun)


@click.command()
@click.option("--rounds", default=5, show_default=True, help="Hands of seven taps.")
def main(rounds: int) -> None:
    """Print the table."""
    with postgres.server() as server, tempfile.TemporaryDirectory() as folder:
        place = server.new_place()
        table = new_bench_table(Path(folder), watchers=0, place=Postgres(place))
        with club(Path(folder), place) as (_, processes):
            table.port = processes[0].port
            answers, lasts = asyncio.run(taps(table, processes[1].port, rounds))
        click.echo("| what | median / p95 | aim |\n| --- | --- | --- |")
        for what, values, aim in (
            ("tap at one process to its answer", answers, ""),
            ("tap at one process to the last of 8 phones at another", lasts, AIM),
        ):
            p95 = statistics.quantiles(values, n=20)[-1]
            click.echo(f"| {what} | {statistics.median(values):.1f} / {p95:.1f} ms | {aim} |")
        click.echo(f"| events by {WRITERS} processes, each its own night | {events_a_second(place):.0f} a second |  |")


if __name__ == "__main__":
    main()
