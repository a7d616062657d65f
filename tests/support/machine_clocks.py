"""The command on a machine that was booted so long ago, whose clock is wrong, and set while it runs."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.ports import free_port
from support.server_process import ServedCommand, serve_program

SINCE_BOOT = """
import sys, time
uptime, real = float(sys.argv.pop(1)), time.monotonic
began = real()
time.monotonic = lambda: real() - began + uptime
from tracker.__main__ import main
main()
"""
YEAR = 365 * 24 * 3600
UPTIMES = (0, 5, 99, 936, 9_400, 99_500, 1_000_000)
"""Seconds since the machine was booted, around which numbers are compared wrongly as texts, or taken for nothing."""


def faketime() -> Path | None:
    """Return the library that stands between a program and the machine's clock, or None."""
    folders = ("/usr/lib", "/usr/local/lib")
    return next((path for folder in folders for path in Path(folder).rglob("libfaketimeMT.so.1")), None)


def faked(clock: Path) -> dict[str, str]:
    """Return the environment in which a program's clock is as far off as the file says; skip where that can't be."""
    if (library := faketime()) is None:
        pytest.skip("libfaketime is not on this machine")
    faked = {"LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1"}
    # Without the second, a thread that waits for another reads the clock's file all the time instead of sleeping.
    return faked | {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_FORCE_MONOTONIC_FIX": "0"}


class MachineClock:
    """The clock of the machine that serves: right until it is set."""

    def __init__(self, file: Path) -> None:
        self.file, self.is_faked = file, faketime() is not None
        self.set_to(0)

    def set_to(self, seconds: int) -> None:
        """Have it go wrong by so many seconds from now on."""
        beside = self.file.with_suffix(".new")
        beside.write_text(f"{seconds:+}", encoding="utf-8")
        beside.replace(self.file)


@contextmanager
def served_since_boot(folder: Path, uptime: float, clock: MachineClock, *options: str) -> Iterator[ServedCommand]:
    """Serve a folder on a machine that was booted so many seconds before."""
    arguments = ["--port", str(free_port()), "--no-browser", "--data", str(folder), *options]
    program = [sys.executable, "-c", SINCE_BOOT, str(uptime), "serve", *arguments]
    with serve_program(program, faked(clock.file) if clock.is_faked else {}) as served:
        yield served
