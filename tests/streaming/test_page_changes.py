"""What has changed in a page makes the new page of the old one, whoever missed what."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from support.changed_pages import page_after

from tracker.streaming.hub import Frame, StreamHub
from tracker.streaming.page_changes import changes_message
from tracker.streaming.stream import Handle, message

LINE = st.sampled_from(["", "<p>", "</p>", "+", "+3", "0 2", "data: x", "id: 4"]) | st.text(max_size=9)
PAGE = st.lists(LINE.map(lambda line: line.replace("\r", "")), max_size=12).map("\n".join)
MANY_LINES = "\n".join(f"<li>{number}</li>" for number in range(40))


@given(PAGE, PAGE)
@example("a\nb\na\nb\nc", "b\na\nb\na\nb")
@example("", "+")
def test_changes_make_any_page_of_any_other(before: str, after: str) -> None:
    # The same many lines in both, so that the changes are shorter than the page and are sent.
    before, after = f"{before}\n{MANY_LINES}", f"{MANY_LINES}\n{after}"
    sent = changes_message(message(before, head=1), message(after, head=2))
    assert sent.startswith(b"event: changes\nid: 2\n")
    assert page_after(before, sent) == after


def test_a_page_with_little_in_common_comes_whole() -> None:
    after = message("one\ntwo", head=2)
    assert changes_message(message("three", head=1), after) == after


class Phone:
    """A sink that takes a message when it is free, and shows the page that comes of it."""

    def __init__(self, live: StreamHub, night: ManyLines, name: str, *, takes_changes: bool) -> None:
        self.is_free, self.sizes = True, list[int]()
        handles = list[Handle]()
        stream = live.stream(
            "K7Q", "v", night.render, device=name, takes_changes=takes_changes, hand_over=handles.append
        )
        self.page = page_after("", b"".join(stream).removeprefix(b"retry: 500\n"))
        self.handle = handles[0]
        self.handle.attach(self)

    def push(self, data: bytes) -> None:
        self.sizes.append(len(data))
        self.page = page_after(self.page, data)

    def end(self, data: bytes) -> None:
        assert not data


class ManyLines:
    """A night whose page is long, and changes in one line."""

    numbers: tuple[int, ...] = (0,)

    def render(self) -> Frame:
        return Frame(len(self.numbers), "\n".join((MANY_LINES, *map(str, self.numbers), MANY_LINES)))


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 3)), min_size=1, max_size=12))
def test_a_phone_that_missed_pages_shows_the_newest_all_the_same(steps: list[tuple[bool, bool, int]]) -> None:
    live, night = StreamHub(), ManyLines()
    phones = [Phone(live, night, str(number), takes_changes=number < 2) for number in range(3)]
    for is_free, other_is_free, number in steps:
        phones[0].is_free, phones[1].is_free = is_free, other_is_free
        night.numbers = (*night.numbers[-2:], number)
        live.publish_and_send("K7Q", 1)
        shown = night.render().html
        assert [phone.page for phone in phones if phone.is_free] == [shown] * (1 + is_free + other_is_free)
    live.stop()


def test_a_phone_that_comes_later_or_missed_one_is_sent_the_whole_page_and_then_changes() -> None:
    live, night = StreamHub(), ManyLines()
    early = Phone(live, night, "1", takes_changes=True)
    early.is_free, night.numbers = False, (0, 5)
    live.publish_and_send("K7Q", 1)
    late = Phone(live, night, "2", takes_changes=True)
    assert late.page == night.render().html
    early.is_free = True
    for number in (6, 7):
        night.numbers = (0, number)
        live.publish_and_send("K7Q", 1)
        assert early.page == late.page == night.render().html
    whole = len(MANY_LINES)
    assert [size > whole for size in early.sizes] == [True, False]
    assert [size > whole for size in late.sizes] == [False, False]
    live.stop()
