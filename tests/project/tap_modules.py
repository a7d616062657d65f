"""What one tap runs: `PYTHONPATH=.:tests python tests/project/tap_modules.py` prints its modules and functions.

A player takes chips at a real server, with everything warm and two pages open; what the server's threads call from
the form's arrival until both pages have the change is counted by `sys.setprofile`.
"""

import socket
import sys
import tempfile
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPResponse
from math import inf
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import click
from support.bench_table import MONEY_POTS, BenchTable, new_bench_table
from support.paths import ROOT
from support.polling import wait_until

from tracker.app.nights import Nights
from tracker.cli.data_folder import DATA_FILE
from tracker.server.server import Server, listen
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.permissions import Access
from tracker.web.access.public_address import Addresses
from tracker.web.app import create_app

PACKAGE = f"{ROOT / 'tracker'}/"


class Calls:
    """Counts the calls of each of the package's functions, in every thread that starts while it is installed."""

    def __init__(self) -> None:
        self.is_counting = False
        self.counts: dict[CodeType, int] = defaultdict(int)

    @contextmanager
    def installed(self) -> Iterator[None]:
        threading.setprofile(self._count)
        try:
            yield
        finally:
            threading.setprofile(None)

    def _count(self, frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        if self.is_counting and event == "call" and code.co_filename.startswith(PACKAGE):
            self.counts[code] += 1

    def by_module(self) -> Mapping[str, Mapping[str, int]]:
        """Return each module's functions with their calls; comprehensions count as part of their function."""
        found: dict[str, dict[str, int]] = defaultdict(dict)
        for code, count in self.counts.items():
            if not code.co_name.startswith("<") or code.co_name == "<lambda>":
                name = f"{code.co_qualname}:{code.co_firstlineno}"
                found[code.co_filename.removeprefix(PACKAGE)][name] = count
        return found


@contextmanager
def served(table: BenchTable) -> Iterator[Server]:
    """Serve the table in threads of this process."""
    with closing(Store(table.folder / DATA_FILE)) as store:
        hub, sock = StreamHub(), listen("127.0.0.1", 0)
        nights = Nights(store, hub)
        access = Access(nights, Addresses(list, frozenset()))
        app = create_app(nights, access=access, options={"data_folder": table.folder})
        server = Server(app, sock, end_streams=hub.stop, body_limit=access.body_limit)
        table.port = server.port
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            yield server
        finally:
            server.stop()
            thread.join()


def read_until_shown(stream: HTTPResponse, number: int) -> None:
    """Read a page's stream until it shows the event of that number."""
    while not (line := stream.readline()).startswith(b"id: ") or int(line.split()[1]) < number:
        if not line:
            raise RuntimeError("the stream has ended")


def tap(table: BenchTable, pot: str, seat: str) -> int:
    """Have the host's phone record that a seat takes a pot, and return the number of the event."""
    with socket.create_connection(("127.0.0.1", table.port), timeout=60) as sock:
        sock.sendall(table.collected(pot, seat))  # at once: the server counts what it keeps of a body that comes later
        answer = HTTPResponse(sock)
        answer.begin()
        answer.read()
    if answer.status not in (200, 204):
        raise RuntimeError(f"answered {answer.status}")
    return 8 + 8 + 2 + 1 + MONEY_POTS.index(pot)


def is_at_rest(server: Server, streams: int) -> bool:
    """Return whether nothing is open but so many streams, and nothing is being done."""
    return len(server.connections()) == streams and not server.thread_pool.active_count


def calls_of_a_tap() -> Mapping[str, Mapping[str, int]]:
    """Return the modules that a tap runs, each with its functions and how often each was called."""
    calls = Calls()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        table = new_bench_table(Path(folder), watchers=0)
        stack.enter_context(calls.installed())
        server = stack.enter_context(served(table))
        table.begin_hand()
        phones = [table.browser(cookie) for cookie in (table.host, table.seats[1])]
        pages = [phone.open(stack, f"/n/{table.code}/stream") for phone in phones]
        server._maintenance_at = inf  # tidying up now and then is no part of a tap
        for place, pot in enumerate(MONEY_POTS[:3]):
            calls.is_counting = place == 2
            number = tap(table, pot, "cara")
            for page in pages:
                read_until_shown(page, number)
            wait_until(lambda: is_at_rest(server, len(pages)))
        calls.is_counting = False
    return calls.by_module()


@click.command()
@click.option("--functions", "shows_functions", is_flag=True, help="Each module's functions too, with their calls.")
def main(*, shows_functions: bool) -> None:
    """Print what one tap runs."""
    modules = calls_of_a_tap()
    for module in sorted(modules):
        functions = modules[module]
        click.echo(f"{module:<45}{len(functions):>4} functions{sum(functions.values()):>6} calls")
        for name in sorted(functions) if shows_functions else ():
            click.echo(f"    {name:<60}{functions[name]:>5}")
    count, called = (sum(measure(of.values()) for of in modules.values()) for measure in (len, sum))
    click.echo(f"{len(modules)} modules, {count} functions, {called} calls")


if __name__ == "__main__":
    sys.exit(main())
