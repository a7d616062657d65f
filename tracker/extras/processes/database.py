"""A PostgreSQL database within a transaction, asked in the SQL that SQLite understands, too."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from tracker.storage.database import Cursor, Database

if TYPE_CHECKING:
    import psycopg


def _storable(value: Any) -> Any:
    """Return a text without what PostgreSQL fails on (NUL, half a surrogate pair), as which no stored text is found."""
    if isinstance(value, str) and not (value.isascii() and "\0" not in value):
        return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
    return value


@cache
def _translated(sql: str) -> str:
    """Return a statement with psycopg's signs for its parameters."""
    return sql.replace("%", "%%").replace("?", "%s")


class PostgresDatabase(Database):
    """A connection within a transaction."""

    def __init__(self, link: psycopg.Connection[tuple[object, ...]]) -> None:
        self._link = link

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> Cursor:
        return self._link.execute(_translated(sql), [_storable(value) for value in parameters])

    def insert_many(self, table: str, columns: str, rows: Sequence[Sequence[Any]]) -> None:
        with self._link.cursor().copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)

    def reset_sequence(self, table: str) -> None:
        self.execute(
            f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), MAX(id)) FROM {table} HAVING MAX(id) > 0"  # noqa: S608
        )

    def as_bytes(self, column: str) -> str:
        return f"convert_to({column}, 'UTF8')"
