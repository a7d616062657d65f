"""The command `nights`: the nights of a data folder. Status 1 for what is refused."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import click

from tracker.app.nights import Nights
from tracker.cli import data_option
from tracker.cli.data_folder import has_nights, open_store, place_of
from tracker.core.errors import TableError
from tracker.extras import load
from tracker.formats.evening import moment_of
from tracker.storage import Store
from tracker.streaming.hub import StreamHub

LONGEST_LINE = 500


class CommandFailed(click.ClickException):
    """Ends the command with status 1 and one printable line on standard error."""

    def __init__(self, sentence: object) -> None:
        shown = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in str(sentence))
        super().__init__(shown if len(shown) <= LONGEST_LINE else shown[: LONGEST_LINE - 3] + "...")

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message without click's prefix, since scripts read it."""
        click.echo(self.message, file=file or sys.stderr)


@click.command()
@data_option
def nights(folder: Path) -> None:
    """List the nights of the data folder, the newest first.

    With each stands when it began, in this machine's time.
    """
    with readable_nights(folder) as tables:
        rows = tables.nights()
    for row in rows:
        began_at = moment_of(row.began_at)
        day = f"{began_at.astimezone():%Y-%m-%d %H:%M}" if began_at else "some time".ljust(16)
        click.echo(f"{row.code}  {day}  {row.events:>5} events  {row.name}")
    if not rows:
        click.echo(f"there are no nights in {folder} yet", err=True)


def opened(store: Store) -> Nights:
    """Return the nights of a store, known to the extras."""
    nights = Nights(store, StreamHub())
    for extra in load():
        extra.opened(nights)
    return nights


@contextmanager
def readable_nights(folder: Path) -> Iterator[Nights]:
    """Yield the nights of a data folder for reading, also beside a running server. Raises CommandFailed."""
    if not has_nights(folder):
        raise CommandFailed(f"there are no nights in {folder} yet")
    with open_store(place_of(folder), read_only=True) as store:
        try:
            yield opened(store)
        except TableError as error:
            raise CommandFailed(error) from None
