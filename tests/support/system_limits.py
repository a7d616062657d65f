"""What a system lets a process have: no more threads, as a phone at its limit; so many open files."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

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


MANY = 4096


@contextmanager
def many_open_files() -> Iterator[None]:
    """Let this process have MANY files open, or as many as it may; skips the test where that can't be said."""
    resource = pytest.importorskip("resource")  # Windows has none
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before[0], min(before[1], MANY)), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)
