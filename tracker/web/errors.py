"""What people see when something is refused: one page, one sentence, one way on."""

from __future__ import annotations

from flask import Flask, Response, g, make_response, render_template, request
from flask_babel import gettext as _
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from tracker.core.errors import Stale, TableError, Unknown
from tracker.store import DiskTrouble, NotSaved
from tracker.web.access import ALLOWED_IN
from tracker.web.guards import METHODS
from tracker.web.names import BadName
from tracker.web.people import why_refused
from tracker.web.refusals import refusal


def install(app: Flask) -> None:
    app.register_error_handler(HTTPException, refused)
    app.register_error_handler(TableError, table_says_no)
    app.register_error_handler(DiskTrouble, not_saved)
    app.register_error_handler(BadName, name_refused)


def refused(error: HTTPException) -> Response:
    """Answers any HTTP error in the asker's own form: a page, a line for htmx, JSON for a script."""
    status = error.code or 500
    if error.description == "origin" and request.path.startswith("/api/"):
        status = 401  # what a script lacks is a token, not a page to come from
    title, text = sentence(status, error.description or "")
    answer = answer_with(status, title, text)
    if status == 429:
        answer.headers["Retry-After"] = "1" if error.description == "pace" else "60"
    if isinstance(error, MethodNotAllowed):
        answer.headers["Allow"] = ", ".join(error.valid_methods or METHODS)
    return answer


def table_says_no(error: TableError) -> Response:
    """Answers a refusal of the table: 404 for what is not there, 409 for an old page, 422 for a rule."""
    from tracker.web import words  # noqa: PLC0415 - the first page, and most nights, need none of them

    status = 404 if isinstance(error, Unknown) else 409 if isinstance(error, Stale) else 422
    said = str(error) if request.path.startswith("/api/") else words.refusal(error)
    return answer_with(status, _("That did not work"), said, reason=error.code)


def not_saved(error: DiskTrouble) -> Response:
    """Answers a failing disk. The event may be on it after all: the same form sent again records it once."""
    from tracker.web.trouble import sentences  # noqa: PLC0415 - on most nights the disk works

    title = _("Not saved") if isinstance(error, NotSaved) else _("Not to be read just now")
    return answer_with(503, title, f"{sentences()[error.reason]} {_('Check the table, then send the same again.')}")


def name_refused(bad: BadName) -> Response:
    """Answers a name that can't be used, where no form is there to say so."""
    return answer_with(422, _("Not this name"), why_refused(bad), reason=f"name-{bad.reason}")


def answer_with(status: int, title: str, text: str, reason: str = "") -> Response:
    """Returns a refusal in the form the asker can show."""
    if request.path.startswith("/api/"):
        return refusal(status, reason, text if reason else "")
    if request.headers.get("HX-Request"):
        return make_response(f"{title}. {text}", status, {"Content-Type": "text/plain; charset=utf-8"})
    return make_response(
        render_template("error.html", status=status, title=title, text=text, code=is_in() if status == 403 else ""),
        status,
    )


def is_in() -> str:
    """Return the code of the night that the asker may see, or nothing."""
    who = g.get("who")
    return who.code or "" if who and who.role in ALLOWED_IN else ""


def sentence(status: int, detail: str) -> tuple[str, str]:
    """Returns a heading and what to do, for an HTTP status."""
    known = {
        400: (_("That address is not ours"), _("Open the tracker by the numbers beside the QR code.")),
        401: (_("Who is asking?"), _("This needs a token.")),
        403: (_("You are not at this table"), _("Scan the QR code on the host's phone, or type the code.")),
        404: (_("Nothing here"), _("Perhaps the night moved. Start from the beginning.")),
        405: (_("Not like this"), _("Go back and use the buttons on the page.")),
        410: (
            _("This link is used up"),
            _("Each link from the terminal works once. Start the tracker again for a new one."),
        ),
        413: (_("Too big"), _("That is more than a game night needs.")),
        429: (_("Too many tries"), _("Wait a minute, or scan the QR code instead.")),
    }
    if detail == "token":
        return _("This code is from earlier"), _("Scan the code that is on the host's phone now.")
    if status == 403 and detail == "origin":
        return _("Not from our page"), _("Open the tracker by its own address and try again there.")
    if status == 403 and is_in():
        return _("Not from this phone"), _("That is for the host, or for somebody else’s seat.")
    if detail == "move":
        return _("This code is used up"), _("Show a new one on the other phone, then scan that.")
    if detail == "pace":
        return _("Too fast"), _("Nothing was recorded by this tap. Wait a moment, then tap again.")
    return known.get(status, (_("Something broke"), _("The night is safe. Go back and look at the table.")))
