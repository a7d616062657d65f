"""The table of hooks is what the classes override, and the pinned waitress still has every one of them."""

import re
import tomllib
from importlib.metadata import version

import pytest
from support.paths import ROOT
from waitress import channel, parser, receiver, server as waitress_server, task

from tracker.server.connection import DiscardedBody, HttpConnection, RequestParser, RequestTask
from tracker.server.server import Server

PINNED_VERSION = "3.0.2"

OVERRIDES: dict[str, dict[str, str]] = {
    "HttpConnection": {
        "task_class": "a task that can leave its answer to a stream",
        "parser_class": "a parser with a limit of the body for each request",
        "last_activity": "monotonic time instead of the time of day",
        "handle_read": "a TLS socket may have nothing to read yet",
        "readable": "what comes behind a request waits unparsed",
        "received": "one request at a time, and deadlines of requests",
        "handle_write": "one sender at a time, freed buffers, the next request once its client has read enough",
        "handle_close": "the end of a stream",
        "service": "a stream goes on after its request",
        "_flush_outbufs_below_high_watermark": "no thread waits for a reader",
    },
    "RequestTask": {
        "get_environment": "the scheme of a plain request to a server with TLS, and how a stream is handed over",
        "finish": "a stream is not ended with its request",
        "set_close_on_finish": "the connection stays after an answer without a body",
    },
    "RequestParser": {
        "parse_header": "the limit of the body; an address that urlsplit() refuses",
        "received": "a request whose body is too long goes to the app without it",
    },
    "DiscardedBody": {"received": "counts the body and keeps nothing"},
    "Server": {
        "channel_class": "connections of this package",
        "next_channel_cleanup": "never: readable() calls maintenance() by the monotonic clock",
        "pull_trigger": "a request may be served when the loop has ended",
        "run": "an end within two seconds, with all streams ended",
        "handle_accept": "the limits of connections",
        "set_socket_options": "lost phones are noticed",
        "readable": "maintenance by the monotonic clock",
        "maintenance": "deadlines of requests and of readers",
    },
}
"""class -> attribute -> why waitress's own is replaced"""

CLASSES: dict[type, type] = {
    HttpConnection: channel.HTTPChannel,
    RequestTask: task.WSGITask,
    RequestParser: parser.HTTPRequestParser,
    DiscardedBody: receiver.FixedStreamReceiver,
    Server: waitress_server.TcpWSGIServer,
}


def test_waitress_is_the_version_that_the_hooks_were_written_for() -> None:
    (locked,) = re.findall(r"^waitress==(\S+)", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE)
    assert locked == version("waitress") == PINNED_VERSION
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    assert f"waitress=={PINNED_VERSION}" in dependencies, "an install from the wheel has it, too"


@pytest.mark.parametrize("ours", CLASSES, ids=lambda ours: ours.__name__)
def test_every_override_is_named_and_replaces_something(ours: type) -> None:
    mine = {name for name in vars(ours) if not name.startswith("__")}
    replaced = {name for name in mine if hasattr(CLASSES[ours], name)}
    assert replaced == set(OVERRIDES[ours.__name__])
