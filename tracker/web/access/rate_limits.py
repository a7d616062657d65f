"""How often a stranger may guess a code, how fast a phone may send, and which links to use once are still good."""

import hashlib
import secrets
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from tracker.storage import DiskTrouble, ExpiringRows, MemoryRows

HOST_LINK_SECONDS = 600
MOST_SENDERS = 5000
MOST_REFUSALS = 10_000
EVERY_SENDER = 1 << 30
PIN_OPEN_SECONDS, PIN_PAUSE_SECONDS, MOST_PIN_TRIES = 300, 60, 5


class GuessLimit:
    """Guesses in the last minute: so many from one address, so many in all.

    The figure for all together is the promise, as a device may take many addresses of a home network. It is so high
    that a few addresses don't use it up for everybody: of 729 million codes, 300 a minute find a table's in years.
    """

    def __init__(
        self,
        each: int = 5,
        in_all: int = 300,
        seconds: float = 60,
        *,
        clock: Callable[[], float] = time.monotonic,
        rows: ExpiringRows | None = None,
        kind: str = "guess",
    ) -> None:
        """`kind` tells it from other limits in the same `rows`; without these it has some of its own."""
        self.each, self.in_all, self.seconds = each, in_all, seconds
        self._rows, self._kind = rows or MemoryRows(clock), kind

    def take(self, address: str) -> bool:
        """Take one guess and return whether there was one left; counted before the guess is compared."""
        return self._rows.count_one(self._kind, address, self.seconds, each=self.each, in_all=self.in_all)

    def give_back(self, address: str) -> None:
        """Give one guess back to an address that guessed right."""
        self._rows.give_back(self._kind, address)


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
        self._known[device] = address

    def forget(self, device: int) -> None:
        self._known.pop(device, None)

    def address_of(self, device: int) -> str:
        """Return where a device came from; empty where that is not known."""
        return self._known.get(device, "")

    def devices_from(self, address: str) -> set[int]:
        return {device for device, known in list(self._known.items()) if known == address}


class HostLinks:
    """The links that make a browser the host: each good once, for ten minutes, kept only as a hash."""

    kind = "host-link"

    def __init__(self, *, clock: Callable[[], float] = time.monotonic, rows: ExpiringRows | None = None) -> None:
        self._rows = rows or MemoryRows(clock)

    def mint(self, value: str = "") -> str:
        """Return a new 256-bit token."""
        token = secrets.token_urlsafe(32)
        self._rows.add(self.kind, token_key(token), HOST_LINK_SECONDS, value)
        return token

    def is_good(self, token: str) -> bool:
        """Return whether redeeming this token would work now."""
        return self._rows.value(self.kind, token_key(token)) is not None

    @contextmanager
    def redeem(self, token: str) -> Iterator[bool]:
        """Use the token up, and yield whether it was still good; of many at once exactly one hears yes.

        It is good again when the block raises: what it was used for has not happened.
        """
        with self._taken(token) as value:
            yield value is not None

    @contextmanager
    def _taken(self, token: str) -> Iterator[str | None]:
        value = self._rows.take(self.kind, token_key(token))
        try:
            yield value
        except BaseException:
            if value is not None:
                with suppress(DiskTrouble):
                    self._rows.add(self.kind, token_key(token), HOST_LINK_SECONDS, value)
            raise


class PinLimits:
    """Which phones have typed the PIN lately, and how often it was typed wrong."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, rows: ExpiringRows | None = None) -> None:
        self._rows = rows or MemoryRows(clock)

    def is_open(self, device: int | None) -> bool:
        """Return whether this phone has typed the PIN in the last five minutes."""
        return device is not None and self._rows.value("pin-open", str(device)) is not None

    def open(self, device: int) -> None:
        self._rows.add("pin-open", str(device), PIN_OPEN_SECONDS)

    def take(self, code: str) -> bool:
        """Take one of five tries a minute for a night, and return whether there was one left."""
        return self._rows.count_one("pin-try", code, PIN_PAUSE_SECONDS, each=MOST_PIN_TRIES, in_all=EVERY_SENDER)

    def forget(self, code: str) -> None:
        """Give all tries back: it was typed right."""
        self._rows.take("pin-try", code)


@dataclass(frozen=True)
class PhoneTransfer:
    """A phone that gives what it is to another one: the night, and the device that shows the code."""

    code: str
    device: int
    role: str
    """What the phone was when it made the code: a host's role is only moved by a code that its host made."""


class TransferLinks(HostLinks):
    """The links by which a seat moves to another phone: each good once, for ten minutes, the newest of a phone only."""

    kind = "phone-link"

    def mint_for(self, moving: PhoneTransfer) -> str:
        """Return a new token; those this phone showed before are worth nothing from now on."""
        value = f"{moving.code} {moving.device} {moving.role}"
        self._rows.remove_value(self.kind, value)
        return self.mint(value)

    def moving(self, token: str) -> PhoneTransfer | None:
        """Return what this token would move now, or None."""
        return _transfer(self._rows.value(self.kind, token_key(token)))

    @contextmanager
    def take(self, token: str) -> Iterator[PhoneTransfer | None]:
        """Use the token up and yield what it moves, as `redeem` does."""
        with self._taken(token) as value:
            yield _transfer(value)


def _transfer(value: str | None) -> PhoneTransfer | None:
    if value is None:
        return None
    code, device, role = value.split(" ")
    return PhoneTransfer(code, int(device), role)


def token_key(token: str) -> str:
    """Return the SHA-256 of a token, which is all that is kept of it."""
    return hashlib.sha256(token.encode()).hexdigest()
