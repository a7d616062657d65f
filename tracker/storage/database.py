"""What the store needs of a database: two protocols that SQLite's and PostgreSQL's connections have.

Statements are written once, with `?` for each parameter, in the SQL that both understand. What they do not say alike is
a method here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

T = TypeVar("T")


class Change(NamedTuple):
    """What a transaction changes, for the other processes that hold a copy of it in memory."""

    kind: str
    """One of those below."""
    code: str = ""
    """The night it belongs to; empty for all nights. Of what is only told, the text."""


EVENTS, SETTINGS, DEVICES, PEOPLE = "events", "settings", "devices", "people"
SEEN = "seen"
"""That a device was seen, which changes nothing that it may do."""
EVERYTHING = Change("everything")
"""Told after the connection that listens was lost: nobody knows what has changed meanwhile."""
POSSIBLY_EVENTS = Change("possibly-events")
"""Told now and then: an event may have been recorded by a process that was killed before it could say so."""
WHO_IS_HERE = Change("who-is-here")
"""Told by a process that has just been started, or was cut off: the others tell again which phones they have."""
PRESENT = "present"
"""Told with the phones that a process has, and stored nowhere."""
NOTHING = Change("")
"""Of a transaction that changes nothing that a process keeps in memory."""


class Cursor(Protocol):
    """The result of a statement."""

    def fetchall(self) -> list[tuple[Any, ...]]: ...
    def fetchone(self) -> Any: ...
    def __iter__(self) -> Iterator[tuple[Any, ...]]: ...


class Database(Protocol):
    """A database within `Connection.read`, `write` or `run`."""

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> Cursor:
        """Run one statement with `?` for its parameters."""

    def insert(self, table: str, row: Mapping[str, Any], *, ignore: bool = False) -> None:
        """Insert a row; with `ignore` one that is there already stays as it is."""

    def insert_many(self, table: str, columns: str, rows: Sequence[Sequence[Any]]) -> None:
        """Insert many rows; `columns` are the names of what each holds."""

    def go_on_counting(self, table: str) -> None:
        """Give the next row of a table, whose rows came with their `id`, a higher one."""

    def update(self, table: str, row_id: int, changes: Mapping[str, Any]) -> None:
        """Change columns of the row with this `id`."""

    def has_table(self, name: str) -> bool:
        """Return whether there is a table of this name."""

    def as_bytes(self, column: str) -> str:
        """Return the SQL of a text column as the bytes that are stored, which after damage may be no UTF-8."""

    def overwrite_deleted(self) -> None:
        """Have what this transaction deletes overwritten in the file, where that is possible."""

    def deleting(self, *tables: str) -> AbstractContextManager[None]:
        """Let rows be deleted of tables that a trigger protects from it, until the end of `with`."""

    def keep_others_from_writing(self, table: str) -> None:
        """Let no other transaction write to a table until this one has ended."""


class Connection(Protocol):
    """An open database. Any thread may call any method.

    Errors of the disk, the network or the server are raised as NotRead and NotSaved, rows that violate a constraint as
    BadRow.
    """

    on_trouble: Callable[[str], None]
    """Called with the reason of every NotSaved; must not block."""
    is_file: bool
    """Whether it is one file that this process holds alone."""
    is_in_memory: bool

    def read(self) -> AbstractContextManager[Database]:
        """Yield the database for reading. Raises NotRead."""

    def write(self, change: Change = NOTHING) -> AbstractContextManager[Database]:
        """Yield the database in a transaction that no other one of `write` overlaps, of no process.

        It is committed to the disk at the end, and rolled back by any exception.
        """

    def run(self, function: Callable[[Database], T], change: Change) -> T:
        """Call `function` in a transaction and return its result once that is on the disk.

        Others may run at the same time, in this process and in others; it may be called more than once.
        """

    def alone(self, name: str) -> AbstractContextManager[None]:
        """Hold a lock of this name, which one thread of all processes has at a time. Raises NotSaved."""

    def listen(self, changed: Callable[[Change], None]) -> None:
        """Call `changed` in a thread of its own with what other processes change, until `close`."""

    def tell(self, change: Change) -> None:
        """Tell the other processes of something that is stored nowhere; what can't be told now is not told."""

    def close(self) -> None:
        """Close it; a second call does nothing."""

    def is_in_place(self) -> bool:
        """Return whether the path of a file still leads to the file that is open."""

    def wait_for_check(self) -> None:
        """Return when the pages of a file were checked. Raises CorruptFile."""

    def publish_address(self, address: str) -> None:
        """Write down where the server can be reached, for the InUse of a second one."""

    def size(self) -> int:
        """Return the size of the file in bytes; 0 where there is none."""

    def checkpoint(self) -> None:
        """Move SQLite's write-ahead log into the file, if the disk lets it."""

    def backup(self, target: Path) -> None:
        """Write a complete copy to `target`. Raises NotSaved, NoFile."""
