"""The last entry of each night, and the removal of nights for good: with devices, codes, settings and summary.

A copy made before still has them.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tracker.storage.database import EVERYTHING, Connection, query
from tracker.storage.rows import head_of, set_setting

LAST = """SELECT code, name, created_at,
  COALESCE((SELECT MAX(number) FROM event WHERE event.code = night.code), 0) AS head,
  COALESCE((SELECT at FROM event WHERE event.code = night.code ORDER BY number DESC LIMIT 1), '') AS at
  FROM night"""
WITH_A_NIGHT = ("summary", "device", "invite", "setting", "event", "night")
"""The tables that a removed night is deleted from, what refers to others first."""


class LastEntry(NamedTuple):
    """When a night came into this file, and its last entry; the moments are in ISO 8601."""

    code: str
    name: str
    created_at: str
    head: int
    """The number of its entries."""
    at: str
    """Of the last one; empty for none."""


class NightRemover:
    """Lists nights with their last entries, and removes some."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def listed(self) -> list[LastEntry]:
        """Return every night with its last entry."""
        return [LastEntry(**row) for row in query(self._connection, LAST)]

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
