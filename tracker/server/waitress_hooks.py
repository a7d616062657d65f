"""Every place where this package overrides or calls what waitress does not document, with the reason.

`tests/server/test_waitress_hooks.py` compares this table with the classes and with the pinned version of waitress.
"""

from __future__ import annotations

PINNED_VERSION = "3.0.2"

OVERRIDES: dict[str, dict[str, str]] = {
    "HttpConnection": {
        "task_class": "a task that can leave its answer to a stream",
        "parser_class": "a parser with a limit of the body for each request",
        "last_activity": "monotonic time instead of the time of day",
        "handle_read": "a TLS socket may have nothing to read yet",
        "readable": "what comes behind a request waits unparsed",
        "received": "one request at a time, deadlines of requests, and the budget of all bodies",
        "handle_write": "one sender at a time, freed buffers, the next request once its client has read enough",
        "handle_close": "the end of a stream",
        "service": "a stream goes on after its request",
        "_flush_outbufs_below_high_watermark": "no thread waits for a reader",
    },
    "Task": {
        "get_environment": "the scheme of a plain request to a server with TLS, and how a stream is handed over",
        "finish": "a stream is not ended with its request",
    },
    "RequestParser": {
        "parse_header": "the limit of the body; an address that urlsplit() refuses",
        "received": "a request whose body is too long goes to the app without it",
    },
    "DiscardedBody": {"received": "counts the body and keeps nothing"},
    "Server": {
        "channel_class": "connections of this package",
        "next_channel_cleanup": "never: readable() calls maintenance() by the monotonic clock",
        "run": "an end within two seconds, with all streams ended",
        "accept": "TLS",
        "handle_accept": "the limits of connections",
        "set_socket_options": "lost phones are noticed",
        "readable": "maintenance by the monotonic clock",
        "maintenance": "deadlines of requests and of readers",
    },
}
"""class -> attribute -> why waitress's own is replaced"""

USED = (
    "connected", "current_outbuf_count", "outbuf_lock", "outbufs", "request", "requests", "sent_continue",
    "total_outbufs_len", "will_close", "close_when_flushed",
)  # fmt: skip
"""Attributes of waitress's connection that are read or set."""
