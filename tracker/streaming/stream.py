"""One stream: its messages, and where they go."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tracker.streaming.audience import Audience, Watcher

LINE_ENDS = ("\r\n", "\r")  # those of the stream's grammar besides \n, not those of str.splitlines()


@dataclass(frozen=True)
class Frame:
    """What a view shows: its HTML (or JSON), and the number of the newest event in it."""

    head: int
    html: str
    event: str = ""
    """The kind of its message; a page's has none."""
    before: bytes = b""
    """Messages that are sent before it."""

    @property
    def messages(self) -> bytes:
        """What is sent to who watches the view."""
        return self.before + message(self.html, event=self.event, head=self.head)


Render = Callable[[], Frame]


class Sink(Protocol):
    """Takes a stream's messages as they come; never waits for the client."""

    @property
    def is_free(self) -> bool:
        """Whether the client has taken all that was pushed."""

    def push(self, data: bytes) -> None:
        """Send a message; called only when it is free."""

    def end(self, data: bytes) -> None:
        """Send what is left to say, then close."""


class Handle(Protocol):
    """A stream that was handed over: whoever has it says where its messages go, and when its client is gone."""

    def attach(self, sink: Sink) -> None:
        """Send messages there from now on, beginning with what is new by now."""

    def catch_up(self) -> None:
        """Say that the sink is free again: what was left out meanwhile may come."""

    def leave(self) -> None:
        """Forget the stream: its client is gone. May be said again."""


HandOver = Callable[[Handle], None]
"""Takes a stream after its first message, and attaches a sink to it."""


def message(data: str, *, event: str = "", head: int | None = None) -> bytes:
    """Return one message of the stream. Every line of the data is marked as data, so no text can forge a field."""
    begin = (f"event: {event}\n" if event else "") + (f"id: {head}\n" if head is not None else "")
    if "\r" in data:
        for line_end in LINE_ENDS:
            data = data.replace(line_end, "\n")
    return b"%sdata: %s\n\n" % (
        begin.encode(),
        data.encode().replace(b"\n", b"\ndata: "),
    )  # bytes: half the time of str


class MessageQueue:
    """The sink of a reader that has a thread of its own: holds one message until it is taken."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._held: list[bytes] = []
        self._is_over = False

    @property
    def is_free(self) -> bool:
        return not self._held

    def push(self, data: bytes) -> None:
        with self._changed:
            self._held.append(data)
            self._changed.notify()

    def end(self, data: bytes) -> None:
        self._is_over = True
        self.push(data)

    def messages(self, handle: Handle) -> Iterator[bytes]:
        """Yield what is pushed, until the end."""
        handle.attach(self)
        while self._held or not self._is_over:
            with self._changed:
                self._changed.wait_for(lambda: self._held)
                held, self._held = self._held, []
            handle.catch_up()
            yield from filter(None, held)


class Hub(Protocol):
    """What a stream needs of the hub that it belongs to."""

    def attach(self, audience: Audience, watcher: Watcher, sink: Sink) -> None: ...
    def send_in_background(self, code: str) -> None: ...
    def leave(self, audience: Audience, watcher: Watcher) -> None: ...


class StreamHandle:
    """The handle of one stream of a hub."""

    def __init__(self, hub: Hub, audience: Audience, watcher: Watcher) -> None:
        self._hub, self._audience, self._watcher = hub, audience, watcher

    def attach(self, sink: Sink) -> None:
        self._hub.attach(self._audience, self._watcher, sink)

    def catch_up(self) -> None:
        if self._watcher.seen != self._audience.version:
            self._hub.send_in_background(self._watcher.code)

    def leave(self) -> None:
        self._hub.leave(self._audience, self._watcher)
