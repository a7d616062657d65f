"""Slow, half-open, endless and vanishing connections at the real command: an honest phone plays on meanwhile.

What has to hold is counted: every honest request answered at once, and threads, files and memory as they were before.
"""

import asyncio
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from support.bench_table import BenchTable, new_bench_table, served
from support.faults.script_phones import ScriptPhone, head_of
from support.socket_phones import in_background, run

from tracker.server.connection import HEADER_SECONDS
from tracker.server.server import PER_SENDER, THREADS

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts what Linux tells of a process")

STRANGER, HONEST = "127.0.0.66", "127.0.0.7"
WHAT = "penalty:wrong-lead"
PATIENT_SECONDS = 120.0
SPARE = 4
"""Files and threads that come and go with one honest request."""

Often = Callable[[int, int], int]
Figure = Callable[[str], None]


@pytest.fixture(name="table", scope="module")
def _table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BenchTable]:
    table = new_bench_table(tmp_path_factory.mktemp("data"), chips=5000)
    with served(table):
        yield table


def until(fact: Callable[[], bool], seconds: float = PATIENT_SECONDS) -> None:
    end = time.monotonic() + seconds
    while not fact():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.05)


def connected(stack: ExitStack, port: int, address: str = STRANGER) -> socket.socket:
    sock = stack.enter_context(socket.create_connection(("127.0.0.1", port), 60, source_address=(address, 0)))
    sock.settimeout(PATIENT_SECONDS)
    return sock


def is_open(sock: socket.socket) -> bool:
    """Return whether the server has not closed this connection."""
    sock.setblocking(False)
    try:
        return bool(sock.recv(1 << 20))
    except BlockingIOError:
        return True
    except OSError:
        return False


def honest_phones(table: BenchTable) -> list[ScriptPhone]:
    return table.phones(ScriptPhone, address=HONEST, patience=PATIENT_SECONDS)


async def play(table: BenchTable, phones: list[ScriptPhone], moves: int) -> None:
    """Have the phones move in turn; every move is answered at its first try, with the new picture."""
    for at in range(moves):
        phone = phones[at % len(phones)]
        phone.picture = await phone.look(table.port)
        before = head_of(phone.picture)
        assert await phone.tap(WHAT) in {200, 204}
        assert head_of(phone.picture) == before + 1
    assert sum(phone.posts for phone in phones) == moves


def honest_play(table: BenchTable, moves: int) -> None:
    run(play(table, honest_phones(table), moves))


@pytest.mark.parametrize(
    "half", [b"GET / HTTP/1.1\r\nX-Slow: ", b"POST /join HTTP/1.1\r\nContent-Length: 999\r\n\r\nx", b""]
)
def test_half_requests_from_one_address_hold_up_nobody_else(
    table: BenchTable, half: bytes, short_or_long: Often, figure: Figure
) -> None:
    before = table.now.files
    with ExitStack() as stack:
        strangers = [connected(stack, table.port) for _ in range(350)]
        for sock in strangers:
            with suppress(OSError):  # it has lost this one already
                sock.sendall(half)
        honest_play(table, short_or_long(10, 200))
        until(lambda: table.now.files - before <= PER_SENDER + SPARE)
        assert sum(map(is_open, strangers)) <= PER_SENDER
    until(lambda: table.now.files <= before + SPARE)
    figure(f"350 half requests ({half[:20]!r}): an honest phone's moves all answered at the first try")


def test_half_requests_from_many_addresses_are_gone_after_the_deadline(
    table: BenchTable, short_or_long: Often, figure: Figure
) -> None:
    count, before = short_or_long(100, 800), table.now.files
    with ExitStack() as stack:
        strangers = [connected(stack, table.port, f"127.0.1.{at % 250 + 1}") for at in range(count)]
        for at, sock in enumerate(strangers):
            with suppress(OSError):
                sock.sendall(b"GET / HTTP/1.1\r\nX-Slow: " if at % 2 else b"PO")
        honest_play(table, short_or_long(10, 200))
        if short_or_long(0, 1):  # the deadline itself is in test_server_running.py, made short
            until(lambda: table.now.files <= before + SPARE, HEADER_SECONDS + PATIENT_SECONDS)
            assert not any(map(is_open, strangers))
            figure(f"{count} half requests from 250 addresses: all gone after the deadline")
    figure(f"{count} half requests from 250 addresses: all honest moves answered")


def test_a_gigabyte_is_refused_unread_and_takes_no_memory(
    table: BenchTable, short_or_long: Often, figure: Figure
) -> None:
    honest_play(table, 5)
    before, sent = table.now.memory, 0
    for length in ("Content-Length: 1000000000", "Transfer-Encoding: chunked"):
        for _ in range(short_or_long(3, 50)):
            with ExitStack() as stack:
                sock = connected(stack, table.port)
                sock.sendall(f"POST /join HTTP/1.1\r\nHost: x\r\n{length}\r\n\r\n".encode())
                piece = b"x" * 65536 if "Length" in length else b"10000\r\n" + b"x" * 65536 + b"\r\n"
                with suppress(OSError):
                    for _ in range(2000):
                        sent += sock.send(piece)
                    pytest.fail("it took everything")
    honest_play(table, 5)
    grown = table.now.memory - before
    assert grown < 5
    figure(f"bodies without an end: {sent / 1e6:.0f} MB sent, the server grew by {grown:.1f} MB")


def test_streams_opened_and_dropped_leave_nothing_behind(
    table: BenchTable, short_or_long: Often, figure: Figure
) -> None:
    count, cookies = short_or_long(160, 2000), table.watchers[:40]
    files, memory = table.now.files, 0.0
    for start in range(0, count, len(cookies)):
        with ExitStack() as stack:
            for cookie in cookies:
                sock = connected(stack, table.port)
                path = f"GET /n/{table.code}/stream?tab=1 HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}\r\n\r\n"
                sock.sendall(path.encode())
                if start % 2:
                    assert sock.recv(15) == b"HTTP/1.1 200 OK"
        memory = memory or table.now.memory
    honest_play(table, 10)
    until(lambda: table.now.files <= files + SPARE)
    until(lambda: table.now.threads <= THREADS + SPARE)
    grown = table.now.memory - memory
    assert grown < 5
    figure(f"{count} streams opened and dropped: {table.now.threads} threads, no file left, {grown:+.1f} MB")


def test_a_watcher_that_never_reads_costs_the_others_nothing(
    table: BenchTable, short_or_long: Often, figure: Figure
) -> None:
    watcher = honest_phones(table)[1]
    with ExitStack() as stack:
        for cookie in table.watchers[:20]:
            sock = stack.enter_context(socket.socket())
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            sock.connect(("127.0.0.1", table.port))
            path = f"GET /n/{table.code}/stream?tab=1 HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}\r\n\r\n"
            sock.sendall(path.encode())
        before = table.now.memory
        run(watch_and_play(watcher, table, short_or_long(40, 400)))
        grown = table.now.memory - before
        assert grown < 25
    figure(f"20 watchers that never read: everybody else saw all, the server grew by {grown:.1f} MB")


async def watch_and_play(watcher: ScriptPhone, table: BenchTable, moves: int) -> None:
    """All play while one phone follows too; in the end it shows what the server shows."""
    async with in_background(watcher.follow()):
        await play(table, honest_phones(table), moves)
        async with asyncio.timeout(PATIENT_SECONDS):
            while watcher.picture != await watcher.look(table.port):
                await asyncio.sleep(0.05)


def test_a_phone_whose_address_changes_keeps_its_seat(table: BenchTable) -> None:
    phone = honest_phones(table)[0]
    for address in ("127.0.0.7", "127.0.0.8", "127.0.2.1"):
        phone.address, phone.posts = address, 0
        run(play(table, [phone], 2))
        assert (phone.posts, set(phone.statuses) <= {200, 204}) == (2, True)
