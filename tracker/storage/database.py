"""What the store needs of a database: six methods, and of sqlite-utils its tables and queries (`?` for parameters)."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol, TypeVar

from tracker.storage.temporary import ExpiringRows

T = TypeVar("T")


class ChangeNotice(NamedTuple):
    """What a transaction changes, for whoever holds a copy of it in memory."""

    kind: str
    """One of those below, or an extra's word."""
    code: str = ""
    """The night it belongs to; empty for all nights."""


EVENTS, SETTINGS, DEVICES = "events", "settings", "devices"
SEEN = "seen"
"""That a device was seen, which changes nothing that it may do."""
EVERYTHING = ChangeNotice("everything")
NOTHING = ChangeNotice("")
"""Of a transaction that changes nothing that is kept in memory."""


class Cursor(Protocol):
    """The result of a statement."""

    def fetchall(self) -> list[tuple[Any, ...]]: ...
    def fetchone(self) -> Any: ...
    def __iter__(self) -> Iterator[tuple[Any, ...]]: ...


Values = Sequence[str | bytes | int | float | None]


class Table(Protocol):
    """What is used of a table of sqlite-utils."""

    def rows_where(
        self, where: str | None = None, where_args: Values | None = None, order_by: str | None = None, select: str = "*"
    ) -> Iterator[dict[str, Any]]: ...
    def count_where(self, where: str | None = None, where_args: Values | None = None) -> int: ...
    def insert(self, record: dict[str, Any], *, ignore: bool = False) -> object: ...
    def upsert(self, record: dict[str, Any], pk: tuple[str, ...]) -> object: ...
    def update(self, pk_values: int | str, updates: dict[str, Any]) -> object: ...
    def delete_where(self, where: str | None = None, where_args: Values | None = None) -> object: ...


class Database(Protocol):
    """What is used of a database of sqlite-utils, within `Connection.read`, `write` or `run`."""

    def table(self, table_name: str) -> Table: ...
    def query(self, sql: str, params: Values | None = None) -> Iterator[dict[str, Any]]: ...
    def execute(self, sql: str, parameters: Values | None = None) -> Cursor: ...


class Connection(Protocol):
    """An open database; thread-safe. Raises NotRead and NotSaved for disk or network, BadRow for a constraint."""

    on_trouble: Callable[[str], None]
    """Called with the reason of every NotSaved; must not block."""

    def read(self) -> AbstractContextManager[Database]:
        """Yield the database for reading. Raises NotRead."""

    def write(
        self, change: ChangeNotice = NOTHING, *, erases: Collection[str] = ()
    ) -> AbstractContextManager[Database]:
        """Yield the database in a transaction that no other one of `write` overlaps.

        It is committed to the disk at the end, and rolled back by any exception. Rows of the tables that it `erases`
        may be deleted although a trigger protects them, and nothing of them is left in a file. Raises NotSaved, BadRow.
        """

    def run(self, function: Callable[[Database], T], change: ChangeNotice) -> T:
        """Call `function` in a transaction and return its result once that is on the disk.

        Others may run at the same time; it may be called more than once. Raises what `function` raises, with what it
        wrote rolled back; NotSaved.
        """

    def subscribe(self, changed: Callable[[ChangeNotice], None]) -> None:
        """Have `changed` called with the change of each transaction when that has ended, however it does."""

    def exclusive(self, name: str) -> AbstractContextManager[None]:
        """Hold the lock of this name, which one thread has at a time. Raises NotSaved."""

    def close(self) -> None:
        """Close it; a second call does nothing."""


def rows_where(
    connection: Connection, table: str, where: str | None = None, values: Values = (), *, order: str | None = None
) -> list[dict[str, Any]]:
    """Return rows of a table as dictionaries. Raises NotRead."""
    with connection.read() as db:
        return [*db.table(table).rows_where(where, values, order)]


def query(connection: Connection, sql: str, values: Values = ()) -> list[dict[str, Any]]:
    """Return the rows of a SELECT as dictionaries. Raises NotRead."""
    with connection.read() as db:
        return [*db.query(sql, values)]


class DataPlace(Protocol):
    """Where nights are kept that are in no data file."""

    @property
    def no_copies(self) -> str:
        """Why the commands that copy the data file can't be used, and what can be instead."""

    def open(self, *, read_only: bool) -> tuple[Connection, ExpiringRows]:
        """Return a connection, and what keeps rows for some minutes beside it. Raises Unreadable."""
