"""Many tables at once: the time from a tap to the last phone of its table. `python tests/bench/many_tables.py`.

Prints how the time from a tap to the last phone of the table is spread, the server's processor time for each event, and
its memory, threads and files at the beginning, each minute, and when all phones are gone. With `--address` it taps at
servers that run already, whose data folder it filled before (`--prepare FOLDER`, then `--folder FOLDER`).
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import click

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
from support.load_clients import StreamTask, TapTask, Task
from support.load_tables import PENALTY, LoadTable, new_tables, read_tables, recorded_penalties
from support.ports import free_port
from support.server_process import serve_command

CLIENTS = Path(__file__).parent.parent / "support" / "load_clients.py"
TICKS = 100  # of processor time a second, in /proc (USER_HZ)
STARTED_SECONDS = 1.0  # after which all processes have heard that they may begin
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
    clients: int = 2


@dataclass(frozen=True)
class Moment:
    """What a server's process uses just now: megabytes, processor seconds so far, threads and open files."""

    memory: float
    processor: float
    threads: int
    files: int

    @classmethod
    def of(cls, process: int) -> Moment:
        facts = Path(f"/proc/{process}")
        stat = (facts / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
        memory = (facts / "status").read_text(encoding="ascii").partition("VmRSS:")[2].split()[0]
        files = len(list((facts / "fd").iterdir()))
        return cls(int(memory) / 1024, (int(stat[11]) + int(stat[12])) / TICKS, int(stat[17]), files)


@dataclass
class Loaded:
    """What a run has measured: seconds, and the server's process before, with all phones, each minute, and after."""

    shape: Shape
    taps: int = 0
    recorded: int = -1
    messages: int = 0
    twice: int = 0
    late: int = 0
    """Streams whose newest page is not their table's."""
    missed: int = 0
    """Events that did not reach every phone of their table."""
    slow_messages: int = 0
    refused: list[str] = field(default_factory=list)
    ended: int = 0
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


class ClientProcess:
    """One process of clients; see `tests/support/load_clients.py`."""

    def __init__(self, task: Task) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(CLIENTS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
        self.say(json.dumps(asdict(task)))

    def say(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def heard(self) -> dict[str, Any]:
        assert self._process.stdout
        told = json.loads(self._process.stdout.readline())
        assert isinstance(told, dict)
        return told

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


def tasks(shape: Shape, tables: Sequence[LoadTable], servers: list[tuple[str, int]]) -> list[Task]:
    """Return what each process of clients does: a table's phones are in one, watchers are spread over all."""
    made = [Task(servers, [], [], shape.every, shape.seconds, PENALTY) for _ in range(shape.clients)]
    for number, table in enumerate(tables):
        task = made[number % shape.clients]
        task.streams.extend(StreamTask(number, table.code, cookie) for cookie in table.cookies)
        first_at = STARTED_SECONDS + shape.every * number / len(tables)
        task.taps.append(TapTask(number, table.code, table.seats, table.cookies, first_at))
        for at, cookie in enumerate(table.watchers):
            one = StreamTask(number, table.code, cookie, is_slow=at < shape.slow)
            made[at % shape.clients].streams.append(one)
    return made


def measure(loaded: Loaded, work: list[Task], process: int | None, on_open: Callable[[], None] = lambda: None) -> None:
    """Open all streams, call `on_open`, tap until the time is over, and put together what the clients have seen."""

    def note() -> None:
        if process is not None:
            loaded.moments.append(Moment.of(process))

    note()
    with ExitStack() as stack:
        clients = [ClientProcess(task) for task in work]
        for client in clients:
            stack.callback(client.end)
        for client in clients:
            loaded.refused += client.heard()["refused"]
        note()
        on_open()
        for client in clients:
            client.say("go")
        end = time.monotonic() + loaded.shape.seconds
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(60.0, left))
            note()
        last = {table: number for client in clients for table, number in client.heard()["last"].items()}
        for client in clients:
            client.say(json.dumps(last))
        put_together(loaded, [client.heard() for client in clients])


def put_together(loaded: Loaded, seen: list[dict[str, Any]]) -> None:
    """Combine what the processes have seen of the same tables."""
    arrived: dict[tuple[int, int], list[tuple[int, float]]] = {}
    for one in seen:
        for table, numbers in one["arrived"].items():
            for number, (count, moment) in numbers.items():
                arrived.setdefault((int(table), int(number)), []).append((count, moment))
        loaded.messages += one["messages"]
        loaded.twice += one["twice"]
        loaded.slow_messages += one["slow_messages"]
        loaded.refused += one["refused"]
        loaded.ended += one["ended"]
    newest: dict[int, int] = {}
    shape = loaded.shape
    for table, number, tapped, answered in (tap for one in seen for tap in one["taps"]):
        loaded.taps += 1
        newest[table] = max(newest.get(table, 0), number)
        loaded.answers.append(answered - tapped)
        told = arrived.get((table, number), [])
        expected = shape.phones + (shape.watchers - shape.slow if table == 0 else 0)
        if sum(count for count, _ in told) != expected:
            loaded.missed += 1
            continue
        last = max(moment for _, moment in told) - tapped
        (loaded.lasts if table == 0 and shape.watchers else loaded.others).append(last)
    loaded.late = sum(number != newest.get(table, number) for one in seen for table, number in one["newest"])


def load(folder: Path, shape: Shape, rest: float = GONE_SECONDS) -> Loaded:
    """Run tables of their own on a server of its own; the last figures are those after everybody has gone."""
    tables, loaded = new_tables(folder, shape.tables, shape.phones, shape.watchers), Loaded(shape)
    with serve_command(folder, "--host", "127.0.0.1", "--port", str(free_port())) as served:
        process = served.process.pid
        before = Moment.of(process)
        measure(loaded, tasks(shape, tables, [("127.0.0.1", served.port)]), process)
        end = time.monotonic() + rest
        while time.monotonic() < end:
            now = Moment.of(process)
            if now.files <= before.files + 2 and now.threads <= before.threads + 2:
                break
            time.sleep(0.2)
        loaded.moments.append(Moment.of(process))
    loaded.recorded = recorded_penalties(folder, tables)
    return loaded


def load_running(folder: Path, shape: Shape, servers: list[tuple[str, int]], process: int | None) -> Loaded:
    """Run the tables that were prepared in a folder on servers that run already."""
    loaded = Loaded(shape)
    measure(loaded, tasks(shape, read_tables(folder), servers), process)
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
    rows = [
        ("tables, phones at each", f"{shape.tables}, {shape.phones}"),
        ("watchers of the first table, slow ones", f"{shape.watchers}, {shape.slow}"),
        ("taps, events on the disk", f"{loaded.taps}, {loaded.recorded if loaded.recorded >= 0 else 'not looked at'}"),
        ("lost, doubled, refused, ended", f"{loaded.lost}, {loaded.doubled}, {len(loaded.refused)}, {loaded.ended}"),
        ("pages sent, to slow ones", f"{loaded.messages}, {loaded.slow_messages}"),
        ("tap to its answer, p50 / p95 / p99 / max", spread(loaded.answers)),
        ("tap to the last phone of its table, the same", spread(loaded.others)),
        ("the same at the table that is watched", spread(loaded.lasts)),
    ]
    if len(moments) > 2:
        used = 1000 * (moments[-1].processor - moments[1].processor) / max(1, loaded.taps)
        rows += [
            ("processor time an event, with heartbeats", f"{used:.1f} ms"),
            ("MB: before, all there, each minute, after", ", ".join(f"{one.memory:.1f}" for one in moments)),
            ("threads: the same", ", ".join(str(one.threads) for one in moments)),
            ("files: the same", ", ".join(str(one.files) for one in moments)),
        ]
    return [*rows, *(("refused", one) for one in sorted(set(loaded.refused))[:5])]


def server_address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    return host, int(port)


@click.command()
@click.option("--tables", default=250)
@click.option("--phones", default=8, help="At each table.")
@click.option("--watchers", default=0, help="Of the first table, besides its phones.")
@click.option("--slow", default=0, help="How many of these read slowly.")
@click.option("--every", default=5.0, help="Seconds between two events of a table.")
@click.option("--minutes", default=10.0)
@click.option("--clients", default=2, help="Processes of clients.")
@click.option("--prepare", type=click.Path(path_type=Path), help="Only create the tables, in this data folder.")
@click.option("--folder", type=click.Path(path_type=Path), help="The data folder of the servers that run.")
@click.option("--address", multiple=True, help="Of a server that runs, HOST:PORT; may be given again and again.")
@click.option("--pid", type=int, help="Of the running server whose memory and threads are shown.")
def main(
    minutes: float, prepare: Path | None, folder: Path | None, address: Sequence[str], pid: int | None, **of: Any
) -> None:
    """Run it and print."""
    shape = Shape(seconds=minutes * 60, **of)
    if prepare:
        prepare.mkdir(parents=True, exist_ok=True)
        new_tables(prepare, shape.tables, shape.phones, shape.watchers)
        return
    if address:
        assert folder, "--address needs the --folder that was prepared"
        loaded = load_running(folder, shape, [server_address(one) for one in address], pid)
    else:
        with tempfile.TemporaryDirectory() as place:
            loaded = load(Path(place), shape)
    for what, figure in lines(loaded):
        click.echo(f"| {what} | {figure} |")


if __name__ == "__main__":
    main()
