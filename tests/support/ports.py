"""Ports for servers that are told theirs, because they come back at the same one after they were killed."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tracker.server.server import listen

COUNT = 12_000


def free_port() -> int:
    """Return a port that no other test is given, and that no program gets for a connection of its own."""
    return next(_PORTS)


def _first_of_connections() -> int:
    """Where the ports begin that the system hands out by itself, also to a connection between our look and our use."""
    with suppress(OSError, ValueError):
        return int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text("ascii").split()[0])
    return 49152 if sys.platform == "darwin" else 32768


def _ports() -> Iterator[int]:
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    share = COUNT // workers
    first = _first_of_connections() - COUNT + worker * share
    begin = os.getpid() * 100  # two runs at the same time hardly meet
    while True:
        for number in range(begin, begin + share):
            port = first + number % share
            with listen("0.0.0.0", port, tries=1) as sock:
                is_free = sock.getsockname()[1] == port
            if is_free:
                yield port


_PORTS = _ports()
