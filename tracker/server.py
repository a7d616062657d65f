"""The web server: waitress with a thread for every open stream, limits for strangers, and an end that comes at once."""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING, Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

FEWEST_THREADS, MOST_THREADS = 8, 288  # streams hold a thread each, so there is room for all of them and then some
IDLE_SECONDS = 20.0  # after which a thread that is not needed ends

# What makes a lost connection end, as far as this system has it: data unanswered for 10 s, else unanswered probes.
HANGUP_NAMES = {"TCP_USER_TIMEOUT": 10_000, "TCP_KEEPIDLE": 15, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}
HANGUP_OPTIONS = [(getattr(socket, name), value) for name, value in HANGUP_NAMES.items() if hasattr(socket, name)]

HEADER_SECONDS, REQUEST_SECONDS = 8.0, 30.0  # for sending the head of a request, and all of it
PER_ADDRESS = 64  # open connections; a browser opens six, and a family may come through one address

HERE = "127."  # this machine's own connections are not counted

POLL = wasyncore.poll2 if hasattr(select, "poll") else wasyncore.poll  # select() can't watch this many on some systems

LIMITS = {
    "connection_limit": 640,
    "max_request_header_size": 16 * 1024,
    "max_request_body_size": 2 * 1024 * 1024,  # the largest night file; pages set far smaller limits of their own
    "inbuf_overflow": 4 * 1024 * 1024,  # above the body limit, so that no body ever makes a temporary file
    "outbuf_high_watermark": 256 * 1024,  # a slow phone holds up its own stream, not the memory
    "channel_timeout": 60,
    "cleanup_interval": 2,
    "channel_request_lookahead": 1,  # keeps reading while a stream runs, which is how a hang-up is noticed
    "log_socket_errors": False,
    "ident": "board-tracker",
}


def listen(host: str, port: int, tries: int = 20) -> socket.socket:
    """Return a listening socket on the port, or on the next free one. Raises OSError when the host is not ours."""
    for number in [*range(port, min(port + tries, 65536)), 0]:
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            if sys.platform != "win32":  # where it would let two servers share a port
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((host, number))
            sock.listen(256)
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


class Crew(ThreadedTaskDispatcher):  # type: ignore[misc]
    """Worker threads that come when they are needed and go when they are not."""

    def __init__(self, fewest: int = FEWEST_THREADS, most: int = MOST_THREADS) -> None:
        super().__init__()
        self._fewest, self._most = fewest, most
        self.set_thread_count(fewest)

    def add_task(self, task: Any) -> None:
        """Queue a task, with one more thread when all are busy."""
        with self.lock:
            self.queue.append(task)
            running = len(self.threads) - self.stop_count
            if len(self.queue) > running - self.active_count and running < self._most:
                number = next(number for number in range(len(self.threads) + 1) if number not in self.threads)
                self.threads.add(number)
                self.active_count += 1
                self.start_new_thread(self.handler_thread, number)
            self.queue_cv.notify()

    def handler_thread(self, thread_no: int) -> None:
        """Serve tasks until told to stop, or idle for a while with others enough."""
        while (task := self._next_task(thread_no)) is not None:
            try:
                task.service()
            except Exception:
                self.logger.exception("a task has failed")

    def _next_task(self, thread_no: int) -> Any:
        with self.lock:
            while not self.queue and not self.stop_count:
                spare = len(self.threads) > self._fewest
                self.active_count -= 1
                woken = self.queue_cv.wait(IDLE_SECONDS if spare else None)
                self.active_count += 1
                if not woken and not self.queue and not self.stop_count and len(self.threads) > self._fewest:
                    return self._go(thread_no)
            if self.stop_count:
                self.stop_count -= 1
                return self._go(thread_no)
            return self.queue.popleft()

    def _go(self, thread_no: int) -> None:
        self.active_count -= 1
        self.threads.discard(thread_no)
        self.thread_exit_cv.notify()

    def shutdown(self, cancel_pending: bool = True, timeout: float = 2) -> bool:
        """End all threads; return whether none is left after `timeout` seconds."""
        return bool(super().shutdown(cancel_pending, timeout))


class Channel(HTTPChannel):  # type: ignore[misc]
    """One connection. Says when it ends in the middle of an answer, as every stream does."""

    heard_at: float | None = None  # since when an unfinished request has been coming in

    def received(self, data: bytes) -> bool:
        """Take in data, and keep the time when an unfinished request began."""
        taken: bool = super().received(data)
        if self.request is None:
            self.heard_at = None
        elif self.heard_at is None:
            self.heard_at = time.monotonic()
        return taken

    def handle_close(self) -> None:
        """Close, and wake the stream that was being written."""
        was_serving = bool(self.requests)
        super().handle_close()
        if was_serving:
            self.server.on_hangup()

    def is_late(self, now: float) -> bool:
        """Return whether the client takes too long over its request."""
        if self.heard_at is None:
            return False
        allowed = REQUEST_SECONDS if self.request is not None and self.request.headers_finished else HEADER_SECONDS
        return now - self.heard_at > allowed


class Server(TcpWSGIServer):  # type: ignore[misc]
    """Serves an application on a listening socket until `stop()` or a signal, then ends whatever is still running."""

    channel_class = Channel

    def __init__(
        self,
        app: WSGIApplication,
        sock: socket.socket,
        *,
        end_streams: Callable[[], None] = lambda: None,
        on_hangup: Callable[[], None] = lambda: None,
    ) -> None:
        self.crew = Crew()
        self._stopping = False
        self._end_streams, self.on_hangup = end_streams, on_hangup
        adjustments = Adjustments(sockets=[sock], **LIMITS)
        where = (sock.family, sock.type, sock.proto, sock.getsockname())
        super().__init__(app, {}, _sock=sock, dispatcher=self.crew, adj=adjustments, bind_socket=False, sockinfo=where)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.effective_port)

    def run(self) -> None:
        """Serve. Returns when everything has ended, within about two seconds of `stop()`."""
        try:
            while not self._stopping:
                POLL(2.0, self._map)
        finally:
            if threading.current_thread() is threading.main_thread():
                signal.set_wakeup_fd(-1)
            self._end_streams()
            self.crew.shutdown()
            wasyncore.close_all(self._map)

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

        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), on_signal)
        # A signal that comes just before the loop begins to wait would be seen only when the wait is over.
        wake = self.trigger.trigger
        if isinstance(wake, int):
            os.set_blocking(wake, False)
            signal.set_wakeup_fd(wake, warn_on_full_buffer=False)

    def handle_accept(self) -> None:
        """Take a connection; an address that then holds too many loses the one that has been idle the longest."""
        super().handle_accept()
        newest = next(reversed(self.active_channels.values()), None)
        if newest is None or newest.addr[0].startswith(HERE):
            return
        same = [channel for channel in self.active_channels.values() if channel.addr[0] == newest.addr[0]]
        if len(same) > PER_ADDRESS:
            idle = [channel for channel in same if not channel.requests]
            min(idle, key=lambda channel: float(channel.last_activity)).handle_close()

    def set_socket_options(self, conn: socket.socket) -> None:
        """Notice a phone that vanished: by unanswered data where the system can, else by unanswered probes."""
        super().set_socket_options(conn)
        for option, value in HANGUP_OPTIONS:
            conn.setsockopt(socket.IPPROTO_TCP, option, value)
        conn.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

    def maintenance(self, now: float) -> None:
        """Close connections that are idle for long, and those that dawdle over a request."""
        super().maintenance(now)
        moment = time.monotonic()
        for channel in list(self.active_channels.values()):
            if channel.is_late(moment):
                channel.handle_close()
