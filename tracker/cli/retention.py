"""Remove nights that have been kept for as long as was asked, soon after the start and then once a day."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import click

from tracker.app.nights import Nights
from tracker.archive.summaries import remove_nights
from tracker.formats.evening import evening_at
from tracker.storage import DiskTrouble
from tracker.storage.retention import Retention

FIRST_SECONDS, EVERY_SECONDS = 20.0, 24 * 3600.0
"""From the start to the first time, which no first page shall feel; and from one time to the next."""


@contextmanager
def daily_removal(retention: Retention | None, nights: Nights) -> Iterator[None]:
    """Remove ended nights in a thread while the body runs; nothing without a retention."""
    stopped = threading.Event()
    thread = threading.Thread(target=_run, args=(retention, nights, stopped.wait), name="retention", daemon=True)
    if retention:
        thread.start()
    try:
        yield
    finally:
        stopped.set()
        if retention:
            thread.join()


def _run(retention: Retention, nights: Nights, wait: Callable[[float], bool]) -> None:
    with suppress(DiskTrouble, RuntimeError):
        announce(retention)
    pause = FIRST_SECONDS
    while not wait(pause):
        pause = EVERY_SECONDS
        with suppress(DiskTrouble, RuntimeError):  # tomorrow again; RuntimeError: the store is closed
            remove_ended(retention, nights)


def announce(retention: Retention) -> None:
    """Say how many nights are removed soon, and from when on; nothing for none."""
    if ends := retention.soon():
        count = f"{len(ends)} nights are" if len(ends) > 1 else "1 night is"
        click.echo(
            f"--keep-months {retention.months}: {count} removed for good in the next 30 days, from "
            f"{ends[0].astimezone():%Y-%m-%d} on. Whoever wants to keep them starts with more months, or without it."
        )


def remove_ended(retention: Retention, nights: Nights) -> None:
    """Remove the nights that have ended, after a copy of all, and say so in one line for each."""
    ended = retention.ended()
    if ended and nights.backups:
        nights.backups.make_before_removal()
    for one in map(ended.__getitem__, remove_nights(nights, {code: one.head for code, one in ended.items()})):
        click.echo(f"Removed for good: {one.name} ({one.code}), last played on {evening_at(one.since)}.")
