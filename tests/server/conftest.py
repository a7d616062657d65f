"""What the tests of the server share: one that runs, whose threads have all ended after the test."""

import threading
from collections.abc import Iterator

import pytest
from support.polling import wait_until
from support.stream_server import StreamServer


@pytest.fixture(name="running")
def _running() -> Iterator[StreamServer]:
    running = StreamServer()
    yield running
    running.server.stop()
    running.thread.join(60)
    assert not running.thread.is_alive()
    wait_until(lambda: not any(thread.name.startswith("waitress") for thread in threading.enumerate()))
