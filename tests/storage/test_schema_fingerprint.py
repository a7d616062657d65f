"""A file that needs no migration is known by its tables: it opens without the library that would make them."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database as Library

from tracker.storage import Store
from tracker.storage.sqlite.connection import SQLiteConnection
from tracker.storage.sqlite.schema import migrations
from tracker.storage.sqlite.schema_fingerprint import CURRENT_SCHEMA, fingerprint

OPENS = """
import sys
from contextlib import closing
from pathlib import Path
from tracker.storage import Store
with closing(Store(Path(sys.argv[1]))) as store:
    print(len(store.nights()), len(store.instance), "sqlite_utils" in sys.modules)
    device = store.devices.add(bytes(32), code=None, role="host", at="", label="red")
    print(device.label, "sqlite_utils" in sys.modules)
    store.devices.revoke(device.id)
"""


def opened(path: Path) -> list[str]:
    """Open a file in a program of its own and return what it says, then write a setting."""
    command = [sys.executable, "-c", OPENS, str(path)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=True).stdout.split()


def test_a_file_that_the_migrations_made_is_known(tmp_path: Path) -> None:
    Store(tmp_path / "nights.db").close()
    with closing(SQLiteConnection(tmp_path / "nights.db")) as connection, connection.read() as db:
        assert fingerprint(db) == CURRENT_SCHEMA, "write this one down: the migrations make other tables than before"
        assert [one.name for one in migrations.applied(db.tables)] == [
            "first_tables",
            "night_summaries",
            "person_changes",
        ]


def test_every_table_trigger_and_migration_counts(tmp_path: Path) -> None:
    changes = (
        "CREATE TABLE more(x)",
        "DROP TRIGGER event_no_update",
        "DROP INDEX invite_by_night",
        "PRAGMA application_id = 7",
        "INSERT INTO _sqlite_migrations VALUES (99, 'board-tracker', 'later_tables', '2030')",
        "DELETE FROM _sqlite_migrations",
    )
    for number, change in enumerate(changes):
        path = tmp_path / f"{number}.db"
        Store(path).close()
        library = Library(path)
        library.execute(change)
        library.close()
        with closing(SQLiteConnection(path, read_only=True)) as connection, connection.read() as db:
            assert fingerprint(db) not in (CURRENT_SCHEMA, None), change


def test_a_known_file_is_read_without_the_library_and_written_with_it(tmp_path: Path) -> None:
    path = tmp_path / "nights.db"
    Store(path).close()
    assert opened(path) == ["0", "8", "False", "red", "True"]
    assert opened(path) == ["0", "8", "False", "red", "True"]
    assert opened(tmp_path / "new_night.db") == ["0", "8", "True", "red", "True"]
