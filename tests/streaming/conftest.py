"""The hub of streams for tests of this folder: one with small limits, that must leave nothing behind."""

import threading
from collections.abc import Iterator

import pytest

from tracker.streaming.hub import StreamHub


@pytest.fixture(name="live")
def _live() -> Iterator[StreamHub]:
    before = threading.active_count()
    live = StreamHub(heartbeat_seconds=0.2, limit=20, per_device=3)
    yield live
    live.stop()
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join(60)
    assert threading.active_count() <= before, "a stream has left its thread behind"
    assert live.count() == 0
    assert not live._audiences, "a stream has left its night behind"
