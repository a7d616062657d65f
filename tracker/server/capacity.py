"""How many streams and other connections this system lets the server have."""

from __future__ import annotations

import select
from contextlib import suppress
from dataclasses import dataclass

HAS_POLL = hasattr(select, "poll")
MOST_STREAMS = 8000
MOST_OTHERS = 600  # connections besides streams: a browser opens six, and keeps them for a minute
FILES_BESIDE = 100  # that the process has open besides connections
FILES_OF_A_CONNECTION = 2  # itself, and a file that its client has not read yet; a stream sends none


@dataclass(frozen=True)
class Capacity:
    """How many streams there may be, and how many connections besides them."""

    streams: int
    others: int

    @classmethod
    def of_system(cls) -> Capacity:
        """Return what this process may have, after asking the system for as many open files as are of use."""
        if not HAS_POLL:
            return cls(streams=240, others=200)  # on Windows select() watches 512 sockets, whatever else is allowed
        return cls.for_files(files_allowed(MOST_STREAMS + FILES_OF_A_CONNECTION * MOST_OTHERS + FILES_BESIDE))

    @classmethod
    def for_files(cls, files: int) -> Capacity:
        """Return how many of each there may be with so many open files: half of few are for streams."""
        left = max(0, files - FILES_BESIDE)
        others = min(MOST_OTHERS, left // 2 // FILES_OF_A_CONNECTION)
        return cls(min(MOST_STREAMS, left - FILES_OF_A_CONNECTION * others), others)


def files_allowed(wanted: int) -> int:
    """Return how many files this process may have open, after asking the system for so many."""
    try:
        import resource  # noqa: PLC0415 - not on Windows, which has no such limit
    except ImportError:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(
                resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
            )
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return wanted if soft == resource.RLIM_INFINITY else soft
