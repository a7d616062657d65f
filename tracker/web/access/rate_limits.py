"""How often a stranger may guess a code, how fast a phone may send, and which links to use once are still good."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

HOST_LINK_SECONDS = 600
MOST_SENDERS = 5000
MOST_REFUSALS = 10_000
PIN_OPEN_SECONDS, PIN_PAUSE_SECONDS, MOST_PIN_TRIES = 300, 60, 5


class GuessLimit:
    """Guesses in the last minute: so many from one address, so many in all.

    The figure for all together is the promise, as a device may take many addresses of a home network. It is so high
    that a few addresses don't use it up for everybody: of 729 million codes, 300 a minute find a table's in years.
    """

    def __init__(
        self, each: int = 5, in_all: int = 300, seconds: float = 60, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.each, self.in_all, self.seconds = each, in_all, seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._taken: deque[tuple[float, str]] = deque()

    def take(self, address: str) -> bool:
        """Take one guess and return whether there was one left; counted before the guess is compared."""
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
        """Give one guess back to an address that guessed right."""
        with self._lock:
            for taken in reversed(self._taken):
                if taken[1] == address:
                    self._taken.remove(taken)
                    return


class PostRateLimit:
    """How fast each sender may post: `burst` at once, then so many a second; a fast table sends one or two a second."""

    def __init__(self, burst: int = 60, each_second: float = 10, clock: Callable[[], float] = time.monotonic) -> None:
        self.burst, self.each_second = burst, each_second
        self._clock = clock
        self._lock = threading.Lock()
        self._full_at: dict[str, float] = {}

    def take(self, sender: str) -> bool:
        """Return whether this sender may post now, and count it if so."""
        with self._lock:
            now = self._clock()
            if len(self._full_at) >= MOST_SENDERS:  # whoever has been quiet for a while starts anew anyway
                self._full_at = {one: at for one, at in self._full_at.items() if at > now}
            full_at = max(now, self._full_at.get(sender, now)) + 1 / self.each_second
            if full_at - now > self.burst / self.each_second + 1e-6:
                return False
            self._full_at[sender] = full_at
            return True

    def raise_to(self, sender: str, seconds: float) -> None:
        """Let a sender's count be empty in so many seconds, unless it takes longer already."""
        with self._lock:
            full_at = self._clock() + seconds
            self._full_at[sender] = max(full_at, self._full_at.get(sender, full_at))


class RefusalCount:
    """How many requests were refused in the last hour, by why; of the busiest hour no more than MOST_REFUSALS."""

    def __init__(self, seconds: float = 3600, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds, self._clock = seconds, clock
        self._refused: deque[tuple[float, str]] = deque(maxlen=MOST_REFUSALS)

    def note(self, why: str) -> None:
        """Count one more."""
        self._refused.append((self._clock(), why))

    def counts(self) -> Counter[str]:
        """Return how many there were in the last hour, by why."""
        since = self._clock() - self.seconds
        return Counter(why for at, why in list(self._refused) if at > since)


class DeviceAddresses:
    """Where the devices of this run came from; forgotten with the process."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}

    def note(self, device: int, address: str) -> None:
        """Note where a new device came from."""
        self._known[device] = address

    def forget(self, device: int) -> None:
        """Forget a device that was ended."""
        self._known.pop(device, None)

    def address_of(self, device: int) -> str:
        """Return where a device came from; empty where that is not known."""
        return self._known.get(device, "")

    def devices_from(self, address: str) -> set[int]:
        """Return the devices that came from an address."""
        return {device for device, known in list(self._known.items()) if known == address}


class HostLinks:
    """The links that make a browser the host: each good once, for ten minutes, kept only as a hash."""

    def __init__(self, seconds: float = HOST_LINK_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._until: dict[str, float] = {}

    def mint(self) -> str:
        """Return a new 256-bit token."""
        token = secrets.token_urlsafe(32)
        with self._lock:
            self._until[token_key(token)] = self._clock() + self.seconds
        return token

    def is_good(self, token: str) -> bool:
        """Return whether redeeming this token would work now."""
        with self._lock:
            return self._until.get(token_key(token), 0) > self._clock()

    @contextmanager
    def redeem(self, token: str) -> Iterator[bool]:
        """Use the token up, and yield whether it was still good; of many at once exactly one hears yes.

        It is good again when the block raises: what it was used for has not happened.
        """
        with self._lock:
            until = self._until.pop(token_key(token), 0.0)
        try:
            yield until > self._clock()
        except BaseException:
            if until:
                with self._lock:
                    self._until[token_key(token)] = until
            raise


class PinLimits:
    """Which phones have typed the PIN lately, and how often it was typed wrong; all of it forgotten in a restart."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._open: dict[int, float] = {}
        self._wrong: dict[str, list[float]] = {}

    def is_open(self, device: int | None) -> bool:
        """Return whether this phone has typed the PIN in the last five minutes."""
        return device is not None and self._open.get(device, 0.0) > self._clock()

    def open(self, device: int) -> None:
        """Note that this phone has typed the PIN."""
        self._open[device] = self._clock() + PIN_OPEN_SECONDS

    def take(self, code: str) -> bool:
        """Take one of five tries a minute for a night, and return whether there was one left."""
        with self._lock:
            now = self._clock()
            lately = [at for at in self._wrong.get(code, []) if at > now - PIN_PAUSE_SECONDS]
            if len(lately) >= MOST_PIN_TRIES:
                return False
            self._wrong[code] = [*lately, now]
            return True

    def forget(self, code: str) -> None:
        """Give all tries back: it was typed right."""
        with self._lock:
            self._wrong.pop(code, None)


@dataclass(frozen=True)
class PhoneTransfer:
    """A phone that gives what it is to another one: the night, and the device that shows the code."""

    code: str
    device: int
    role: str
    """What the phone was when it made the code: a host's role is only moved by a code that its host made."""


class TransferLinks(HostLinks):
    """The links by which a seat moves to another phone: each good once, for ten minutes, the newest of a phone only."""

    def __init__(self, seconds: float = HOST_LINK_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(seconds, clock)
        self._moving: dict[str, PhoneTransfer] = {}

    def mint_for(self, moving: PhoneTransfer) -> str:
        """Return a new token; those this phone showed before are worth nothing from now on."""
        token = self.mint()
        with self._lock:
            for old in [one for one, known in self._moving.items() if known == moving or one not in self._until]:
                self._until.pop(old, None)
                del self._moving[old]
            self._moving[token_key(token)] = moving
        return token

    def moving(self, token: str) -> PhoneTransfer | None:
        """Return what this token would move now, or None."""
        return self._moving.get(token_key(token)) if self.is_good(token) else None

    @contextmanager
    def take(self, token: str) -> Iterator[PhoneTransfer | None]:
        """Use the token up and yield what it moves, as `redeem` does."""
        moving = self._moving.get(token_key(token))
        with self.redeem(token) as is_good:
            yield moving if is_good else None


def token_key(token: str) -> str:
    """Return the SHA-256 of a token, which is all that is kept of it."""
    return hashlib.sha256(token.encode()).hexdigest()
