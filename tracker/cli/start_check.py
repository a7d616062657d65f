"""What the server checks after its start: the disk, a large data file, and every night's log."""

import time
from collections.abc import Callable
from contextlib import suppress

from tracker.archive.summaries import Summaries
from tracker.storage import CorruptFile, NotRead, Store

DELAY_SECONDS, LARGE_FILE_DELAY_SECONDS = 1.5, 4.5
"""From the start to the check of hashes and the replay, which the first pages of a large file would feel."""
PAUSE_SECONDS = 0.005
"""After each night that is read: the first pages need the processor too."""


class StartCheck:
    """Checks a store while it is served; `is_damaged` says afterwards whether the data file has to be repaired."""

    def __init__(
        self,
        store: Store,
        summaries: Summaries,
        stop_server: Callable[[], None],
        *,
        is_file_checked: bool,
    ) -> None:
        """`is_file_checked` tells that pages and hashes of the file were checked before the start."""
        self._store, self._summaries, self._stop_server = store, summaries, stop_server
        self._is_file_checked = is_file_checked
        self.is_damaged = False

    def run(self, warn: Callable[[str], None]) -> None:
        """Test writing, check the file and replay what was not replayed yet; calls `warn` with each fault.

        Stops the server when the file is damaged.
        """
        with suppress(RuntimeError, NotRead):  # RuntimeError: the store is closed, since the server has ended
            with suppress(CorruptFile):  # `faults` raises it again
                # The first write waits for it, and SQLite needs no lock of Python's.
                self._store.connection.wait_for_check()
            time.sleep(DELAY_SECONDS if self._is_file_checked else LARGE_FILE_DELAY_SECONDS)
            if not self._is_file_checked and self._has_faults():
                warn("the data file is damaged: the table stops for a moment to repair it")
                self.is_damaged = True
                self._stop_server()
                return
            if trouble := self._store.probe():
                warn(f"nights can be looked at, not played: {trouble}")
            for fault in self._summaries.replay_faults(PAUSE_SECONDS):
                warn(fault)

    def _has_faults(self) -> bool:
        try:
            return bool(self._store.faults(PAUSE_SECONDS))
        except CorruptFile:
            return True
