"""An open SQLite file: `execute` goes to sqlite3 directly, `table` to sqlite-utils."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlite_utils
    from sqlite_utils.db import Table


class Database:
    """An open file. The library is loaded when something is first written: it takes longer than the whole opening."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self.conn = conn

    @cached_property
    def tables(self) -> sqlite_utils.Database:
        """The sqlite-utils database on the same connection."""
        import sqlite_utils  # noqa: PLC0415 - the first page reads only

        return sqlite_utils.Database(self.conn)

    def table(self, name: str) -> Table:
        """Return a table to write to."""
        return self.tables.table(name)

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run one statement; sqlite3 starts and commits no transaction by itself."""
        return self.conn.execute(sql, parameters)

    def close(self) -> None:
        """Close the connection."""
        self.conn.close()
