"""`board-tracker move`: copy all nights from a data folder into a database, or back."""

from contextlib import ExitStack, closing
from pathlib import Path

import click

from tracker.cli import check_url
from tracker.cli.data_folder import DATA_FILE, not_writable
from tracker.storage import InUse, Store, StoreError


@click.command()
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def move(source: str, target: str) -> None:
    """Copy all nights FROM one place TO another, empty one.

    Each place is a data folder or the address of a PostgreSQL database (postgresql://user@host/name; its password comes
    from the environment variable PGPASSWORD or the file ~/.pgpass). People, phones, invitations and settings come
    along; every event is proved by its hash at its new place. What is in FROM stays there. Stop the tracker first.
    """
    if not is_url(source) and not (Path(source) / DATA_FILE).exists():
        raise click.ClickException(f"there are no nights in {source} yet")
    with ExitStack() as opened:
        stores = [opened.enter_context(closing(open_place(place))) for place in (source, target)]
        try:
            moved = stores[0].move_to(stores[1])
        except StoreError as error:
            raise click.ClickException(f"nothing was moved: {error}") from None
    click.echo(f"{moved.nights} nights with {moved.events} events are in {target}, and every hash was proved there.")


def is_url(place: str) -> bool:
    return "://" in place


def open_place(place: str) -> Store:
    """Return the store of a data folder or a database. Raises ClickException."""
    try:
        if is_url(place):
            check_url(place)
            return Store(place)
        return Store(Path(place) / DATA_FILE)
    except InUse as taken:
        raise click.ClickException(f"{taken}; stop it first") from None
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise not_writable(Path(place), error) from None
