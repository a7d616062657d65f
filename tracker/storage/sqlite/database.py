"""An open SQLite file: `execute` goes to sqlite3 directly, the other methods that write to sqlite-utils."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import sqlite_utils


class SQLiteDatabase:
    """An open file."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self.conn = conn

    @cached_property
    def tables(self) -> sqlite_utils.Database:
        """The sqlite-utils database on the same connection."""
        return sqlite_utils.Database(self.conn)

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run one statement; sqlite3 starts and commits no transaction by itself."""
        return self.conn.execute(sql, parameters)

    def insert(self, table: str, row: Mapping[str, Any], *, ignore: bool = False) -> None:
        """Insert a row; with `ignore` one that is there already stays as it is."""
        self.tables.table(table).insert(dict(row), ignore=ignore)

    def insert_many(self, table: str, columns: str, rows: Sequence[Sequence[Any]]) -> None:
        """Insert many rows; `columns` are the names of what each holds."""
        marks = ", ".join("?" for _ in columns.split(","))
        self.conn.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)  # noqa: S608 - constants

    def go_on_counting(self, table: str) -> None:
        """Do nothing: SQLite remembers the highest id by itself."""

    def update(self, table: str, row_id: int, changes: Mapping[str, Any]) -> None:
        """Change columns of the row with this `id`."""
        self.tables.table(table).update(row_id, dict(changes))

    def has_table(self, name: str) -> bool:
        """Return whether there is a table of this name."""
        return bool(self.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [name]).fetchall())

    def as_bytes(self, column: str) -> str:
        """Return the SQL of a text column as bytes: a damaged text may be no UTF-8, and stop the whole query."""
        return f"CAST({column} AS BLOB)"

    def overwrite_deleted(self) -> None:
        """Have what this transaction deletes overwritten in the file."""
        self.execute("PRAGMA secure_delete = 1")

    @contextmanager
    def deleting(self, *tables: str) -> Iterator[None]:
        """Let rows be deleted of tables that a trigger protects from it, until the end of `with`."""
        names = [f"{table}_no_delete" for table in tables]
        marks = ", ".join("?" * len(names))
        found = self.execute(f"SELECT name, sql FROM sqlite_master WHERE name IN ({marks})", names).fetchall()  # noqa: S608
        for name, _sql in found:
            self.execute(f"DROP TRIGGER {name}")
        yield
        for _name, sql in found:
            self.execute(sql)

    def keep_others_from_writing(self, table: str) -> None:
        """Do nothing: a transaction that writes has the whole file."""

    def close(self) -> None:
        """Close the connection."""
        self.conn.close()
