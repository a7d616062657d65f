"""What the store needs of a database: transactions, and to be told what they change.

Statements are written with `?` for each parameter.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol, TypeVar

from tracker.storage.temporary import ExpiringRows

T = TypeVar("T")


class ChangeNotice(NamedTuple):
    """What a transaction changes, for whoever holds a copy of it in memory."""

    kind: str
    """One of those below."""
    code: str = ""
    """The night it belongs to; empty for all nights."""


EVENTS, SETTINGS, DEVICES, PEOPLE = "events", "settings", "devices", "people"
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


class Database(ABC):
    """A database within `Connection.read`, `write` or `run`."""

    @abstractmethod
    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> Cursor:
        """Run one statement with `?` for its parameters."""

    def select(self, columns: str, rest: str, *values: str | bytes | int | None) -> list[tuple[Any, ...]]:
        """Return the rows of a SELECT; `rest` is what follows FROM."""
        return self.execute(f"SELECT {columns} FROM {rest}", values).fetchall()  # noqa: S608 - constants

    def insert(self, table: str, row: Mapping[str, Any], *, ignore: bool = False) -> None:
        """Insert a row; with `ignore` one that is there already stays as it is."""
        columns, marks = ", ".join(row), ", ".join("?" for _ in row)
        end = " ON CONFLICT DO NOTHING" if ignore else ""
        self.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks}){end}", [*row.values()])  # noqa: S608 - constants

    def update(self, table: str, row_id: int, changes: Mapping[str, Any]) -> None:
        columns = ", ".join(f"{column} = ?" for column in changes)
        if changes:
            self.execute(f"UPDATE {table} SET {columns} WHERE id = ?", [*changes.values(), row_id])  # noqa: S608 - constants

    @abstractmethod
    def as_bytes(self, column: str) -> str:
        """Return the SQL of a text column as the bytes that are stored, which after damage may be no UTF-8."""


class Connection(ABC):
    """An open database. Any thread may call any method.

    Errors of the disk, the network or the server are raised as NotRead and NotSaved, rows that violate a constraint as
    BadRow.
    """

    def __init__(self) -> None:
        self.on_trouble: Callable[[str], None] = lambda _: None
        """Called with the reason of every NotSaved; must not block."""

    @abstractmethod
    def read(self) -> AbstractContextManager[Database]:
        """Yield the database for reading. Raises NotRead."""

    def select(self, columns: str, rest: str, *values: str | bytes | int | None) -> list[tuple[Any, ...]]:
        """Return the rows of one SELECT, as `Database.select` does. Raises NotRead."""
        with self.read() as db:
            return db.select(columns, rest, *values)

    @abstractmethod
    def write(
        self, change: ChangeNotice = NOTHING, *, erases: Collection[str] = ()
    ) -> AbstractContextManager[Database]:
        """Yield the database in a transaction that no other one of `write` overlaps.

        It is committed to the disk at the end, and rolled back by any exception. Rows of the tables that it `erases`
        may be deleted although a trigger protects them, and nothing of them is left in a file. Raises NotSaved, BadRow.
        """

    @abstractmethod
    def run(self, function: Callable[[Database], T], change: ChangeNotice) -> T:
        """Call `function` in a transaction and return its result once that is on the disk.

        Others may run at the same time; it may be called more than once. Raises what `function` raises, with what it
        wrote rolled back; NotSaved.
        """

    @abstractmethod
    def subscribe(self, changed: Callable[[ChangeNotice], None]) -> None:
        """Have `changed` called with the change of each transaction when that has ended, however it does."""

    @abstractmethod
    def exclusive(self, name: str) -> AbstractContextManager[None]:
        """Hold the lock of this name, which one thread has at a time: what it looks at first stays as it is.

        Raises NotSaved.
        """

    @abstractmethod
    def close(self) -> None:
        """Close it; a second call does nothing."""


class Place(Protocol):
    """Where nights are kept that are in no data file."""

    @property
    def no_copies(self) -> str:
        """Why the commands that copy the data file can't be used, and what can be instead."""

    def open(self, *, read_only: bool) -> tuple[Connection, ExpiringRows]:
        """Return a connection, and what keeps rows for some minutes beside it. Raises Unreadable."""
