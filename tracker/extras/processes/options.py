"""The option `--database`: keep the nights in a PostgreSQL database, which needs psycopg and its pool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click
from click.core import ParameterSource

from tracker import __version__
from tracker.cli import DATA_PLACE
from tracker.extras.processes.shared_rows import SharedRows
from tracker.storage import Unreadable

if TYPE_CHECKING:
    from tracker.extras.processes.postgres import PostgresConnection


@dataclass(frozen=True)
class Postgres:
    """A PostgreSQL database that several processes may use at once."""

    url: str
    no_copies = "the nights are in a PostgreSQL database: its own tools copy it and put it back (pg_dump)"

    def open(self, *, read_only: bool) -> tuple[PostgresConnection, SharedRows]:
        """Return a connection and rows kept for all processes. Raises Unreadable, also without psycopg."""
        try:
            from tracker.extras.processes.postgres import PostgresConnection  # noqa: PLC0415 - most keep a file
        except ImportError as error:
            wheel = f"./board_tracker-{__version__}-py3-none-any.whl[club]"
            raise Unreadable(
                f"a PostgreSQL database needs one more package. With the wheel of the release: pip install '{wheel}'; "
                "the .pyz and the Windows program can't take it up"
            ) from error
        connection = PostgresConnection(self.url, read_only=read_only)
        return connection, SharedRows(connection)


def check_url(url: str, *, is_public: bool = True) -> None:
    """Raise BadParameter for what is no address of a database, and for a password in one that everybody can read."""
    if not url.startswith(("postgresql://", "postgres://")):
        raise click.BadParameter("a database has an address like postgresql://user@host/name")
    parts = urlsplit(url)
    if is_public and (parts.password or "password=" in parts.query):
        raise click.BadParameter(
            "a password here can be read by everybody on this machine: put it into the file ~/.pgpass or the "
            "environment variable PGPASSWORD, or the whole address into BOARD_TRACKER_DATABASE"
        )


def _keep(context: click.Context, option: click.Parameter, url: str | None) -> None:
    """Keep the database for `data_folder.place_of`. Raises BadParameter."""
    if url:
        check_url(url, is_public=context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE)
        context.meta[DATA_PLACE] = Postgres(url)


DATA_OPTIONS = {
    "--database": click.option(
        "--database",
        metavar="URL",
        envvar="BOARD_TRACKER_DATABASE",
        callback=_keep,
        expose_value=False,
        help="Keep the nights in this PostgreSQL database.",
    )
}
