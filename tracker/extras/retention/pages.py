"""What pages say of nights that are removed after so many months: until when one is kept, and what is removed soon."""

from functools import partial

from flask import Blueprint, Flask, current_app

from tracker.extras.retention.kept_nights import Retention
from tracker.extras.retention.program_days import ProgramDays, revoke_old_devices
from tracker.extras.retention.removal import hourly_removal
from tracker.web.base.context import get_all_summaries
from tracker.web.wording.dates import day_words
from tracker.web.wording.texts import gettext as _, ngettext

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
