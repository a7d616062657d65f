"""One connection to the server: its requests, a stream that is pushed to it, and how long it may take over either."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from waitress.channel import HTTPChannel
from waitress.task import WSGITask

from tracker.streams import Handle

HEADER_SECONDS, REQUEST_SECONDS = 8.0, 30.0  # for sending the head of a request, and all of it
STUCK_SECONDS = 20.0  # after which a client that takes none of what is waiting for it is left to itself
HAND_OVER = "tracker.hand_over"
"""Under this name a request's environment has what takes over its stream (tracker.streams.HandOver)."""


class HandedOver(BaseException):
    """The request is not done: its answer goes on as a stream. Passes by what would end or repeat the answer."""

    def __init__(self, stream: Handle, *, is_chunked: bool) -> None:
        super().__init__()
        self.stream, self.is_chunked = stream, is_chunked


class Task(WSGITask):  # type: ignore[misc]
    """One request. Its answer may be a stream, which then goes on without a thread."""

    stream: Handle | None = None

    def get_environment(self) -> dict[str, Any]:
        """Return the request as the app gets it."""
        environ: dict[str, Any] = super().get_environment()
        if getattr(self.channel.socket, "is_plain", False):  # it came without TLS to a server that has it
            environ["wsgi.url_scheme"] = "http"
        environ[HAND_OVER] = self.hand_over
        return environ

    def hand_over(self, stream: Handle) -> None:
        """Leave the rest of the answer to the connection."""
        self.stream = stream

    def finish(self) -> None:
        """End the answer, or raise HandedOver."""
        if self.stream:
            raise HandedOver(self.stream, is_chunked=self.chunked_response)
        super().finish()


class Connection(HTTPChannel):  # type: ignore[misc]
    """One connection. Where a stream is pushed to, nothing else is asked any more."""

    task_class = Task
    heard_at: float | None = None  # since when an unfinished request has been coming in
    full_since, sent_at = 0.0, 0.0  # since when nothing of what is waiting could be sent, and what was sent last
    _stream: Handle | None = None
    _is_chunked = False

    def handle_read(self) -> None:
        """Take in what has come; with TLS that may be nothing yet."""
        try:
            data = self.recv(self.adj.recv_bytes)
        except BlockingIOError:
            if self.request is None and getattr(self.socket, "is_ready", False):
                self.heard_at = None  # they have agreed, and no request has begun
            return
        except OSError:
            self.handle_close()
            return
        if data:
            self.last_activity = time.time()
            self.received(data)
        else:
            self.connected = False

    def received(self, data: bytes) -> bool:
        """Take in data, and keep the time when an unfinished request began."""
        taken: bool = super().received(data)
        if self.request is None:
            self.heard_at = None
        elif self.heard_at is None:
            self.heard_at = time.monotonic()
        return taken

    def handle_write(self) -> None:
        """Send what is waiting. A stream may be pushed to by another thread meanwhile, so only one of them sends."""
        with self.outbuf_lock:
            super().handle_write()
        if self._stream and self.is_free:
            self._stream.catch_up()

    def handle_close(self) -> None:
        """Close, and forget the stream."""
        super().handle_close()
        stream, self._stream = self._stream, None
        if stream:
            stream.leave()

    # A stream, sent by whoever has news

    def service(self) -> None:
        """Answer a request; where that begins a stream, take its messages from now on.

        The request stays the one that is being answered, so what else is asked has to wait, and a hang-up is noticed.
        """
        try:
            super().service()
        except HandedOver as kept:
            self._stream, self._is_chunked = kept.stream, kept.is_chunked
            kept.stream.attach(self)
            if self.connected:
                self.server.pull_trigger()
            else:
                kept.stream.leave()

    @property
    def is_free(self) -> bool:
        """Whether the client has taken all that was sent."""
        return self.connected and not self.total_outbufs_len

    def push(self, data: bytes) -> None:
        """Send a message of the stream; what the client can't take at once waits."""
        self._put(b"%X\r\n%s\r\n" % (len(data), data) if self._is_chunked else data)

    def end(self, data: bytes) -> None:
        """Send what is left to say of the stream, then close."""
        if data:
            self.push(data)
        if self._is_chunked:
            self._put(b"0\r\n\r\n")
        self.close_when_flushed = True
        self.server.pull_trigger()

    def _put(self, data: bytes) -> None:
        with self.outbuf_lock:
            if not self.connected:
                return
            try:
                sent = 0 if self.total_outbufs_len else self._sent(data)
            except OSError:
                self._give_up()
                return
            if sent < len(data):
                self.outbufs[-1].append(data[sent:])
                self.total_outbufs_len += len(data) - sent
                self.server.pull_trigger()

    def _sent(self, data: bytes) -> int:
        """Return how much of it the system has taken."""
        sent = 0
        while sent < len(data) and (taken := self.send(data[sent:], do_close=False)):
            sent += taken
            self.last_activity = time.time()
        return sent

    def _give_up(self) -> None:
        self.will_close = True
        self.server.pull_trigger()

    # Who takes too long

    def is_late(self, now: float) -> bool:
        """Return whether the client takes too long over its request."""
        if self.heard_at is None:
            return False
        allowed = REQUEST_SECONDS if self.request is not None and self.request.headers_finished else HEADER_SECONDS
        return now - self.heard_at > allowed

    def is_stuck(self, now: float) -> bool:
        """Return whether the client has read nothing for long although something is waiting; asked again and again."""
        if not self.total_outbufs_len or self.last_activity != self.sent_at:
            self.full_since, self.sent_at = now, self.last_activity
        return now - self.full_since > STUCK_SECONDS


def close_idlest(connections: Sequence[Connection]) -> None:
    """Close the connection that has been without a request for the longest."""
    idle = [connection for connection in connections if not connection.requests]
    if idle:
        min(idle, key=lambda connection: float(connection.last_activity)).handle_close()
