"""Open the data folder's store for a command; errors of the store become a ClickException."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path

import click

from tracker import extras
from tracker.cli import DATA_PLACE
from tracker.storage import CorruptFile, DataPlace, InUse, NotRead, Store, StoreError, Unreadable
from tracker.storage.files import undo_new

DATA_FILE = "nights.db"
REPLACED = "was deleted or replaced by another program while the server ran."
CHECKED_AT_ONCE = 4 << 20
"""Of a file of at most so many bytes the hashes are checked before the start, of a larger one while it is served."""


class AlreadyServed(click.ClickException):
    """Another server holds the data folder; `address` is where this machine finds it, empty when unknown."""

    def __init__(self, error: InUse) -> None:
        super().__init__(str(error))
        self.address = error.address


def place_of(folder: Path) -> Path | DataPlace:
    """Return where this command's nights are: a place that an option names, else the folder's data file."""
    context = click.get_current_context(silent=True)
    place: DataPlace | None = context.meta.get(DATA_PLACE) if context else None
    return place or folder / DATA_FILE


@contextmanager
def open_store(
    place: Path | DataPlace, *, read_only: bool = False, is_repaired: bool = False, checked_at_once: float = inf
) -> Iterator[Store]:
    """Yield the store of a place, and close it; `read_only` also works beside a running server.

    With `is_repaired` a damaged file is repaired; every night's hash chain is checked first, too, but of a file of more
    than `checked_at_once` bytes.
    """
    undo = undo_new(place) if isinstance(place, Path) and not read_only else lambda: None
    try:
        if is_repaired and isinstance(place, Path):
            store = open_repaired(place, checked_at_once)
        else:
            store = Store(place, read_only=read_only)
    except InUse as error:
        raise AlreadyServed(error) from None
    except (StoreError, OSError) as error:
        undo()
        raise not_opened(place, error, read_only=read_only) from None
    try:
        yield store
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    finally:
        store.close()


def not_opened(place: Path | DataPlace, error: StoreError | OSError, *, read_only: bool) -> click.ClickException:
    """Return the error of a store that can't be opened, with what can be done about it."""
    if not isinstance(place, Path):
        return click.ClickException(str(error))
    if isinstance(error, OSError):
        return not_writable(place.parent, error)
    if isinstance(error, Unreadable):
        if not place.exists():
            nothing = click.ClickException(f"there are no nights in {place.parent} yet")
            return nothing if read_only else not_writable(place.parent, error)
        hints = [] if read_only or error.is_of_disk else extras.modules("unreadable")
        return click.ClickException("".join((str(error), *(module.hint(place) for module in hints))))
    return click.ClickException(str(error))


def not_writable(folder: Path, error: Exception) -> click.ClickException:
    """Return the error of a data folder that can't be made or written."""
    why = f" ({getattr(error, 'strerror', None) or error})"
    return click.ClickException(
        f"the data folder {folder} can't be written{why}: keep the nights in another one with --data FOLDER"
    )


def is_larger(path: Path | DataPlace, size: float) -> bool:
    """Return whether there is a file of more than so many bytes."""
    return isinstance(path, Path) and path.exists() and path.stat().st_size > size


def open_repaired(path: Path, checked_at_once: float = inf) -> Store:
    """Return the store of a data file, repaired if it is damaged and an extra can do it, whose module `repairs` has
    `repair`; prints what was lost on standard error. Raises Unreadable.
    """
    try:
        store = Store(path)
    except CorruptFile as damage:
        faults = [str(damage)]
    else:
        if is_larger(path, checked_at_once):
            return store
        try:
            faults = store.faults()
        except NotRead as trouble:
            faults = [str(trouble)]
        if not faults:
            return store
        store.close()
    repairs = extras.modules("repairs")
    if not repairs:
        raise CorruptFile("; ".join(faults))
    for line in (*(f"Warning: {fault}" for fault in faults), *repairs[0].repair(path)):
        click.echo(line, err=True)
    return Store(path)
