"""The streams of a night: pages and their parts, messages, who reads them, and where what is sent to them goes."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple, Protocol

from tracker.streaming.room import Room, ViewerGroup

SLOT = "\x1f"
"""Stands before and behind the name of a part in a frame, and before each part that is sent alone."""


@dataclass(eq=False)
class Part:
    """One element with an id, rendered once for all who see the same: the same object says that it is the same."""

    name: str
    html: str

    @cached_property
    def change(self) -> bytes:
        """What is sent to a page that shows another state of this element (static/shared/live.js)."""
        return as_data(SLOT + self.html)

    @cached_property
    def without_button(self) -> Part:
        """The same element for whoever may not tap it: no button; one with a name of its own is a picture."""
        html = self.html.replace("<button aria-label", '<div role="img" aria-label').replace("<button", "<div")
        html = html.replace("</button>", "</div>")
        return Part(self.name, html)


def as_data(text: str) -> bytes:
    """Return text as the data of a message: every line of it is marked as data, so none can forge a field."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.encode().replace(b"\n", b"\ndata: ")


def slot(name: str) -> str:
    """Return the place in a frame where a part stands."""
    return f"{SLOT}{name}{SLOT}"


class Page(NamedTuple):
    """What one viewer sees. A group holds the parts that an audience has in common, always of the same names."""

    frame: str
    groups: tuple[tuple[Part, ...], ...] = ()

    def __str__(self) -> str:
        if not self.groups:
            return self.frame
        parts = {part.name: part.html for group in self.groups for part in group}
        return "".join(parts.get(text, "") if at % 2 else text for at, text in enumerate(self.frame.split(SLOT)))


@lru_cache(256)  # of one change most viewers have the same groups
def changes_of(before: tuple[Part, ...], now: tuple[Part, ...]) -> bytes | None:
    """Return what is sent of a group to who has been shown it as it was before; None where it has other parts."""
    if [part.name for part in before] != [part.name for part in now]:
        return None
    pairs = zip(before, now, strict=True)
    return b"".join(part.change for was, part in pairs if was is not part and was.html != part.html)


@dataclass(frozen=True)
class Frame:
    """What a view shows: its page (or JSON as text), and the number of the newest event in it."""

    head: int
    page: Page | str
    event: str = ""
    """The kind of its message; a page's has none."""
    before: bytes = b""
    """Messages that are sent before it."""

    @property
    def whole(self) -> bytes:
        """What is sent to who has no page yet, or has missed a message."""
        return self.before + message(str(self.page), event=self.event, head=self.head)

    def since(self, old: Frame) -> bytes | None:
        """Return the message that leads here from an older frame, empty for the same; None for the whole page."""
        if self == old:
            return b""
        page, before = self.page, old.page
        if self.before or isinstance(page, str) or isinstance(before, str) or page.frame != before.frame:
            return None
        groups = [pair for pair in zip(before.groups, page.groups, strict=True) if pair[0] is not pair[1]]
        changes = [changes_of(*pair) for pair in groups]
        if None in changes:
            return None
        changed = b"".join(filter(None, changes))
        return b"id: %d\ndata: %s\n\n" % (self.head, changed) if changed else b""


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


def message(data: str, *, event: str = "", head: int | None = None) -> bytes:
    begin = (f"event: {event}\n" if event else "") + (f"id: {head}\n" if head is not None else "")
    return b"%sdata: %s\n\n" % (begin.encode(), as_data(data))


logger = logging.getLogger(__name__)
BEAT_STEP = 0.025
"""Heartbeats that are due within this share of the interval are sent together: the thread wakes up less often."""
FINAL = ("replaced", "revoked", "full")
"""Ends that a page is told of, so that it does not ask for a new stream at once."""


class Newest(NamedTuple):
    """What a view shows: since which version of the night, the number of its page, and the message that leads there."""

    version: int
    number: int
    message: bytes


@dataclass(eq=False)
class View:
    """What all who see the same are sent."""

    render: Render
    version: int = -1
    frame: Frame | None = None
    number: int = 0
    """Of the pages of a view that differed from the one before."""
    change: bytes = b""
    """The message that leads here from the page before; empty where only the whole page does."""
    rendering: threading.Lock = field(default_factory=threading.Lock)

    @property
    def head(self) -> int:
        return self.frame.head if self.frame else 0

    def _update(self, version: int) -> None:
        """Render it anew, unless it is as new as that."""
        if self.version < version:
            frame, old = self.render(), self.frame
            change = frame.since(old) if old else None
            self.frame = frame
            if change != b"":
                self.change, self.number = change or b"", self.number + 1
            # The version comes last: who reads it first gets a page as new as that.
            self.version = version

    def newest(self, version: int, page: int = -1) -> Newest:
        """Return what it shows, as new as `version`, for who was sent page number `page` last."""
        with self.rendering:  # another thread may begin a stream of the same view: the message belongs to the number
            self._update(version)
            if page == self.number or not self.frame:
                message = b""
            else:
                message = self.change if self.change and page == self.number - 1 else self.frame.whole
            return Newest(self.version, self.number, message)


@dataclass(eq=False)
class Watcher:
    """One open stream."""

    code: str
    view: str
    device: str
    tab: str
    is_player: bool
    room: Room | None = None  # in which it has a place
    seen: int = -1  # the version of the night that was sent last
    page: int = 0  # the number of the page that was sent last
    ended: str = ""  # why the stream has to end
    sink: Sink | None = None

    @property
    def group(self) -> ViewerGroup:
        """Whom it shares room with."""
        return ViewerGroup(self.code, self.is_player)

    @property
    def is_free(self) -> bool:
        """Whether it can be sent something now."""
        return not self.ended and self.sink is not None and self.sink.is_free

    def send(self, view: View, version: int) -> None:
        """Send a page that is as new as that, or what has changed on it, unless it is the one sent last."""
        newest = view.newest(version, self.page)
        self.seen = newest.version
        if newest.message and self.sink:
            self.sink.push(newest.message)
            self.page = newest.number

    def send_head(self, head: int) -> None:
        if self.sink:
            self.sink.push(message(str(head), event="beat"))

    def end(self, why: str) -> None:
        """End the stream, unless it has been ended already."""
        if self.mark_ended(why):
            self.finish()

    def mark_ended(self, why: str) -> bool:
        """Give up its place and send it no more pages; return whether it was not ended before."""
        is_first, self.ended = not self.ended, self.ended or why
        if self.room:
            self.room.give_up(self)
        return is_first

    def attempt(self, send: Callable[..., None], *arguments: object) -> None:
        """Call what sends it something; where that fails, end this stream, and no other one: its page asks anew."""
        try:
            send(*arguments)
        except Exception:
            logger.exception("a stream can't be sent what is new")
            self.end("again")

    def finish(self) -> None:
        """End the sink, with a word to a page that must not come back at once: two would push each other out."""
        if self.sink:
            self.sink.end(message(self.ended, event="closed") if self.ended in FINAL else b"")


@dataclass(eq=False)
class Audience:
    """Everybody who watches one night."""

    sending: threading.RLock = field(default_factory=threading.RLock)  # held while its pages are rendered and sent
    version: int = 0  # grows with everything that looks different
    head: int = 0
    watchers: dict[Watcher, None] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    displaced: list[Watcher] = field(default_factory=list)  # whose streams made room for others and have to be ended
    has_waiting_sender: bool = False  # whether a thread of its own is about to send it what is new
    beat_at: float = 0.0  # when it is sent the number of the newest event next

    def free_watchers(self) -> list[tuple[Watcher, int]]:
        """Return who can take a message, each with the number of the newest event that is known."""
        return [
            (watcher, max(self.head, self.views[watcher.view].head)) for watcher in self.watchers if watcher.is_free
        ]

    def send_heads(self, lock: threading.Lock) -> None:
        """Tell every page the number of the newest event, unless they are rendered anyway; `lock` is the hub's."""
        if not self.sending.acquire(blocking=False):
            return
        try:
            with lock:
                free = self.free_watchers()
            for watcher, head in free:
                watcher.attempt(watcher.send_head, head)
        finally:
            self.sending.release()

    def replaced_watchers(self, new: Watcher, per_device: int) -> list[Watcher]:
        """Return whose place a new watcher takes: its own tab's older stream, and what its browser has lost."""
        own = [other for other in self.watchers if other.device == new.device and not other.ended]
        lost = own[: max(0, len(own) + 1 - per_device)]
        return [other for other in own if other.tab == new.tab or other in lost]

    def newest_of(self, group: ViewerGroup) -> Watcher | None:
        """Return the newest stream of a group that has not ended."""
        return next((one for one in reversed(self.watchers) if one.group == group and not one.ended), None)

    def add(self, watcher: Watcher, render: Render) -> None:
        self.watchers[watcher] = None
        self.views.setdefault(watcher.view, View(render))

    def remove(self, watcher: Watcher) -> None:
        """Let somebody go."""
        del self.watchers[watcher]
        watcher.mark_ended("gone")
        if all(other.view != watcher.view for other in self.watchers):
            del self.views[watcher.view]

    def is_beat_due(self, now: float, interval: float) -> bool:
        """Return whether a heartbeat is due, and set when the next one is."""
        if self.beat_at > now + BEAT_STEP * interval:
            return False
        self.beat_at = now + interval
        return True
