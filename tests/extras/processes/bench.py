"""How soon a tap at one process is at the phones of another: `python tests/extras/processes/bench.py` prints a table.

Two processes over one PostgreSQL database of its own; the host taps at the first, eight phones watch at the second. And
how many events a second several processes write to it, each through a store of its own.
"""

import asyncio
import multiprocessing
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import click

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[2])
from bench.harness import SETTLED_SECONDS, broadcast, heading, line, ms
from extras.processes import postgres_server as postgres
from extras.processes.club import club
from support.bench_table import new_bench_table
from support.socket_phones import Watcher

from tracker.extras.processes.options import Postgres
from tracker.storage import NewEvent, Store

AIM = "at most 100 ms"
WRITERS, EVENTS = 2, 1500


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
            watchers = table.phones(Watcher)
            for watcher in watchers:
                watcher.port = processes[1].port
            taps = asyncio.run(broadcast(table, watchers, rounds, SETTLED_SECONDS))
        heading()
        line("tap at one process to its answer", ms(taps.answers))
        line("tap at one process to the last of 8 phones at another", ms(taps.lasts), AIM)
        line(f"events by {WRITERS} processes, each its own night", f"{events_a_second(place):.0f} a second")


if __name__ == "__main__":
    main()
