"""`board-tracker backup`: a complete copy of all nights."""

from __future__ import annotations

from pathlib import Path

import click

from tracker.cli import data_option
from tracker.cli.store import open_store


@click.command()
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path))
@data_option
def backup(target: Path, folder: Path) -> None:
    """Write a complete copy of all nights to TARGET, also while the table is in use."""
    with open_store(folder, read_only=True) as store:
        try:
            store.backup(target)
        except OSError as error:
            raise click.ClickException(f"{target}: {error.strerror or error}") from None
    click.echo(f"Copied all nights to {target}.")
