"""The stored changes of people: text alone, numbered in the order in which it was written."""

import hashlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from tracker.storage.database import PEOPLE, ChangeNotice, Connection, Database, query, rows_where

StoredChange = tuple[int, str, str, bytes]
"""Number, time, text and seal of a change."""


class PersonChangeRow(NamedTuple):
    """A change as it is stored."""

    number: int
    at: str
    body: str | None
    """None for a damaged row."""


class PeopleTable:
    """The stored changes of people."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.writes = 0
        """How often anything was written: what was read before is out of date."""

    def rows(self) -> list[PersonChangeRow]:
        """Return every change in order. Raises NotRead."""
        sql = "SELECT number, at, CAST(body AS BLOB) AS body, seal FROM person_change ORDER BY number"
        return [_checked(**row) for row in query(self._connection, sql)]

    def stored(self) -> Sequence[StoredChange]:
        """Return every row of a file as it is stored, for another one; none of a copy that an older version made."""
        rows = rows_where(self._connection, "person_change", order="number")
        return [(row["number"], row["at"], row["body"], row["seal"]) for row in rows]

    def append(self, at: str, body: str) -> int:
        """Add a change and return its number. Raises NotSaved."""
        with self._connection.write(ChangeNotice(PEOPLE)) as db:
            return _insert(db, at, body)

    def rewrite(self, at: str, bodies: Iterable[str]) -> list[int]:
        """Replace all rows by others, numbered on; a file has nothing left of what stood there. Raises NotSaved."""
        with self._connection.write(ChangeNotice(PEOPLE), erases=("person_change",)) as db:
            number = _last(db)
            db.table("person_change").delete_where()
            return [_insert(db, at, body, number + place) for place, body in enumerate(bodies, start=1)]


def _insert(db: Database, at: str, body: str, number: int = 0) -> int:
    number = number or _last(db) + 1
    row = {"number": number, "at": at, "body": body, "seal": _seal_of(number, at, body)}
    db.table("person_change").insert(row)
    return number


def _last(db: Database) -> int:
    last: int = next(db.query("SELECT COALESCE(MAX(number), 0) AS last FROM person_change"))["last"]
    return last


def _checked(number: int, at: str, body: bytes, seal: bytes) -> PersonChangeRow:
    with suppress(UnicodeDecodeError):
        text = body.decode()
        if seal == _seal_of(number, at, text):
            return PersonChangeRow(number, at, text)
    return PersonChangeRow(number, at, None)


def _seal_of(number: int, at: str, body: str) -> bytes:
    return hashlib.sha256(f"{number}:{at}:{body}".encode()).digest()
