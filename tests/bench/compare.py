"""Our taps beside boardgame.io's moves, in the same run: `python tests/bench/compare.py`; prints a table.

It needs node and npm, and installs boardgame.io into a temporary folder. There a toy game with one move is kept in
memory; here every tap is on the disk before it is sent. Both have bare clients of one kind, and are measured in turn.
"""

import asyncio
import sys
import tempfile
from functools import partial
from pathlib import Path

import click

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parent.parent)
from bench.boardgame_io import POTS, SEATS, BoardgameIo, Client, boardgame_io, install
from bench.harness import Taps, broadcast, crowd, heading, line, ms, ratio
from support.bench_table import BenchTable, new_bench_table, served
from support.socket_phones import watching

CROWDS = {8: "at most 2", 50: "under 1", 200: "under 1"}


async def moves(server: BoardgameIo, count: int, number: int) -> Taps:
    """Return what so many moves take while `count` clients have the match open: the players, and who only watches."""
    taps, clients = Taps(), [Client(server.port, str(at) if at < SEATS else None) for at in range(count)]
    async with watching(clients):
        for at in range(number):
            await taps.add(partial(clients[0].take, at % POTS, at % SEATS), clients, server.process)
    return taps


def compared(table: BenchTable, server: BoardgameIo, count: int, rounds: int) -> None:
    """Print the lines of one crowd."""
    ours, theirs = Taps(), Taps()
    for _ in range(rounds):
        for all_taps, new in (
            (ours, asyncio.run(broadcast(table, crowd(table, count), 1))),
            (theirs, asyncio.run(moves(server, count, 7))),
        ):
            all_taps.lasts += new.lasts
            all_taps.processor += new.processor
    line(f"a tap to the last of {count}", ms(ours.lasts))
    line("the same by boardgame.io, in memory", ms(theirs.lasts))
    line("ratio", ratio(ours.lasts, theirs.lasts), CROWDS[count])
    line(f"processor time of a tap, {count} clients", ms(ours.processor), "at most 6 ms" if count == 200 else "")
    line("the same by boardgame.io", ms(theirs.processor))


@click.command()
@click.option("--rounds", default=12, help="Hands played for each crowd, seven taps each.")
@click.option("--folder", type=Path, help="Install boardgame.io here, and use it again.")
def main(rounds: int, folder: Path | None) -> None:
    """Measure and print."""
    heading()
    with tempfile.TemporaryDirectory() as place, tempfile.TemporaryDirectory() as data:
        packages = folder or Path(place)
        install(packages)
        table = new_bench_table(Path(data))
        with served(table), boardgame_io(packages) as server:
            for count in CROWDS:
                compared(table, server, count, rounds)


if __name__ == "__main__":
    main()
