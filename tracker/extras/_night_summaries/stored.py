"""The stored summaries of nights: one row a night, computed from its log and never needed to read it."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tracker.storage.database import Connection, query
from tracker.storage.rows import as_text

LISTED = """SELECT n.code, n.name, n.created_at,
    COALESCE((SELECT MAX(number) FROM event WHERE event.code = n.code), 0) AS head, COALESCE(s.value, '') AS setting
  FROM night n LEFT JOIN setting s ON s.code = n.code AND s.key = ? ORDER BY n.created_at DESC, n.code"""
STORED = """SELECT code, version, body, seal,
    (SELECT hash FROM event WHERE event.code = summary.code ORDER BY number DESC LIMIT 1) AS last_hash
  FROM summary"""
MOST_AT_ONCE = 500
"""Parameters of one query; older versions of SQLite take 999 at most."""


@dataclass(frozen=True)
class ListedNight:
    """A night's row without its preset, the number of its events, and the text of one of its settings."""

    code: str
    name: str
    created_at: str
    head: int
    setting: str


def _listed(row: Mapping[str, Any]) -> ListedNight:
    """Return a row of LISTED; what is no text in a damaged file becomes one."""
    texts: dict[str, Any] = {name: as_text(value) for name, value in row.items()}
    return ListedNight(**{**texts, "head": row["head"]})


class SummaryTable:
    """The stored summaries. A row tells by its seal what it was computed from, and whether it is undamaged."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def listed_nights(self, setting: str) -> list[ListedNight]:
        """Return every night, the newest first, with its text of that setting; no event and no preset is read."""
        return [_listed(row) for row in query(self._connection, LISTED, [setting])]

    def read(self, codes: Iterable[str], version: int) -> Iterator[tuple[str, str]]:
        """Yield code and text of each stored summary that is of this version, undamaged, and of the log as it is."""
        listed = [*codes]
        for start in range(0, len(listed), MOST_AT_ONCE):
            part = listed[start : start + MOST_AT_ONCE]
            marks = ", ".join("?" * len(part))
            for row in query(self._connection, f"{STORED} WHERE code IN ({marks})", part):
                if row["version"] == version and row["seal"] == seal_of(version, row["body"], row["last_hash"]):
                    yield row["code"], row["body"]

    def write(self, version: int, summaries: Iterable[tuple[str, int, str]]) -> None:
        """Store summaries in one transaction: code, number of events it is of, text. Raises NotSaved."""
        with self._connection.write() as db:
            for code, head, body in summaries:
                rows = [*db.table("event").rows_where("code = ? AND number = ?", [code, head])]
                if rows or not head:
                    seal = seal_of(version, body, rows[0]["hash"] if rows else None)
                    summary = {"code": code, "head": head, "version": version, "body": body, "seal": seal}
                    db.table("summary").upsert(summary, pk=("code",))


def seal_of(version: int, body: str, last_hash: bytes | None) -> bytes:
    """Return the SHA-256 over what a summary was computed from and what it says; `last_hash` is that of the log."""
    digest = hashlib.sha256(f"{version}:{len(body)}:".encode())
    digest.update(body.encode("utf-8", "replace"))
    digest.update(last_hash or b"")
    return digest.digest()
