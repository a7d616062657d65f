"""`--keep-months`: the removal of nights whose time is over, in a thread beside the server."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from tracker.app.nights import Nights
from tracker.archive.summaries import remove_nights
from tracker.cli import say
from tracker.extras.retention.kept_nights import NOTICE_DAYS, Retention
from tracker.extras.retention.program_days import ClockJump
from tracker.formats.evening import evening_at
from tracker.storage import DiskTrouble
from tracker.storage.backups import REMOVAL

FIRST_SECONDS, EVERY_SECONDS = 20.0, 3600.0
"""From the start to the first time, which no first page shall feel; and from one time to the next."""


@contextmanager
def hourly_removal(retention: Retention, nights: Nights) -> Iterator[None]:
    """Remove ended nights in a thread while the body runs."""
    stopped = threading.Event()
    thread = threading.Thread(target=_run, args=(retention, nights, stopped.wait), name="retention", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()


def _run(retention: Retention, nights: Nights, wait: Callable[[float], bool]) -> None:
    said = None
    with suppress(DiskTrouble, RuntimeError):
        retention.look()
        announce(retention)
        said = announce_jump(retention, None)
    pause = FIRST_SECONDS
    while not wait(pause):
        pause = EVERY_SECONDS
        with suppress(DiskTrouble, RuntimeError):  # an hour later again; RuntimeError: the store is closed
            remove_ended(retention, nights)
            said = announce_jump(retention, said)


def announce(retention: Retention) -> None:
    """Say how many nights are removed soon, and from when on; nothing for none."""
    if ends := retention.soon():
        count = f"{len(ends)} nights are" if len(ends) > 1 else "1 night is"
        say(
            f"--keep-months {retention.months}: {count} to be removed for good, from {ends[0].astimezone():%Y-%m-%d} "
            f"on and after {NOTICE_DAYS} days on which the tracker ran. Whoever wants to keep them starts with "
            "more months, or without it."
        )


def announce_jump(retention: Retention, said: ClockJump | None) -> ClockJump | None:
    """Say that the clock has jumped, once, where that keeps a night from going; return what was said last."""
    jump = retention.jump
    is_said = jump and said and jump.before == said.before
    if jump and not is_said and (jump.now < jump.before or retention.soon()):
        say(
            f"Warning: --keep-months {retention.months}: nothing is removed now, this machine's clock has jumped from "
            f"{jump.before.astimezone():%Y-%m-%d} to {jump.now.astimezone():%Y-%m-%d}. Set it if it is wrong.",
            err=True,
        )
        return jump
    return said


def remove_ended(retention: Retention, nights: Nights) -> None:
    """Remove the nights that have ended, and old copies, after a copy of all; print a line each. Raises DiskTrouble."""
    retention.look()
    if ended := retention.ended():
        copy = nights.backups.make(REMOVAL).name if nights.backups else ""
        removed = remove_nights(nights, {code: one.head for code, one in ended.items()})
        retention.note_removal(removed, copy)
        for one in map(ended.__getitem__, removed):
            say(f"Removed for good: {one.name} ({one.code}), last played on {evening_at(one.since)}.")
    if nights.backups:
        copies = {one.name: one.path for one in nights.backups.all() if one.name.startswith(REMOVAL)}
        for name in retention.old_copies([*copies]):
            with suppress(OSError):  # the next time again
                copies[name].unlink(missing_ok=True)
