"""Which phones watch a night: those with a stream of this process, and those that other processes have told of.

Each process tells the others which phones it has: at once what has changed, and everything every few seconds. What a
process has told is forgotten when it has not told it again for a while, as it has been killed then.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf
from typing import TypeAlias

from tracker.streaming.audience import Audience

Phone: TypeAlias = tuple[str, str]
"""Device and seat: no seat for who watches, no device for a seat whose phone may only be loading its page again."""

TELL_ALL_SECONDS = 4.0
FORGET_SECONDS = 10.0
MOST_TOLD = 100
"""Phones of one night that are told of, those with a seat first."""
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
        self._told: dict[str, frozenset[Phone]] = {}
        self._told_all_at = -inf
        self._elsewhere: dict[str, dict[str, tuple[frozenset[Phone], float]]] = {}
        """By night and process: the phones, and until when that holds."""

    def seats(self, code: str) -> frozenset[str]:
        """Return the seats that have a phone connected; one that is only reloading its page still counts."""
        with self._lock:
            audience = self._audiences.get(code)
            here = frozenset(audience.seats) | frozenset(audience.away) if audience else frozenset()
        elsewhere = self._phones_elsewhere(code)
        return here | _seats(elsewhere) if elsewhere else here

    def devices(self, code: str) -> frozenset[str]:
        """Return the devices that watch a night just now."""
        with self._lock:
            audience = self._audiences.get(code)
            here = frozenset(watcher.device for watcher in audience.watchers) if audience else frozenset()
        return here.union(device for device, _ in self._phones_elsewhere(code) if device)

    def _phones_elsewhere(self, code: str) -> list[Phone]:
        return [phone for phones, _ in self._elsewhere.get(code, {}).values() for phone in phones]

    # What processes tell each other; all of it is called by one thread

    def tell_all_again(self) -> None:
        """Have `news` return everything the next time: somebody may not know it."""
        self._told_all_at = -inf

    def news(self) -> Iterator[str]:
        """Yield messages to the other processes: what has changed since the last time, now and then everything."""
        here = self._here()
        gone = {code: frozenset[Phone]() for code in self._told if code not in here}
        news = {code: phones for code, phones in {**here, **gone}.items() if phones != self._told.get(code)}
        if self._clock() - self._told_all_at >= TELL_ALL_SECONDS:
            news, self._told_all_at = {**here, **gone}, self._clock()
        self._told = here
        nights: list[str] = []
        for code, phones in news.items():
            night = f"{json.dumps(code)}:{json.dumps(_most_of(phones), separators=(',', ':'))}"
            if nights and sum(map(len, nights)) + len(night) > MOST_BYTES:
                yield self._message(nights)
                nights = []
            nights.append(night)
        if nights:
            yield self._message(nights)

    def _message(self, nights: list[str]) -> str:
        return f"{self._name} {{{','.join(nights)}}}"

    def _here(self) -> dict[str, frozenset[Phone]]:
        with self._lock:
            return {
                code: frozenset(
                    [
                        *((watcher.device, watcher.seat or "") for watcher in audience.watchers),
                        *(("", seat) for seat in audience.away),
                    ]
                )
                for code, audience in self._audiences.items()
            }

    def take(self, message: str) -> list[str]:
        """Take in what another process has told; return the codes of the nights that look different by it."""
        process, _, text = message.partition(" ")
        until, changed = self._clock() + FORGET_SECONDS, []
        for code, told in json.loads(text).items():
            known, phones = self._elsewhere.get(code, {}), frozenset((device, seat) for device, seat in told)
            if _seats(phones) != _seats(known.get(process, (frozenset(), 0.0))[0]):
                changed.append(code)
            self._set(code, {**known, process: (phones, until)})
        return changed

    def forget_silent(self) -> list[str]:
        """Forget what was not told again for a while; return the codes of the nights that look different by it."""
        now, changed = self._clock(), []
        for code, known in list(self._elsewhere.items()):
            kept = {process: told for process, told in known.items() if told[1] > now}
            if len(kept) < len(known):
                changed.append(code)
                self._set(code, kept)
        return changed

    def _set(self, code: str, known: dict[str, tuple[frozenset[Phone], float]]) -> None:
        """Replace what is known of a night; other threads read it at the same time."""
        if known := {process: told for process, told in known.items() if told[0]}:
            self._elsewhere[code] = known
        else:
            self._elsewhere.pop(code, None)


def _seats(phones: Iterable[Phone]) -> frozenset[str]:
    return frozenset(seat for _, seat in phones if seat)


def _most_of(phones: frozenset[Phone]) -> list[Phone]:
    """Return the phones of a night in order, those with a seat first, as many as are told of."""
    return sorted(phones, key=lambda phone: (not phone[1], phone))[:MOST_TOLD]
