"""What pages say of nights that are kept for so many months, and their removal by a thread beside the server."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

from flask import Blueprint, Flask, current_app

from tracker.app.nights import Nights
from tracker.cli import say
from tracker.extras._backups import REMOVAL, backups_of
from tracker.extras._night_summaries.pages import get_all_summaries
from tracker.extras._removal import remove_nights
from tracker.extras.retention.kept_nights import NOTICE_DAYS, Retention
from tracker.extras.retention.program_days import ClockJump, ProgramDays, revoke_old_devices
from tracker.formats.evening import evening_at
from tracker.storage import DiskTrouble
from tracker.web.wording.dates import day_words
from tracker.web.wording.texts import gettext as _, ngettext

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
    backups = backups_of(nights)
    if ended := retention.ended():
        copy = backups.make(REMOVAL).name if backups else ""
        removed = remove_nights(nights, {code: one.head for code, one in ended.items()})
        retention.note_removal(removed, copy)
        for one in map(ended.__getitem__, removed):
            say(f"Removed for good: {one.name} ({one.code}), last played on {evening_at(one.since)}.")
    if backups:
        copies = {one.name: one.path for one in backups.all() if one.name.startswith(REMOVAL)}
        for name in retention.old_copies([*copies]):
            with suppress(OSError):  # the next time again
                copies[name].unlink(missing_ok=True)


bp = Blueprint("retention", __name__)


def begin(app: Flask) -> None:
    """Have old devices ended when a night begins; and where the option was given, nights removed in a thread."""
    nights, months = app.extensions["nights"], app.config["OPTIONS"].get("keep_months")
    days = app.extensions["program_days"] = ProgramDays(nights.store)
    app.extensions["old_devices"].append(lambda: revoke_old_devices(app.extensions["program_days"]))
    if months:
        retention = app.extensions["retention"] = Retention(nights.store, months, days)
        app.extensions["jobs"].append(partial(hourly_removal, retention, nights))


@bp.app_template_global("retention")
def get_retention() -> Retention | None:
    """Return what says which nights end; None where all are kept for ever."""
    found: Retention | None = current_app.extensions.get("retention")
    return found


@bp.app_template_global()
def kept_until(code: str) -> str:
    """Return the day on which a night is removed for good; empty where nights are kept for ever."""
    retention, summary = get_retention(), get_all_summaries().get(code) if get_retention() else None
    end = retention.end_of(code, summary.created_at, summary.last_at) if retention and summary else None
    return day_words(end.astimezone().date()) if end else ""


@bp.app_template_global()
def removal_stopped() -> str:
    """Return why no night is removed just now, as a sentence; empty for nothing that stops it."""
    retention = get_retention()
    if retention is None or (jump := retention.jump) is None:
        return ""
    return _(
        "No night is removed now: the clock of this machine has jumped from %(before)s to %(now)s.",
        before=day_words(jump.before.astimezone().date()),
        now=day_words(jump.now.astimezone().date()),
    )


@bp.app_template_global()
def retention_line() -> str:
    """Return how long nights are kept, and how many go soon; empty where they are kept for ever."""
    retention = get_retention()
    if retention is None:
        return ""
    kept = ngettext(
        "Nights are kept for %(num)s month after the last entry.",
        "Nights are kept for %(num)s months after the last entry.",
        retention.months,
    )
    if not (ends := retention.soon()):
        return f"{kept} {_('None goes in the next 30 days.')} {removal_stopped()}".strip()
    soon = ngettext(
        "%(num)s night goes for good, on %(day)s at the earliest.",
        "%(num)s nights go for good, the first on %(day)s at the earliest.",
        len(ends),
        day=day_words(ends[0].astimezone().date()),
    )
    return f"{kept} {soon} {removal_stopped()}".strip()
