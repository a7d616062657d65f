"""Streams that have been sent everything: the server's loop leaves them to the system until one has something to read.

waitress asks every connection in every turn of its loop what it waits for, which with 8,000 streams took 10 ms a turn
and 60 ms an event. epoll keeps the list itself, and is in turn watched as one file. Without epoll, as on Windows, all
streams stay in the loop.
"""

from __future__ import annotations

import logging
import selectors
from typing import TYPE_CHECKING, Any

from waitress import wasyncore

if TYPE_CHECKING:
    from tracker.server.connection import HttpConnection

logger = logging.getLogger(__name__)
HAS_EPOLL = hasattr(selectors, "EpollSelector")


class QuietStreams:
    """What the server's loop sees of them: one file that can be read when any of them can. Used by that loop only."""

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
        """Close the list."""
        if self._selector:
            self._selector.close()
