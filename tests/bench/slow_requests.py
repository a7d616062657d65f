"""How long an honest phone waits while strangers drip half requests. Run with `python tests/bench/slow_requests.py`.

350 connections from one address each send a byte a second and come again when they are cut off; the phones play.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import click

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parent.parent)
from bench.harness import line
from support.bench_table import BenchTable, new_bench_table, served
from support.faults.script_phones import MOVE, ScriptPhone
from support.socket_phones import in_background

STRANGER, HONEST = "127.0.0.66", "127.0.0.7"
HALF = b"POST /join HTTP/1.1\r\nHost: x\r\nX-Slow: "


def ms(seconds: list[float], share: float) -> float:
    return 1000 * statistics.quantiles(seconds, n=1000)[int(share * 1000) - 1]


async def drip(port: int) -> None:
    """Be a stranger who never finishes a request."""
    while True:
        with suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(STRANGER, 0))
            try:
                for byte in HALF + b"x" * 10_000:
                    writer.write(bytes([byte]))
                    await writer.drain()
                    await asyncio.sleep(1)
            finally:
                writer.transport.abort()
        await asyncio.sleep(0.5)


async def played(table: BenchTable, seconds: float) -> list[float]:
    """Return how long each move of eight phones took, four moves a second."""
    phones = table.phones(ScriptPhone, address=HONEST, patience=30.0)
    taken, end = list[float](), time.perf_counter() + seconds
    while time.perf_counter() < end:
        phone = phones[len(taken) % len(phones)]
        phone.picture = await phone.look(table.port)
        started = time.perf_counter()
        await phone.tap(MOVE)
        taken.append(time.perf_counter() - started)
        await asyncio.sleep(0.25)
    return taken


async def compare(table: BenchTable, seconds: float, strangers: int) -> tuple[list[float], list[float]]:
    quiet = await played(table, seconds)
    async with in_background(*(drip(table.port) for _ in range(strangers))):
        await asyncio.sleep(2)
        return quiet, await played(table, seconds)


@click.command()
@click.option("--strangers", default=350)
@click.option("--seconds", default=20.0, help="For the quiet part, and again for the attack.")
def main(strangers: int, seconds: float) -> None:
    """Run it and print."""
    with tempfile.TemporaryDirectory() as folder:
        table = new_bench_table(Path(folder), 0, chips=5000)
        with served(table):
            quiet, attacked = asyncio.run(compare(table, seconds, strangers))
    for name, taken in (("quiet", quiet), (f"{strangers} half requests", attacked)):
        line(name, f"{len(taken)} moves", f"p50 / p99 {ms(taken, 0.5):.1f} / {ms(taken, 0.99):.1f} ms")


if __name__ == "__main__":
    main()
