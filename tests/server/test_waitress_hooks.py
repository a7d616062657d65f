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

OVERRIDES: dict[type, tuple[type, str]] = {
    HttpConnection: (
        channel.HTTPChannel,
        """task_class parser_class last_activity handle_read readable received handle_write handle_close service
        _flush_outbufs_below_high_watermark""",
    ),
    RequestTask: (task.WSGITask, "get_environment finish set_close_on_finish"),
    RequestParser: (parser.HTTPRequestParser, "parse_header received"),
    DiscardedBody: (receiver.FixedStreamReceiver, "received"),
    Server: (
        waitress_server.TcpWSGIServer,
        "channel_class next_channel_cleanup pull_trigger run handle_accept set_socket_options readable maintenance",
    ),
}
"""Each class, with the one of waitress that it extends and what it replaces there; its docstrings say why."""


def test_waitress_is_the_version_that_the_hooks_were_written_for() -> None:
    (locked,) = re.findall(r"^waitress==(\S+)", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE)
    assert locked == version("waitress") == PINNED_VERSION
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    assert f"waitress=={PINNED_VERSION}" in dependencies, "an install from the wheel has it, too"


@pytest.mark.parametrize("ours", OVERRIDES, ids=lambda ours: ours.__name__)
def test_every_override_is_named_and_replaces_something(ours: type) -> None:
    base, named = OVERRIDES[ours]
    mine = {name for name in vars(ours) if not name.startswith("__")}
    assert {name for name in mine if hasattr(base, name)} == {*named.split()}
