"""One stream: its messages, and where they go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

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


def data_of(sent: bytes) -> str:
    """Return the data of a message, as `message` was given it with plain line ends."""
    return sent.removesuffix(b"\n\n").partition(b"data: ")[2].replace(b"\ndata: ", b"\n").decode()


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
