"""What the tests of the server share: one that runs, whose threads have all ended after the test."""

import threading
from collections.abc import Iterator

import pytest
from support.polling import wait_until
from support.stream_server import HERE, StreamServer, address_by_extras

from tracker.cli.listen_address import ListenAddress


@pytest.fixture(name="running", params=[ListenAddress, address_by_extras], ids=["the table's", "by extras"])
def _running(request: pytest.FixtureRequest) -> Iterator[StreamServer]:
    running = StreamServer(request.param(HERE))
    yield running
    running.server.stop()
    running.thread.join(60)
    assert not running.thread.is_alive()
    wait_until(lambda: not any(thread.name.startswith("waitress") for thread in threading.enumerate()))
