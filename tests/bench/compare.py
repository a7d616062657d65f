"""Our taps beside boardgame.io's moves, in the same run: `python tests/bench/compare.py`; prints a table.

It needs node and npm, and installs boardgame.io into a temporary folder. There a toy game with one move is kept in
memory; here every tap is on the disk before it is sent. Both have bare clients of one kind, and are measured in turn.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

import click

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parent.parent)
from bench.bench import Taps, broadcast, line, ms
from support.bench_table import BenchTable, new_bench_table, served
from support.boardgame_io import POTS, SEATS, BoardgameIo, Client, boardgame_io, cancelled_at_end, install, joined
from support.stream_clients import Party

CROWDS = {8: "at most 2", 50: "under 1", 200: "under 1"}


async def moves(server: BoardgameIo, count: int, number: int) -> Taps:
    """Return what so many moves take while `count` clients have the match open."""
    taps, tasks = Taps(), list[asyncio.Task[None]]()
    with cancelled_at_end(tasks):

        def begin(client: Client) -> None:
            tasks.append(asyncio.create_task(client.watch(server.port)))

        clients = await joined(count, begin)
        party = Party(clients)
        for at in range(number):
            state = max(clients[0].arrived)
            processor, started = server.processor_seconds(), time.perf_counter()
            clients[0].take(at % POTS, at % SEATS, state)
            taps.lasts.append(await party.until_all_have(state + 1) - started)
            await asyncio.sleep(0.02)
            taps.processor.append(server.processor_seconds() - processor)
    await asyncio.gather(*tasks, return_exceptions=True)
    return taps


def compared(table: BenchTable, server: BoardgameIo, count: int, rounds: int) -> None:
    """Print the lines of one crowd."""
    ours, theirs = Taps(), Taps()
    phones = (table.seats if count <= SEATS else table.watchers)[:count]
    for _ in range(rounds):
        for all_taps, new in (
            (ours, asyncio.run(broadcast(table, phones, 1))),
            (theirs, asyncio.run(moves(server, count, 7))),
        ):
            all_taps.lasts += new.lasts
            all_taps.processor += new.processor
    ratio = statistics.median(ours.lasts) / statistics.median(theirs.lasts)
    line(f"a tap to the last of {count}", ms(ours.lasts))
    line("the same by boardgame.io, in memory", ms(theirs.lasts))
    line("ratio", f"{ratio:.2f}", CROWDS[count])
    line(f"processor time of a tap, {count} clients", ms(ours.processor), "at most 6 ms" if count == 200 else "")
    line("the same by boardgame.io", ms(theirs.processor))


@click.command()
@click.option("--rounds", default=12, help="Hands played for each crowd, seven taps each.")
@click.option("--folder", type=Path, help="Install boardgame.io here, and use it again.")
def main(rounds: int, folder: Path | None) -> None:
    """Measure and print."""
    line("what", "median / p95", "aim")
    line("---", "---", "---")
    with tempfile.TemporaryDirectory() as place, tempfile.TemporaryDirectory() as data:
        packages = folder or Path(place)
        install(packages)
        table = new_bench_table(Path(data))
        with served(table), boardgame_io(packages) as server:
            for count in CROWDS:
                compared(table, server, count, rounds)


if __name__ == "__main__":
    main()
