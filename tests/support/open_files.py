"""How many files and connections a test's process may have open: of a user who is not root often 1,024."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

MANY = 4096


@contextmanager
def many_open_files() -> Iterator[None]:
    """Let this process have MANY files open, or as many as it may; skips the test where that can't be said."""
    resource = pytest.importorskip("resource")  # Windows has none
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before[0], min(before[1], MANY)), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)
