"""The limits and links of `rate_limits` for several processes: what was tried at one counts at all of them."""

from __future__ import annotations

import secrets
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tracker.storage import DiskTrouble, TemporaryRows
from tracker.web.access.rate_limits import (
    HOST_LINK_SECONDS,
    MOST_PIN_TRIES,
    MOST_SENDERS,
    PIN_OPEN_SECONDS,
    PIN_PAUSE_SECONDS,
    DeviceAddresses,
    GuessLimit,
    HostLinks,
    PhoneTransfer,
    PinLimits,
    PostRateLimit,
    RefusalCount,
    TransferLinks,
    token_key,
)

EVERY_SENDER = 1 << 30
SHARED_EVERY = 10
"""Posts of a sender that a process counts by itself before it counts them in the database, all at once."""
WRITE_SECONDS = 3.0
"""After which refusals are written down, all at once."""
ADDRESS_SECONDS = 12 * 3600.0


class SharedGuessLimit(GuessLimit):
    """Guesses in the last minute, at all processes together."""

    def __init__(self, rows: TemporaryRows, kind: str, each: int = 5, in_all: int = 300, seconds: float = 60) -> None:
        super().__init__(each, in_all, seconds)
        self._rows, self._kind = rows, kind

    def take(self, address: str) -> bool:
        """Take one guess and return whether there was one left; counted before the guess is compared."""
        return self._rows.count_one(self._kind, address, self.seconds, each=self.each, in_all=self.in_all)

    def give_back(self, address: str) -> None:
        """Give one guess back to an address that guessed right."""
        self._rows.give_back(self._kind, address)


class SharedPostRateLimit(PostRateLimit):
    """How fast each sender may post, at all processes together.

    Each process counts by itself; after every tenth post of a sender it counts ten in the database, and learns what was
    counted there. In the long run the rate is exact. At once, every further process lets ten more through.
    """

    def __init__(self, rows: TemporaryRows) -> None:
        super().__init__()
        self._rows = rows
        self._unshared: Counter[str] = Counter()

    def take(self, sender: str) -> bool:
        """Return whether this sender may post now, and count it if so."""
        if not super().take(sender):
            return False
        with self._lock:
            if len(self._unshared) >= MOST_SENDERS:
                self._unshared.clear()
            self._unshared[sender] += 1
            if self._unshared[sender] < SHARED_EVERY:
                return True
            del self._unshared[sender]
        with suppress(DiskTrouble):
            self.raise_to(sender, self._rows.extend("posts", sender, SHARED_EVERY / self.each_second))
        return True


class SharedRefusalCount(RefusalCount):
    """How many requests all processes have refused in the last hour; what one refuses is known to all seconds later."""

    def __init__(self, rows: TemporaryRows) -> None:
        super().__init__()
        self._rows = rows
        self._lock = threading.Lock()
        self._unwritten: Counter[str] = Counter()
        self._is_waiting = False

    def note(self, why: str) -> None:
        """Count one more."""
        self._add(Counter([why]))

    def _add(self, counts: Counter[str]) -> None:
        with self._lock:
            self._unwritten += counts
            is_first, self._is_waiting = not self._is_waiting, True
        if is_first:
            timer = threading.Timer(WRITE_SECONDS, self._write)
            timer.daemon = True
            timer.start()

    def _write(self) -> None:
        with self._lock:
            counts, self._unwritten, self._is_waiting = self._unwritten, Counter(), False
        try:
            self._rows.note("refused", {why: str(number) for why, number in counts.items()}, self.seconds)
        except DiskTrouble:
            self._add(counts)
        except RuntimeError:  # the store is closed: the program ends
            return

    def counts(self) -> Counter[str]:
        """Return how many there were in the last hour, by why."""
        return self._rows.sums("refused") + self._unwritten


class SharedDeviceAddresses(DeviceAddresses):
    """Where devices came from at any process, for half a day."""

    def __init__(self, rows: TemporaryRows) -> None:
        super().__init__()
        self._rows = rows

    def note(self, device: int, address: str) -> None:
        """Note where a new device came from."""
        with suppress(DiskTrouble):
            self._rows.note("came-from", {str(device): address}, ADDRESS_SECONDS)

    def address_of(self, device: int) -> str:
        """Return where a device came from; empty where that is not known."""
        return self._rows.value("came-from", str(device)) or ""

    def devices_from(self, address: str) -> set[int]:
        """Return the devices that came from an address."""
        return {int(device) for device in self._rows.keys("came-from", address)}


class SharedHostLinks(HostLinks):
    """The links that make a browser the host, good once at any process."""

    def __init__(self, rows: TemporaryRows) -> None:
        super().__init__()
        self._rows = rows

    def mint(self) -> str:
        """Return a new 256-bit token."""
        token = secrets.token_urlsafe(32)
        self._rows.add("host-link", token_key(token), HOST_LINK_SECONDS)
        return token

    def is_good(self, token: str) -> bool:
        """Return whether redeeming this token would work now."""
        return self._rows.value("host-link", token_key(token)) is not None

    @contextmanager
    def redeem(self, token: str) -> Iterator[bool]:
        """Use the token up, and yield whether it was still good; it is good again when the block raises."""
        with _taken(self._rows, "host-link", token) as value:
            yield value is not None


class SharedTransferLinks(TransferLinks):
    """The links by which a seat moves to another phone, good once at any process."""

    def __init__(self, rows: TemporaryRows) -> None:
        super().__init__()
        self._rows = rows

    def mint_for(self, moving: PhoneTransfer) -> str:
        """Return a new token; those this phone showed before are worth nothing from now on."""
        token, value = secrets.token_urlsafe(32), f"{moving.code} {moving.device} {moving.role}"
        self._rows.remove_value("phone-link", value)
        self._rows.add("phone-link", token_key(token), HOST_LINK_SECONDS, value)
        return token

    def moving(self, token: str) -> PhoneTransfer | None:
        """Return what this token would move now, or None."""
        return _transfer(self._rows.value("phone-link", token_key(token)))

    @contextmanager
    def take(self, token: str) -> Iterator[PhoneTransfer | None]:
        """Use the token up and yield what it moves, as `redeem` does."""
        with _taken(self._rows, "phone-link", token) as value:
            yield _transfer(value)


def _transfer(value: str | None) -> PhoneTransfer | None:
    if value is None:
        return None
    code, device, role = value.split(" ")
    return PhoneTransfer(code, int(device), role)


@contextmanager
def _taken(rows: TemporaryRows, kind: str, token: str) -> Iterator[str | None]:
    """Remove a link and yield its value, None without it, to one of many at once; it is back when the block raises."""
    value = rows.take(kind, token_key(token))
    try:
        yield value
    except BaseException:
        if value is not None:
            with suppress(DiskTrouble):
                rows.add(kind, token_key(token), HOST_LINK_SECONDS, value)
        raise


class SharedPinLimits(PinLimits):
    """Which phones have typed the PIN lately, and how often it was typed wrong, at all processes together."""

    def __init__(self, rows: TemporaryRows) -> None:
        super().__init__()
        self._rows = rows

    def is_open(self, device: int | None) -> bool:
        """Return whether this phone has typed the PIN in the last five minutes."""
        return device is not None and self._rows.value("pin-open", str(device)) is not None

    def open(self, device: int) -> None:
        """Note that this phone has typed the PIN."""
        self._rows.add("pin-open", str(device), PIN_OPEN_SECONDS)

    def take(self, code: str) -> bool:
        """Take one of five tries a minute for a night, and return whether there was one left."""
        return self._rows.count_one("pin-try", code, PIN_PAUSE_SECONDS, each=MOST_PIN_TRIES, in_all=EVERY_SENDER)

    def forget(self, code: str) -> None:
        """Give all tries back: it was typed right."""
        self._rows.take("pin-try", code)
