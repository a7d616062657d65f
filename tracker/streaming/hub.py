"""Who is watching which night, and the stream of what they see.

The first message is the present page, each later one the latest: to who was sent the page before it only the parts
that differ. So a phone that missed some misses nothing. A page is rendered once and shared by all who see the same
view. Whoever made the change renders it and pushes it to all, so no watcher needs a thread that waits for news.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import suppress
from math import inf

from tracker.streaming.room import RETRY_SECONDS, Room, TooManyStreams, ViewerGroup
from tracker.streaming.stream import Audience, Frame, Render, Sink, Watcher, message

__all__ = ["Frame", "StreamHub", "TooManyStreams"]

STOP_SECONDS = 2.0  # how long a page that is being rendered when the server stops is waited for
FIRST = b"retry: 500\n"  # milliseconds until a page that lost its stream asks for a new one
KEPT_SHARE = 8  # one stream of so many is kept for seats and hosts


class Presence:
    """Which phones watch a night: those with a stream."""

    def __init__(self, audiences: Mapping[str, Audience], lock: threading.Lock) -> None:
        """`lock` is held by whoever changes the `audiences`."""
        self.audiences, self.lock = audiences, lock

    def devices(self, code: str) -> frozenset[str]:
        """Return the devices that watch a night just now."""
        with self.lock:
            audience = self.audiences.get(code)
            return frozenset(watcher.device for watcher in audience.watchers) if audience else frozenset()


class StreamHub:
    """All streams of this server. Any thread may call any method."""

    def __init__(
        self,
        *,
        heartbeat_seconds: float = 10.0,
        limit: int = 8000,
        kept_for_players: int | None = None,  # of these, for seats and hosts alone; None: an eighth
        per_device: int = 4,  # a browser opens six connections, and has to load pages beside its streams
    ) -> None:
        self._heartbeat_seconds, self._per_device = heartbeat_seconds, per_device
        self._room = Room(limit, limit // KEPT_SHARE if kept_for_players is None else kept_for_players)
        # Each night has a lock of its own for rendering and sending (Audience.sending): a slow page of one night
        # delays no other. Whoever needs both takes that one first. Nothing is rendered or sent under `_lock`.
        self._lock = threading.Lock()
        self._wake = threading.Condition(self._lock)
        self._changed: set[str] = set()
        self._audiences: dict[str, Audience] = {}
        self.presence = Presence(self._audiences, self._lock)
        self.is_stopped = False
        self._keeper: threading.Thread | None = None
        self._senders: list[threading.Thread] = []

    def publish_and_send(self, code: str, head: int = 0) -> None:
        """Say that a night looks different after `head` events, and send the page; no lock of rendering may be held."""
        with self._lock:
            audience = self._mark_changed(code, head)
        if audience:
            self.send(audience)

    def publish(self, code: str, head: int = 0) -> None:
        """Say the same, and leave the sending to another thread."""
        with self._lock:
            self._mark_changed(code, head)
        self.send_in_background(code)

    def send_in_background(self, code: str) -> None:
        """Have whoever is behind sent the latest page, by another thread."""
        with self._lock:
            if self._audiences:
                self._start_keeper()
            self._changed.add(code)
            self._wake.notify()

    def has_newest(self, code: str, view: str, device: str) -> bool:
        """Return whether a stream of this device has been sent what this view shows now."""
        with self._lock:
            audience = self._audiences.get(code)
            own = [one for one in audience.watchers if one.device == device and one.view == view] if audience else []
            return any(audience and one.seen == audience.version and not one.ended for one in own)

    def newest_frame(self, code: str, view: str) -> Frame | None:
        """Return what those who watch a view were sent last; None when it is out of date, or nobody watches it."""
        with self._lock:
            audience = self._audiences.get(code)
            found = audience.views.get(view) if audience else None
            return found.frame if audience and found and found.version == audience.version else None

    def stream(
        self,
        code: str,
        view: str,
        render: Render,
        *,
        device: str,
        tab: str = "",
        is_player: bool = True,
        hand_over: HandOver | None = None,
    ) -> Generator[bytes, None, None]:
        """Return the messages for one watcher; closing the iterator, or its end, leaves nothing behind.

        `view` names everything the rendering depends on (seat, role, language): whoever gives the same one is sent the
        same HTML, rendered by whichever `render` came first, in any thread, so that may use nothing of its own request.
        With `hand_over` the iterator ends after the first message, and whoever was handed the stream sends the others.
        The newest stream of a device's tab ends its older one. Raises TooManyStreams where none may begin: seats and
        hosts (`is_player`) come before watchers, and tables share what there is (tracker/streaming/room.py).
        """
        self.check_room(code, is_player=is_player)
        return self._run(Watcher(code, view, device, tab, is_player), render, hand_over)

    def check_room(self, code: str, *, is_player: bool) -> None:
        """Raise TooManyStreams where no other stream of this night may begin."""
        self._room.check(ViewerGroup(code, is_player))

    def only_now(self, code: str, view: str, render: Render) -> bytes:
        """Return all that a page is sent for which there is no room: what it shows now, and when to ask again."""
        page = (self.newest_frame(code, view) or render()).whole
        return message(str(RETRY_SECONDS), event="full") + page + message("full", event="closed")

    def end_device(self, device: str, *, again: bool = False) -> None:
        """End every stream of a device: it was dismissed or, with `again`, comes back at once in another role."""
        for audience in self._all_audiences():
            self._end(audience, "again" if again else "revoked", device)

    def stop(self) -> None:
        """End all streams, and every later one at once: the server is going down."""
        self.is_stopped = True
        for audience in self._all_audiences():
            self._end(audience, "again")
        if self._keeper:
            self.send_in_background("")
            self._keeper.join()
        for sender in self._senders:
            sender.join(STOP_SECONDS)

    def is_watched(self, code: str) -> bool:
        """Return whether a night has any stream of this process."""
        return code in self._audiences

    def count(self) -> int:
        return self._room.count()

    # What streams are told

    def _mark_changed(self, code: str, head: int) -> Audience | None:
        audience = self._audiences.get(code)
        if audience:
            audience.head = max(audience.head, head)
            audience.version += 1
        return audience

    def send(self, audience: Audience) -> None:
        """Render what is out of date and push it to everybody who can take it."""
        with audience.sending:
            with self._lock:
                version = audience.version  # read before rendering: the page is this new, or newer
                outdated = [one for one in audience.watchers if one.seen != version and one.is_free]
                views = [audience.views[one.view] for one in outdated]
                displaced, audience.displaced = audience.displaced, []
            for watcher in displaced:
                watcher.finish()
            for watcher, view in zip(outdated, views, strict=True):
                watcher.attempt(watcher.send, view, version)

    def _end(self, audience: Audience, why: str, device: str | None = None) -> None:
        with self._lock:
            watchers = [watcher for watcher in audience.watchers if device in (None, watcher.device)]
        if not watchers:
            return
        with audience.sending:
            for watcher in watchers:
                watcher.end(why)

    def _all_audiences(self) -> list[Audience]:
        with self._lock:
            return [*self._audiences.values()]

    # Coming and going

    def _run(self, watcher: Watcher, render: Render, hand_over: HandOver | None) -> Generator[bytes, None, None]:
        if self.is_stopped:
            return
        audience, is_kept = self._enter(watcher, render), False
        handle = StreamHandle(self, audience, watcher)
        try:
            yield FIRST + self._first_message(audience, watcher)
            if hand_over:
                hand_over(handle)
                is_kept = True
            else:
                yield from MessageQueue().messages(handle)
        finally:
            if not is_kept:
                handle.leave()

    def _enter(self, watcher: Watcher, render: Render) -> Audience:
        with self._lock:
            audience = self._audiences.get(watcher.code)
            if audience is None:
                audience = self._audiences[watcher.code] = Audience(beat_at=self._first_beat())
                self._wake.notify()
            replaced = audience.replaced_watchers(watcher, self._per_device)
            self._take_place(watcher)
            audience.add(watcher, render)
            self._start_keeper()
            for old in replaced:
                self._displace(audience, old, "replaced")
            if self.is_stopped:
                watcher.mark_ended("again")
        return audience

    def _displace(self, audience: Audience, watcher: Watcher, why: str) -> None:
        """Have a stream ended by who sends to its night: a newcomer does not wait until that is possible."""
        if watcher.mark_ended(why):
            audience.displaced.append(watcher)
            self._changed.add(watcher.code)
            self._wake.notify()

    def _take_place(self, watcher: Watcher) -> None:
        watcher.room, loser = self._room, self._room.take(watcher, watcher.group)
        if loser and (audience := self._audiences.get(loser.code)) and (newest := audience.newest_of(loser)):
            self._displace(audience, newest, "full")

    def _first_message(self, audience: Audience, watcher: Watcher) -> bytes:
        newest = audience.views[watcher.view].newest(audience.version)
        watcher.seen, watcher.page = newest.version, newest.number
        return newest.message

    def leave(self, audience: Audience, watcher: Watcher) -> None:
        """Forget a stream, if it is not forgotten yet."""
        with self._lock:
            if watcher not in audience.watchers:
                return
            audience.remove(watcher)
            if not audience.watchers:
                del self._audiences[watcher.code]
            self._wake.notify()

    # The background thread, for what nobody's tap brings about

    def _start_keeper(self) -> None:
        """Start it unless it runs; where the system gives no more threads, whoever calls next tries again."""
        if self._keeper is None:
            keeper = threading.Thread(target=self._run_keeper, name="live", daemon=True)
            with suppress(RuntimeError):
                keeper.start()
                self._keeper = keeper

    def _run_keeper(self) -> None:
        while not self.is_stopped:
            self.send_due(is_waiting=True)

    def send_due(self, *, is_waiting: bool = False) -> None:
        """Send pages to whoever is behind and heartbeats, and return; with `is_waiting` only when something was due."""
        changed, due = self._due(is_waiting=is_waiting)
        for audience in changed:
            self._send_in_thread(audience)
        for audience in due:
            audience.send_heads(self._lock)

    def _send_in_thread(self, audience: Audience) -> None:
        """Send a night's pages in a thread of its own: the keeper serves every night, and one page may be slow."""
        if audience.has_waiting_sender:
            return
        audience.has_waiting_sender = True
        sender = threading.Thread(target=self._send_waiting, args=[audience], name="live-send", daemon=True)
        try:
            sender.start()
        except RuntimeError:  # the system gives no more threads: the other nights wait for this one's pages
            self._send_waiting(audience)
        else:
            self._senders = [*(one for one in self._senders if one.is_alive()), sender]

    def _send_waiting(self, audience: Audience) -> None:
        with audience.sending:
            audience.has_waiting_sender = False
            self.send(audience)

    def _first_beat(self) -> float:
        """Return when a new night's first heartbeat is due: anywhere in the interval, so that they are spread."""
        return time.monotonic() + random.uniform(0.5, 1.0) * self._heartbeat_seconds  # noqa: S311

    def _due(self, *, is_waiting: bool) -> tuple[list[Audience], list[Audience]]:
        """Return the nights that look different, and those whose heartbeat is due; wait for them if that is wanted."""
        with self._lock:
            until = [audience.beat_at for audience in self._audiences.values()]
            if is_waiting and not self._changed:
                wait = min(until, default=inf) - time.monotonic()
                self._wake.wait(max(0.0, wait) if until else None)
            codes, self._changed = self._changed, set()
            now = time.monotonic()
            changed = [self._audiences[code] for code in codes if code in self._audiences]
            due = [one for one in self._audiences.values() if one.is_beat_due(now, self._heartbeat_seconds)]
            return changed, due


class StreamHandle:
    """A stream that was handed over: whoever has it says where its messages go, and when its client is gone."""

    def __init__(self, hub: StreamHub, audience: Audience, watcher: Watcher) -> None:
        self._hub, self._audience, self._watcher = hub, audience, watcher

    def attach(self, sink: Sink) -> None:
        """Send messages there from now on, beginning with what is new by now."""
        with self._audience.sending:
            self._watcher.sink = sink
            if self._watcher.ended:
                self._watcher.finish()
            else:
                self._hub.send(self._audience)

    def catch_up(self) -> None:
        """Say that the sink is free again: what was left out meanwhile may come."""
        if self._watcher.seen != self._audience.version:
            self._hub.send_in_background(self._watcher.code)

    def leave(self) -> None:
        """Forget the stream: its client is gone. May be said again."""
        self._hub.leave(self._audience, self._watcher)


HandOver = Callable[[StreamHandle], None]
"""Takes a stream after its first message, and attaches a sink to it."""
HAND_OVER = "tracker.hand_over"
"""Under this name a request's environment has what takes over its stream."""


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
        with self._changed:  # at once: a reader that saw the end alone would leave without its message
            self.push(data)
            self._is_over = True

    def messages(self, handle: StreamHandle) -> Iterator[bytes]:
        """Yield what is pushed, until the end."""
        handle.attach(self)
        while not self._is_over or self._held:
            with self._changed:
                self._changed.wait_for(lambda: self._held)
                held, self._held = self._held, []
            handle.catch_up()
            yield from filter(None, held)
