"""An open night of which other processes may record events and change what is typed."""

from collections.abc import Iterator
from contextlib import contextmanager

from tracker.app.event_rows import read_entries
from tracker.app.open_night import OpenNight
from tracker.core import log
from tracker.core.errors import TableError
from tracker.formats.codec import amended


class SharedNight(OpenNight):
    """An open night that takes in what other processes write."""

    tries = 20

    def catch_up(self) -> None:
        """Add what another process has recorded, and send it to all watchers; raises TableError, NotRead."""
        with self._lock:
            before = self.head
            self._read_newer()
            if self.head == before:
                return
        self._publish()

    def _read_newer(self) -> None:
        newer = read_entries(self._store, self.code, after=self.head)
        try:
            for entry in newer:
                self._apply(entry, log.change(self.entries, entry, amended, self._steps))
        except TableError:
            self._reload()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self._lock, self._store.one_at_a_time(self.code):
            self._draft = None  # phones at other processes may be typing at the same moment
            yield

    def forget_draft(self) -> None:
        """Read the draft again when it is next asked for: another process has written it."""
        with self._lock:
            self._draft = None
