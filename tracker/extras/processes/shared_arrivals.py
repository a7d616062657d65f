"""Which devices were made lately by any process: whether each has come back, and whether its join request waits."""

from collections.abc import Callable
from contextlib import suppress

from tracker.storage import DeviceRow, DiskTrouble, NotSaved, Store
from tracker.storage.database import query
from tracker.web.access.devices import Arrivals, waiting_seconds

ARRIVED, WAITS = "arrived", "waits"
"""What a device that came back has in place of when it was seen; and how rows of join requests are called."""


class SharedArrivals(Arrivals):
    """The devices that any process has made: the store has those that came back, and the join requests that wait."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        super().__init__(clock)
        self._store = store
        sql = "SELECT COALESCE(MAX(id), 0) AS newest FROM device"
        self._newest_before: int = query(store.connection, sql)[0]["newest"]

    def note_made(self, row: DeviceRow) -> None:
        super().note_made(row)
        if row.role == "knock":
            with suppress(DiskTrouble):
                self._store.temporary.add(WAITS, str(row.id), waiting_seconds(row))

    def note(self, row: DeviceRow) -> None:
        super().note(row)
        if row.seen_at != ARRIVED:
            with suppress(NotSaved):
                self._store.devices.change(row.id, seen_at=ARRIVED)

    def has(self, row: DeviceRow) -> bool:
        return row.id <= self._newest_before or row.id in self.arrived or row.seen_at == ARRIVED

    def waits(self, row: DeviceRow) -> bool:
        if row.id in self._made or row.id <= self._newest_before:
            return super().waits(row)
        return self._store.temporary.value(WAITS, str(row.id)) is not None
