"""Open connections to a PostgreSQL server, each used by one thread at a time."""

from __future__ import annotations

import selectors
import threading
import time
from contextlib import suppress
from typing import Any, TypeAlias

import psycopg
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict

from tracker.storage.errors import Unreadable

Link: TypeAlias = psycopg.Connection[tuple[object, ...]]

MOST_CONNECTIONS = 8
WAIT_SECONDS = 10.0
"""For a connection that another thread gives back."""
CLOSE_SECONDS = 5.0
TIMES: dict[str, Any] = {
    "connect_timeout": 3,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # milliseconds: a server that vanished without a word is noticed
}


def connect(url: str, *, read_only: bool = False) -> Link:
    """Open a connection that loses no acknowledged commit. Raises psycopg.Error, Unreadable."""
    check_url(url)
    link = psycopg.connect(url, autocommit=True, client_encoding="utf8", application_name="board-tracker", **TIMES)
    try:
        link.execute("SET synchronous_commit = on")  # unless set, a server may acknowledge what isn't on its disk
        if read_only:
            link.execute("SET default_transaction_read_only = on")
        _check_settings(link)
        return link
    except BaseException:
        link.close()
        raise


def check_url(url: str) -> None:
    """Raise Unreadable for an address that can't be read; libpq's own sentence would repeat parts of the password."""
    try:
        numbers = [conninfo_to_dict(url).get(name) or 0 for name in ("port", "connect_timeout")]
        [int(number) for number in numbers]
    except (psycopg.Error, ValueError):
        raise Unreadable("the database can't be used: its address has to be like postgresql://user@host/name") from None


def _check_settings(link: Link) -> None:
    """Raise Unreadable for a server that may lose what it has acknowledged, or can't store every name."""
    row = link.execute("SELECT current_setting('fsync'), current_setting('server_encoding')").fetchone()
    fsync, encoding = row or ("", "")
    if fsync != "on":
        raise Unreadable("the database server runs with fsync = off: a power cut could lose what was recorded")
    if encoding != "UTF8":
        raise Unreadable(f"the database is in {encoding}: it has to be made with ENCODING 'UTF8'")


class Pool:
    """Connections that no thread uses at the moment; when there is none, a new one is opened."""

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        self._url, self._read_only = url, read_only
        self._idle: list[Link] = []
        self._slots = threading.Semaphore(MOST_CONNECTIONS)
        self._closed = False

    def take(self) -> Link:
        """Return a connection that works, for this thread alone. Raises psycopg.Error, RuntimeError when closed."""
        if self._closed:
            raise RuntimeError("the store is closed")
        if not self._slots.acquire(timeout=WAIT_SECONDS):
            raise psycopg.OperationalError("all connections to the database are in use")
        try:
            while True:
                try:
                    link = self._idle.pop()
                except IndexError:
                    return connect(self._url, read_only=self._read_only)
                if is_alive(link):
                    return link
                link.close()
        except BaseException:
            self._slots.release()
            raise

    def give_back(self, link: Link) -> None:
        """Take a connection back; one that is in the middle of a transaction is closed."""
        is_idle = not link.closed and link.info.transaction_status == pq.TransactionStatus.IDLE
        if is_idle and not self._closed:
            self._idle.append(link)
        else:
            with suppress(psycopg.Error):
                link.close()
        self._slots.release()

    def close(self) -> None:
        """Close every connection, after waiting a moment for those that are in use; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        until = time.monotonic() + CLOSE_SECONDS
        for _ in range(MOST_CONNECTIONS):
            self._slots.acquire(timeout=max(0.0, until - time.monotonic()))
        while self._idle:
            self._idle.pop().close()


def readable(*descriptors: int, seconds: float) -> set[int]:
    """Return which of these files can be read, waiting so long for one; `select` knows those below 1,024 alone."""
    with selectors.DefaultSelector() as selector:
        for descriptor in descriptors:
            selector.register(descriptor, selectors.EVENT_READ)
        return {key.fd for key, _ in selector.select(seconds)}


def is_alive(link: Link) -> bool:
    """Return whether an idle connection still works: a server that went away has closed it, which can be read here.

    It is read until it is empty: one that stopped in good order has sent a message before the end.
    """
    if link.closed:
        return False
    try:
        while readable(link.fileno(), seconds=0):
            link.pgconn.consume_input()
    except (psycopg.Error, OSError, ValueError):
        return False
    return link.pgconn.status == pq.ConnStatus.OK
