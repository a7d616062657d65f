"""A file that needs no migration is known by its tables, triggers and migrations."""

from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

from tracker.storage import Store
from tracker.storage.sqlite_schema import has_current_schema


def test_a_file_that_the_migrations_made_has_the_current_schema(tmp_path: Path) -> None:
    Store(tmp_path / "nights.db").close()
    with closing(Database(tmp_path / "nights.db")) as db:
        assert has_current_schema(db)


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
        with closing(Database(path)) as db:
            db.execute(change)
            assert not has_current_schema(db), change


def test_an_empty_file_has_no_current_schema(tmp_path: Path) -> None:
    with closing(Database(tmp_path / "empty.db")) as db:
        assert not has_current_schema(db)
