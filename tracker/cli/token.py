"""The bearer token for scripts that use the API, and `board-tracker token`, which prints it."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

import click

from tracker.cli import data_option
from tracker.cli.data_folder import not_writable

FILE = "api-token"


@click.command()
@data_option
def token(folder: Path) -> None:
    """Print the bearer token for scripts that use the API.

    It is the same whether or not a server runs.
    """
    try:
        click.echo(read_token(folder))
    except OSError as error:
        raise not_writable(folder, error) from None


def read_token(folder: Path) -> str:
    """Return the token of a data folder, creating its file, which only this user can read."""
    file = folder / FILE
    if not file.exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = folder / f"{FILE}.{secrets.token_hex(4)}"
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as new:
            new.write(secrets.token_urlsafe(32) + "\n")
        # A hard link makes the first of two concurrent programs win, and both read its token; on a file system without
        # links (as on some phones) the last one wins.
        with suppress(FileExistsError):
            try:
                file.hardlink_to(unfinished)
            except FileExistsError:
                raise
            except OSError:
                unfinished.rename(file)
        unfinished.unlink(missing_ok=True)
    return file.read_text(encoding="ascii").strip()
