"""The tracker's HTTP server with a small WSGI app of streams, short answers and echoed bodies, in a thread."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from tracker import extras
from tracker.cli.listen_address import ListenAddress
from tracker.server import connection
from tracker.streaming.hub import HAND_OVER, Frame, StreamHub

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


HERE = "127.0.0.1"
LONG_BODY_BYTES = 40_000_000  # more than any system keeps for a client that reads nothing


def small_window(port: int) -> socket.socket:
    """Return a connection whose client keeps as little of what it is sent as the system allows."""
    sock = socket.socket()
    sock.settimeout(60)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.connect(("127.0.0.1", port))
    return sock


def address_by_extras(host: str = HERE, **options: object) -> ListenAddress:
    """Return where the command serves and by which server, with what the extras that are there make of it."""
    address = ListenAddress(host)
    for module in extras.modules("listening"):
        address = module.listening(address, {"data_folder": Path(), **options})
    return address


class StreamServer:
    """A server of streams (/stream), short answers and echoed bodies, in a thread."""

    def __init__(self, address: ListenAddress) -> None:
        self.head = 1
        self.live = StreamHub(heartbeat_seconds=5)
        self.device = 0
        self.padding = ""
        self.pages: dict[str, bytes] = {}
        self.waiting = threading.Event()
        self.server = address.new_server(self.app, address.listen(0), end_streams=self.live.stop)
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()

    def app(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterator[bytes]:
        if environ["PATH_INFO"] == "/long":
            start_response("200 OK", [("Content-Type", "text/plain")])
            return (b"x" * 100_000 for _ in range(LONG_BODY_BYTES // 100_000))
        if page := self.pages.get(environ["PATH_INFO"]):
            start_response("200 OK", [("Content-Length", str(len(page)))])
            return iter([page])
        if environ["PATH_INFO"] == "/wait":
            self.waiting.wait(10)
        if environ["PATH_INFO"] != "/stream":
            body: bytes = environ["wsgi.input"].read()
            start_response("200 OK", [("Content-Length", str(len(body) + 2))])
            return iter([b"ok" + body])
        start_response("200 OK", [("Content-Type", "text/event-stream")])
        self.device += 1
        hand_over = environ[HAND_OVER]
        return self.live.stream("K7Q", "board", self.frame, device=str(self.device), hand_over=hand_over)

    def frame(self) -> Frame:
        return Frame(self.head, f"<p>{self.head}</p>{self.padding}")

    def channels(self) -> list[connection.HttpConnection]:
        return self.server.connections()

    def maintain(self, now: float) -> None:
        """Have the loop close whoever is late or stuck at this moment of the monotonic clock; returns when it has."""
        is_done = threading.Event()

        def look() -> None:
            self.server.maintenance(now)
            is_done.set()

        self.server.call_soon(look)
        assert is_done.wait(60)

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)

    def ask(self, path: str = "/", body: bytes | None = None, headers: dict[str, str] | None = None) -> int:
        with closing(self.connect()) as asking:
            asking.request("POST" if body is not None else "GET", path, body, headers or {})
            answer = asking.getresponse()
            answer.read()
            return answer.status

    def echoed(self, path: str, size: int, cookie: str = "") -> int:
        """Return how many bytes of a body the app got."""
        with closing(self.connect()) as asking:
            asking.request("POST", path, b"x" * size, {"Cookie": cookie})
            return len(asking.getresponse().read()) - len(b"ok")

    def open_stream(self, stack: ExitStack) -> http.client.HTTPResponse:
        asking = stack.enter_context(closing(self.connect()))
        asking.request("GET", "/stream")
        answer = stack.enter_context(asking.getresponse())
        assert b"id: 1\n" in answer.readline() + answer.readline()
        return answer
