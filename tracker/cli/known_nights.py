"""Find the night of a data folder that a night file holds, so that bringing it in twice makes one night."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from tracker.app.event_rows import to_row, with_ids
from tracker.app.nights import Nights, preset_of
from tracker.core.errors import TableError
from tracker.core.log import Entry
from tracker.core.preset import Preset
from tracker.storage import NightRow, StoreError


class KnownNights:
    """The nights of a data folder by what their logs begin with."""

    def __init__(self, nights: Nights) -> None:
        self._nights = nights

    def find(self, preset: Preset, entries: Sequence[Entry]) -> NightRow | None:
        """Return the night of this preset whose log is, or begins with, these entries; None for no such night.

        A file without events is known nowhere: nothing tells it from another evening.
        """
        wanted = [(row.id, row.print) for row in map(to_row, with_ids(entries))]
        for code in self._by_first.get(wanted[0], ()) if wanted else ():
            row = self._nights.store.night(code)
            if row and self._log(code)[: len(wanted)] == wanted and preset_of(row) == preset:
                return row
        return None

    def add(self, code: str) -> None:
        """Note a night that was made since."""
        if log := self._log(code):
            self._by_first[log[0]].append(code)

    @cached_property
    def _by_first(self) -> dict[tuple[str, bytes], list[str]]:
        found: dict[tuple[str, bytes], list[str]] = defaultdict(list)
        for row in self._nights.nights():
            if log := self._log(row.code):
                found[log[0]].append(row.code)
        return found

    def _log(self, code: str) -> list[tuple[str, bytes]]:
        """Return the id and the fingerprint of each event; nothing for a log that can't be read."""
        try:
            return [(event.id, event.print) for event in self._nights.store.events(code)]
        except (StoreError, TableError):
            return []
