"""How often a stranger may guess a typed code, and which links from the terminal are still good."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable

HOST_LINK_SECONDS = 600


class Tries:
    """Guesses in the last minute: so many from one address, so many in all.

    An address on a home network costs nothing, so the figure for all of them together is the promise.
    """

    def __init__(
        self, each: int = 5, in_all: int = 20, seconds: float = 60, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.each, self.in_all, self.seconds = each, in_all, seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._taken: deque[tuple[float, str]] = deque()

    def take(self, address: str) -> bool:
        """Takes one guess and says whether there was one left; counted before the guess is compared."""
        with self._lock:
            now = self._clock()
            while self._taken and self._taken[0][0] <= now - self.seconds:
                self._taken.popleft()
            mine = sum(1 for _, taker in self._taken if taker == address)
            if len(self._taken) >= self.in_all or mine >= self.each:
                return False
            self._taken.append((now, address))
            return True

    def give_back(self, address: str) -> None:
        """Gives one guess back to an address that guessed right."""
        with self._lock:
            for taken in reversed(self._taken):
                if taken[1] == address:
                    self._taken.remove(taken)
                    return


class HostLinks:
    """The links that make a browser the host: each good once, for ten minutes, kept only as a hash."""

    def __init__(self, seconds: float = HOST_LINK_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._until: dict[str, float] = {}

    def mint(self) -> str:
        """Returns a new 256-bit token."""
        token = secrets.token_urlsafe(32)
        with self._lock:
            self._until[digest(token)] = self._clock() + self.seconds
        return token

    def is_good(self, token: str) -> bool:
        """Says whether redeeming this token would work now."""
        with self._lock:
            return self._until.get(digest(token), 0) > self._clock()

    def redeem(self, token: str) -> bool:
        """Uses the token up, and says whether it was still good; of many at once exactly one hears yes."""
        with self._lock:
            return self._until.pop(digest(token), 0) > self._clock()


def digest(token: str) -> str:
    """Returns the SHA-256 of a token, which is all that is kept of it."""
    return hashlib.sha256(token.encode()).hexdigest()
