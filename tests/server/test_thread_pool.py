"""The threads that serve requests, where the system gives no more of them."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from support.no_more_threads import no_more_threads
from support.polling import wait_until

from tracker.server.thread_pool import FEWEST_THREADS, ElasticThreadPool


class WaitingTask:
    """A task that lasts until it may end."""

    def __init__(self, may_end: threading.Event) -> None:
        self._may_end, self.is_done = may_end, False

    def service(self) -> None:
        self.is_done = self._may_end.wait(60)

    def cancel(self) -> None:
        """The pool ends."""


@pytest.fixture(name="pool")
def _pool() -> Iterator[ElasticThreadPool]:
    pool = ElasticThreadPool()
    yield pool
    assert pool.shutdown()
    assert not pool.threads


def test_a_thread_that_could_not_start_is_not_counted_and_its_task_is_served(pool: ElasticThreadPool) -> None:
    may_end = threading.Event()
    tasks = [WaitingTask(may_end) for _ in range(3 * FEWEST_THREADS)]
    with no_more_threads():
        for task in tasks:
            pool.add_task(task)
    assert len(pool.threads) == FEWEST_THREADS
    may_end.set()
    wait_until(lambda: all(task.is_done for task in tasks))
    wait_until(lambda: pool.active_count == 0)


def test_there_are_more_threads_as_soon_as_the_system_gives_them_again(pool: ElasticThreadPool) -> None:
    may_end = threading.Event()
    tasks = [WaitingTask(may_end) for _ in range(3 * FEWEST_THREADS)]
    with no_more_threads():
        for task in tasks[: 2 * FEWEST_THREADS]:
            pool.add_task(task)
    for task in tasks[2 * FEWEST_THREADS :]:
        pool.add_task(task)
    assert len(pool.threads) == 2 * FEWEST_THREADS
    may_end.set()
    wait_until(lambda: all(task.is_done for task in tasks))
