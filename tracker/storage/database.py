"""What the store needs of a database: two classes whose subclasses, for SQLite and for PostgreSQL, say what differs.

Statements are written once, with `?` for each parameter, in the SQL that both understand. What they do not say alike is
a method here.
"""

# ruff: noqa: B027 - what one of the two does by itself has nothing to do here

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from tracker.storage.errors import NO_FILE, StoreError
from tracker.storage.temporary import ExpiringRows

T = TypeVar("T")


class ChangeNotice(NamedTuple):
    """What a transaction changes, for the other processes that hold a copy of it in memory."""

    kind: str
    """One of those below."""
    code: str = ""
    """The night it belongs to; empty for all nights."""


EVENTS, SETTINGS, DEVICES, PEOPLE = "events", "settings", "devices", "people"
SEEN = "seen"
"""That a device was seen, which changes nothing that it may do."""
EVERYTHING = ChangeNotice("everything")
"""Told after the connection that listens was lost: nobody knows what has changed meanwhile."""
POSSIBLY_EVENTS = ChangeNotice("possibly-events")
"""Told now and then: an event may have been recorded by a process that was killed before it could say so."""
NOTHING = ChangeNotice("")
"""Of a transaction that changes nothing that a process keeps in memory."""


class Cursor(Protocol):
    """The result of a statement."""

    def fetchall(self) -> list[tuple[Any, ...]]: ...
    def fetchone(self) -> Any: ...
    def __iter__(self) -> Iterator[tuple[Any, ...]]: ...


class Database(ABC):
    """A database within `Connection.read`, `write` or `run`."""

    now: str
    """The SQL of the moment that it is, in seconds: by the server's clock, since those of processes may differ."""
    row_id: str
    """The SQL of what tells a row from all others of its table."""

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

    @abstractmethod
    def insert_many(self, table: str, columns: str, rows: Sequence[Sequence[Any]]) -> None:
        """Insert many rows; `columns` are the names of what each holds."""

    def update(self, table: str, row_id: int, changes: Mapping[str, Any]) -> None:
        columns = ", ".join(f"{column} = ?" for column in changes)
        if changes:
            self.execute(f"UPDATE {table} SET {columns} WHERE id = ?", [*changes.values(), row_id])  # noqa: S608 - constants

    @abstractmethod
    def as_bytes(self, column: str) -> str:
        """Return the SQL of a text column as the bytes that are stored, which after damage may be no UTF-8."""

    @abstractmethod
    def without_delete_triggers(self, *tables: str) -> AbstractContextManager[None]:
        """Let rows be deleted of tables that a trigger protects from it, until the end of `with`."""

    # What one of the two does by itself

    def reset_sequence(self, table: str) -> None:
        """Give the next row of a table, whose rows came with their `id`, a higher one; SQLite remembers the highest."""

    def secure_delete(self) -> None:
        """Have what this transaction deletes overwritten in the file; a server does so when it cleans up."""

    def commit_without_waiting(self) -> None:
        """Let this transaction end before a server has it on its disk."""

    def lock_table(self, table: str) -> None:
        """Let no other transaction write to a table until this one has ended; in a file there is no other."""


class Connection(ABC):
    """An open database. Any thread may call any method.

    Errors of the disk, the network or the server are raised as NotRead and NotSaved, rows that violate a constraint as
    BadRow.
    """

    is_file = False
    """Whether it is one file that this process holds alone."""
    is_in_memory = False

    def __init__(self) -> None:
        self.on_trouble: Callable[[str], None] = lambda _: None
        """Called with the reason of every NotSaved; must not block."""

    def expiring_rows(self) -> ExpiringRows:
        """Return what keeps rows for some minutes: in memory, where no other process serves the same nights."""
        return ExpiringRows()

    @abstractmethod
    def read(self) -> AbstractContextManager[Database]:
        """Yield the database for reading. Raises NotRead."""

    def select(self, columns: str, rest: str, *values: str | bytes | int | None) -> list[tuple[Any, ...]]:
        """Return the rows of one SELECT, as `Database.select` does. Raises NotRead."""
        with self.read() as db:
            return db.select(columns, rest, *values)

    @abstractmethod
    def write(self, change: ChangeNotice = NOTHING) -> AbstractContextManager[Database]:
        """Yield the database in a transaction that no other one of `write` overlaps, of no process.

        It is committed to the disk at the end, and rolled back by any exception. Raises NotSaved, BadRow.
        """

    @abstractmethod
    def run(self, function: Callable[[Database], T], change: ChangeNotice) -> T:
        """Call `function` in a transaction and return its result once that is on the disk.

        Others may run at the same time, in this process and in others; it may be called more than once. Raises what
        `function` raises, with what it wrote rolled back; NotSaved.
        """

    @abstractmethod
    def close(self) -> None:
        """Close it; a second call does nothing."""

    # What several processes need: a file has one, whose threads have locks of their own

    def exclusive(self, name: str) -> AbstractContextManager[bool]:  # noqa: ARG002 - of interest to other processes
        """Hold a lock of this name, which one of all processes has at a time; yield whether there may be others.

        Raises NotSaved.
        """
        return nullcontext(enter_result=False)

    def subscribe(self, changed: Callable[[ChangeNotice], None], open_codes: Callable[[], Iterable[str]]) -> None:
        """Call `changed` in a thread of its own with what other processes change, until `close`.

        Of events only with those of nights in `open_codes`, which is asked every second.
        """

    def notify(self, change: ChangeNotice) -> None:
        """Tell the other processes of something that is stored nowhere; what can't be told now is not told."""

    # What only a file needs or has: a server looks after its own

    def is_in_place(self) -> bool:
        """Return whether the path of a file still leads to the file that is open."""
        return True

    def wait_for_check(self) -> None:
        """Return when the pages of a file were checked. Raises CorruptFile."""

    def publish_address(self, address: str) -> None:
        """Write down where the server can be reached, for the InUse of a second one."""

    def size(self) -> int:
        """Return the size of the file and its log in bytes; 0 where there is none."""
        return 0

    def checkpoint(self) -> None:
        """Move SQLite's write-ahead log into the file, if the disk lets it; a plain copy then has every event."""

    def rebuild(self) -> None:
        """Write a file anew without its free pages, which may hold what was deleted, if the disk lets it."""

    def backup(self, target: Path) -> None:  # noqa: ARG002 - a file's
        """Write a complete copy to `target`, by an atomic rename. Raises NotSaved, StoreError without a file."""
        raise StoreError(NO_FILE)
