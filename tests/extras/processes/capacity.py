"""What one machine carries as a club: `python tests/extras/processes/capacity.py tables` and `… taps` print a table.

`tables`: 1, 2 and 4 processes behind nginx over one PostgreSQL database, with tables of eight phones that tap
more and more often. Clients, nginx and the database share the processors.

`taps`: two processes; the host taps at the first, eight phones watch at the second. And how many events a second
several processes write to one database, each through a store of its own.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import click

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[2])
from bench.harness import SETTLED_SECONDS, broadcast, heading, line, ms
from bench.many_tables import CHIPS, Loaded, Shape, groups, measure, spread
from extras.processes import postgres_server as postgres
from extras.processes.club import club
from support.bench_table import new_bench_table, new_tables
from support.faults.script_phones import recorded_moves
from support.process_time import Moment, processor_seconds
from support.socket_phones import Watcher, run

from tracker.extras.processes.options import Postgres
from tracker.storage import NewEvent, Store

PHONES = 8
WRITERS, EVENTS = 2, 1500
HEADER = """\
| processes | events a second | tap to last phone: p50 / p95 / p99 / max | processor time (*) | MB each | faults (+) |
| --- | --- | --- | --- | --- | --- |"""
NOTES = "(*) for each event, of the tracker, nginx and PostgreSQL; (+) lost, doubled, refused"


def with_children(process: int) -> float:
    """Return the processor seconds of a process and of its children: those of nginx and PostgreSQL stay."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    return sum(map(processor_seconds, (process, *map(int, children))))


def load(processes: int, shape: Shape) -> tuple[Loaded, str, list[Moment]]:
    """Return what a run has seen, the processor time an event, and each process's figures at the end."""
    with postgres.server() as server, tempfile.TemporaryDirectory() as name:
        folder, place = Path(name), server.new_place()
        tables, loaded = new_tables(folder, shape.tables, chips=CHIPS, place=Postgres(place)), Loaded(shape)
        with club(folder, place, processes=processes) as (proxy, running):

            def used() -> list[float]:
                tracker = sum(with_children(one.pid) for one in running)
                return [tracker, with_children(proxy.pid), with_children(server.pid)]

            before: list[list[float]] = []
            playing = groups(shape, tables, proxy.port)
            run(measure(loaded, playing, on_open=lambda: before.append(used())))
            moments = [Moment.of(one.pid) for one in running]
            spent = [1000 * (now - then) / max(1, loaded.taps) for now, then in zip(used(), before[-1], strict=True)]
            told = " / ".join(f"{milliseconds:.1f}" for milliseconds in spent)
        loaded.recorded = recorded_moves(Postgres(place), *(table.code for table in tables)).total()
    return loaded, told, moments


@click.group()
def main() -> None:
    """Measure a club."""


@main.command("tables")
@click.option("--tables", default=100, show_default=True)
@click.option("--seconds", default=30.0, show_default=True)
@click.option("--processes", "counts", default=(1, 2, 4), multiple=True, show_default=True)
@click.option("--every", "pauses", default=(5.0, 2.0, 1.0), multiple=True, help="Seconds between a table's events.")
def print_tables(tables: int, seconds: float, counts: tuple[int, ...], pauses: tuple[float, ...]) -> None:
    """Run it and print."""
    click.echo(f"{tables} tables of {PHONES} phones, {os.cpu_count()} processors\n")
    click.echo(HEADER)
    for count in counts:
        for every in pauses:
            loaded, told, moments = load(count, Shape(tables, PHONES, every=every, seconds=seconds))
            memory = ", ".join(f"{one.memory:.0f}" for one in moments)
            faults = f"{loaded.lost}, {loaded.doubled}, {len(loaded.refused)}"
            rate = loaded.taps / seconds
            click.echo(f"| {count} | {rate:.0f} | {spread(loaded.others)} | {told} ms | {memory} | {faults} |")
    click.echo(NOTES)


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


@main.command("taps")
@click.option("--rounds", default=5, show_default=True, help="Hands of seven taps.")
def print_taps(rounds: int) -> None:
    """Run it and print."""
    with postgres.server() as server, tempfile.TemporaryDirectory() as name:
        folder, place = Path(name), server.new_place()
        table = new_bench_table(folder, watchers=0, place=Postgres(place))
        with club(folder, place) as (_, processes):
            table.port = processes[0].port
            watchers = table.phones(Watcher)
            for watcher in watchers:
                watcher.port = processes[1].port
            taps = asyncio.run(broadcast(table, watchers, rounds, SETTLED_SECONDS))
        heading()
        line("tap at one process to its answer", ms(taps.answers))
        line(f"tap at one process to the last of {PHONES} phones at another", ms(taps.lasts), "at most 100 ms")
        line(f"events by {WRITERS} processes, each its own night", f"{events_a_second(place):.0f} a second")


if __name__ == "__main__":
    main()
