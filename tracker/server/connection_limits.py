"""Which connection is closed where there are too many, or where their bodies fill the memory."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence

from tracker.server.connection import HttpConnection


def close_idlest(connections: Sequence[HttpConnection], *, is_limit: bool = False) -> None:
    """Close the connection that has been without a request for the longest.

    Where none is idle, and `is_limit` says that the number must not grow, close the one that has read nothing for the
    longest, else the newest.
    """
    idle = [connection for connection in connections if not connection.requests]
    if not idle and is_limit:
        idle = [connection for connection in connections if connection.is_deferred] or [connections[-1]]
    if idle:
        min(idle, key=lambda connection: connection.last_activity).handle_close()


def close_largest_body(connections: Sequence[HttpConnection]) -> bool:
    """Close the oldest unfinished request of the address with the most bytes of bodies; return whether there was one.

    A host's import is left alone.
    """
    held: Counter[str] = Counter()
    for connection in connections:
        held[connection.addr[0]] += connection.body_bytes
    unfinished = [
        connection
        for connection in connections
        if connection.body_bytes
        and (connection.is_deferred or not connection.requests)
        and not (connection.request and connection.request.is_import)
    ]
    if not unfinished:
        return False
    now = time.monotonic()
    max(unfinished, key=lambda one: (held[one.addr[0]], now - (one.heard_at or now))).handle_close()
    return True
