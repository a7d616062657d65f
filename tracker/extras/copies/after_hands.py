"""A copy after every hand, and at once when the data file is deleted or replaced while the server runs."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import click
from flask import Flask

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.cli.data_folder import DATA_FILE, REPLACED
from tracker.extras._backups import Backups, about_restore, backups_of
from tracker.storage import DiskTrouble


def begin(app: Flask) -> None:
    """Have copies made for as long as a server runs."""
    nights = app.extensions["nights"]
    if backups := backups_of(nights):
        app.extensions["jobs"].append(partial(made_after_hands, nights, backups))


@contextmanager
def made_after_hands(nights: Nights, backups: Backups) -> Iterator[None]:
    """Make copies while the body runs. Raises ClickException at its end where the data file is not in its place."""

    def request(table: OpenNight) -> None:
        backups.request(table.code, table.export)

    copy_aside = aside_once(nights, backups)
    nights.on_hand_over.append(request)
    nights.disk.on_replaced = copy_aside
    try:
        yield
        if nights.store.file and not nights.store.file.is_in_place():
            raise click.ClickException(what_was_replaced(backups, copy_aside()))
    finally:
        backups.close()


def aside_once(nights: Nights, backups: Backups) -> Callable[[], Path | None]:
    """Return a function that copies what was recorded where the data file is not in its place.

    It makes one copy, whose path it returns, None where there is none, and the files of the nights in memory.
    """
    lock, made = threading.Lock(), list[Path]()

    def copy_aside() -> Path | None:
        with lock:
            for table in nights.in_memory():
                backups.request(table.code, table.export)
            with suppress(DiskTrouble):
                made[:] = made or [backups.make().path]
            return made[0] if made else None

    return copy_aside


def what_was_replaced(backups: Backups, copy: Path | None) -> str:
    """Return the sentences about a data file that is not in its place, and where what was recorded is."""
    what = f"{backups.folder.parent / DATA_FILE} {REPLACED}"
    if copy:
        hint = about_restore(": {restore} {copy} puts it back", copy=copy)
        return f"{what} Everything that was recorded is in {copy}{hint}"
    hint = about_restore(": put a copy back with {restore}, then import them")
    return f"{what} The nights that were in use are saved as files in {backups.folder}{hint}"
