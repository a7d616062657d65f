"""How much memory the process holds on to, where the system's C library lets itself be told."""

from __future__ import annotations

import ctypes
from contextlib import suppress

M_ARENA_MAX = -8  # of glibc's malloc.h


def keep_memory_together() -> None:
    """Let all threads share one pool of memory: with one for each, a table of eight phones takes 5 MB more."""
    with suppress(AttributeError, OSError, TypeError):  # a system without this setting
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)


def give_memory_back() -> None:
    """Give the system back what is free, as after loading a lot: by itself the library keeps it for later."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
