"""The server of streams as it is with this extra."""

from collections.abc import Iterator

import pytest
from support.stream_server import StreamServer, address_by_extras


@pytest.fixture(name="running")
def _running() -> Iterator[StreamServer]:
    running = StreamServer(address_by_extras())
    yield running
    running.server.stop()
    running.thread.join(60)
    assert not running.thread.is_alive()
