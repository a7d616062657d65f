"""The command `nights`; the exit status is 1 for a folder that has none."""

from pathlib import Path

import click

from tracker.cli import data_option
from tracker.extras._commands import readable_nights
from tracker.formats.evening import moment_of


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
