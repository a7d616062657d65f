"""The threads that serve requests, as many as there is work for."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from waitress.task import ThreadedTaskDispatcher

from tracker.server.startup import share_free_memory, switch_threads_often

FEWEST_THREADS, MOST_THREADS = 4, 64  # an open stream needs none
IDLE_SECONDS = 20.0  # after which a thread that is not needed ends


class ElasticThreadPool(ThreadedTaskDispatcher):  # type: ignore[misc]
    """Worker threads that come when they are needed and go when they are not."""

    def __init__(self, fewest: int = FEWEST_THREADS, most: int = MOST_THREADS) -> None:
        share_free_memory()
        switch_threads_often()
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
                with suppress(RuntimeError):  # the system gives no more threads: one of those that run takes the task
                    self.start_new_thread(self.handler_thread, number)
                    self.threads.add(number)
                    self.active_count += 1
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
