"""A stream that was handed over, and the sink of a reader that has a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Protocol

from tracker.streaming.audience import Audience, Watcher
from tracker.streaming.stream import Handle, Sink


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
