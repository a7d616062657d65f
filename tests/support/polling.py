"""Wait for what another thread does."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for something that happens in another thread; gives up after a minute."""
    moment = threading.Event()
    for _ in range(6000):
        if is_so():
            return
        moment.wait(0.01)
    pytest.fail("it did not happen")
