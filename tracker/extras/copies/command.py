"""The commands `backup` and `restore`: copy all nights, and put a copy back."""

from pathlib import Path

import click

from tracker import extras
from tracker.app.settings import FolderSettings
from tracker.cli import data_option
from tracker.cli.data_folder import DATA_FILE, open_store, place_of
from tracker.extras._backups import FOLDER, Backup, Backups, list_backups
from tracker.extras._commands import whole_or_nothing
from tracker.extras.copies.put_back import restore as put_back
from tracker.storage import InUse, StoreError
from tracker.web.own_command import own_command

WAYS_IN = (FolderSettings.invite_secret.key,)
"""The keys, or how they begin, of settings that let somebody in or say who is no more: a copy of earlier has what was
taken away since."""


def ways_in() -> tuple[str, ...]:
    """Return how the keys of all settings begin that let somebody in, those of the extras too."""
    return (*WAYS_IN, *(key for extra in extras.load() for key in extra.ways_in))


@click.command()
@click.argument("target", required=False, type=click.Path(dir_okay=False, path_type=Path))
@data_option
def backup(target: Path | None, folder: Path) -> None:
    """Write a complete copy of all nights to TARGET.

    Also while the table is in use. Without TARGET the copy goes to the data folder, where `restore` lists it.
    """
    check_is_file(folder)
    with open_store(place_of(folder), read_only=True) as store:
        if store.file and target:
            store.file.backup(target)
        elif store.file:  # what check_is_file has found
            target = Backups(store.file, folder / FOLDER).make().path
    click.echo(f"Copied all nights to {target}.")


@click.command()
@click.argument("copy", required=False)
@data_option
def restore(copy: str | None, folder: Path) -> None:
    """Put COPY in the place of all nights.

    COPY is a file or a name from the list. Without it the command lists the copies there are. The nights that are
    there now are kept in a file beside it.
    """
    check_is_file(folder)
    if copy is None:
        print_backups(list_backups(folder / FOLDER), folder)
        return
    chosen = next((backup.path for backup in list_backups(folder / FOLDER) if copy == backup.name), Path(copy))
    if chosen.suffix == ".json":
        raise click.ClickException(f"{chosen} is a single night: {own_command()} import {chosen} brings it in")
    if not chosen.is_file():
        raise click.ClickException(f"there is no copy {copy}; {own_command()} restore lists those there are")
    try:
        with whole_or_nothing(folder / DATA_FILE):
            restored = put_back(folder / DATA_FILE, chosen, ways_in())
    except InUse as taken:
        raise click.ClickException(f"{taken}; stop it first, then put the copy back") from None
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"nothing was changed: {error.filename}: {error.strerror}") from None
    click.echo(f"Put back {chosen}: {len(restored.nights)} nights.")
    for fault in restored.faults:
        click.echo(f"Warning: {fault}", err=True)
    if restored.aside:
        click.echo(f"What was there before is kept in {restored.aside}.")


def check_is_file(folder: Path) -> None:
    """Raise ClickException where no data file has the nights."""
    place = place_of(folder)
    if not isinstance(place, Path):
        raise click.ClickException(place.no_copies)


def print_backups(backups: list[Backup], folder: Path) -> None:
    """Print the backups, newest first, and how to restore one."""
    if not backups:
        click.echo(f"There are no copies in {folder / FOLDER} yet: one is made after every hand.")
        return
    for copy in backups:
        when = copy.made_at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
        click.echo(f"{copy.name:<26}  {when}  {copy.size / 1000:>8.0f} kB  {contents(copy)}")
    command = own_command()
    click.echo(f"\n{command} restore NAME puts a copy back; {command} import FILE brings in a single night.")
    click.echo("The host's page does both, too: Copies, and Bring a night from a file.")


def contents(copy: Backup) -> str:
    """Return in a few words what a backup holds."""
    if copy.is_night:
        return "the night file of one night"
    try:
        nights = copy.nights()
    except StoreError as error:
        return f"can't be read: {error}"
    newest = f", the newest {nights[0].name} with {nights[0].events} events" if nights else ""
    return f"{len(nights)} nights{newest}"
