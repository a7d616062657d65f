"""Store a night's summary after each of its hands, in a background thread: no tap waits for it."""

from __future__ import annotations

import threading
from contextlib import suppress

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.archive.summaries import Summaries

PAUSE_SECONDS = 3.0
"""From the end of a hand to its summary: in between its last payments are recorded, at whose taps it would be felt."""


class SummaryWriter:
    """Writes the summaries of the nights that are played. `close()` has to be called before the store is closed."""

    def __init__(self, nights: Nights, summaries: Summaries, *, pause_seconds: float = PAUSE_SECONDS) -> None:
        self._summaries, self._pause_seconds = summaries, pause_seconds
        self._writing = threading.Lock()  # close() returns when nothing is written any more
        self._lock = threading.Lock()  # guards the two below
        self._pending: dict[str, OpenNight] = {}
        self._timer: threading.Timer | None = None
        nights.on_hand_over.append(self._request)

    def _request(self, table: OpenNight) -> None:
        with self._lock:
            self._pending[table.code] = table
            if self._timer is None:
                timer = threading.Timer(self._pause_seconds, self._write)
                timer.daemon = True
                with suppress(RuntimeError):  # the system gives no more threads: the next hand tries again
                    timer.start()
                    self._timer = timer

    def _write(self) -> None:
        with self._writing:
            with self._lock:
                pending, self._pending, self._timer = self._pending, {}, None
            for table in pending.values():
                self._summaries.refresh(table)

    def close(self) -> None:
        """Write the pending summaries; those of hands that end later are computed when they are read."""
        with self._lock:
            timer = self._timer
        if timer:
            timer.cancel()
        self._write()
