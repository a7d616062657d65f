"""When nights were last played, and their removal for good: with devices, codes, settings and summary.

A copy made before still has them.
"""

import calendar
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import MAXYEAR, UTC, datetime

from tracker.storage.database import EVERYTHING, Connection, query
from tracker.storage.rows import head_of, set_setting

LAST = """SELECT code, name, created_at,
  COALESCE((SELECT MAX(number) FROM event WHERE event.code = night.code), 0) AS head,
  COALESCE((SELECT at FROM event WHERE event.code = night.code ORDER BY number DESC LIMIT 1), '') AS at
  FROM night"""
WITH_A_NIGHT = ("summary", "device", "invite", "setting", "event", "night")
"""The tables that a removed night is deleted from, what refers to others first."""
EARLIEST, LATEST = datetime(2001, 1, 1, tzinfo=UTC), datetime(2999, 1, 1, tzinfo=UTC)
"""A time before or after was written while the clock was not set: it says nothing."""


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

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def listed(self) -> list[LastPlayed]:
        """Return every night; one without a time that can be read is left out, and so is kept."""
        found = ((row, latest(row["created_at"], row["at"])) for row in query(self._connection, LAST))
        return [LastPlayed(row["code"], row["name"], row["head"], since) for row, since in found if since]

    def remove(self, heads: Mapping[str, int], folder_keys: Iterable[str] = ()) -> list[str]:
        """Delete nights with all that belongs to them, in one transaction, and return the codes of those deleted.

        `heads` has the number of events by night: one in which more was recorded meanwhile stays. `folder_keys` are
        settings of the data folder that go, too. Nothing of it is left in free pages of a file. Raises NotSaved.
        """
        removed = []
        with self._connection.write(EVERYTHING, erases=WITH_A_NIGHT) as db:
            for key in folder_keys:
                set_setting(db, "", key, None)
            for code, head in heads.items():
                if db.table("night").count_where("code = ?", [code]) and head_of(db, code)[0] == head:
                    for table in WITH_A_NIGHT:
                        db.table(table).delete_where("code = ?", [code])
                    removed.append(code)
        return removed


def latest(*labels: str) -> datetime | None:
    """Return the latest of some moments (ISO 8601); None where none can be read, or none was written by a set clock."""
    found = []
    for label in labels:
        try:
            moment = datetime.fromisoformat(label)
        except (ValueError, TypeError):
            continue
        found.append(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    return max((moment for moment in found if EARLIEST <= moment < LATEST), default=None)


def months_later(moment: datetime, months: int) -> datetime:
    """Return the same day some months later, or the last one of that month."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    year = min(year, MAXYEAR)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, calendar.monthrange(year, month + 1)[1]))
