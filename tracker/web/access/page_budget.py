"""How much processor time strangers and watchers may take: so much each, so much all together.

What a request has taken is counted after it, whatever page it was: so nothing has to be known of a page before, and a
page that gets dearer is bounded all the same. Who sits at a table is not counted.
"""

import threading
import time
from collections.abc import Callable

OWN_SECONDS, OWN_RATE = 5.0, 0.1
"""Of processor time that a device, or all strangers of a sender, may take at once; and in each second after that."""
ALL_SECONDS, ALL_RATE = 20.0, 0.5
"""The same of all together."""
SMALL_SECONDS = 0.5
"""What whoever has taken less may still take when all together have taken too much."""
MOST_ACCOUNTS = 5000
HOUSE = ""


class PageBudget:
    """The processor time that was taken lately, in seconds by account. Any thread may call any method."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._most = MOST_ACCOUNTS
        self._even_at: dict[str, float] = {}
        """By account, when what it has taken will have been given to it again."""

    def has_left(self, account: str, network: str) -> bool:
        """Return whether an account may ask for a page: it has not taken too much.

        Where all together have taken too much, it and its network have taken little; where they have taken twice as
        much as that, nobody may.
        """
        now = self._clock()
        with self._lock:
            in_all = self._taken(HOUSE, now, ALL_RATE)
            own, of_network = (self._taken(one, now, OWN_RATE) for one in (account, network))
        if own > OWN_SECONDS or in_all > 2 * ALL_SECONDS:
            return False
        return in_all <= ALL_SECONDS or max(own, of_network) <= SMALL_SECONDS

    def take(self, account: str, network: str, seconds: float) -> None:
        """Count what a request of an account has taken."""
        now = self._clock()
        with self._lock:
            for name, rate in ((account, OWN_RATE), (network, OWN_RATE), (HOUSE, ALL_RATE)):
                self._even_at[name] = max(now, self._even_at.get(name, now)) + seconds / rate
            if len(self._even_at) > self._most:
                self._even_at = {name: at for name, at in self._even_at.items() if at > now}
                self._most = max(MOST_ACCOUNTS, 2 * len(self._even_at))

    def _taken(self, account: str, now: float, rate: float) -> float:
        return max(0.0, self._even_at.get(account, now) - now) * rate
