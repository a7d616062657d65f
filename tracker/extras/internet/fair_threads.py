"""Threads that serve the networks of clients by turns: whoever asks for much waits for its own requests."""

from __future__ import annotations

import ctypes
import logging
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Collection
from contextlib import suppress
from queue import SimpleQueue
from typing import Protocol

from tracker.server.server import THREADS

logger = logging.getLogger(__name__)

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
    """A connection with a request to be served; when it is, the server's loop calls `FairThreadPool.end`."""

    @property
    def client_network(self) -> str: ...
    @property
    def connected(self) -> bool: ...
    def service(self) -> None: ...


class FairThreadPool:
    """Serves one request of each network in turn.

    The server's loop alone decides which request is next: it calls every method, and takes no lock for it. A thread
    gets a request from a SimpleQueue.
    """

    def __init__(self, unlimited: Collection[str] = ()) -> None:
        """Networks in `unlimited` may take all threads."""
        sys.setswitchinterval(SWITCH_SECONDS)
        share_one_heap()
        self._unlimited = unlimited
        self._waiting: dict[str, deque[PoolTask]] = {}  # the network whose turn is next comes first
        self._in_work: dict[PoolTask, str] = {}  # and the network that it is counted for
        self._given: SimpleQueue[PoolTask | None] = SimpleQueue()
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
        return len(self._in_work)

    def add_task(self, task: PoolTask) -> None:
        """Serve a connection's request when its turn has come."""
        self._waiting.setdefault(task.client_network, deque()).append(task)
        self._give_out()

    def _give_out(self) -> None:
        """Give waiting requests to threads, one of each network in turn."""
        in_work, unlimited = Counter(self._in_work.values()), self._unlimited
        while self._waiting and self.active_count < len(self.threads):
            free = (one for one in self._waiting if in_work[one] < PER_NETWORK_IN_WORK or one in unlimited)
            network = next(free, None)
            if network is None:
                return
            tasks = self._waiting.pop(network)
            task = tasks.popleft()
            if tasks:
                self._waiting[network] = tasks
            if task.connected:
                in_work[network] += 1
                self._in_work[task] = network
                self._given.put(task)

    def _serve(self) -> None:
        """Serve what is given out until the end; runs in each of the threads."""
        while task := self._given.get():
            try:
                task.service()
            except BaseException:  # a thread that ended would be missed for good
                logger.exception("a request has failed")
            del task  # or an idle thread would keep the connection and its buffers

    def end(self, task: PoolTask) -> None:
        """Count a request as served, and let others have their turns."""
        del self._in_work[task]
        self._give_out()

    def shutdown(self, timeout: float = 2) -> None:
        """End all threads, waiting at most `timeout` seconds for what they are serving."""
        self._waiting.clear()
        for _ in self.threads:
            self._given.put(None)
        deadline = time.monotonic() + timeout
        for thread in self.threads:
            thread.join(max(0.0, deadline - time.monotonic()))
