"""What several processes count together, each in its own memory first; links and guesses are in `rate_limits`."""

import threading
from collections import Counter
from contextlib import suppress

from tracker.storage import DiskTrouble, TemporaryRows
from tracker.web.access.rate_limits import MOST_SENDERS, DeviceAddresses, PostRateLimit, RefusalCount

SHARED_EVERY = 10
"""Posts of a sender that a process counts by itself before it counts them in the database, all at once."""
WRITE_SECONDS = 3.0
"""After which refusals are written down, all at once."""
ADDRESS_SECONDS = 12 * 3600.0


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
        return self._rows.sums("refused") + self._unwritten


class SharedDeviceAddresses(DeviceAddresses):
    """Where devices came from at any process, for half a day."""

    def __init__(self, rows: TemporaryRows) -> None:
        super().__init__()
        self._rows = rows

    def note(self, device: int, address: str) -> None:
        with suppress(DiskTrouble):
            self._rows.note("came-from", {str(device): address}, ADDRESS_SECONDS)

    def address_of(self, device: int) -> str:
        return self._rows.value("came-from", str(device)) or ""

    def devices_from(self, address: str) -> set[int]:
        return {int(device) for device in self._rows.keys("came-from", address)}
