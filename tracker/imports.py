"""Importing a lot at once, without stopping again and again to look for what is no longer needed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def kept() -> Iterator[None]:
    """Import what will stay: looking through it for rubbish costs a tenth of a start, and would go on all evening."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
