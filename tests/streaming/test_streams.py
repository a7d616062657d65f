"""Who is sent what, and that nothing stays behind."""

from __future__ import annotations

import gc
import queue
import threading
import weakref
from collections.abc import Iterator

import pytest

from tracker.streaming.hub import Frame, StreamHub, TooManyStreams
from tracker.streaming.stream import Handle


class Night:
    """A night that shows its number, and counts how often it was rendered."""

    def __init__(self) -> None:
        self.head = 0
        self.renders = 0

    def render(self) -> Frame:
        self.renders += 1
        return Frame(self.head, f"<p>{self.head}</p>")


class Phone:
    """Reads a stream in a thread of its own, as a real server does."""

    def __init__(self, stream: Iterator[bytes]) -> None:
        self._messages: queue.Queue[str | None] = queue.Queue()
        self._thread = threading.Thread(target=self._read, args=(stream,))
        self._thread.start()

    def _read(self, stream: Iterator[bytes]) -> None:
        for chunk in stream:
            self._messages.put(chunk.decode())
        self._messages.put(None)

    def next(self) -> str | None:
        """Return the next message, or None at the end of the stream."""
        return self._messages.get(timeout=60)

    def next_picture(self) -> str:
        text = self.next()
        while text is not None and "event: " in text:
            text = self.next()
        assert text is not None
        return text.removeprefix("retry: 500\n")

    def ends_with(self) -> str | None:
        last, text = None, self.next()
        while text is not None:
            last, text = text, self.next()
        self._thread.join(60)
        assert not self._thread.is_alive()
        return last


@pytest.fixture(name="live")
def _live() -> Iterator[StreamHub]:
    before = threading.active_count()
    live = StreamHub(heartbeat_seconds=0.2, away_seconds=0.5, limit=20, per_device=3)
    yield live
    live.stop()
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join(60)
    assert threading.active_count() <= before, "a stream has left its thread behind"
    assert live.count() == 0
    assert not live._audiences, "a stream has left its night behind"


def picture(number: int) -> str:
    return f"id: {number}\ndata: <p>{number}</p>\n\n"


def test_the_first_message_is_the_present_state(live: StreamHub) -> None:
    night = Night()
    night.head = 7
    stream = live.stream("K7Q", "board", night.render, device="1")
    assert next(stream).decode() == "retry: 500\n" + picture(7)
    stream.close()


def test_a_change_is_shown_to_every_watcher_of_that_night_and_no_other(live: StreamHub) -> None:
    night, other = Night(), Night()
    phones = [Phone(live.stream("K7Q", "board", night.render, device=str(number))) for number in range(5)]
    stranger = Phone(live.stream("M2X", "board", other.render, device="9"))
    assert {phone.next_picture() for phone in phones} == {picture(0)}
    stranger.next_picture()
    night.head = 1
    live.publish("K7Q", 1)
    assert {phone.next_picture() for phone in phones} == {picture(1)}
    assert other.renders == 1


def test_a_page_is_rendered_once_per_group_of_viewers(live: StreamHub) -> None:
    night = Night()
    phones = [Phone(live.stream("K7Q", f"seat-{number % 2}", night.render, device=str(number))) for number in range(10)]
    for phone in phones:
        phone.next_picture()
    assert night.renders == 2
    for number in range(1, 6):
        night.head = number
        live.publish("K7Q", number)
        assert {phone.next_picture() for phone in phones} == {picture(number)}
    assert night.renders == 2 * 6


def test_a_slow_watcher_is_sent_the_latest_state_and_not_the_ones_between(live: StreamHub) -> None:
    night = Night()
    stream = live.stream("K7Q", "board", night.render, device="1")
    next(stream)
    for number in range(1, 100):
        night.head = number
        live.publish("K7Q", number)
    assert next(stream).decode() == picture(99)
    assert night.renders == 2
    stream.close()


def test_a_change_that_shows_nothing_new_sends_nothing(live: StreamHub) -> None:
    night = Night()
    phone = Phone(live.stream("K7Q", "board", night.render, device="1"))
    phone.next_picture()
    live.publish("K7Q")
    night.head = 1
    live.publish("K7Q", 1)
    assert phone.next_picture() == picture(1)


def test_a_quiet_stream_beats_with_the_number_of_the_newest_event(live: StreamHub) -> None:
    night = Night()
    night.head = 4
    phone = Phone(live.stream("K7Q", "board", night.render, device="1"))
    phone.next_picture()
    assert phone.next() == "event: beat\ndata: 4\n\n"
    live.publish("K7Q", 5)
    assert phone.next() == "event: beat\ndata: 5\n\n", "the picture is old, and the page can tell"


def test_the_newest_stream_of_a_tab_ends_the_older_one(live: StreamHub) -> None:
    night = Night()
    old = Phone(live.stream("K7Q", "board", night.render, device="1", tab="a"))
    other_tab = Phone(live.stream("K7Q", "board", night.render, device="1", tab="b"))
    old.next_picture()
    other_tab.next_picture()
    new = Phone(live.stream("K7Q", "board", night.render, device="1", tab="a"))
    assert old.ends_with() == "event: closed\ndata: replaced\n\n"
    new.next_picture()
    night.head = 1
    live.publish("K7Q", 1)
    assert new.next_picture() == other_tab.next_picture() == picture(1)


def test_a_device_that_opens_more_streams_than_a_browser_can_loses_its_oldest(live: StreamHub) -> None:
    night = Night()
    phones = []
    for tab in "abcd":
        phones.append(Phone(live.stream("K7Q", "board", night.render, device="1", tab=tab)))
        phones[-1].next_picture()
    assert phones[0].ends_with() == "event: closed\ndata: replaced\n\n"
    assert live.count() == 3


def test_phones_that_vanish_and_rejoin_never_use_up_the_streams(live: StreamHub) -> None:
    night = Night()
    ghosts = []
    for _ in range(10):
        for device in range(8):
            ghosts.append(Phone(live.stream("K7Q", "board", night.render, device=str(device), tab="a")))
            ghosts[-1].next_picture()
    for ghost in ghosts[:-8]:
        ghost.ends_with()
    assert live.count() == 8


def test_one_stream_more_than_the_limit_is_asked_to_come_back(live: StreamHub) -> None:
    night = Night()
    streams = [live.stream("K7Q", "board", night.render, device=str(number)) for number in range(20)]
    for stream in streams:
        next(stream)
    with pytest.raises(TooManyStreams) as refusal:
        live.stream("K7Q", "board", night.render, device="x")
    assert refusal.value.retry_after > 0
    streams[0].close()
    next(live.stream("K7Q", "board", night.render, device="x"))
    for stream in streams:
        stream.close()


def test_an_ended_stream_takes_no_room_before_its_client_notices(live: StreamHub) -> None:
    streams = [live.stream("K7Q", "board", Night().render, device=str(number)) for number in range(20)]
    for stream in streams:
        next(stream)
    live.end_device("7")
    assert live.count() == 19
    again = live.stream("K7Q", "board", Night().render, device="x")
    next(again)
    for stream in (*streams, again):
        stream.close()


def test_a_stream_that_was_never_begun_takes_no_room(live: StreamHub) -> None:
    for number in range(50):
        live.stream("K7Q", "board", Night().render, device=str(number))
    assert live.count() == 0


def test_a_revoked_device_is_sent_nothing_more(live: StreamHub) -> None:
    night = Night()
    thief = Phone(live.stream("K7Q", "board", night.render, device="1", tab="a"))
    friend = Phone(live.stream("K7Q", "board", night.render, device="2"))
    thief.next_picture()
    friend.next_picture()
    live.end_device("1")
    night.head = 1
    live.publish("K7Q", 1)
    assert thief.ends_with() == "event: closed\ndata: revoked\n\n"
    assert friend.next_picture() == picture(1)


def test_a_device_in_a_new_role_is_free_to_come_back(live: StreamHub) -> None:
    night = Night()
    phone = Phone(live.stream("K7Q", "board", night.render, device="1"))
    assert phone.next_picture() == picture(0)
    live.end_device("1", again=True)
    last = phone.ends_with()
    assert last is None or "closed" not in last


def test_all_streams_end_when_the_server_stops_and_later_ones_at_once(live: StreamHub) -> None:
    phones = [Phone(live.stream("K7Q", "board", Night().render, device=str(number))) for number in range(8)]
    for phone in phones:
        phone.next_picture()
    live.stop()
    for phone in phones:
        phone.ends_with()
    assert list(live.stream("K7Q", "board", Night().render, device="9")) == []


def test_a_seat_is_present_until_its_last_phone_has_been_away_for_a_while(live: StreamHub) -> None:
    night = Night()
    watcher = Phone(live.stream("K7Q", "board", night.render, device="9"))
    watcher.next_picture()
    assert live.present("K7Q") == frozenset()
    streams = [live.stream("K7Q", "board", night.render, device=device, seat="ann") for device in ("1", "2")]
    for stream in streams:
        next(stream)
    assert live.present("K7Q") == {"ann"}
    assert live.devices("K7Q") == {"1", "2", "9"}
    for stream in streams:
        stream.close()
    assert live.present("K7Q") == {"ann"}, "reloading the page takes a moment"
    waiting = threading.Event()
    while live.present("K7Q"):
        waiting.wait(0.02)
    assert live.devices("K7Q") == {"9"}


def test_coming_and_going_of_a_seat_renders_anew(live: StreamHub) -> None:
    def render() -> Frame:
        return Frame(1, ",".join(sorted(live.present("K7Q"))) or "nobody")

    watcher = Phone(live.stream("K7Q", "lobby", render, device="9"))
    assert watcher.next_picture() == "id: 1\ndata: nobody\n\n"
    stream = live.stream("K7Q", "seat-ann", Night().render, device="1", seat="ann")
    next(stream)
    assert watcher.next_picture() == "id: 1\ndata: ann\n\n"
    stream.close()
    assert watcher.next_picture() == "id: 1\ndata: nobody\n\n"


def test_a_view_that_fails_to_render_ends_its_own_stream_only(live: StreamHub) -> None:
    night = Night()
    phone = Phone(live.stream("K7Q", "board", night.render, device="1"))
    phone.next_picture()

    def fail() -> Frame:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        next(live.stream("K7Q", "broken", fail, device="2"))
    night.head = 1
    live.publish("K7Q", 1)
    assert phone.next_picture() == picture(1)


def test_a_view_that_breaks_later_ends_its_own_stream_only(live: StreamHub) -> None:
    night, broken = Night(), Night()
    phone = Phone(live.stream("K7Q", "board", night.render, device="1"))
    other = Phone(live.stream("K7Q", "broken", broken.render, device="2"))
    phone.next_picture()
    other.next_picture()
    live._audiences["K7Q"].views["broken"].render = lambda: 1 / 0  # type: ignore[assignment, return-value]
    night.head = 1
    live.publish_and_send("K7Q", 1)
    assert phone.next_picture() == picture(1)
    last = other.ends_with()
    assert last is None or "closed" not in last


def test_a_sink_that_breaks_ends_its_own_stream_only(live: StreamHub) -> None:
    night, handles = Night(), list[Handle]()

    class Broken:
        is_free, ended = True, False

        def push(self, data: bytes) -> None:
            raise ValueError(data)

        def end(self, data: bytes) -> None:
            self.ended = not data

    assert len(list(live.stream("K7Q", "board", night.render, device="1", hand_over=handles.append))) == 1
    phone, broken = Phone(live.stream("K7Q", "board", night.render, device="2")), Broken()
    phone.next_picture()
    handles[0].attach(broken)
    night.head = 1
    live.publish_and_send("K7Q", 1)
    assert phone.next_picture() == picture(1)
    assert broken.ended
    handles[0].leave()


def test_pages_are_forgotten_with_their_last_watcher(live: StreamHub) -> None:
    night = Night()
    streams = [live.stream("K7Q", f"seat-{number}", night.render, device=str(number)) for number in range(8)]
    for stream in streams:
        next(stream)
    channel = weakref.ref(live._audiences["K7Q"])
    for stream in streams:
        stream.close()
    del streams, stream
    gc.collect()
    assert channel() is None


def test_some_streams_are_kept_for_seats_and_hosts() -> None:
    live, night = StreamHub(limit=5, kept_for_players=2), Night()
    streams = [live.stream("K7Q", "board", night.render, device=str(number)) for number in range(3)]
    for stream in streams:
        next(stream)
    with pytest.raises(TooManyStreams):
        live.check_room(is_player=False)
    live.check_room(is_player=True)
    live.stop()
