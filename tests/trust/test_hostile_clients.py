"""Slow, half-open, endless, odd and vanishing connections at the real command: an honest phone plays on meanwhile.

What has to hold is counted: every honest request answered at once, and threads, files and memory as they were before.
"""

import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from statistics import median

import pytest
from support.bench_table import BenchTable, new_bench_table, served
from support.faults.script_phones import MOVE, ScriptPhone, head_of
from support.polling import wait_until
from support.socket_phones import run

from tracker.server.connection import BODY_LIMIT
from tracker.server.server import PER_SENDER, THREADS

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts what Linux tells of a process")

STRANGER, HONEST = "127.0.0.66", ("127.0.0.7", "127.0.0.8", "127.0.2.1")
PATIENT_SECONDS = 120.0
SPARE = 4
"""Files and threads that come and go with one honest request."""

Often = Callable[[int, int], int]
Figure = Callable[[str], None]
ODD_REQUESTS = [
    b"GET / HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /%ff%fe?%ff=%fe HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET http://[::1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET //x/../..//n HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /%0d%0aX:y HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /static/%00 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /static/" + b"a" * 5000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /static/shared/site.css HTTP/1.1\r\nHost: 127.0.0.1\r\nRange: bytes=9-1\r\n\r\n",
    b"GET /static/shared/site.css HTTP/1.1\r\nHost: 127.0.0.1\r\nRange: bytes=-99999999999999999999\r\n\r\n",
    b"GET /static/shared/site.css HTTP/1.1\r\nHost: 127.0.0.1\r\nIf-Modified-Since: \xff99\r\n\r\n",
    b"GET /static/shared/site.css HTTP/1.1\r\nHost: 127.0.0.1\r\nIf-Range: \xff\r\nRange: bytes=0-1,3-4\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: =;;\xff=\xfe; board_x\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Language: \xff;q=x,;;q=-1,de;q=99999\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1:99999999999\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \xff\xfe\r\n\r\n",
    b"GET /api/nights/x HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \xff\xfe\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /\r\n\r\n",
    b"X" * 60 + b" / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
    b"POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
    b"POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: gzip\r\n\r\n",
    b"POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    *(
        b"POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\nContent-Type: " + kind
        + b"\r\nContent-Length: 9\r\n\r\ntoken=%ff"
        for kind in (
            b"multipart/form-data", b"multipart/form-data; boundary=\xff", b"\xff/;;=",
            b"application/x-www-form-urlencoded; charset=\xff",
        )
    ),
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    b"\x00\r\n\r\n",
]  # fmt: skip


@pytest.fixture(name="table", scope="module")
def _table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BenchTable]:
    with served(new_bench_table(tmp_path_factory.mktemp("data"), watchers=40, chips=5000)) as table:
        yield table


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


async def play(table: BenchTable, moves: int) -> float:
    """Have all seats' phones move in turn, each from changing addresses; every move is answered at its first try.

    Return the milliseconds of a move, in the median.
    """
    phones, taken = table.phones(ScriptPhone, patience=PATIENT_SECONDS), list[float]()
    for at in range(moves):
        phone = phones[at % len(phones)]
        phone.address = HONEST[at % len(HONEST)]
        phone.picture = await phone.look(table.port)
        before, began = head_of(phone.picture), time.perf_counter()
        assert await phone.tap(MOVE) in {200, 204}
        taken.append(1000 * (time.perf_counter() - began))
        assert head_of(phone.picture) == before + 1
    assert sum(phone.posts for phone in phones) == moves
    return median(taken)


@pytest.mark.parametrize(
    "half", [b"GET / HTTP/1.1\r\nX-Slow: ", b"POST /join HTTP/1.1\r\nContent-Length: 999\r\n\r\nx", b""]
)
def test_half_requests_from_one_address_hold_up_nobody_else(
    table: BenchTable, half: bytes, short_or_long: Often, figure: Figure
) -> None:
    before, moves = table.now.files, short_or_long(10, 200)
    alone = run(play(table, moves))
    with ExitStack() as stack:
        strangers = [connected(stack, table.port) for _ in range(350)]
        for sock in strangers:
            with suppress(OSError):  # it has lost this one already
                sock.sendall(half)
        beside = run(play(table, moves))
        wait_until(lambda: table.now.files - before <= PER_SENDER + SPARE)
        assert sum(map(is_open, strangers)) <= PER_SENDER
    wait_until(lambda: table.now.files <= before + SPARE)
    figure(f"350 half requests ({half[:20]!r}): {moves} moves at the first try, {beside:.1f} ms, alone {alone:.1f} ms")


def unread_bytes(port: int) -> int:
    """Return how many bytes have arrived for the server that it has not read yet."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
    return sum(int(line[4].partition(":")[2], 16) for line in lines if line[1].endswith(f":{port:04X}"))


WITHIN = f"Content-Length: {BODY_LIMIT}"
LENGTHS = (
    WITHIN,
    "Content-Length: 2000000",
    WITHIN,
    "Content-Length: 1000000000",
    WITHIN,
    "Transfer-Encoding: chunked",
)
CHUNK = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"


def test_bodies_without_an_end_fill_a_budget_and_not_the_memory(table: BenchTable, figure: Figure) -> None:
    run(play(table, 5))
    before, count = table.now.memory, 5 * PER_SENDER
    with ExitStack() as stack:
        for number in range(count):
            length = LENGTHS[number % len(LENGTHS)]
            body = CHUNK * 10 if "chunked" in length else b"x" * min(600_000, int(length.split()[1]) - 1)
            with suppress(OSError):  # closed for its length or for the budget
                sock = connected(stack, table.port, f"127.0.1.{number % 7 + 1}")
                sock.sendall(f"POST /any HTTP/1.1\r\nHost: elsewhere\r\n{length}\r\n\r\n".encode() + body)
        run(play(table, 5))
        wait_until(lambda: unread_bytes(table.port) == 0)
        grown = table.now.memory - before
    assert grown < 2 * 8 + 10, "no more than 8 MB of bodies are kept"
    figure(f"{count} unfinished bodies of seven addresses: the server grew by {grown:.1f} MB")


OVER = b"Content-Length: 1000000000\r\n\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n10001\r\n" + b"x" * 0x10001


def whole(length: int) -> bytes:
    return b"Content-Type: text/plain\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % length + b"x" * length


@pytest.mark.parametrize("body", [OVER, CHUNKED, whole(1_000_000)])
def test_a_body_that_is_too_large_is_answered_by_a_page_of_ours(table: BenchTable, body: bytes) -> None:
    here = f"127.0.0.1:{table.port}"
    with socket.create_connection(("127.0.0.1", table.port), timeout=30) as sock:
        sock.sendall(f"POST /join HTTP/1.1\r\nHost: {here}\r\nOrigin: http://{here}\r\n".encode() + body)
        answer = b"".join(iter(lambda: sock.recv(1 << 16), b"")).decode()
    assert answer.startswith("HTTP/1.1 413 ")
    assert "That is more than a game night needs." in answer
    assert "<main" in answer


def test_streams_that_are_opened_and_dropped_leave_no_thread_no_file_and_no_memory(
    table: BenchTable, short_or_long: Often, figure: Figure
) -> None:
    count, files, memory = short_or_long(160, 2000), table.now.files, 0.0
    for start in range(0, count, len(table.watchers)):
        with ExitStack() as stack:
            for cookie in table.watchers:
                sock = connected(stack, table.port)
                path = f"GET /n/{table.code}/stream?tab=1 HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}\r\n\r\n"
                sock.sendall(path.encode())
                if start % 80:
                    assert sock.recv(15) == b"HTTP/1.1 200 OK"
        memory = memory or table.now.memory
    run(play(table, 10))
    wait_until(lambda: table.now.files <= files + SPARE and table.now.threads <= THREADS + SPARE)
    grown = table.now.memory - memory
    assert grown < 5
    figure(f"{count} streams opened and dropped: {table.now.threads} threads, no file left, {grown:+.1f} MB")


def test_odd_requests_leave_the_terminal_quiet(table: BenchTable) -> None:
    assert table.process
    for request in ODD_REQUESTS:
        with socket.create_connection(("127.0.0.1", table.port), timeout=30) as sock:
            sock.sendall(request)
            sock.shutdown(socket.SHUT_WR)
            with suppress(OSError):
                while sock.recv(1 << 16):
                    pass
    table.process.terminate()
    said = table.process.communicate(timeout=60)[0]
    assert said.splitlines()[-1] == "Stopped. Everything that was recorded is saved."
    assert not re.search("traceback|exception|error", said, re.IGNORECASE), said
