"""A PostgreSQL database within a transaction, asked as the store asks one of sqlite-utils."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from tracker.storage.database import Cursor, Values

if TYPE_CHECKING:
    import psycopg


def _storable(value: Any) -> Any:
    """Return a text without what PostgreSQL fails on (NUL, half a surrogate pair), as which no stored text is found."""
    if isinstance(value, str) and not (value.isascii() and "\0" not in value):
        return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
    return value


@cache
def _translated(sql: str) -> str:
    """Return a statement with psycopg's signs for its parameters, and PostgreSQL's word for a text's bytes."""
    sql = sql.replace("%", "%%").replace("?", "%s")
    return sql.replace("CAST(body AS BLOB)", "convert_to(body, 'UTF8')")


class PostgresTable:
    """A table, with the methods that the store uses of one of sqlite-utils."""

    def __init__(self, db: PostgresDatabase, name: str) -> None:
        self._db, self._name = db, name

    def rows_where(
        self, where: str | None = None, where_args: Values | None = None, order_by: str | None = None, select: str = "*"
    ) -> Iterator[dict[str, Any]]:
        order = f" ORDER BY {order_by}" if order_by else ""
        sql = f"SELECT {select} FROM {self._name}{_where(where)}{order}"  # noqa: S608 - constants
        return self._db.query(sql, where_args)

    def count_where(self, where: str | None = None, where_args: Values | None = None) -> int:
        return int(next(self.rows_where(where, where_args, select="COUNT(*) AS count"))["count"])

    def insert(self, record: dict[str, Any], *, ignore: bool = False) -> None:
        self._insert(record, " ON CONFLICT DO NOTHING" if ignore else "")

    def upsert(self, record: dict[str, Any], pk: tuple[str, ...]) -> None:
        changes = ", ".join(f"{column} = excluded.{column}" for column in record if column not in pk)
        self._insert(record, f" ON CONFLICT ({', '.join(pk)}) DO UPDATE SET {changes}")

    def _insert(self, record: dict[str, Any], end: str) -> None:
        marks = ", ".join("?" for _ in record)
        sql = f"INSERT INTO {self._name} ({', '.join(record)}) VALUES ({marks}){end}"  # noqa: S608 - constants
        self._db.execute(sql, [*record.values()])

    def update(self, pk_values: int | str, updates: dict[str, Any]) -> None:
        """Change a device by its id, or a night by its code."""
        changes = ", ".join(f"{column} = ?" for column in updates)
        key = "id" if isinstance(pk_values, int) else "code"
        sql = f"UPDATE {self._name} SET {changes} WHERE {key} = ?"  # noqa: S608 - constants
        self._db.execute(sql, [*updates.values(), pk_values])

    def delete_where(self, where: str | None = None, where_args: Values | None = None) -> None:
        self._db.execute(f"DELETE FROM {self._name}{_where(where)}", where_args)  # noqa: S608 - constants


def _where(where: str | None) -> str:
    return f" WHERE {where}" if where else ""


class PostgresDatabase:
    """A connection within a transaction."""

    def __init__(self, link: psycopg.Connection[tuple[object, ...]]) -> None:
        self._link = link

    def execute(self, sql: str, parameters: Values | None = None) -> Cursor:
        return self._run(sql, parameters)

    def query(self, sql: str, params: Values | None = None) -> Iterator[dict[str, Any]]:
        cursor = self._run(sql, params)
        columns = [column.name for column in cursor.description or ()]
        return (dict(zip(columns, row, strict=True)) for row in cursor)

    def table(self, table_name: str) -> PostgresTable:
        return PostgresTable(self, table_name)

    def _run(self, sql: str, values: Values | None) -> psycopg.Cursor[tuple[object, ...]]:
        return self._link.execute(_translated(sql), [_storable(value) for value in values or ()])

    def insert_many(self, table: str, columns: str, rows: Sequence[Sequence[Any]]) -> None:
        with self._link.cursor().copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)

    def reset_sequence(self, table: str) -> None:
        """Give the next row of a table, whose rows came with their `id`, a higher one."""
        self.execute(
            f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), MAX(id)) FROM {table} HAVING MAX(id) > 0"  # noqa: S608
        )
