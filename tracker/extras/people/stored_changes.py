"""The stored changes of people: text alone, numbered in the order in which it was written."""

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from tracker.storage.database import EVERYTHING, ChangeNotice, Connection, Database

PEOPLE = ChangeNotice("people")


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
        connection.subscribe(self._count)

    def _count(self, change: ChangeNotice) -> None:
        self.writes += change.kind in (PEOPLE.kind, EVERYTHING.kind)

    def rows(self) -> list[PersonChangeRow]:
        """Return every change in order. Raises NotRead."""
        columns = "number, at, CAST(body AS BLOB) AS body, seal"
        with self._connection.read() as db:
            return [_checked(**row) for row in db.table("person_change").rows_where(order_by="number", select=columns)]

    def append(self, at: str, body: str) -> int:
        """Add a change and return its number. Raises NotSaved."""
        with self._connection.write(PEOPLE) as db:
            return _insert(db, at, body, _last(db) + 1)

    def rewrite(self, at: str, bodies: Iterable[str]) -> list[int]:
        """Replace all rows by others, numbered on; a file has nothing left of what stood there. Raises NotSaved."""
        with self._connection.write(PEOPLE, erases=("person_change",)) as db:
            number = _last(db)
            db.table("person_change").delete_where()
            return [_insert(db, at, body, number + place) for place, body in enumerate(bodies, start=1)]


def _insert(db: Database, at: str, body: str, number: int) -> int:
    db.table("person_change").insert({"number": number, "at": at, "body": body, "seal": _seal_of(number, at, body)})
    return number


def _last(db: Database) -> int:
    last = next(iter(db.table("person_change").rows_where(order_by="number DESC", select="number")), None)
    return last["number"] if last else 0


def _checked(number: int, at: str, body: bytes, seal: bytes) -> PersonChangeRow:
    with suppress(UnicodeDecodeError):
        text = body.decode()
        if seal == _seal_of(number, at, text):
            return PersonChangeRow(number, at, text)
    return PersonChangeRow(number, at, None)


def _seal_of(number: int, at: str, body: str) -> bytes:
    return hashlib.sha256(f"{number}:{at}:{body}".encode()).digest()
