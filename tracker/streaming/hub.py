"""Who is watching which night, and the stream of what they see.

A stream carries whole pages, never steps: the first message is the present state, each later one the latest, so a
phone that missed some misses nothing. A page is rendered once and shared by all who see the same view. Whoever made
the change renders it and pushes it to all, so no watcher needs a thread that waits for news.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from itertools import chain

from tracker.streaming.stream import (
    Audience,
    Frame,
    HandOver,
    MessageQueue,
    Render,
    Sink,
    StreamHandle,
    TooManyStreams,
    Watcher,
)

__all__ = ["Frame", "StreamHub", "TooManyStreams"]

STOP_SECONDS = 2.0  # how long a page that is being rendered when the server stops is waited for
FIRST = b"retry: 500\n"  # milliseconds until a page that lost its stream asks for a new one


class StreamHub:
    """All streams of this server. Any thread may call any method."""

    def __init__(
        self,
        *,
        heartbeat_seconds: float = 10.0,
        away_seconds: float = 4.0,
        limit: int = 240,
        kept_for_players: int = 30,  # of these, for seats and hosts alone
        per_device: int = 4,  # a browser opens six connections, and has to load pages beside its streams
    ) -> None:
        self._heartbeat_seconds, self._away_seconds = heartbeat_seconds, away_seconds
        self._limit, self._kept_for_players, self._per_device = limit, kept_for_players, per_device
        # Each night has a lock of its own for rendering and sending (Audience.sending): a slow page of one night
        # delays no other. Whoever needs both takes that one first. Nothing is rendered or sent under `_lock`.
        self._lock = threading.Lock()
        self._wake = threading.Condition(self._lock)
        self._changed: set[str] = set()
        self._audiences: dict[str, Audience] = {}
        self.is_stopped = False
        self._keeper: threading.Thread | None = None
        self._senders: list[threading.Thread] = []

    def publish_and_send(self, code: str, head: int = 0) -> None:
        """Say that a night looks different now, and return when everybody who can take it has been sent the page.

        `head` is the number of the newest event; heartbeats repeat it, so a page knows when it shows an older one.
        Renders: not to be called by who holds a lock that rendering needs.
        """
        with self._lock:
            audience = self._mark_changed(code, head)
        if audience:
            self._send(audience)

    def publish(self, code: str, head: int = 0) -> None:
        """Say the same, and leave the sending to another thread."""
        with self._lock:
            self._mark_changed(code, head)
        self.send_in_background(code)

    def send_in_background(self, code: str) -> None:
        """Have whoever is behind sent the latest page, by another thread."""
        with self._lock:
            self._changed.add(code)
            self._wake.notify()

    def last_frame(self, code: str, view: str) -> Frame | None:
        """Return what was sent last to those who watch a view; None when it is out of date, or nobody does."""
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
        seat: str | None = None,
        hand_over: HandOver | None = None,
    ) -> Generator[bytes, None, None]:
        """Return the messages for one watcher; closing the iterator, or its end, leaves nothing behind.

        `view` names everything the rendering depends on (seat, role, language): whoever gives the same one is sent the
        same HTML, rendered by whichever `render` came first, in any thread, so that may use nothing of its own request.
        With `hand_over` the iterator ends after the first message, and whoever was handed the stream sends the others.
        The newest stream of a device's tab ends its older one. Raises TooManyStreams.
        """
        self.check_room(is_player=True)
        return self._run(Watcher(code, view, device, tab, seat), render, hand_over)

    def check_room(self, *, is_player: bool) -> None:
        """Raise TooManyStreams where no other stream may begin; some are kept for seats and hosts (`is_player`)."""
        with self._lock:
            if self._open() >= (self._limit if is_player else self._limit - self._kept_for_players):
                raise TooManyStreams(retry_after=5)

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

    def present(self, code: str) -> frozenset[str]:
        """Return the seats that have a phone connected; one that is only reloading its page still counts."""
        with self._lock:
            audience = self._audiences.get(code)
            return frozenset(audience.seats) | frozenset(audience.away) if audience else frozenset()

    def devices(self, code: str) -> frozenset[str]:
        """Return the devices that watch a night just now."""
        with self._lock:
            audience = self._audiences.get(code)
            return frozenset(watcher.device for watcher in audience.watchers) if audience else frozenset()

    def count(self) -> int:
        """Return how many streams are open."""
        with self._lock:
            return self._open()

    def _open(self) -> int:
        """One that was told to end takes no room, however long its client takes to hear of it."""
        watchers = chain.from_iterable(audience.watchers for audience in self._audiences.values())
        return sum(not watcher.ended for watcher in watchers)

    # What streams are told

    def _mark_changed(self, code: str, head: int) -> Audience | None:
        audience = self._audiences.get(code)
        if audience:
            audience.head = max(audience.head, head)
            audience.version += 1
        return audience

    def _send(self, audience: Audience) -> None:
        """Render what is out of date and push it to everybody who can take it."""
        with audience.sending:
            with self._lock:
                version = audience.version  # read before rendering: the page is this new, or newer
                outdated = audience.outdated_watchers()
            for watcher, view in outdated:
                with watcher.ended_on_failure():
                    view.update(version)
                    watcher.send(view)

    def _end(self, audience: Audience, why: str, device: str | None = None) -> None:
        """End the streams of a night, or those of one device."""
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
            audience = self._audiences.setdefault(watcher.code, Audience())
            replaced = audience.replaced_watchers(watcher, self._per_device)
            is_news = audience.add(watcher, render)
            if self._keeper is None:
                self._keeper = threading.Thread(target=self._run_keeper, name="live", daemon=True)
                self._keeper.start()
        with audience.sending:
            for old in replaced:
                old.end("replaced")
            if self.is_stopped:
                watcher.end("again")
            elif is_news:
                self._send(audience)
        return audience

    def _first_message(self, audience: Audience, watcher: Watcher) -> bytes:
        with audience.sending:
            view = audience.views[watcher.view]
            view.update(audience.version)
            watcher.seen, watcher.last = view.version, view.sent
            return view.sent

    def attach(self, audience: Audience, watcher: Watcher, sink: Sink) -> None:
        """Send a stream's messages there from now on, beginning with what is new by now."""
        with audience.sending:
            watcher.sink = sink
            if watcher.ended:
                watcher.finish()
            else:
                self._send(audience)

    def leave(self, audience: Audience, watcher: Watcher) -> None:
        """Forget a stream, if it is not forgotten yet."""
        with self._lock:
            if watcher not in audience.watchers:
                return
            audience.remove(watcher, time.monotonic())
            if not audience.watchers:
                del self._audiences[watcher.code]
            self._wake.notify()

    # The background thread, for what nobody's tap brings about

    def _run_keeper(self) -> None:
        heartbeat_at = time.monotonic() + self._heartbeat_seconds
        while not self.is_stopped:
            for audience in self._due(heartbeat_at):
                self._send_in_thread(audience)
            if (now := time.monotonic()) >= heartbeat_at:
                heartbeat_at = now + self._heartbeat_seconds
                self._send_heads()

    def _send_in_thread(self, audience: Audience) -> None:
        """Send a night's pages in a thread of its own: the keeper serves every night, and one page may be slow."""
        sender = threading.Thread(target=self._send, args=[audience], name="live-send", daemon=True)
        self._senders = [*(one for one in self._senders if one.is_alive()), sender]
        sender.start()

    def _due(self, heartbeat_at: float) -> list[Audience]:
        """Wait for a change, or until something else is due; return the nights that look different."""
        with self._lock:
            away = [since for audience in self._audiences.values() for since in audience.away.values()]
            until = min([heartbeat_at, *(since + self._away_seconds for since in away)])
            if not self._changed:
                self._wake.wait(max(0.0, until - time.monotonic()))
            changed, self._changed = self._changed, set()
            before = time.monotonic() - self._away_seconds
            return [
                audience
                for code, audience in self._audiences.items()
                if audience.forget_away(before) or code in changed
            ]

    def _send_heads(self) -> None:
        """Tell every page the number of the newest event, and every network that the stream is in use.

        A night whose pages are being rendered just now is left out: its streams are sent something anyway.
        """
        for audience in self._all_audiences():
            if not audience.sending.acquire(blocking=False):
                continue
            try:
                self._send_head(audience)
            finally:
                audience.sending.release()

    def _send_head(self, audience: Audience) -> None:
        with self._lock:
            free = audience.free_watchers()
        for watcher, head in free:
            with watcher.ended_on_failure():
                watcher.send_head(head)
