"""Listen to what other processes change in the database, on a connection and in a thread of its own."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import psycopg
from psycopg import sql

from tracker.storage.database import EVERYTHING, POSSIBLY_EVENTS, Change
from tracker.storage.errors import Unreadable
from tracker.storage.postgres.pool import connect, readable

CHECK_SECONDS = 1.0
"""Between two looks at the numbers of events, which a process that was killed may not have told."""
RETRY_SECONDS = 0.3


def payload_of(name: str, change: Change) -> str:
    """Return the text that tells a change: the name of the process, the kind and the night's code."""
    return f"{name} {change.kind} {change.code}"


class Listener:
    """Calls `changed` with every change of another process; after a lost connection with EVERYTHING."""

    def __init__(self, url: str, channel: str, own_name: str, changed: Callable[[Change], None]) -> None:
        self._url, self._channel, self._own_name, self._changed = url, channel, own_name, changed
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
        self._stop_read, self._stop_write = socket.socketpair()
        self._is_stopped = False
        self._is_listening = threading.Event()

    def start(self, wait_seconds: float = 3.0) -> None:
        """Start the thread, and return when it listens, or after some seconds when the server does not answer."""
        self._thread.start()
        self._is_listening.wait(wait_seconds)

    def stop(self) -> None:
        """End the thread."""
        self._is_stopped = True
        self._stop_write.send(b"x")
        if threading.current_thread() is not self._thread:
            self._thread.join()
            self._stop_read.close()
            self._stop_write.close()

    def _run(self) -> None:
        while not self._is_stopped:
            with suppress(psycopg.Error, OSError, Unreadable), connect(self._url) as link:
                link.execute(sql.SQL("LISTEN {}").format(sql.Identifier(self._channel)))
                if self._is_listening.is_set():
                    self._changed(EVERYTHING)
                self._is_listening.set()
                for change in self._changes(link):
                    self._changed(change)
            if not self._is_stopped:
                readable(self._stop_read.fileno(), seconds=RETRY_SECONDS)

    def _changes(self, link: psycopg.Connection[tuple[object, ...]]) -> Iterator[Change]:
        """Yield each change of another process, until the thread is to end. Raises psycopg.Error."""
        check_at = time.monotonic() + CHECK_SECONDS
        while not self._is_stopped:
            stop, left = self._stop_read.fileno(), max(0.0, check_at - time.monotonic())
            ready = readable(link.fileno(), stop, seconds=left)
            if time.monotonic() >= check_at:  # by the clock: in a large club there is always something to read
                check_at = time.monotonic() + CHECK_SECONDS
                yield POSSIBLY_EVENTS
            if ready and stop not in ready:
                link.pgconn.consume_input()
                while note := link.pgconn.notifies():
                    name, kind, code = [*note.extra.decode().split(" ", 2), "", ""][:3]
                    if name != self._own_name:
                        yield Change(kind, code)
