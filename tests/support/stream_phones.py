"""Phones that read the streams of a hub, and the nights that it shows them."""

import queue
import threading
from collections.abc import Iterator

from tracker.streaming.hub import Frame


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


def picture(number: int) -> str:
    return f"id: {number}\ndata: <p>{number}</p>\n\n"
