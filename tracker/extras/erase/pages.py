"""The page on which whoever runs the house erases one night for good, also one of another host."""

from flask import Blueprint, abort, current_app, request
from flask.typing import ResponseReturnValue

from tracker.app.person_names import comparison_key
from tracker.core.errors import Stale
from tracker.extras._night_summaries.pages import get_all_summaries
from tracker.extras._removal import remove_nights
from tracker.web.access.permissions import get_access, identify, in_turn, is_own_night
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import form_page, get_nights, readable_night, redirect_to
from tracker.web.wording.dates import day_of
from tracker.web.wording.texts import gettext as _

bp = Blueprint("erase", __name__)


@bp.get("/nights/<night>/erase")
@may(HOST, of_all_nights=True)
def page(night: str, wrong: str = "", typed: str = "") -> ResponseReturnValue:
    """Say what goes with a night that is erased for good, and what stays, and ask for its name."""
    row = get_all_summaries().row(night) or abort(404)
    summary, table = get_all_summaries().get(night), readable_night(night)
    return form_page(
        "erase/erase.html",
        wrong,
        night=row,
        day=day_of(summary.day if summary else row.created_at),
        is_over=summary is None or summary.is_over,
        unpaid=len(summary.unpaid) if summary else 0,
        at_table=len(table.night.seats) if table else len(summary.seats) if summary else 0,
        phones=len(get_access().devices.devices_of(night)),
        is_own=is_own_night(night),
        typed=typed,
    )


@bp.post("/nights/<night>/erase")
@may(HOST, of_all_nights=True)
@in_turn
def erase(night: str) -> ResponseReturnValue:
    """Erase a night for good when its name was typed; after its lock, where this browser is its host."""
    row, typed = get_all_summaries().row(night) or abort(404), request.form.get("typed", "")
    if (lock := get_access().lock).asks(night, identify(night)):
        return lock.page_first(night)
    if letters_of(typed) != letters_of(row.name):
        return page(night, _("That is not the name of this night."), typed)
    if not remove_nights(get_nights(), {night: row.head}):
        raise Stale("somebody was faster: look at the table and tap again")
    return redirect_to(current_app.extensions["nights_page"], erased="1")


def letters_of(name: str) -> str:
    """Return a name's letters and digits alone: typed by hand, it has other signs and spaces."""
    return "".join(sign for sign in comparison_key(name) if sign.isalnum()) or name.strip()
