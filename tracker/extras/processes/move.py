"""The command `move`: copy everything from one place into another, a data folder or a database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from tracker.cli.data_folder import DATA_FILE, AlreadyServed, open_store
from tracker.extras._commands import whole_or_nothing
from tracker.extras._data_files import COLUMNS
from tracker.extras.processes.database import PostgresDatabase
from tracker.extras.processes.options import Postgres, check_url
from tracker.storage import Store, StoreError
from tracker.storage.database import EVERYTHING, Database
from tracker.storage.rows import proved, stored_events


@click.command()
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def move(source: str, target: str) -> None:
    """Copy all nights FROM one place TO another, empty one.

    Each place is a data folder or the address of a PostgreSQL database (postgresql://user@host/name; its password comes
    from the environment variable PGPASSWORD or the file ~/.pgpass). People, phones, invitations and settings come
    along; every event is proved by its hash at its new place. What is in FROM stays there. Stop the tracker first.
    """
    if "://" not in source and not (Path(source) / DATA_FILE).exists():
        raise click.ClickException(f"there are no nights in {source} yet")
    try:
        to = place_at(target)
        with open_store(place_at(source)) as here, whole_or_nothing(to), open_store(to) as there:
            try:
                nights, events = move_all(here, there)
            except StoreError as error:
                raise click.ClickException(f"nothing was moved: {error}") from None
    except AlreadyServed as taken:
        raise click.ClickException(f"{taken}; stop it first") from None
    click.echo(f"{nights} nights with {events} events are in {target}, and every hash was proved there.")


def place_at(text: str) -> Path | Postgres:
    """Return the database of a URL, and the data file of a folder. Raises BadParameter."""
    if "://" in text:
        check_url(text)
        return Postgres(text)
    return Path(text) / DATA_FILE


def move_all(source: Store, target: Store) -> tuple[int, int]:
    """Copy everything into another store that has no nights, at once or not at all, and prove every hash there.

    Return the number of nights and of events. Raises StoreError where there are nights, or where what is read back is
    not what was written, NotSaved, and CorruptLog for a night whose hashes don't fit.
    """
    with source.connection.write() as here, target.connection.write(EVERYTHING) as there:
        if there.table("night").count_where():
            raise StoreError("there are nights already: move to an empty place")
        for table in COLUMNS if isinstance(here, PostgresDatabase) else ():
            here.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
        for table in ("setting", "device"):  # of the place itself: its phones and the name of its cookies come along
            there.table(table).delete_where()
        for table, columns in COLUMNS.items():
            rows = _rows(here, table)
            _insert(there, table, columns, rows)
            if _rows(there, table) != rows:
                raise StoreError(f"what arrived in the table {table} is not what was sent: nothing was moved")
        if isinstance(there, PostgresDatabase):
            there.reset_sequence("device")
        codes = [row["code"] for row in there.table("night").rows_where(select="code")]
        return len(codes), sum(sum(1 for _ in proved(code, *stored_events(there, code))) for code in codes)


def _rows(db: Database, table: str) -> list[tuple[Any, ...]]:
    return db.execute(f"SELECT {COLUMNS[table]} FROM {table} ORDER BY 1, 2").fetchall()  # noqa: S608 - constants


def _insert(db: Database, table: str, columns: str, rows: Sequence[tuple[Any, ...]]) -> None:
    if isinstance(db, PostgresDatabase):
        db.insert_many(table, columns, rows)
        return
    for row in rows:
        db.table(table).insert(dict(zip(columns.split(", "), row, strict=True)))
