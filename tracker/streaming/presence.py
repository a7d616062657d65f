"""Which phones watch a night: those with a stream of this process, and those that other processes have told of.

Each process tells the others which phones it has: at once what has changed, and everything every few seconds. What a
process has told is forgotten when it has not told it again for a while, as it has been killed then.
"""

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from math import inf

from tracker.streaming.stream import Audience

TELL_ALL_SECONDS = 4.0
FORGET_SECONDS = 10.0
MOST_TOLD = 100
"""Phones of one night that are told of."""
MOST_BYTES = 6000
"""Of one message, unless a single night has more: the database takes 8,000."""


class Presence:
    """The phones that watch a night. Any thread may call any method."""

    def __init__(
        self, audiences: Mapping[str, Audience], lock: threading.Lock, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`audiences` are the streams of this process; `lock` is held by whoever changes them."""
        self._audiences, self._lock, self._clock = audiences, lock, clock
        self._name = secrets.token_hex(4)
        """By which other processes know this one."""
        self._told: dict[str, frozenset[str]] = {}
        self._told_all_at = -inf
        self._elsewhere: dict[str, dict[str, tuple[frozenset[str], float]]] = {}
        """By night and process: the phones, and until when that holds."""

    def devices(self, code: str) -> frozenset[str]:
        """Return the devices that watch a night just now."""
        with self._lock:
            audience = self._audiences.get(code)
            here = frozenset(watcher.device for watcher in audience.watchers) if audience else frozenset()
        return here.union(*(told for told, _ in self._elsewhere.get(code, {}).values()))

    # What processes tell each other; all of it is called by one thread

    def tell_all_again(self) -> None:
        """Have `pending_messages` return everything the next time: somebody may not know it."""
        self._told_all_at = -inf

    def pending_messages(self) -> Iterator[str]:
        """Yield messages to the other processes: what has changed since the last time, now and then everything."""
        here = self._here()
        gone = {code: frozenset[str]() for code in self._told if code not in here}
        news = {code: phones for code, phones in {**here, **gone}.items() if phones != self._told.get(code)}
        if self._clock() - self._told_all_at >= TELL_ALL_SECONDS:
            news, self._told_all_at = {**here, **gone}, self._clock()
        self._told = here
        nights: list[str] = []
        for code, phones in news.items():
            night = f"{json.dumps(code)}:{json.dumps(sorted(phones)[:MOST_TOLD], separators=(',', ':'))}"
            if nights and sum(map(len, nights)) + len(night) > MOST_BYTES:
                yield self._message(nights)
                nights = []
            nights.append(night)
        if nights:
            yield self._message(nights)

    def _message(self, nights: list[str]) -> str:
        return f"{self._name} {{{','.join(nights)}}}"

    def _here(self) -> dict[str, frozenset[str]]:
        with self._lock:
            return {
                code: frozenset(watcher.device for watcher in audience.watchers)
                for code, audience in self._audiences.items()
            }

    def merge(self, message: str) -> None:
        """Take in what another process has told."""
        process, _, text = message.partition(" ")
        until = self._clock() + FORGET_SECONDS
        for code, told in json.loads(text).items():
            self._set(code, {**self._elsewhere.get(code, {}), process: (frozenset(told), until)})

    def expire(self) -> None:
        """Forget what was not told again for a while."""
        now = self._clock()
        for code, known in list(self._elsewhere.items()):
            kept = {process: told for process, told in known.items() if told[1] > now}
            if len(kept) < len(known):
                self._set(code, kept)

    def _set(self, code: str, known: dict[str, tuple[frozenset[str], float]]) -> None:
        """Replace what is known of a night; other threads read it at the same time."""
        if known := {process: told for process, told in known.items() if told[0]}:
            self._elsewhere[code] = known
        else:
            self._elsewhere.pop(code, None)
