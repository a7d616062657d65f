"""The table of hooks is what the classes override, and the pinned waitress still has every one of them."""

from __future__ import annotations

import inspect
import re
import tomllib
from importlib.metadata import version

import pytest
from support.paths import ROOT
from waitress import channel, parser, receiver, task
from waitress import server as waitress_server

from tracker.server.connection import DiscardedBody, HttpConnection, RequestParser, Task
from tracker.server.server import Server
from tracker.server.waitress_hooks import OVERRIDES, PINNED_VERSION, USED

CLASSES: dict[type, type] = {
    HttpConnection: channel.HTTPChannel,
    Task: task.WSGITask,
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


def test_every_attribute_that_is_used_is_still_used_by_waitress_itself() -> None:
    source = inspect.getsource(channel.HTTPChannel)
    assert [name for name in USED if f"self.{name}" not in source] == []
