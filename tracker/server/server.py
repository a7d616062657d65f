"""The web server: waitress with streams, limits for each address, and an end at once."""

from __future__ import annotations

import logging
import os
import select
import signal
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING, Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from tracker.formats.sender import THIS_MACHINE, sender_of
from tracker.server.connection import BODY_LIMIT, DISCARD_LIMIT, BodyLimit, HttpConnection

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

logger = logging.getLogger(__name__)
logger.setLevel(logging.ERROR)

# What makes a lost connection end, as far as this system has it: data unanswered for 10 s, else unanswered probes.
HANGUP_NAMES = {"TCP_USER_TIMEOUT": 10_000, "TCP_KEEPIDLE": 15, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}
HANGUP_OPTIONS = [
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    *((socket.IPPROTO_TCP, getattr(socket, name), at) for name, at in HANGUP_NAMES.items() if hasattr(socket, name)),
]

THREADS = 12  # no thread waits for a client, so more of them would only pass Python's lock round
# Open connections besides streams: a browser opens six, and a family of twelve may come through one address.
PER_SENDER = 72
MOST_OTHERS = 100
MOST_STREAMS = 120
"""On Windows select() watches 512 sockets, on macOS a process may have 256 files."""
ACCEPTED_AT_ONCE = 32  # in one turn of the loop, which then reads what all others have sent

POLL = wasyncore.poll2 if hasattr(select, "poll") else wasyncore.poll

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
    """Return a listening socket on the port or the next free one. Raises PermissionError, OSError for a wrong host."""
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
    per_sender, most_open = PER_SENDER, MOST_OTHERS  # with more connections what is idle the longest makes room
    unlimited: Collection[str] = THIS_MACHINE
    """The senders whose connections are not counted by themselves."""
    proxies: Collection[str] = ()
    """Addresses of proxies before this server, whose word is taken for where a client comes from."""
    next_channel_cleanup = float("inf")  # waitress goes by the time of day; readable() goes by the monotonic clock

    def __init__(
        self,
        app: WSGIApplication,
        sock: socket.socket,
        *,
        end_streams: Callable[[], None] = lambda: None,
        body_limit: BodyLimit = lambda _path, _cookies, _authorization: BODY_LIMIT,
    ) -> None:
        self.thread_pool = self.new_thread_pool()
        self._stopping = False
        self._end_streams = end_streams
        self._maintenance_at = 0.0
        self._callbacks: deque[Callable[[], None]] = deque()
        adjustments = Adjustments(sockets=[sock], **LIMITS)
        adjustments.body_limit = body_limit  # for the parser of a request, which has the adjustments only
        where = (sock.family, sock.type, sock.proto, sock.getsockname())
        super().__init__(
            app, {}, _sock=sock, dispatcher=self.thread_pool, adj=adjustments, bind_socket=False, sockinfo=where
        )

    def new_thread_pool(self) -> Any:
        """Return what serves the requests, each in a thread."""
        pool = ThreadedTaskDispatcher()
        pool.logger = pool.queue_logger = logger  # which says nothing of requests that wait for a moment
        pool.set_thread_count(THREADS)
        return pool

    @property
    def port(self) -> int:
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
            self.thread_pool.shutdown(timeout=2)
            for channel in self.connections():
                channel.handle_close()  # what a slow client has not taken may be in a temporary file
            wasyncore.close_all(self._map)

    def connections(self) -> list[HttpConnection]:
        return [*self.active_channels.values()]

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Have the server's loop call something; may be called from any thread, and takes no lock.

        waitress's own trigger takes a lock to add a callback, and holds it while callbacks run. With it a thread that
        fails to send (it holds the connection's lock) and a callback that needs that connection were a deadlock.
        """
        self._callbacks.append(callback)
        self.pull_trigger()

    def pull_trigger(self) -> None:
        """Have the loop look at all connections; may be called from any thread, and takes no lock."""
        with suppress(OSError):  # the loop has ended, and closes everything
            super().pull_trigger()

    def _run_callbacks(self) -> None:
        while self._callbacks:
            try:
                self._callbacks.popleft()()
            except Exception:
                logger.exception("a callback of the server's loop has failed")

    def stop(self) -> None:
        """End `run()`; may be called from any thread and from a signal."""
        self._stopping = True
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

    def handle_accept(self) -> None:
        """Take the connections that wait; where there are then too many, end one that is idle."""
        for _ in range(ACCEPTED_AT_ONCE):
            before = next(reversed(self.active_channels.values()), None)
            super().handle_accept()
            newest = next(reversed(self.active_channels.values()), None)
            if newest is None or newest is before:
                return
            is_ready = getattr(newest.socket, "is_ready", True)
            if newest.heard_at is None and not newest.requests and not is_ready:
                newest.heard_at = time.monotonic()  # agreeing on TLS counts as the head of the first request
            self.make_room(newest)

    def make_room(self, newest: HttpConnection) -> None:
        """Close a connection where the newest one's sender has too many, or all together have."""
        others = [channel for channel in self.active_channels.values() if not channel.is_stream]
        sender = sender_of(newest.addr[0])
        same = [channel for channel in others if sender_of(channel.addr[0]) == sender]
        if len(same) > self.per_sender and sender not in self.unlimited:
            close_idlest(same)
        elif len(others) > self.most_open:
            self.make_room_for_all(others)

    def make_room_for_all(self, others: Sequence[HttpConnection]) -> None:
        """Close one of all connections that are no streams."""
        close_idlest(others)

    def set_socket_options(self, conn: socket.socket) -> None:
        """Notice a phone that vanished: by unanswered data where the system can, else by unanswered probes."""
        with suppress(OSError):
            super().set_socket_options(conn)
        for level, option, value in HANGUP_OPTIONS:
            with suppress(OSError):  # Python may have a name that the system does not know
                conn.setsockopt(level, option, value)

    def readable(self) -> bool:
        """Return whether connections are accepted; called in every turn of the loop, so deadlines are checked here."""
        now = time.monotonic()
        if now >= self._maintenance_at:
            self._maintenance_at = now + self.adj.cleanup_interval
            self.maintenance(now)
        return bool(super().readable())

    def maintenance(self, now: float) -> None:
        """Close connections that are idle for long, late with a request, or that read nothing; `now` is monotonic."""
        super().maintenance(now)
        for channel in list(self.active_channels.values()):
            if channel.is_late(now) or channel.is_stuck(now):
                channel.handle_close()


def close_idlest(connections: Sequence[HttpConnection]) -> None:
    """Close the connection longest without a request, or where none is idle the newest."""
    idle = [connection for connection in connections if not connection.requests] or [connections[-1]]
    min(idle, key=lambda connection: connection.last_activity).handle_close()
