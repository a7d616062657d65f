"""What the server keeps of bodies: up to a limit for each request."""

from __future__ import annotations

import socket
from contextlib import closing
from http.client import HTTPResponse
from typing import TYPE_CHECKING, Any

import pytest
from support.stream_server import StreamServer

from tracker.server.connection import BODY_LIMIT, DISCARD_LIMIT

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse

IMPORT_LIMIT = 4_000_000


@pytest.fixture(name="running")
def _running(running: StreamServer) -> StreamServer:
    running.server.adj.body_limit = lambda path, cookies, _authorization: (
        IMPORT_LIMIT if (path, cookies) == ("/import", "host") else BODY_LIMIT
    )
    return running


@pytest.mark.parametrize(
    ("path", "cookie", "size", "taken"),
    [
        ("/join", "", BODY_LIMIT, BODY_LIMIT),
        ("/join", "", BODY_LIMIT + 1, 0),
        ("/import", "host", IMPORT_LIMIT, IMPORT_LIMIT),
        ("/import", "host", IMPORT_LIMIT + 1, 0),
        ("/import", "host", DISCARD_LIMIT - 1, 0),
    ],
)
def test_a_body_is_kept_up_to_its_limit_and_else_dropped_as_it_comes(
    running: StreamServer, path: str, cookie: str, size: int, taken: int
) -> None:
    assert running.echoed(path, size, cookie) == taken


@pytest.mark.parametrize(
    ("head", "length"),
    [
        (b"Transfer-Encoding: chunked\r\n\r\n%X\r\n" % (BODY_LIMIT + 1) + b"x" * (BODY_LIMIT + 1), BODY_LIMIT + 1),
        (b"Content-Length: %d\r\n\r\n" % DISCARD_LIMIT, DISCARD_LIMIT),
    ],
)
def test_of_a_body_that_is_not_read_to_its_end_the_app_sees_the_length_and_answers(
    running: StreamServer, head: bytes, length: int
) -> None:
    lengths: list[str] = []

    def refusing(environ: dict[str, Any], start_response: StartResponse) -> list[bytes]:
        lengths.append(environ["CONTENT_LENGTH"])
        assert environ["wsgi.input"].read() == b""
        start_response("413 Too big", [("Content-Length", "2")])
        return [b"no"]

    running.server.application = refusing
    with socket.create_connection(("127.0.0.1", running.server.port), timeout=30) as sock:
        sock.sendall(b"POST / HTTP/1.1\r\nHost: x\r\n" + head)
        with closing(HTTPResponse(sock)) as answer:
            answer.begin()
            assert (answer.status, answer.headers["Connection"], answer.read()) == (413, "close", b"no")
    assert [abs(int(seen) - length) < 10 for seen in lengths] == [True]


@pytest.mark.parametrize(
    ("status", "head", "closes"),
    [
        ("204 No Content", b"", False),
        ("304 Not Modified", b"", False),
        ("204 No Content", b"Connection: close\r\n", True),
    ],
)
def test_an_answer_without_a_body_ends_no_connection_but_where_its_client_asks_for_that(
    running: StreamServer, status: str, head: bytes, closes: bool
) -> None:
    def empty(_environ: dict[str, Any], start_response: StartResponse) -> list[bytes]:
        start_response(status, [])
        return []

    running.server.application = empty
    with socket.create_connection(("127.0.0.1", running.server.port), timeout=30) as sock:
        for _ in range(1 if closes else 3):
            sock.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n")
            with closing(HTTPResponse(sock)) as answer:
                answer.begin()
                assert (answer.status, answer.headers["Connection"]) == (int(status[:3]), "close" if closes else None)
        assert not closes or sock.recv(1) == b""
