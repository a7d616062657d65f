"""The copies of all nights, on the page of the host's machine: make one, take one away, bring nights back."""

from __future__ import annotations

from contextlib import closing

from flask import Blueprint, Response, abort, render_template, request, send_file
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from tracker.backups import Backups, Copy
from tracker.live import Live
from tracker.restoring import bring_back, plan
from tracker.store import Changed, Compared, Store, Unreadable
from tracker.tables import Tables
from tracker.web.access import door, identify
from tracker.web.here import see, see_night, tables
from tracker.web.trouble import sentences

bp = Blueprint("backups", __name__, url_prefix="/backups")


@bp.get("")
def page() -> str:
    """Show the copies there are, and what is wrong if none could be made."""
    kept = tables().backups
    listed = kept.listed() if kept else []
    names = {row.code: row.name for row in tables().nights()}
    return render_template(
        "backups.html",
        copies=[one for one in listed if not one.is_night],
        night_files=[(one, names.get(code_of(one), code_of(one))) for one in listed if one.is_night],
        trouble=sentences()[kept.trouble] if kept and kept.trouble else "",
    )


def code_of(copy: Copy) -> str:
    return copy.path.stem.removeprefix("night-")


@bp.post("")
def make() -> ResponseReturnValue:
    """Make a copy of all nights now; 503 when the disk has no room for it."""
    the_backups().make()
    return see("backups.page")


@bp.get("/<name>")
def look(name: str) -> str:
    """Show the nights that stand in a copy."""
    copy = the_copy(name)
    try:
        nights = [] if copy.is_night else copy.nights()
    except Unreadable:
        nights = []
    return render_template("backup.html", copy=copy, nights=nights)


@bp.get("/<name>/file")
def download(name: str) -> Response:
    """Give a copy as a file."""
    response = send_file(the_copy(name).path, as_attachment=True, max_age=0)
    response.headers["Cache-Control"] = "no-store"
    return response


@bp.get("/<name>/all")
def ask(name: str) -> ResponseReturnValue:
    """Show what bringing back a whole copy would do, before anything is done."""
    return asking(the_copy(name))


def asking(copy: Copy, status: int = 200, wrong: str = "") -> ResponseReturnValue:
    """Return the page that says what would come back, and what stays."""
    try:
        found = None if copy.is_night else plan(tables(), copy.path)
    except Unreadable:
        found = None
    if found is None or found.is_empty:  # perhaps it has come back already, and the answer got lost
        status, wrong = 200, ""
    return render_template("backup-all.html", copy=copy, plan=found, wrong=wrong, done=None), status


@bp.post("/<name>/all")
def bring_all_back(name: str) -> ResponseReturnValue:
    """Bring back all that the page has shown; 409 with the page as it would be now when that has changed."""
    copy = the_copy(name)
    try:
        done = bring_back(tables(), copy.path, request.form.get("seal", ""))
    except (Changed, Unreadable):
        return asking(copy, 409, _("Something has changed meanwhile. Nothing was brought back yet: look again."))
    for one in done.plan.brought:
        let_host_in(one)
    return render_template("backup-all.html", copy=copy, plan=None, wrong="", done=done)


def let_host_in(night: Compared) -> None:
    """Open a night that was missing to phones, with this browser as its host unless it is what it was before."""
    if night.found == "missing":
        door().invites.renew(night.code)
        if identify(night.code).role is None:
            door().devices.welcome(night.code, "host")


@bp.post("/<name>/<night>")
def bring_one_back(name: str, night: str) -> ResponseReturnValue:
    """Bring one night of a copy back, as a new one beside those that are there; this browser is its host."""
    with closing(Store(the_copy(name).path, read_only=True)) as store:
        old = Tables(store, Live()).get(night)
        text, title = old.export(), old.name
    table = tables().import_night(text, title)
    door().invites.renew(table.code)
    door().devices.welcome(table.code, "host")
    return see_night(table.code)


def the_backups() -> Backups:
    """Return what makes copies; 404 where none are kept."""
    kept = tables().backups
    if kept is None:
        abort(404)
    return kept


def the_copy(name: str) -> Copy:
    """Return a copy by the name of its file; 404 when there is none, whatever else may stand in the folder."""
    found = next((copy for copy in the_backups().listed() if copy.name == name), None)
    if found is None:
        abort(404)
    return found
