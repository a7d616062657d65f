"""What one stranger can tie up at the running command: threads by reading nothing, memory by bodies without an end."""

import re
import socket
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from support.polling import wait_until
from support.remote_phone import RemoteNight, RemotePhone, open_night
from support.server_process import Command

from tracker.server.connection import BODY_BUDGET, BODY_LIMIT
from tracker.server.server import PER_SENDER

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts what Linux tells of a process")

SCRIPT = "/static/vendor/htmx.min.js"
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


@pytest.fixture(name="night", scope="module")
def _night(command: Command) -> RemoteNight:
    return open_night(command.port, command.host_link)


def connected(stack: ExitStack, port: int, address: str) -> socket.socket:
    sock = stack.enter_context(socket.socket())
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.bind((address, 0))
    sock.connect(("127.0.0.1", port))
    return sock


def unread_bytes(port: int) -> int:
    """Return how many bytes have arrived for the server that it has not read yet."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
    return sum(int(line[4].partition(":")[2], 16) for line in lines if line[1].endswith(f":{port:04X}"))


def memory_mb(command: Command) -> float:
    assert command.process
    status = Path(f"/proc/{command.process.pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1000


def test_an_address_that_asks_and_never_reads_stalls_nobody(
    command: Command, night: RemoteNight, figure: Callable[[str], None]
) -> None:
    ask = f"GET {SCRIPT} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() * 100
    with ExitStack() as stack:
        for number in range(6 * PER_SENDER):
            with suppress(OSError):  # the address has too many already
                connected(stack, command.port, f"127.0.0.{60 + number % 4}").sendall(ask)
        ben = night.join("127.0.0.20", name="Ben")
        answers = [phone.get(f"{night.base}/lobby").status for _ in range(10) for phone in (ben, night.host)]
        assert answers == [200] * 20
        figure(f"{6 * PER_SENDER} connections of four addresses that never read: 20 of 20 honest requests answered")


def test_bodies_without_an_end_fill_a_budget_and_not_the_memory(
    command: Command, night: RemoteNight, figure: Callable[[str], None]
) -> None:
    before = memory_mb(command)
    head = b"POST /anything HTTP/1.1\r\nHost: elsewhere\r\nContent-Length: %d\r\n\r\n"
    with ExitStack() as stack:
        for number in range(9 * PER_SENDER):
            with suppress(OSError):  # closed for the budget
                sock = connected(stack, command.port, f"127.0.1.{number % 9 + 1}")
                length = BODY_LIMIT if number % 2 else 2_000_000
                sock.sendall(head % length + b"x" * (length - 1))
        assert night.host.post(f"{night.base}/seats", {"name": "Tom"}).status == 303
        wait_until(lambda: unread_bytes(command.port) == 0)
        grown = memory_mb(command) - before
    assert grown < 2 * BODY_BUDGET / 1e6 + 10
    figure(f"{9 * PER_SENDER} unfinished bodies of nine addresses: the server grew by {grown:.1f} MB")


def test_a_body_that_is_too_large_is_answered_by_a_page_of_ours(night: RemoteNight) -> None:
    stranger = RemotePhone(night.host.port, "127.0.0.30")
    answer = stranger.post("/join", {"night": "x" * 1_000_000})
    assert answer.status == 413
    assert "That is more than a game night needs." in answer.text
    assert "<main" in answer.text


@pytest.mark.parametrize(
    "body",
    [
        b"Content-Length: 1000000000\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n10001\r\n" + b"x" * 0x10001,
    ],
)
def test_a_body_that_is_not_read_to_its_end_is_answered_by_a_page_of_ours(command: Command, body: bytes) -> None:
    with socket.create_connection(("127.0.0.1", command.port), timeout=30) as sock:
        here = f"127.0.0.1:{command.port}"
        sock.sendall(f"POST /join HTTP/1.1\r\nHost: {here}\r\nOrigin: http://{here}\r\n".encode() + body)
        answer = b"".join(iter(lambda: sock.recv(1 << 16), b"")).decode()
    assert answer.startswith("HTTP/1.1 413 ")
    assert "That is more than a game night needs." in answer
    assert "<main" in answer


def test_odd_requests_leave_the_terminal_quiet(command: Command) -> None:
    assert command.process
    for request in ODD_REQUESTS:
        with socket.create_connection(("127.0.0.1", command.port), timeout=30) as sock:
            sock.sendall(request)
            sock.shutdown(socket.SHUT_WR)
            with suppress(OSError):
                while sock.recv(1 << 16):
                    pass
    command.process.terminate()
    said = command.process.communicate(timeout=60)[0]
    assert said.splitlines()[-1] == "Stopped. Everything that was recorded is saved."
    assert not re.search("traceback|exception|error", said, re.IGNORECASE), said
