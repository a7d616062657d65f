"""A connection of a stranger, and the streams to which nothing is to be sent: epoll watches them, not the loop."""

from __future__ import annotations

import logging
import selectors
from typing import Any

from waitress import wasyncore

from tracker.formats.sender import network_of, sender_of
from tracker.server.connection import DiscardedBody, HttpConnection, RequestParser

logger = logging.getLogger(__name__)

HAS_EPOLL = hasattr(selectors, "EpollSelector")


class PublicConnection(HttpConnection):
    """One connection of a client whose network has its turns, and whose stream is watched by the system while quiet."""

    quiet_file: int | None = None  # under which file number the stream is among the quiet ones

    @property
    def client_network(self) -> str:
        """Whose turn the pending request is: the network of the address that a proxy of ours names, or of the peer."""
        address = str(self.addr[0])
        if address in self.server.proxies and self.requests:
            address = self.requests[0].headers.get("X_FORWARDED_FOR", address).rpartition(",")[2].strip()
        sender = sender_of(address)
        return sender if sender in self.server.unlimited else network_of(sender)

    @property
    def body_bytes(self) -> int:
        """Bytes of bodies in memory: of the request that is coming in, and of the one that is pending."""
        return sum(map(kept_bytes, [*self.requests, *([self.request] if self.request else [])]))

    def parse(self) -> None:
        super().parse()
        if self.request is not None and kept_bytes(self.request):
            self.server.keep_bodies_in_budget()

    def served(self) -> None:
        self.server.thread_pool.end(self)
        super().served()

    def service(self) -> None:
        super().service()
        if self.is_stream:
            self.server.call_soon(self._begin_stream)

    def _begin_stream(self) -> None:
        if self.connected:
            self.server.streams.add(self)
            self.become_quiet()

    def handle_write(self) -> None:
        super().handle_write()
        if self.is_stream and self.is_free:
            self.become_quiet()

    def handle_close(self) -> None:
        self.server.quiet_streams.discard(self)
        self.server.streams.discard(self)
        super().handle_close()

    def become_quiet(self) -> None:
        """Leave the loop of the server while there is nothing to send; called by that loop."""
        with self.outbuf_lock:  # who has something to send appends it under the same lock, and wakes the loop after it
            is_unfinished = self.writable() or not self.readable() or self.heard_at is not None
            if self.is_stream and self.connected and not is_unfinished:
                self.server.quiet_streams.add(self)

    def leave_quiet(self) -> None:
        """Be watched by the loop of the server again; called by that loop."""
        if self.server.quiet_streams.discard(self):
            self.add_channel()

    def wake(self) -> None:
        self.server.call_soon(self.leave_quiet)


def kept_bytes(request: RequestParser) -> int:
    """Return how many bytes of a request's body are in memory."""
    body = request.body_rcv
    return 0 if body is None or isinstance(body, DiscardedBody) else int(request.body_bytes_received)


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
        self.streams: dict[int, PublicConnection] = {}
        if self._selector:
            in_loop[self._selector.fileno()] = self

    def add(self, stream: PublicConnection) -> None:
        """Watch a stream here, and no more in the loop."""
        number = stream.socket.fileno()
        if self._selector and self._active.get(number) is stream:
            del self._in_loop[number], self._active[number]
            self.streams[number], stream.quiet_file = stream, number
            self._selector.register(number, selectors.EVENT_READ, stream)

    def discard(self, stream: PublicConnection) -> bool:
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
            stream: PublicConnection = key.data
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
