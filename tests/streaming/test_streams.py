"""Who is sent what, and that nothing stays behind; a message says what was put in, whatever people are called."""

import gc
import weakref
from dataclasses import dataclass

import pytest
from hypothesis import example, given, strategies as st
from support.html_page import data_of
from support.stream_phones import Night, Phone, Sink, picture
from support.system_limits import no_more_threads

from tracker.streaming.hub import Frame, StreamHandle, StreamHub
from tracker.streaming.stream import Page, Part, View, Watcher, message, slot


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
    live.publish_and_send("K7Q")
    night.head = 1
    live.publish("K7Q", 1)
    assert phone.next_picture() == picture(1)


def test_who_has_the_page_before_is_sent_the_parts_that_differ_and_who_missed_one_all_of_it() -> None:
    shows = [("a", "b", "rest"), ("a", "c", "rest"), ("d", "e", "rest"), ("d", "e", "more"), ("f", "e", "more")]

    def render() -> Frame:
        first, second, rest = shows[view.version + 1]
        parts = Part("x", f'<i id="x">{first}</i>'), Part("y", f'<i class="c" id="y">{second}\n</i>')
        return Frame(7, Page(f"<p>{slot('x')}{slot('y')}{rest}</p>", (parts[:1], parts[1:])))

    sink = Sink()
    watcher = Watcher("K7Q", "board", "1", "", is_player=True, sink=sink)
    view = View(render)
    for version in range(5):
        view.newest(version)
        if version != 2:
            watcher.send(view, version)
    assert [data_of(sink.messages.get()) for _ in range(4)] == [
        '<p><i id="x">a</i><i class="c" id="y">b\n</i>rest</p>',
        '\x1f<i class="c" id="y">c\n</i>',
        '<p><i id="x">d</i><i class="c" id="y">e\n</i>more</p>',
        '\x1f<i id="x">f</i>',
    ]


def test_a_quiet_stream_beats_with_the_number_of_the_newest_event(live: StreamHub) -> None:
    night = Night()
    night.head = 4
    phone = Phone(live.stream("K7Q", "board", night.render, device="1"))
    phone.next_picture()
    assert phone.next() == "event: beat\ndata: 4\n\n"
    live.publish("K7Q", 5)
    assert phone.next() == "event: beat\ndata: 5\n\n", "the picture is old, and the page can tell"


def test_a_device_is_there_as_long_as_it_has_a_stream(live: StreamHub) -> None:
    night, tabs = Night(), (("1", "a"), ("1", "b"), ("2", "a"))
    streams = [live.stream("K7Q", "board", night.render, device=device, tab=tab) for device, tab in tabs]
    for stream in streams:
        next(stream)
    assert live.presence.devices("K7Q") == {"1", "2"}
    streams[0].close()
    assert live.presence.devices("K7Q") == {"1", "2"}
    streams[1].close()
    assert live.presence.devices("K7Q") == {"2"}
    streams[2].close()
    assert live.presence.devices("K7Q") == frozenset()


def test_who_comes_and_goes_has_no_page_rendered_anew(live: StreamHub) -> None:
    rendered: list[int] = []

    def render() -> Frame:
        rendered.append(1)
        return Frame(1, "board")

    watcher = Phone(live.stream("K7Q", "lobby", render, device="9"))
    watcher.next_picture()
    other = live.stream("K7Q", "lobby", render, device="1")
    next(other)
    other.close()
    live.publish_and_send("K7Q")
    assert len(rendered) == 2, "the first page, and the one of the change"


def test_a_view_that_fails_at_first_or_later_ends_its_own_stream_only(live: StreamHub) -> None:
    night = Night()
    phone, other = (Phone(live.stream("K7Q", view, night.render, device=view)) for view in ("board", "broken"))
    phone.next_picture()
    other.next_picture()
    with pytest.raises(ZeroDivisionError):
        next(live.stream("K7Q", "failing", lambda: 1 / 0, device="3"))  # type: ignore[arg-type, return-value]
    live._audiences["K7Q"].views["broken"].render = lambda: 1 / 0  # type: ignore[assignment, return-value]
    night.head = 1
    live.publish_and_send("K7Q", 1)
    assert phone.next_picture() == picture(1)
    last = other.ends_with()
    assert last is None or "closed" not in last


def test_a_sink_that_breaks_ends_its_own_stream_only(live: StreamHub) -> None:
    night, handles = Night(), list[StreamHandle]()

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


def watch(live: StreamHub, code: str, night: Night, device: str = "1") -> Sink:
    sink = Sink()
    list(live.stream(code, "board", night.render, device=device, hand_over=sink.take))
    return sink


def test_heartbeats_and_pages_of_the_background_go_on_where_the_system_gives_no_more_threads(live: StreamHub) -> None:
    night, other = Night(), Night()
    sinks = [watch(live, "K7Q", night), watch(live, "M2X", other)]
    with no_more_threads():
        night.head = 1
        live.publish("K7Q", 1)
        assert sinks[0].next(b"data: <p>") == picture(1).encode()
    other.head = 5
    live.publish("M2X", 5)
    assert sinks[1].next(b"data: <p>") == picture(5).encode()
    for sink in sinks:
        sink.messages.queue.clear()
        assert sink.next(b"event: beat")


def test_a_stream_that_begins_where_the_system_gives_no_more_threads_gets_its_heartbeats_later(live: StreamHub) -> None:
    with no_more_threads():
        first = watch(live, "K7Q", Night())
    second = watch(live, "M2X", Night(), device="2")
    assert first.next(b"event: beat")
    assert second.next(b"event: beat")


# The grammar of a stream


TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@dataclass(frozen=True)
class Parsed:
    event: str
    data: str
    id: str


def parse(stream: bytes) -> list[Parsed]:
    """Read a stream the way the HTML standard tells browsers to (section 9.2.6)."""
    text = stream.decode().removeprefix("\ufeff")
    messages: list[Parsed] = []
    data, event, last_id = "", "", ""
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if not line:
            if data:
                messages.append(Parsed(event or "message", data.removesuffix("\n"), last_id))
            data, event = "", ""
            continue
        name, colon, value = line.partition(":")
        value = value.removeprefix(" ") if colon else ""
        if name == "data":
            data += value + "\n"
        elif name == "event":
            event = value
        elif name == "id" and "\0" not in value:
            last_id = value
    return messages


def with_plain_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


@given(st.lists(TEXT, max_size=5))
@example(["Ann\n\nevent: host\ndata: all yours", "Ann\r\rid: 9\rdata: x", "\r\n\n\r"])
@example(["a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g", "\ufeff", ""])
def test_each_text_comes_out_as_one_message_and_forges_no_field(texts: list[str]) -> None:
    stream = b"retry: 500\n" + b"".join(message(text, head=number) for number, text in enumerate(texts))
    read = [Parsed("message", with_plain_line_ends(text), str(number)) for number, text in enumerate(texts)]
    assert parse(stream) == read


def test_a_named_message_keeps_the_number_of_the_last_page() -> None:
    stream = message("<p>12</p>", head=12) + message("13", event="beat")
    assert parse(stream) == [Parsed("message", "<p>12</p>", "12"), Parsed("beat", "13", "12")]
