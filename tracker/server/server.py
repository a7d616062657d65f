"""The web server: waitress with limits for strangers, threads that serve networks by turns, and an end at once."""

from __future__ import annotations

import ctypes
import logging
import os
import select
import selectors
import signal
import socket
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.proxy_headers import proxy_headers_middleware
from waitress.server import TcpWSGIServer

from tracker.formats.sender import THIS_MACHINE, network_of, sender_of
from tracker.server.connection import BODY_BUDGET, BODY_LIMIT, DISCARD_LIMIT, BodyLimit, HttpConnection

THREADS = 12  # no thread waits for a client, so more of them would only pass Python's lock round
SWITCH_SECONDS = 0.0005
"""After which a thread that computes gives Python's lock to one that waits for it, instead of 5 ms: who sends a page to
eight phones gives it up eight times. With 250 tables p95 from tap to last phone was 60 ms instead of 110."""
PER_NETWORK_IN_WORK = 4  # requests of one network (formats/sender.py) that are served at the same time


MOST_HEAPS = -8
"""The number that the C library of most Linuxes has for the option M_ARENA_MAX."""


def share_one_heap() -> None:
    """Have all threads take memory from one heap, where the system's C library would give each its own.

    Python's lock lets one of them run at a time, so none waits for another, and what one thread has freed serves all:
    with eight phones the server takes 56 MB instead of 59, and 60 instead of 72 where it has compiled its templates.
    """
    with suppress(AttributeError, OSError, TypeError):  # another system, or another C library
        ctypes.CDLL(None).mallopt(MOST_HEAPS, 1)


class PoolTask(Protocol):
    """A connection with a request to be served."""

    @property
    def client_network(self) -> str: ...
    @property
    def connected(self) -> bool: ...
    def service(self) -> None: ...
    def served(self) -> None: ...


class FairThreadPool:
    """Serves one request of each network in turn.

    The server's loop alone decides which request is next: it calls every method, and takes no lock for it. A thread
    gets a request from a SimpleQueue, and has the loop called when the request is served.
    """

    def __init__(self, call_soon: Callable[[Callable[[], None]], None], unlimited: Collection[str] = ()) -> None:
        """`call_soon` has a function called by the loop; networks in `unlimited` may take all threads."""
        sys.setswitchinterval(SWITCH_SECONDS)
        share_one_heap()
        self._call_soon, self._unlimited = call_soon, unlimited
        self._waiting: dict[str, deque[PoolTask]] = {}  # the network whose turn is next comes first
        self._in_work: Counter[str] = Counter()
        self._given: SimpleQueue[tuple[str, PoolTask] | None] = SimpleQueue()
        self.threads: list[threading.Thread] = []
        for number in range(THREADS):
            thread = threading.Thread(target=self._serve, name=f"request-{number}", daemon=True)
            with suppress(RuntimeError):  # the system gives no more threads: those that run take all requests
                thread.start()
                self.threads.append(thread)
        if not self.threads:
            raise RuntimeError("the system gives no thread to serve requests in")

    @property
    def active_count(self) -> int:
        return self._in_work.total()

    def add_task(self, task: PoolTask) -> None:
        """Serve a connection's request when its turn has come."""
        self._waiting.setdefault(task.client_network, deque()).append(task)
        self._give_out()

    def _give_out(self) -> None:
        """Give waiting requests to threads, one of each network in turn."""
        while self._waiting and self.active_count < len(self.threads):
            in_work, unlimited = self._in_work, self._unlimited
            free = (one for one in self._waiting if in_work[one] < PER_NETWORK_IN_WORK or one in unlimited)
            network = next(free, None)
            if network is None:
                return
            tasks = self._waiting.pop(network)
            task = tasks.popleft()
            if tasks:
                self._waiting[network] = tasks
            if task.connected:
                self._in_work[network] += 1
                self._given.put((network, task))

    def _serve(self) -> None:
        """Serve what is given out until the end; runs in each of the threads."""
        while given := self._given.get():
            network, task = given
            try:
                task.service()
            except BaseException:  # a thread that ended would be missed for good
                logger.exception("a request has failed")
            self._call_soon(partial(self._end, network, task))
            del given, task  # or an idle thread would keep the connection and its buffers

    def _end(self, network: str, task: PoolTask) -> None:
        """Count a request as served, and let the connection's next one and those of others have their turns."""
        self._in_work[network] -= 1
        if not self._in_work[network]:
            del self._in_work[network]
        task.served()
        self._give_out()

    def shutdown(self, timeout: float = 2) -> None:
        """End all threads, waiting at most `timeout` seconds for what they are serving."""
        self._waiting.clear()
        for _ in self.threads:
            self._given.put(None)
        deadline = time.monotonic() + timeout
        for thread in self.threads:
            thread.join(max(0.0, deadline - time.monotonic()))


if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

logger = logging.getLogger(__name__)

# What makes a lost connection end, as far as this system has it: data unanswered for 10 s, else unanswered probes.
HANGUP_NAMES = {"TCP_USER_TIMEOUT": 10_000, "TCP_KEEPIDLE": 15, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}
HANGUP_OPTIONS = [
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    *((socket.IPPROTO_TCP, getattr(socket, name), at) for name, at in HANGUP_NAMES.items() if hasattr(socket, name)),
]

# Open connections besides streams: a browser opens six, and a family of twelve may come through one address.
PER_SENDER = 72
ACCEPTED_AT_ONCE = 32  # in one turn of the loop, which then reads what all others have sent
WAITING = 40  # connections above their limit with which no other is accepted: they wait in the system's queue

HAS_POLL = hasattr(select, "poll")
MOST_STREAMS = 8000
MOST_OTHERS = 600  # connections besides streams: a browser opens six, and keeps them for a minute
FILES_BESIDE = 100  # that the process has open besides connections
FILES_OF_A_CONNECTION = 2  # itself, and a file that its client has not read yet; a stream sends none
HAS_EPOLL = hasattr(selectors, "EpollSelector")
POLL = wasyncore.poll2 if HAS_POLL else wasyncore.poll

BELIEVED = {"x-forwarded-for", "x-forwarded-proto"}
"""The address of the client and its scheme; the name of the host is the request's own header Host."""

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


@dataclass(frozen=True)
class Capacity:
    """How many streams there may be, and how many connections besides them."""

    streams: int
    others: int

    @classmethod
    def of_system(cls) -> Capacity:
        """Return what this process may have, after asking the system for as many open files as are of use."""
        if not HAS_POLL:
            return cls(streams=240, others=200)  # on Windows select() watches 512 sockets, whatever else is allowed
        return cls.for_files(files_allowed(MOST_STREAMS + FILES_OF_A_CONNECTION * MOST_OTHERS + FILES_BESIDE))

    @classmethod
    def for_files(cls, files: int) -> Capacity:
        """Return how many of each there may be with so many open files: half of few are for streams."""
        left = max(0, files - FILES_BESIDE)
        others = min(MOST_OTHERS, left // 2 // FILES_OF_A_CONNECTION)
        return cls(min(MOST_STREAMS, left - FILES_OF_A_CONNECTION * others), others)


def files_allowed(wanted: int) -> int:
    """Return how many files this process may have open, after asking the system for so many."""
    try:
        import resource  # noqa: PLC0415 - not on Windows, which has no such limit
    except ImportError:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(
                resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
            )
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return wanted if soft == resource.RLIM_INFINITY else soft


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


def believe_proxies(app: WSGIApplication, proxies: Collection[str]) -> WSGIApplication:
    """Return an app that believes a proxy's headers of client and scheme, and removes them from other addresses."""
    from_stranger: WSGIApplication = proxy_headers_middleware(app)
    if not proxies:
        return from_stranger
    from_proxy: WSGIApplication = proxy_headers_middleware(
        app, trusted_proxy="*", trusted_proxy_count=1, trusted_proxy_headers=BELIEVED
    )

    def app_behind_proxies(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        is_proxy = environ.get("REMOTE_ADDR") in proxies
        return (from_proxy if is_proxy else from_stranger)(environ, start_response)

    return app_behind_proxies


class QuietStreams:
    """What the server's loop sees of streams that were sent everything: one file that can be read when any of them can.

    waitress asks every connection in every turn of its loop what it waits for, which with 8,000 streams took 10 ms a
    turn and 60 ms an event. epoll keeps the list itself, and is in turn watched as one file. Without epoll, as on
    Windows, all streams stay in the loop. Used by that loop only.
    """

    accepting = False

    def __init__(self, in_loop: dict[int, Any], active: dict[int, Any]) -> None:
        self._in_loop, self._active = in_loop, active  # waitress's own lists of what it watches, and of connections
        self._selector = selectors.EpollSelector() if HAS_EPOLL else None
        self.streams: dict[int, HttpConnection] = {}
        if self._selector:
            in_loop[self._selector.fileno()] = self

    def add(self, stream: HttpConnection) -> None:
        """Watch a stream here, and no more in the loop."""
        number = stream.socket.fileno()
        if self._selector and self._active.get(number) is stream:
            del self._in_loop[number], self._active[number]
            self.streams[number], stream.quiet_file = stream, number
            self._selector.register(number, selectors.EVENT_READ, stream)

    def discard(self, stream: HttpConnection) -> bool:
        """Watch it here no more; return whether it was watched here."""
        number, stream.quiet_file = stream.quiet_file, None
        if number is None or not self._selector:
            return False
        self._selector.unregister(number)
        del self.streams[number]
        return True

    # What waitress's loop asks of everything that it watches

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return False

    def handle_read_event(self) -> None:
        """Give back to the loop what can be read, have it read, and take it again if nothing came of it."""
        for key, _ in self._selector.select(0) if self._selector else ():
            stream: HttpConnection = key.data
            stream.leave_quiet()
            wasyncore.read(stream)
            stream.become_quiet()

    def handle_write_event(self) -> None:
        """Nothing is written here."""

    handle_expt_event = handle_close = handle_write_event

    def handle_error(self) -> None:
        """Called by waitress when something above has failed, which closes no stream."""
        logger.exception("the list of quiet streams can't be read")  # noqa: LOG004 - waitress is handling it

    def close(self) -> None:
        if self._selector:
            self._selector.close()


class Server(TcpWSGIServer):  # type: ignore[misc]
    """Serves an application on a listening socket until `stop()` or a signal, then ends whatever is still running."""

    channel_class = HttpConnection
    scheme = "http"
    next_channel_cleanup = float("inf")  # waitress goes by the time of day; readable() goes by the monotonic clock

    def __init__(
        self,
        app: WSGIApplication,
        sock: socket.socket,
        *,
        end_streams: Callable[[], None] = lambda: None,
        body_limit: BodyLimit = lambda _path, _cookies, _authorization: BODY_LIMIT,
        proxies: Collection[str] = (),
        most_open: int = MOST_OTHERS,
    ) -> None:
        """`proxies` are the addresses of proxies before this server, which are believed where a client comes from."""
        # This machine's own connections are not counted, nor are those of proxies.
        self.unlimited = THIS_MACHINE | set(map(sender_of, proxies))
        self.thread_pool = FairThreadPool(self.call_soon, unlimited=self.unlimited)
        self._stopping = False
        self._end_streams = end_streams
        self._maintenance_at = 0.0
        self._callbacks: deque[Callable[[], None]] = deque()
        self.most_open = most_open  # connections besides streams: what has been idle the longest then makes room
        self.streams: set[HttpConnection] = set()
        self.proxies = proxies
        # waitress's own removes what proxies say, or believes one address: believe_proxies() does both for several.
        adjustments = Adjustments(sockets=[sock], url_scheme=self.scheme, clear_untrusted_proxy_headers=False, **LIMITS)
        adjustments.body_limit = body_limit  # for the parser of a request, which has the adjustments only
        where = (sock.family, sock.type, sock.proto, sock.getsockname())
        super().__init__(
            believe_proxies(app, proxies),
            {},
            _sock=sock,
            dispatcher=self.thread_pool,
            adj=adjustments,
            bind_socket=False,
            sockinfo=where,
        )
        self.quiet_streams = QuietStreams(self._map, self.active_channels)

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
            self.thread_pool.shutdown()
            for channel in self.connections():
                channel.handle_close()  # what a slow client has not taken may be in a temporary file
            wasyncore.close_all(self._map)

    def connections(self) -> list[HttpConnection]:
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

    def handle_accept(self) -> None:
        """Take the connections that wait; where there are then too many, end one of the sender with too many."""
        for _ in range(ACCEPTED_AT_ONCE):
            before = next(reversed(self.active_channels.values()), None)
            super().handle_accept()
            newest = next(reversed(self.active_channels.values()), None)
            if newest is None or newest is before:
                return
            self._make_room(newest)

    def _make_room(self, newest: HttpConnection) -> None:
        """Close a connection of the newest one's sender, or if there are too many in all of the network with the most.

        A flood by many addresses of a network, with few connections each, takes none from a browser with six.
        """
        is_ready = getattr(newest.socket, "is_ready", True)
        if newest.heard_at is None and not newest.requests and not is_ready:
            newest.heard_at = time.monotonic()  # agreeing on TLS counts as the head of the first request
        others = [channel for channel in self.active_channels.values() if not channel.is_stream]
        sender = sender_of(newest.addr[0])
        same = [channel for channel in others if sender_of(channel.addr[0]) == sender]
        if len(same) <= PER_SENDER or sender in self.unlimited:
            if self.count_others() <= self.most_open or not others:
                return
            networks = {channel: network_of(sender_of(channel.addr[0])) for channel in others}
            ((network, _),) = Counter(networks.values()).most_common(1)
            same = [channel for channel in others if networks[channel] == network]
        close_idlest(same, is_limit=sender_of(same[0].addr[0]) not in self.unlimited)

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
    """Close the connection longest without a request, or where none is idle and `is_limit`, the newest."""
    idle = [connection for connection in connections if not connection.requests]
    if not idle and is_limit:
        idle = [connections[-1]]
    if idle:
        min(idle, key=lambda connection: connection.last_activity).handle_close()


def close_largest_body(connections: Sequence[HttpConnection]) -> bool:
    """Close the oldest request of the network with the most bytes of bodies, but no import; return whether one was."""
    held: Counter[str] = Counter()
    for connection in connections:
        held[network_of(sender_of(connection.addr[0]))] += connection.body_bytes
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
    max(
        unfinished, key=lambda one: (held[network_of(sender_of(one.addr[0]))], now - (one.heard_at or now))
    ).handle_close()
    return True
