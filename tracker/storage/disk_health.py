"""Watch whether the data file can be written, and notify when that changes."""

import threading
from collections.abc import Callable

from tracker.storage import Store


class DiskHealth:
    """Retries after the first failed write until writing works again.

    `trouble` is the reason of the failure as a key of `storage.errors.SENTENCES`, empty when the disk works."""

    def __init__(
        self, store: Store, on_change: Callable[[], None] = lambda: None, *, pause_seconds: float = 1.0
    ) -> None:
        self.trouble = ""
        self.on_replaced: Callable[[], object] = lambda: None
        """Called when the data file is no longer at its path."""
        self.on_full: Callable[[], object] = lambda: None
        """Called before each try to write again on a full disk."""
        self.warning: Callable[[], str] = lambda: ""
        """Returns what the host is told while all can be written; empty for nothing."""
        self._store, self._on_change, self._pause_seconds = store, on_change, pause_seconds
        self._lock = threading.Lock()
        self._is_watching = False
        store.connection.on_trouble = self.record_failure

    def record_failure(self, reason: str) -> None:
        """Store the reason of a failed write, and start the thread that retries once a second."""
        with self._lock:
            is_changed, self.trouble = self.trouble != reason, reason
            starts, self._is_watching = not self._is_watching, True
        if starts:
            try:
                threading.Thread(target=self._watch, name="disk", daemon=True).start()
            except RuntimeError:  # the system gives no more threads: the next failure tries again
                with self._lock:
                    self._is_watching = False
        elif is_changed:
            self._on_change()

    def _watch(self) -> None:
        pause = threading.Event()
        self._on_change()
        if self.trouble == "replaced":
            self.on_replaced()
        while True:
            if self.trouble == "full":
                self.on_full()
            try:
                if self._store.probe() is None:
                    break
            except RuntimeError:  # the store is closed: the program ends
                return
            pause.wait(self._pause_seconds)
        with self._lock:
            self.trouble, self._is_watching = "", False
        self._on_change()
