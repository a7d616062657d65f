"""Wait for what another thread or another process does, with a limit."""

import subprocess
import threading
from collections.abc import Callable

import pytest

START_SECONDS = 120.0
"""How long a program may take to say something on a busy machine."""


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for something that happens in another thread; gives up after a minute."""
    moment = threading.Event()
    for _ in range(6000):
        if is_so():
            return
        moment.wait(0.01)
    pytest.fail("it did not happen")


def read_until(program: subprocess.Popen[str], words: str) -> str:
    """Return what a program prints up to the end of the line that completes `words`.

    AssertionError when its output ends before; START_SECONDS without those words end it by killing the program.
    """
    assert program.stdout is not None
    late = threading.Timer(START_SECONDS, program.kill)
    late.start()
    said = ""
    try:
        while words not in said:
            line = program.stdout.readline()
            assert line, f"{words!r} was not printed: {said}"
            said += line
    finally:
        late.cancel()
    return said
