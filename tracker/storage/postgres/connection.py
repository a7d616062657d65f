"""Transactions in a PostgreSQL database, and what its errors mean for people."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import psycopg

from tracker.storage.database import EVENTS, NOTHING, Change, Cursor, Database
from tracker.storage.errors import BadRow, NoFile, NotRead, NotSaved, Unreadable
from tracker.storage.postgres.listener import Listener, payload_of
from tracker.storage.postgres.pool import Link, Pool
from tracker.storage.postgres.schema import LOCK, prepare

T = TypeVar("T")

TRIES = 5
"""How often a transaction is run that another one came in the way of."""
CONSTRAINTS = (psycopg.IntegrityError, psycopg.DataError)
SERVER_ERRORS = (psycopg.OperationalError, psycopg.InterfaceError, psycopg.InternalError)
REASONS = (
    ("53100", "full"),
    ("25006", "read-only"),  # a standby, or a connection that may read only
    ("55P03", "busy"),
    ("57014", "busy"),
    ("XX", "damaged"),
    ("58", "disk"),
)
"""The start of an SQLSTATE, and the key of `errors.SENTENCES`."""


def reason_of(error: Exception) -> str:
    """Return the key of SENTENCES for an error of psycopg."""
    state = getattr(error, "sqlstate", None) or ""
    return next((reason for start, reason in REASONS if state.startswith(start)), "server")


def _storable(value: Any) -> Any:
    """Return a text without what PostgreSQL fails on (NUL, half a surrogate pair), as which no stored text is found."""
    if isinstance(value, str) and not (value.isascii() and "\0" not in value):
        return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
    return value


@cache
def _translated(sql: str) -> str:
    """Return a statement with psycopg's signs for its parameters."""
    return sql.replace("%", "%%").replace("?", "%s")


class PostgresDatabase:
    """A connection within a transaction."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> Cursor:
        """Run one statement with `?` for its parameters."""
        return self._link.execute(_translated(sql), [_storable(value) for value in parameters])

    def insert(self, table: str, row: Mapping[str, Any], *, ignore: bool = False) -> None:
        """Insert a row; with `ignore` one that is there already stays as it is."""
        columns, marks = ", ".join(row), ", ".join("?" for _ in row)
        end = " ON CONFLICT DO NOTHING" if ignore else ""
        self.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks}){end}", [*row.values()])  # noqa: S608 - constants

    def insert_many(self, table: str, columns: str, rows: Sequence[Sequence[Any]]) -> None:
        """Insert many rows; `columns` are the names of what each holds."""
        with self._link.cursor().copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)

    def go_on_counting(self, table: str) -> None:
        """Give the next row of a table, whose rows came with their `id`, a higher one."""
        self.execute(
            f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), MAX(id)) FROM {table} HAVING MAX(id) > 0"  # noqa: S608
        )

    def update(self, table: str, row_id: int, changes: Mapping[str, Any]) -> None:
        """Change columns of the row with this `id`."""
        columns = ", ".join(f"{column} = ?" for column in changes)
        if changes:
            self.execute(f"UPDATE {table} SET {columns} WHERE id = ?", [*changes.values(), row_id])  # noqa: S608 - constants

    def has_table(self, name: str) -> bool:
        """Return whether there is a table of this name."""
        return self.execute("SELECT to_regclass(?)", [name]).fetchone()[0] is not None

    def as_bytes(self, column: str) -> str:
        """Return the SQL of a text column as bytes."""
        return f"convert_to({column}, 'UTF8')"

    def overwrite_deleted(self) -> None:
        """Do nothing: the server overwrites deleted rows when it cleans up, and keeps its own log of changes."""

    @contextmanager
    def deleting(self, *tables: str) -> Iterator[None]:
        """Let rows be deleted of tables that a trigger protects from it, until the end of `with`."""
        for table in tables:
            self.execute(f"ALTER TABLE {table} DISABLE TRIGGER {table}_no_delete")
        yield
        for table in tables:
            self.execute(f"ALTER TABLE {table} ENABLE TRIGGER {table}_no_delete")

    def keep_others_from_writing(self, table: str) -> None:
        """Let no other transaction write to a table until this one has ended."""
        self.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")


class PostgresConnection:
    """A PostgreSQL database that several threads and processes use at once."""

    is_file = is_in_memory = False

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        """Raises Unreadable when the database can't be reached or used."""
        self._url = url
        self._pool = Pool(url, read_only=read_only)
        self._locking = Pool(url)  # who holds a lock asks for another connection: never for one of the same few
        self.on_trouble: Callable[[str], None] = lambda _: None
        self._name = secrets.token_hex(4)
        """By which this process recognizes its own notifications."""
        self._alone = threading.Lock()
        self._listeners: list[Listener] = []
        try:
            with self._link() as link:
                prepare(link, read_only=read_only)
                row = link.execute("SELECT value FROM setting WHERE code = '' AND key = 'instance'").fetchone()
                self._channel = f"board_tracker_{row[0] if row else ''}"
        except psycopg.Error as error:
            self.close()
            raise Unreadable(f"the database can't be used: {str(error).strip()}") from error
        except BaseException:
            self.close()
            raise

    @contextmanager
    def _link(self, pool: Pool | None = None) -> Iterator[Link]:
        pool = pool or self._pool
        link = pool.take()
        try:
            yield link
        finally:
            pool.give_back(link)

    @contextmanager
    def read(self) -> Iterator[Database]:
        """Yield the database for reading. Raises NotRead."""
        try:
            with self._link() as link:
                yield PostgresDatabase(link)
        except SERVER_ERRORS as error:
            raise NotRead(reason_of(error)) from error

    @contextmanager
    def write(self, change: Change = NOTHING) -> Iterator[Database]:
        """Yield the database in a transaction that no other one of `write` overlaps, of no process.

        Raises NotSaved for an error of the server, BadRow for a row that violates a constraint.
        """
        with self._alone, self._transaction(change) as db:  # threads of this process don't wait with a connection each
            db.execute("SELECT pg_advisory_xact_lock(?)", [LOCK])
            yield db

    def run(self, function: Callable[[Database], T], change: Change) -> T:
        """Call `function` in a transaction and return its result once that is on the disk.

        Another process may take the same number at the same moment: then it is called again, and sees the other's row.
        """
        for _ in range(TRIES - 1):
            try:
                with self._transaction(change) as db:
                    return function(db)
            except BadRow as error:
                if not isinstance(error.__cause__, psycopg.errors.UniqueViolation):
                    raise
        with self._transaction(change) as db:
            return function(db)

    @contextmanager
    def _transaction(self, change: Change, pool: Pool | None = None) -> Iterator[Database]:
        is_ending = False
        try:
            with self._link(pool) as link:
                db = PostgresDatabase(link)
                db.execute("BEGIN")
                try:
                    yield db
                    self._notify(db, change, EVENTS, is_committed=False)
                    is_ending = True
                    db.execute("COMMIT")
                except BaseException:
                    self._rollback(link)
                    raise
                self._notify(db, change, EVENTS, is_committed=True)
        except CONSTRAINTS as error:
            raise BadRow(str(error)) from error
        except SERVER_ERRORS as error:
            # Without the answer to COMMIT nobody knows: what was sent may be in the database all the same.
            self.on_trouble(reason_of(error))
            raise NotSaved(reason_of(error), certain=not is_ending) from error

    def _rollback(self, link: Link) -> None:
        """Undo the open transaction; a connection that can't do that is closed."""
        try:
            link.execute("ROLLBACK")
        except psycopg.Error:
            link.close()

    def _notify(self, db: Database, change: Change, after_commit: str, *, is_committed: bool) -> None:
        """Tell the other processes of a change: of events after the commit, of all others as a part of it.

        PostgreSQL holds all commits with a notification in one line, each until it is on the disk (measured: 1,900
        events/s in it, 8,750 after it). What is told after it may be lost with this process, so a listener also looks
        at the numbers of events now and then; nothing else needs to be looked at.
        """
        if change == NOTHING or is_committed != (change.kind == after_commit):
            return
        values = [self._channel, payload_of(self._name, change)]
        if not is_committed:
            db.execute("SELECT pg_notify(?, ?)", values)
            return
        with suppress(psycopg.Error):
            db.execute("SELECT pg_notify(?, ?)", values)

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """Hold a lock of this name, which one thread of all processes has at a time. Raises NotSaved."""
        with self._transaction(NOTHING, self._locking) as db:
            db.execute("SELECT pg_advisory_xact_lock(?, hashtext(?))", [LOCK, name])
            yield

    def listen(self, changed: Callable[[Change], None]) -> None:
        """Call `changed` in a thread of its own with what other processes change, until `close`."""
        listener = Listener(self._url, self._channel, self._name, changed)
        self._listeners.append(listener)
        listener.start()

    def tell(self, change: Change) -> None:
        """Tell the other processes of something that is stored nowhere; what can't be told now is not told."""
        with suppress(psycopg.Error, Unreadable, RuntimeError), self._link() as link:  # RuntimeError: it is closed
            link.execute("SELECT pg_notify(%s, %s)", [self._channel, payload_of(self._name, change)])

    def close(self) -> None:
        """Close all connections; a second call does nothing."""
        while self._listeners:
            self._listeners.pop().stop()
        self._locking.close()
        self._pool.close()

    # What only a file needs or has

    def wait_for_check(self) -> None:
        """Return at once: the server looks after its own pages."""

    def publish_address(self, address: str) -> None:
        """Do nothing: many servers may use one database."""

    def is_in_place(self) -> bool:
        """Return True: there is no file."""
        return True

    def size(self) -> int:
        """Return 0: the nights take no room on this machine's disk."""
        return 0

    def checkpoint(self) -> None:
        """Do nothing: the server does so by itself."""

    def backup(self, target: Path) -> None:  # noqa: ARG002 - as for a file
        """Raise NoFile: the server's own tools copy a database."""
        raise NoFile
