"""Which devices were made lately: whether each has come back with its cookie, and whether its join request waits."""

from collections.abc import Callable

from tracker.storage import DeviceRow

WAITING_SECONDS, CLUB_WAITING_SECONDS = 30 * 60, 12 * 3600
"""How long a join request is asked about: at a table, and by whoever runs a house, who may look once an evening."""


def waiting_seconds(row: DeviceRow) -> int:
    return WAITING_SECONDS if row.code else CLUB_WAITING_SECONDS


class Arrivals:
    """The devices that were made since the program began, in memory: those of before have arrived."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` returns seconds since 1970, and never jumps."""
        self._clock, self._begun = clock, clock()
        self._made: dict[int, float] = {}
        self._arrived: set[int] = set()

    def note_made(self, row: DeviceRow) -> None:
        """Remember that a device was made just now."""
        self._made[row.id] = self._clock()

    def note(self, row: DeviceRow) -> None:
        """Remember that a device came back with its cookie."""
        self._arrived.add(row.id)

    def has(self, row: DeviceRow) -> bool:
        """Return whether a device ever came back with its cookie."""
        return row.id not in self._made or row.id in self._arrived

    def forget(self, device: int) -> None:
        """Let go of a device that has ended."""
        self._made.pop(device, None)

    def waits(self, row: DeviceRow) -> bool:
        """Return whether a join request is still asked about: the time of one from before begins anew at the start."""
        return self._clock() - self._made.get(row.id, self._begun) < waiting_seconds(row)
