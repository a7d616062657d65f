"""The copies of all nights, on the page of the host's machine: make one, take one away, bring one night back."""

from __future__ import annotations

from contextlib import closing

from flask import Blueprint, Response, abort, render_template, send_file
from flask.typing import ResponseReturnValue

from tracker.backups import Backups, Copy
from tracker.live import Live
from tracker.store import Store, Unreadable
from tracker.tables import Tables
from tracker.web.access import door
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


@bp.post("/<name>/<night>")
def bring_back(name: str, night: str) -> ResponseReturnValue:
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
