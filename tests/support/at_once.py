"""Steps taken by several threads at the same moment."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def at_once(steps: Sequence[Callable[[], T]]) -> list[T]:
    """Call all of these, each in a thread of its own, and return what they return; raises what one of them raises."""
    begin = threading.Barrier(len(steps))

    def run(step: Callable[[], T]) -> T:
        begin.wait()
        return step()

    with ThreadPoolExecutor(len(steps)) as pool:
        return list(pool.map(run, steps))
