"""A night whose page is slow to render holds up no other night."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core.events import Name, SeatId, Sit
from tracker.streaming.hub import Frame, StreamHub

DEADLOCK_SECONDS = 60


@dataclass
class Watching:
    """A watcher of one night whose pages can be made to wait; keeps the number of events in each page it is sent."""

    table: OpenNight
    heads: list[bytes] = field(default_factory=list)
    is_rendering: threading.Event = field(default_factory=threading.Event)
    may_render: threading.Event = field(default_factory=threading.Event)
    has_beat: threading.Event = field(default_factory=threading.Event)
    is_free: bool = True

    def render(self) -> Frame:
        self.is_rendering.set()
        assert self.may_render.wait(DEADLOCK_SECONDS)
        return Frame(self.table.head, str(self.table.head))

    def push(self, data: bytes) -> None:
        if b"event: beat" in data:
            self.has_beat.set()
        else:
            self.heads.append(data.partition(b"data: ")[2].strip())

    def end(self, data: bytes) -> None:
        """The stream is over."""

    def open(self, live: StreamHub) -> None:
        self.may_render.set()
        watch = live.stream(self.table.code, "table", self.render, device=self.table.code, hand_over=self.take)
        list(watch)

    def take(self, handle: object) -> None:
        self.handle = handle
        handle.attach(self)  # type: ignore[attr-defined]


@pytest.fixture(name="live")
def _live() -> Iterator[StreamHub]:
    live = StreamHub(heartbeat_seconds=0.1)
    yield live
    live.stop()


@pytest.fixture(name="slow")
def _slow(tables: Nights, live: StreamHub) -> Iterator[Watching]:
    """A watched night one of whose pages is being rendered, and does not get done."""
    night = Watching(tables.open("michigan-rummy"))
    night.open(live)
    night.may_render.clear()
    night.is_rendering.clear()
    tap = threading.Thread(target=sit, args=(night.table, "ann"))
    tap.start()
    assert night.is_rendering.wait(DEADLOCK_SECONDS)
    yield night
    night.may_render.set()
    tap.join(DEADLOCK_SECONDS)
    assert not tap.is_alive()
    assert night.heads == [b"1"]


def sit(table: OpenNight, seat: str) -> None:
    table.record(Sit(SeatId(seat), Name(seat.title())), id=seat, by="host")


def test_another_night_gets_events_pages_and_heartbeats_and_its_devices_are_sent_away_meanwhile(
    tables: Nights, live: StreamHub, slow: Watching
) -> None:
    other = Watching(tables.open("michigan-rummy"))
    other.open(live)
    sit(other.table, "ben")
    assert other.heads == [b"1"]
    live.publish(slow.table.code)
    other.is_rendering.clear()
    live.publish(other.table.code)
    assert other.is_rendering.wait(DEADLOCK_SECONDS)
    other.has_beat.clear()
    assert other.has_beat.wait(DEADLOCK_SECONDS)
    assert live.presence.devices(other.table.code)
    live.end_device(other.table.code)
    assert live.count() == 1
    assert slow.heads == []


def test_a_newcomer_with_another_view_gets_its_first_page_meanwhile(live: StreamHub, slow: Watching) -> None:
    page = slow.table.code
    stream = live.stream(page, "seat-ben", lambda: Frame(1, "ben's page"), device="ben")
    assert b"ben's page" in next(stream)
    stream.close()
    assert slow.heads == []
