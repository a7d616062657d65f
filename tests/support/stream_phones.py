"""Phones that read the streams of a hub, and the nights that it shows them."""

import queue
import threading
from collections.abc import Iterator

from tracker.streaming.hub import Frame, StreamHandle


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


class Sink:
    """Takes every message of a stream that was handed over, at once."""

    is_free = True

    def __init__(self) -> None:
        self.messages: queue.Queue[bytes] = queue.Queue()

    def take(self, handle: StreamHandle) -> None:
        self._handle = handle
        handle.attach(self)

    def push(self, data: bytes) -> None:
        self.messages.put(data)

    def end(self, data: bytes) -> None:  # noqa: ARG002 - nothing is left to be said
        self._handle.leave()

    def next(self, what: bytes) -> bytes:
        """Return the next message that has these bytes in it."""
        while what not in (message := self.messages.get(timeout=60)):
            pass
        return message

    @property
    def pages(self) -> list[bytes]:
        """The pages among the messages that have come and were not asked for yet."""
        return [message for message in self.messages.queue if message.startswith(b"id: ")]


def picture(number: int) -> str:
    return f"id: {number}\ndata: <p>{number}</p>\n\n"
