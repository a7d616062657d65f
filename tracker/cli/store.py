"""The data folder as commands open it: a sentence and exit status 1 in place of a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from tracker.store import Store, StoreError

DATA_FILE = "nights.db"


@contextmanager
def open_store(folder: Path, *, read_only: bool = False) -> Iterator[Store]:
    """Give the folder's store, closed at the end; with `read_only` also beside a running server."""
    try:
        store = Store(folder / DATA_FILE, read_only=read_only)
    except (StoreError, OSError) as error:
        raise click.ClickException(str(error)) from None
    try:
        yield store
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    finally:
        store.close()
