"""The web server: waitress with limits for strangers, and an end that comes at once."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING, Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer

from tracker.server.capacity import HAS_POLL, MOST_OTHERS
from tracker.server.connection import BODY_BUDGET, BODY_LIMIT, DISCARD_LIMIT, BodyLimit, HttpConnection
from tracker.server.proxies import believe_proxies
from tracker.server.quiet_streams import QuietStreams
from tracker.server.thread_pool import FairThreadPool
from tracker.server.tls import Certificate, TlsSocket, only_https

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

logger = logging.getLogger(__name__)

# What makes a lost connection end, as far as this system has it: data unanswered for 10 s, else unanswered probes.
HANGUP_NAMES = {"TCP_USER_TIMEOUT": 10_000, "TCP_KEEPIDLE": 15, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}
HANGUP_OPTIONS = [
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    *((socket.IPPROTO_TCP, getattr(socket, name), at) for name, at in HANGUP_NAMES.items() if hasattr(socket, name)),
]

# Open connections besides streams: a browser opens six, and a family may come through one address.
PER_ADDRESS = 32
ACCEPTED_AT_ONCE = 32  # in one turn of the loop, which then reads what all others have sent
WAITING = 40  # connections above their limit with which no other is accepted: they wait in the system's queue

HERE = ("127.0.0.1", "::1")  # this machine's own connections are not counted, nor are those of proxies
POLL = wasyncore.poll2 if HAS_POLL else wasyncore.poll

LIMITS = {
    "connection_limit": sys.maxsize,  # readable() has limits of its own
    "max_request_header_size": 16 * 1024,
    "max_request_body_size": DISCARD_LIMIT,  # what is kept of a body is set by RequestParser
    "inbuf_overflow": DISCARD_LIMIT,  # above every body limit, so that no body ever makes a temporary file
    # A slow phone holds up its own stream, not the memory; as much of what was sent is kept for every stream.
    "outbuf_high_watermark": 48 * 1024,
    "channel_timeout": 60,
    "cleanup_interval": 2,
    "channel_request_lookahead": 1,  # keeps reading while a request is served, which is how a hang-up is noticed
    "log_socket_errors": False,
    "ident": "board-tracker",
}


def listen(host: str, port: int, tries: int = 20) -> socket.socket:
    """Return a listening socket on the port, or on the next free one.

    Raises PermissionError for a port that this user may not have, another OSError for a host that is not ours.
    """
    for number in [*range(port, min(port + tries, 65536)), 0]:
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            if sys.platform != "win32":  # where it would let two servers share a port
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((host, number))
            sock.listen(256)
        except PermissionError:
            sock.close()
            if sys.platform != "win32":  # where it also means that another program has the port
                raise
        except OSError:
            sock.close()
            if not _is_taken(host, number):
                raise
        else:
            return sock
    raise OSError(f"no free port on {host}")


def _is_taken(host: str, port: int) -> bool:
    """Tell a port that is in use (or reserved) from a host that is not this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as sock:
        try:
            sock.bind((host, 0))
        except OSError:
            return False
    return port != 0


class Server(TcpWSGIServer):  # type: ignore[misc]
    """Serves an application on a listening socket until `stop()` or a signal, then ends whatever is still running."""

    channel_class = HttpConnection
    next_channel_cleanup = float("inf")  # waitress goes by the time of day; readable() goes by the monotonic clock

    def __init__(
        self,
        app: WSGIApplication,
        sock: socket.socket,
        *,
        end_streams: Callable[[], None] = lambda: None,
        certificate: Certificate | None = None,
        body_limit: BodyLimit = lambda _path, _cookies, _authorization: BODY_LIMIT,
        proxies: Collection[str] = (),
        most_open: int = MOST_OTHERS,
    ) -> None:
        """`proxies` are the addresses of proxies before this server, which are believed where a client comes from."""
        self.unlimited = (*HERE, *proxies)
        self.thread_pool = FairThreadPool(self.call_soon, unlimited=self.unlimited)
        self.certificate = certificate
        self._stopping = False
        self._end_streams = end_streams
        self.body_limit = body_limit
        self._maintenance_at = 0.0
        self._callbacks: deque[Callable[[], None]] = deque()
        self.most_open = most_open  # connections besides streams: what has been idle the longest then makes room
        self.streams: set[HttpConnection] = set()
        self.proxies = proxies
        # waitress's own removes what proxies say, or believes one address: believe_proxies() does both for several.
        scheme = "https" if certificate else "http"
        adjustments = Adjustments(sockets=[sock], url_scheme=scheme, clear_untrusted_proxy_headers=False, **LIMITS)
        where = (sock.family, sock.type, sock.proto, sock.getsockname())
        app = believe_proxies(only_https(app, certificate) if certificate else app, proxies)
        super().__init__(
            app, {}, _sock=sock, dispatcher=self.thread_pool, adj=adjustments, bind_socket=False, sockinfo=where
        )
        self.quiet_streams = QuietStreams(self._map, self.active_channels)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.effective_port)

    def run(self) -> None:
        """Serve. Returns when everything has ended, within about two seconds of `stop()`."""
        try:
            while not self._stopping:
                POLL(2.0, self._map)
                self._run_callbacks()
        finally:
            if threading.current_thread() is threading.main_thread():
                signal.set_wakeup_fd(-1)
            self._end_streams()
            self.thread_pool.shutdown()
            for channel in self.connections():
                channel.handle_close()  # what a slow client has not taken may be in a temporary file
            wasyncore.close_all(self._map)

    def connections(self) -> list[HttpConnection]:
        """Return all open connections."""
        return [*self.active_channels.values(), *self.quiet_streams.streams.values()]

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Have the server's loop call something; may be called from any thread, and takes no lock.

        waitress's own trigger takes a lock to add a callback, and holds it while callbacks run. With it a thread that
        fails to send (it holds the connection's lock) and a callback that needs that connection were a deadlock.
        """
        self._callbacks.append(callback)
        with suppress(OSError):  # the loop has ended, and closes everything
            self.pull_trigger()

    def _run_callbacks(self) -> None:
        while self._callbacks:
            try:
                self._callbacks.popleft()()
            except Exception:
                logger.exception("a callback of the server's loop has failed")

    def stop(self) -> None:
        """End `run()`; may be called from any thread and from a signal."""
        self._stopping = True
        with suppress(OSError):  # it has ended already
            self.pull_trigger()

    def stop_on_signals(self) -> None:
        """Let Ctrl-C, a polite kill and a closed terminal end the server; a second Ctrl-C ends the program."""

        def on_signal(number: int, _frame: FrameType | None) -> None:
            signal.signal(number, signal.SIG_DFL)
            self.stop()

        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), on_signal)
        # A signal that comes just before the loop begins to wait would be seen only when the wait is over.
        wake = self.trigger.trigger
        if isinstance(wake, int):
            os.set_blocking(wake, False)
            signal.set_wakeup_fd(wake, warn_on_full_buffer=False)

    def accept(self) -> Any:
        """Return a new connection and where it comes from; None when there is none after all."""
        taken = super().accept()
        if taken is None or self.certificate is None:
            return taken
        return TlsSocket(taken[0], self.certificate.context), taken[1]

    def handle_accept(self) -> None:
        """Take the connections that wait; where there are then too many, end one of the address with too many."""
        for _ in range(ACCEPTED_AT_ONCE):
            before = next(reversed(self.active_channels.values()), None)
            super().handle_accept()
            newest = next(reversed(self.active_channels.values()), None)
            if newest is None or newest is before:
                return
            self._make_room(newest)

    def _make_room(self, newest: HttpConnection) -> None:
        """Close a connection of the newest one's address, or if there are too many in all of the one with the most."""
        if self.certificate and newest.heard_at is None and not newest.requests and not newest.socket.is_ready:
            newest.heard_at = time.monotonic()  # agreeing on TLS counts as the head of the first request
        others = [channel for channel in self.active_channels.values() if not channel.is_stream]
        numbers = Counter(channel.addr[0] for channel in others)
        address = newest.addr[0]
        if numbers[address] <= PER_ADDRESS or address in self.unlimited:
            if self.count_others() <= self.most_open or not numbers:
                return
            ((address, _),) = numbers.most_common(1)
        same = [channel for channel in others if channel.addr[0] == address]
        close_idlest(same, is_limit=address not in self.unlimited)

    def count_others(self) -> int:
        """Return how many connections there are besides streams."""
        return len(self.active_channels) + len(self.quiet_streams.streams) - len(self.streams)

    def set_socket_options(self, conn: socket.socket) -> None:
        """Notice a phone that vanished: by unanswered data where the system can, else by unanswered probes."""
        with suppress(OSError):
            super().set_socket_options(conn)
        for level, option, value in HANGUP_OPTIONS:
            with suppress(OSError):  # Python may have a name that the system does not know
                conn.setsockopt(level, option, value)

    def keep_bodies_in_budget(self) -> None:
        """Close connections with unfinished bodies while all bodies together are larger than the budget."""
        channels = list(self.active_channels.values())
        while sum(channel.body_bytes for channel in channels if channel.connected) > BODY_BUDGET:
            if not close_largest_body([channel for channel in channels if channel.connected]):
                return

    def readable(self) -> bool:
        """Return whether connections are accepted; called in every turn of the loop, so deadlines are checked here."""
        now = time.monotonic()
        if now >= self._maintenance_at:
            self._maintenance_at = now + self.adj.cleanup_interval
            self.maintenance(now)
        return bool(super().readable()) and self.count_others() < self.most_open + WAITING

    def maintenance(self, now: float) -> None:
        """Close connections that are idle for long, late with a request, or that read nothing; `now` is monotonic."""
        super().maintenance(now)
        for channel in list(self.active_channels.values()):
            if channel.is_late(now) or channel.is_stuck(now):
                channel.handle_close()


def close_idlest(connections: Sequence[HttpConnection], *, is_limit: bool) -> None:
    """Close the connection that has been without a request for the longest.

    Where none is idle, and `is_limit` says that the number must not grow, close the newest.
    """
    idle = [connection for connection in connections if not connection.requests]
    if not idle and is_limit:
        idle = [connections[-1]]
    if idle:
        min(idle, key=lambda connection: connection.last_activity).handle_close()


def close_largest_body(connections: Sequence[HttpConnection]) -> bool:
    """Close the oldest unfinished request of the address with the most bytes of bodies; return whether there was one.

    A host's import is left alone.
    """
    held: Counter[str] = Counter()
    for connection in connections:
        held[connection.addr[0]] += connection.body_bytes
    unfinished = [
        connection
        for connection in connections
        if connection.body_bytes
        and not connection.requests
        and not (connection.request and connection.request.is_import)
    ]
    if not unfinished:
        return False
    now = time.monotonic()
    max(unfinished, key=lambda one: (held[one.addr[0]], now - (one.heard_at or now))).handle_close()
    return True
