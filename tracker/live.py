"""Who is watching which night, and the stream of what they see.

A stream carries whole pictures, never steps: the first message is the present state, each later one the latest, so a
phone that missed some misses nothing. A picture is rendered once and shared by all who see the same view.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

FIRST = b"retry: 500\n"  # milliseconds until a page that lost its stream asks for a new one
LINE_ENDS = ("\r\n", "\r")  # those of the stream's grammar besides \n, not those of str.splitlines()


@dataclass(frozen=True)
class Frame:
    """What a view shows: its HTML, and the number of the newest event in it."""

    head: int
    html: str


Render = Callable[[], Frame]


class TooManyStreams(Exception):
    """There is no room for another stream; try again after `retry_after` seconds (answer 503)."""

    def __init__(self, retry_after: int) -> None:
        super().__init__("too many screens are watching; this one tries again by itself")
        self.retry_after = retry_after


def message(data: str, *, event: str = "", head: int | None = None) -> bytes:
    """Return one message of the stream. Every line of the data is marked as data, so no text can forge a field."""
    begin = (f"event: {event}\n" if event else "") + (f"id: {head}\n" if head is not None else "")
    for line_end in LINE_ENDS:
        data = data.replace(line_end, "\n")
    return "".join((begin, "data: ", data.replace("\n", "\ndata: "), "\n\n")).encode()


@dataclass(eq=False)
class _Watcher:
    code: str
    view: str
    device: str
    tab: str
    seat: str | None
    seen: int = -1  # the version of the night that was sent last
    ended: str = ""  # why the stream has to end


@dataclass(eq=False)
class _View:
    render: Render
    version: int = -1
    head: int = 0
    sent: bytes = b""


@dataclass(eq=False)
class _Channel:
    changed: threading.Condition
    version: int = 0
    head: int = 0
    watchers: dict[_Watcher, None] = field(default_factory=dict)
    views: dict[str, _View] = field(default_factory=dict)
    seats: Counter[str] = field(default_factory=Counter)
    away: dict[str, float] = field(default_factory=dict)  # seats whose last stream has ended, and when

    def touch(self) -> None:
        self.version += 1
        self.changed.notify_all()


def _paint(view: _View, version: int) -> None:
    frame = view.render()
    view.sent, view.head = message(frame.html, head=frame.head), frame.head
    view.version = version


class Live:
    """All streams of this server. Any thread may call any method."""

    def __init__(
        self,
        *,
        beat_seconds: float = 10.0,
        check_seconds: float = 5.0,
        away_seconds: float = 4.0,
        limit: int = 240,
        per_device: int = 4,  # a browser opens six connections, and has to load pages beside its streams
    ) -> None:
        self._beat_seconds, self._check_seconds, self._away_seconds = beat_seconds, check_seconds, away_seconds
        self._limit, self._per_device = limit, per_device
        self._lock = threading.Lock()
        # One at a time: together they would only take turns, and keep whoever made the change waiting for all of them.
        self._rendering = threading.Lock()
        self._channels: dict[str, _Channel] = {}
        self._count = 0
        self._stopped = False

    def publish(self, code: str, head: int = 0) -> None:
        """Say that a night looks different now: an event was recorded, or anything else that a page shows has changed.

        `head` is the number of the newest event; every beat repeats it, so a page knows when it shows an older one.
        """
        with self._lock:
            if channel := self._channels.get(code):
                channel.head = max(channel.head, head)
                channel.touch()

    def stream(
        self,
        code: str,
        view: str,
        render: Render,
        *,
        device: str,
        tab: str = "",
        seat: str | None = None,
        gone: Callable[[], bool] = lambda: False,
    ) -> Generator[bytes, None, None]:
        """Return the messages for one watcher; closing the iterator, or its end, leaves nothing behind.

        `view` names everything the rendering depends on (seat, role, language): whoever gives the same one is sent the
        same HTML, rendered by whichever `render` came first, in any watcher's thread, so that may use nothing of its
        own request. `gone` says
        whether the client has hung up. The newest stream of a device's tab ends its older one. Raises TooManyStreams.
        """
        with self._lock:
            if self._count >= self._limit:
                raise TooManyStreams(retry_after=5)
        return self._run(_Watcher(code, view, device, tab, seat), render, gone)

    def end_device(self, device: str, *, again: bool = False) -> None:
        """End every stream of a device: it was shown the door or, with `again`, comes back at once in another role."""
        with self._lock:
            for channel in self._channels.values():
                for watcher in channel.watchers:
                    if watcher.device == device:
                        watcher.ended = "again" if again else "revoked"
                channel.changed.notify_all()

    def look(self) -> None:
        """Let every stream see at once whether its own client has hung up: somebody has."""
        with self._lock:
            for channel in self._channels.values():
                channel.changed.notify_all()

    def stop(self) -> None:
        """End all streams, and every later one at once: the server is going down."""
        with self._lock:
            self._stopped = True
            for channel in self._channels.values():
                channel.changed.notify_all()

    def present(self, code: str) -> frozenset[str]:
        """Return the seats that have a phone connected; one that is only reloading its page still counts."""
        with self._lock:
            channel = self._channels.get(code)
            return frozenset(channel.seats) | frozenset(channel.away) if channel else frozenset()

    def devices(self, code: str) -> frozenset[str]:
        """Return the devices that watch a night just now."""
        with self._lock:
            channel = self._channels.get(code)
            return frozenset(watcher.device for watcher in channel.watchers) if channel else frozenset()

    def count(self) -> int:
        """Return how many streams are open."""
        with self._lock:
            return self._count

    def _run(self, watcher: _Watcher, render: Render, gone: Callable[[], bool]) -> Generator[bytes, None, None]:
        channel = self._enter(watcher, render)
        try:
            yield from self._messages(watcher, channel, gone)
        finally:
            self._leave(watcher, channel)

    def _messages(self, watcher: _Watcher, channel: _Channel, gone: Callable[[], bool]) -> Iterator[bytes]:
        view, last = channel.views[watcher.view], b""
        beat_at = time.monotonic() + self._beat_seconds
        while not gone():
            if watcher.seen != self._wait(watcher, channel, beat_at):
                last = yield from self._news(watcher, channel, view, last)
            if watcher.ended in ("replaced", "revoked"):
                # Tells the page not to come back: two copies of one page would push each other out for ever.
                yield message(watcher.ended, event="closed")
            if watcher.ended or self._stopped:
                return
            if (now := time.monotonic()) >= beat_at:
                beat_at = now + self._beat_seconds
                yield message(str(max(view.head, channel.head)), event="beat")

    def _wait(self, watcher: _Watcher, channel: _Channel, beat_at: float) -> int:
        """Wait for news, or until it is time to look whether the client is still there; return the newest version."""
        with self._lock:
            if watcher.seen == channel.version and not watcher.ended and not self._stopped:
                channel.changed.wait(max(0.0, min(self._check_seconds, beat_at - time.monotonic())))
            self._forget_away(channel)
            return watcher.seen if watcher.ended or self._stopped else channel.version

    def _news(self, watcher: _Watcher, channel: _Channel, view: _View, last: bytes) -> Generator[bytes, None, bytes]:
        """Yield the latest picture unless it is the one sent last; return what was sent last."""
        sent, watcher.seen = self._picture(channel, view)
        if sent != last:
            yield sent if last else FIRST + sent
        return sent

    def _picture(self, channel: _Channel, view: _View) -> tuple[bytes, int]:
        """Return a view's latest message and its version; whoever comes first renders every view that is out of date.

        What many views share is fresh then, and no thread waits for the turn of another between two of them.
        """
        with self._rendering:
            with self._lock:
                version = channel.version  # read before rendering: the picture is this new, or newer
                others = [one for one in channel.views.values() if one is not view and one.version != version]
            if view.version != version:
                _paint(view, version)
                for one in others:
                    with suppress(Exception):  # a view that can't be rendered is its own watcher's trouble
                        _paint(one, version)
            return view.sent, view.version

    def _enter(self, watcher: _Watcher, render: Render) -> _Channel:
        with self._lock:
            channel = self._channels.get(watcher.code)
            if channel is None:
                channel = self._channels[watcher.code] = _Channel(threading.Condition(self._lock))
            own = [other for other in channel.watchers if other.device == watcher.device and not other.ended]
            for other in own:
                if other.tab == watcher.tab:
                    other.ended = "replaced"
            for other in own[: max(0, len(own) + 1 - self._per_device)]:
                other.ended = "replaced"  # a browser holds no more than this: the oldest one's phone has lost it
            channel.changed.notify_all()
            channel.watchers[watcher] = None
            channel.views.setdefault(watcher.view, _View(render))
            self._count += 1
            if watcher.seat:
                channel.seats[watcher.seat] += 1
                if not channel.away.pop(watcher.seat, None) and channel.seats[watcher.seat] == 1:
                    channel.touch()
            return channel

    def _leave(self, watcher: _Watcher, channel: _Channel) -> None:
        with self._lock:
            del channel.watchers[watcher]
            self._count -= 1
            if all(other.view != watcher.view for other in channel.watchers):
                del channel.views[watcher.view]
            if watcher.seat:
                channel.seats[watcher.seat] -= 1
                if not channel.seats[watcher.seat]:
                    del channel.seats[watcher.seat]
                    channel.away[watcher.seat] = time.monotonic()
            if not channel.watchers:
                del self._channels[watcher.code]

    def _forget_away(self, channel: _Channel) -> None:
        """Count seats as away that have not come back in time, and show it."""
        before = time.monotonic() - self._away_seconds
        gone = [seat for seat, since in channel.away.items() if since < before]
        for seat in gone:
            del channel.away[seat]
        if gone:
            channel.touch()
