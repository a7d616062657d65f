"""A night whose page is slow to render holds up no other night."""

import threading
from collections.abc import Iterator

import pytest
from support.stream_phones import Sink

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core.events import Name, SeatId, Sit
from tracker.streaming.hub import Frame, StreamHub

DEADLOCK_SECONDS = 60
FIRST = [b"id: 1\ndata: 1\n\n"]
"""The page after the first event."""


class WatchedNight:
    """A night with a watcher, whose pages can be made to wait."""

    def __init__(self, table: OpenNight, live: StreamHub) -> None:
        self.table, self.sink = table, Sink()
        self.is_rendering, self.may_render = threading.Event(), threading.Event()
        self.may_render.set()
        list(live.stream(table.code, "table", self.render, device=table.code, hand_over=self.sink.take))

    def render(self) -> Frame:
        self.is_rendering.set()
        assert self.may_render.wait(DEADLOCK_SECONDS)
        return Frame(self.table.head, str(self.table.head))

    def sit(self, seat: str) -> None:
        self.table.record(Sit(SeatId(seat), Name(seat.title())), id=seat, by="host")


@pytest.fixture(name="slow")
def _slow(tables: Nights, live: StreamHub) -> Iterator[WatchedNight]:
    """A watched night one of whose pages is being rendered, and does not get done."""
    night = WatchedNight(tables.open("michigan-rummy"), live)
    night.may_render.clear()
    night.is_rendering.clear()
    tap = threading.Thread(target=night.sit, args=("ann",))
    tap.start()
    assert night.is_rendering.wait(DEADLOCK_SECONDS)
    yield night
    night.may_render.set()
    tap.join(DEADLOCK_SECONDS)
    assert not tap.is_alive()
    assert night.sink.pages == FIRST


def test_another_night_gets_events_pages_and_heartbeats_and_its_devices_are_sent_away_meanwhile(
    tables: Nights, live: StreamHub, slow: WatchedNight
) -> None:
    other = WatchedNight(tables.open("michigan-rummy"), live)
    other.sit("ben")
    assert other.sink.pages == FIRST
    live.publish(slow.table.code)
    other.is_rendering.clear()
    live.publish(other.table.code)
    assert other.is_rendering.wait(DEADLOCK_SECONDS)
    other.sink.messages.queue.clear()
    assert other.sink.next(b"event: beat")
    assert live.presence.devices(other.table.code)
    live.end_device(other.table.code)
    assert live.count() == 1
    assert slow.sink.pages == []


def test_a_newcomer_with_another_view_gets_its_first_page_meanwhile(live: StreamHub, slow: WatchedNight) -> None:
    page = slow.table.code
    stream = live.stream(page, "seat-ben", lambda: Frame(1, "ben's page"), device="ben")
    assert b"ben's page" in next(stream)
    stream.close()
    assert slow.sink.pages == []
