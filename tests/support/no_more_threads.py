"""A system that gives no more threads, as a phone's does at its limit."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

STACK_BYTES = 1 << 46
"""No process has the address space for a stack of this size."""


@contextmanager
def no_more_threads() -> Iterator[None]:
    """Have the system refuse every new thread of this process while the body runs."""
    before = threading.stack_size(STACK_BYTES)
    try:
        yield
    finally:
        threading.stack_size(before)
