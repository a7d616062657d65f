"""One stream: what its watcher was sent and can take, and where its messages go."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

logger = logging.getLogger(__name__)
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


class TooManyStreams(Exception):
    """There is no room for another stream; try again after `retry_after` seconds (answer 503)."""

    def __init__(self, retry_after: int) -> None:
        super().__init__("too many screens are watching; this one tries again by itself")
        self.retry_after = retry_after


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


@dataclass(eq=False)
class View:
    """What all who see the same are sent."""

    render: Render
    version: int = -1
    frame: Frame = Frame(0, "")
    sent: bytes = b""

    def update(self, version: int) -> None:
        """Render it anew, unless it is as new as that."""
        if self.version != version:
            self.frame = self.render()
            self.sent = self.frame.messages
            self.version = version


@dataclass(eq=False)
class Watcher:
    """One open stream."""

    code: str
    view: str
    device: str
    tab: str
    seat: str | None
    seen: int = -1  # the version of the night that was sent last
    last: bytes = b""
    ended: str = ""  # why the stream has to end
    sink: Sink | None = None

    @property
    def is_free(self) -> bool:
        """Whether it can be sent something now."""
        return not self.ended and self.sink is not None and self.sink.is_free

    def send(self, view: View) -> None:
        """Send a page, unless it is the one sent last."""
        self.seen = view.version
        if view.sent != self.last and self.sink:
            self.sink.push(view.sent)
            self.last = view.sent

    def send_head(self, head: int) -> None:
        """Send the number of the newest event."""
        if self.sink:
            self.sink.push(message(str(head), event="beat"))

    def end(self, why: str) -> None:
        """End the stream, unless it has been ended already."""
        if not self.ended:
            self.ended = why
            self.finish()

    @contextmanager
    def ended_on_failure(self) -> Iterator[None]:
        """End this stream, and no other one, when the block can't send it something: its page asks anew."""
        try:
            yield
        except Exception:
            logger.exception("a stream can't be sent what is new")
            self.end("again")

    def finish(self) -> None:
        """End the sink, with a word to a page that must not come back: two copies would push each other out."""
        if self.sink:
            self.sink.end(message(self.ended, event="closed") if self.ended in ("replaced", "revoked") else b"")


@dataclass(eq=False)
class Audience:
    """Everybody who watches one night."""

    sending: threading.RLock = field(default_factory=threading.RLock)  # held while its pages are rendered and sent
    version: int = 0  # grows with everything that looks different
    head: int = 0
    watchers: dict[Watcher, None] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    seats: Counter[str] = field(default_factory=Counter)
    away: dict[str, float] = field(default_factory=dict)  # seats whose last stream has ended, and when

    def outdated_watchers(self) -> list[tuple[Watcher, View]]:
        """Return who can take a page and has an old one."""
        return [
            (watcher, self.views[watcher.view])
            for watcher in self.watchers
            if watcher.seen != self.version and watcher.is_free
        ]

    def free_watchers(self) -> list[tuple[Watcher, int]]:
        """Return who can take a message, each with the number of the newest event that is known."""
        return [
            (watcher, max(self.head, self.views[watcher.view].frame.head))
            for watcher in self.watchers
            if watcher.is_free
        ]

    def replaced_watchers(self, new: Watcher, per_device: int) -> list[Watcher]:
        """Return whose place a new watcher takes: its own tab's older stream, and what its browser has lost."""
        own = [other for other in self.watchers if other.device == new.device and not other.ended]
        lost = own[: max(0, len(own) + 1 - per_device)]
        return [other for other in own if other.tab == new.tab or other in lost]

    def add(self, watcher: Watcher, render: Render) -> bool:
        """Take somebody in; return whether everybody sees by it that a seat is here."""
        self.watchers[watcher] = None
        self.views.setdefault(watcher.view, View(render))
        if not watcher.seat:
            return False
        self.seats[watcher.seat] += 1
        is_news = not self.away.pop(watcher.seat, None) and self.seats[watcher.seat] == 1
        self.version += is_news
        return is_news

    def remove(self, watcher: Watcher, now: float) -> None:
        """Let somebody go. A seat whose last stream this was is away from now on."""
        del self.watchers[watcher]
        watcher.ended = watcher.ended or "gone"
        if all(other.view != watcher.view for other in self.watchers):
            del self.views[watcher.view]
        if watcher.seat:
            self.seats[watcher.seat] -= 1
            if not self.seats[watcher.seat]:
                del self.seats[watcher.seat]
                self.away[watcher.seat] = now

    def forget_away(self, before: float) -> bool:
        """Count seats as gone that have not come back since; return whether there were any."""
        gone = [seat for seat, since in self.away.items() if since <= before]
        for seat in gone:
            del self.away[seat]
        self.version += bool(gone)
        return bool(gone)


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
