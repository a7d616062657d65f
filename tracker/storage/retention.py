"""Nights that are kept for so many months: when each ends, and the removal of those that have ended.

A night is kept from its last event, or from the day it came into this file if that is later: an imported night may be
older than the file. Nothing is removed in the first 30 days: until then the pages announce what would be. What is
removed is gone for good, with its devices, codes, settings and summary; a copy made before still has it.
"""

import calendar
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import MAXYEAR, UTC, datetime, timedelta

from tracker.storage.database import EVERYTHING, Connection
from tracker.storage.rows import head_of, set_setting
from tracker.storage.tables import Write

LAST = """code, name, created_at,
  COALESCE((SELECT MAX(number) FROM event WHERE event.code = night.code), 0),
  COALESCE((SELECT at FROM event WHERE event.code = night.code ORDER BY number DESC LIMIT 1), '')"""
WITH_A_NIGHT = ("summary", "device", "invite", "setting", "event", "night")
"""The tables that a removed night is deleted from, what refers to others first."""
FIRST_YEAR, END_YEAR = 1970, 3000
"""Other moments are none, as everywhere (formats/evening.py): no day can be worked out from them."""
SOON = timedelta(days=30)
"""For so long every removal is announced before."""


@dataclass(frozen=True)
class LastPlayed:
    """A night with the moment from which it is kept."""

    code: str
    name: str
    head: int
    """Number of its events."""
    since: datetime


class NightRemover:
    """Lists nights by when they were last played, and removes some."""

    def __init__(self, connection: Connection, write: Write) -> None:
        """`write` is the connection's, and drops what the store keeps in memory."""
        self._connection, self._write = connection, write

    def listed(self) -> list[LastPlayed]:
        """Return every night; one without a time that can be read is left out, and so is kept."""
        rows = self._connection.select(LAST, "night")
        found = ((code, name, head, latest(created_at, at)) for code, name, created_at, head, at in rows)
        return [LastPlayed(code, name, head, since) for code, name, head, since in found if since]

    def remove(self, heads: Mapping[str, int], folder_keys: Iterable[str] = ()) -> list[str]:
        """Delete nights with all that belongs to them, in one transaction, and return the codes of those deleted.

        `heads` has the number of events by night: one in which more was recorded meanwhile stays. `folder_keys` are
        settings of the data folder that go, too. Nothing of it is left in free pages of a file. Raises NotSaved.
        """
        removed = []
        with self._write(EVERYTHING) as db, db.without_delete_triggers("event", "night"):
            db.secure_delete()
            for key in folder_keys:
                set_setting(db, "", key, None)
            for code, head in heads.items():
                if db.select("code", "night WHERE code = ?", code) and head_of(db, code)[0] == head:
                    for table in WITH_A_NIGHT:
                        db.execute(f"DELETE FROM {table} WHERE code = ?", [code])  # noqa: S608 - constants
                    removed.append(code)
        self._connection.rebuild()
        return removed


class Retention:
    """Keeps nights for so many months. `clock` returns the moment that it is, `begun` when this was first asked for."""

    def __init__(
        self,
        remover: NightRemover,
        months: int,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        *,
        begun: datetime | None = None,
    ) -> None:
        self._remover, self.months, self._clock = remover, months, clock
        self._begins = begun + SOON if begun else None

    def ends_at(self, since: datetime) -> datetime:
        """Return when a night ends that was last played at that moment."""
        end = months_later(since, self.months)
        return max(end, self._begins) if self._begins else end

    def end_of(self, created_at: str, last_at: str) -> datetime | None:
        """Return when a night ends (times in ISO 8601); None when neither can be read: it is kept."""
        since = latest(created_at, last_at)
        return self.ends_at(since) if since else None

    def soon(self) -> list[datetime]:
        """Return when those nights end that do so in the next 30 days, the first one first."""
        ends = (self.ends_at(one.since) for one in self._remover.listed())
        return sorted(end for end in ends if end <= self._clock() + SOON)

    def ended(self) -> dict[str, LastPlayed]:
        """Return the nights that have ended, by code. Raises NotRead."""
        now = self._clock()
        return {one.code: one for one in self._remover.listed() if self.ends_at(one.since) <= now}


def latest(*labels: str) -> datetime | None:
    """Return the latest of some moments (ISO 8601); None where none can be read."""
    found = []
    for label in labels:
        try:
            moment = datetime.fromisoformat(label)
        except (ValueError, TypeError):
            continue
        if FIRST_YEAR <= moment.year < END_YEAR:
            found.append(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    return max(found, default=None)


def months_later(moment: datetime, months: int) -> datetime:
    """Return the same day some months later, or the last one of that month."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    year = min(year, MAXYEAR)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, calendar.monthrange(year, month + 1)[1]))
