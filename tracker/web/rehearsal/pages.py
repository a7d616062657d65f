"""The pages of a rehearsal: begin it, leave it. Its table is the one of every night."""

from typing import Any, cast

from flask import Blueprint, current_app, request
from flask.blueprints import BlueprintSetupState
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug.exceptions import HTTPException

from tracker.app.open_night import OpenNight
from tracker.simulation.rehearsal import Rehearsals
from tracker.web.access.permissions import identify
from tracker.web.context import get_nights, get_template, redirect_to
from tracker.web.error_pages import refused
from tracker.web.rehearsal.hints import hint_of

bp = Blueprint("rehearsal", __name__)
NAME = "Alex"
"""Of somebody who has not been a host yet."""


@bp.record_once
def install(setup: BlueprintSetupState) -> None:
    """Give the app its rehearsal, and the table's page the hints."""
    setup.app.extensions["rehearsals"] = Rehearsals(setup.app.extensions["tables"])
    setup.app.extensions["hint"] = hint_html


def get_rehearsals() -> Rehearsals:
    """Return the rehearsal of this app, which may be none."""
    return cast(Rehearsals, current_app.extensions["rehearsals"])


def hint_html(table: OpenNight) -> Markup:
    """Return the hint beside what is to be tapped next in a rehearsal; needs no request."""
    rehearsal = get_rehearsals().current
    hint = hint_of(rehearsal) if rehearsal and rehearsal.table is table else None
    macros: Any = get_template("rehearsal/_hint.html").module
    return cast(Markup, macros.hint(hint)) if hint else Markup()


@bp.app_errorhandler(403)
def lead_away_from_ended(error: HTTPException) -> ResponseReturnValue:
    """Lead whoever opens the address of a rehearsal that is over to the first page, which says so."""
    code = str((request.view_args or {}).get("code", ""))
    is_page = request.method == "GET" and (request.endpoint or "").endswith(".page")
    if is_page and get_rehearsals().has_ended(code) and identify(None).role == "host":
        return redirect_to("home.index", rehearsal="over")
    return refused(error)


@bp.post("/rehearsal")
def begin() -> ResponseReturnValue:
    """Begin a rehearsal; one that goes on ends."""
    name = get_nights().settings.host_name or NAME
    return redirect_to("table.page", code=get_rehearsals().begin(name).table.code)


@bp.post("/rehearsal/end")
def end() -> ResponseReturnValue:
    """Send the guests home; nothing is left of the night."""
    get_rehearsals().end()
    return redirect_to("new_night.games" if "next" in request.form else "home.index")
