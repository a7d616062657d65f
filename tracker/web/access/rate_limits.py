"""How often a stranger may guess a code, and how fast a phone may send."""

import threading
import time
from collections.abc import Callable

from tracker.formats.sender import network_of
from tracker.storage import ExpiringRows

MOST_SENDERS = 5000


class GuessLimit:
    """Guesses in the last minute: so many of one sender (formats/sender.py), so many in all.

    The figure for all together is the promise: of 729 million codes, 300 a minute find a table's in years. Once half of
    it is used, each network has a small even share of the rest: whoever guesses from many senders of a few networks
    leaves some for everybody else. A family of twelve behind one address may each mistype a code in one minute.
    """

    def __init__(
        self,
        each: int = 15,
        in_all: int = 300,
        seconds: float = 60,
        *,
        clock: Callable[[], float] = time.monotonic,
        rows: ExpiringRows | None = None,
        kind: str = "guess",
    ) -> None:
        """`kind` tells it from other limits in the same `rows`; without these it has some of its own."""
        self.each, self.in_all, self.seconds = each, in_all, seconds
        self._rows, self._kind = rows or ExpiringRows(clock=clock), kind

    def take(self, sender: str) -> bool:
        """Take one guess and return whether there was one left; counted before the guess is compared."""
        return self._rows.count_one(
            self._kind, sender, self.seconds, each=self.each, in_all=self.in_all, group=network_of(sender)
        )

    def give_back(self, sender: str) -> None:
        self._rows.give_back(self._kind, sender)


class Levels:
    """What each name has taken lately, as the moment when all of it will have been given to it again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._most_known = MOST_SENDERS
        self._full_at: dict[str, float] = {}

    def _add(self, name: str, full_at: float, now: float) -> None:
        self._full_at[name] = full_at
        if len(self._full_at) > self._most_known:  # whoever has been quiet for a while starts anew anyway
            self._full_at = {one: at for one, at in self._full_at.items() if at > now}
            self._most_known = max(MOST_SENDERS, 2 * len(self._full_at))  # a crowd is not looked at for each post


class PostRateLimit(Levels):
    """How fast each sender may post: `burst` at once, then so many a second; a fast table sends one or two a second."""

    def __init__(self, burst: int = 60, each_second: float = 10, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self.burst, self.each_second = burst, each_second

    def take(self, sender: str) -> bool:
        """Return whether this sender may post now, and count it if so."""
        with self._lock:
            now = self._clock()
            full_at = max(now, self._full_at.get(sender, now)) + 1 / self.each_second
            if full_at - now > self.burst / self.each_second + 1e-6:
                return False
            self._add(sender, full_at, now)
            return True
