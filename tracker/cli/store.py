"""The data folder as commands open it: a sentence and exit status 1 in place of a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from tracker.backups import FOLDER
from tracker.store import Broken, NotRead, Rescue, Store, StoreError, Unreadable, rescue

DATA_FILE = "nights.db"
HELPERS = 3
"""How many of the last copies are asked for what a damaged file has lost."""


@contextmanager
def open_store(folder: Path, *, read_only: bool = False, mend: bool = False) -> Iterator[Store]:
    """Give the folder's store, closed at the end; with `read_only` also beside a running server.

    With `mend` every night is checked first, and a damaged file is replaced by what can be proved of it.
    """
    path = folder / DATA_FILE
    try:
        store = mended(path) if mend else Store(path, read_only=read_only)
    except Unreadable as error:
        hint = "" if read_only else "; board-tracker restore lists the copies that can be put back"
        raise click.ClickException(f"{error}{hint}") from None
    except (StoreError, OSError) as error:
        raise click.ClickException(str(error)) from None
    try:
        yield store
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    finally:
        store.close()


def mended(path: Path) -> Store:
    """Return the store of a data file, read as far as it can be proved; says on standard error what could not."""
    try:
        store = Store(path)
    except Broken as damage:
        click.echo(f"Warning: {damage}", err=True)
    else:
        try:
            faults = store.faults()
        except NotRead as trouble:
            faults = [str(trouble)]
        if not faults:
            return store
        store.close()
        for fault in faults:
            click.echo(f"Warning: {fault}", err=True)
    copies_of_hands = sorted((path.parent / FOLDER).glob("hand-*.db"), reverse=True)[:HELPERS]
    tell(rescue(path, copies_of_hands))
    return Store(path)


def tell(came: Rescue) -> None:
    """Say on standard error what was left of a damaged file."""
    click.echo(f"The damaged file is kept in {came.aside}. What is left was checked event by event:", err=True)
    for night in came.nights:
        of = f" of {night.seen}" if night.seen > night.events else ""
        end = "whole" if night.is_whole else "what came after is lost, and the host has to say that it goes on there"
        click.echo(f"  {night.code}  {night.name}: {night.events}{of} events, {end}", err=True)
    for code in came.lost:
        click.echo(f"  {code}: nothing can be read; board-tracker restore lists the copies", err=True)
