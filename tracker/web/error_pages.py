"""What people see when something is refused: one page, one sentence, one way on."""

from collections.abc import Callable, Iterable, Mapping

from flask import Flask, Response, current_app, g, make_response, render_template, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from tracker.app.person_names import BadName
from tracker.core.errors import AlreadyDone, Stale, TableError, Unknown
from tracker.storage import DiskTrouble, NotSaved
from tracker.web.access.permissions import get_access
from tracker.web.access.request_guards import METHODS
from tracker.web.access.roles import ALLOWED_IN
from tracker.web.notices import sentences
from tracker.web.wording.texts import gettext as _, refusal

ErrorAnswer = Callable[[int, str, str, Exception | None], Response | None]
"""An extra's answer in the place of the page that says the error, of the status, the reason, sentence and error."""
Words = Mapping[str, tuple[str, str]]
"""By the reason that `abort` gives, or by the path of a form that is too large: a heading, and what to do."""


def install(app: Flask) -> None:
    app.register_error_handler(HTTPException, refused)
    app.register_error_handler(TableError, handle_table_error)
    app.register_error_handler(DiskTrouble, not_saved)
    app.register_error_handler(BadName, name_refused)


def refused(error: HTTPException) -> Response:
    """Answer any HTTP error in the asker's own form: a page, a line for htmx, or as an extra answers."""
    status, reason = error.code or 500, error.description or ""
    if status == 429:
        get_access().count_refusal(reason if reason in words_by_reason() else "guess")
    title, text = status_words(status, reason)
    answer = error_response(status, title, text)
    if status == 429:
        answer.headers["Retry-After"] = "1" if reason == "pace" else "60"
    if isinstance(error, MethodNotAllowed):
        answer.headers["Allow"] = ", ".join(one for one in METHODS if one in (error.valid_methods or METHODS))
    return answer


def handle_table_error(error: TableError) -> Response:
    return error_response(status_of(error), _("That did not work"), refusal(error), error.code, error)


def status_of(error: TableError) -> int:
    """Return the HTTP status of a refusal: 404 for what is not there, 409 for an old page, 422 for a rule."""
    if isinstance(error, Unknown):
        return 404
    return 409 if isinstance(error, Stale | AlreadyDone) else 422


def not_saved(error: DiskTrouble) -> Response:
    """Answer a failing disk. The event may be on it after all: the same form sent again records it once."""
    get_access().count_refusal("not-saved")
    title = _("Not saved") if isinstance(error, NotSaved) else _("Not to be read just now")
    return error_response(503, title, f"{sentences()[error.reason]} {_('Check the table, then send the same again.')}")


def name_refused(bad: BadName) -> Response:
    """Answer a name that can't be used, where no form is there to say so."""
    return error_response(422, _("Not this name"), refusal(bad), reason=f"name-{bad.reason}")


def error_response(status: int, title: str, text: str, reason: str = "", error: Exception | None = None) -> Response:
    """Return a refusal in the form the asker can show."""
    answers: Iterable[ErrorAnswer] = current_app.extensions["error_answers"]
    for answer in answers:
        if given := answer(status, reason, text, error):
            return given
    if request.headers.get("HX-Request"):
        return make_response(f"{title}. {text}", status, {"Content-Type": "text/plain; charset=utf-8"})
    return make_response(
        render_template(
            "shared/error.html",
            status=status,
            title=title,
            text=text,
            code=visible_night_code() if status == 403 else "",
        ),
        status,
    )


def visible_night_code() -> str:
    """Return the code of the night that the asker may see, or nothing."""
    identity = g.get("identity")
    return identity.code or "" if identity and identity.role in ALLOWED_IN else ""


def status_words(status: int, detail: str) -> tuple[str, str]:
    """Return a heading and what to do, for an HTTP status."""
    known = {
        400: (_("That address is not ours"), _("Open the tracker by the numbers beside the QR code.")),
        401: (_("Who is asking?"), _("This needs a token.")),
        403: (_("You are not at this table"), _("Scan the QR code on the host’s phone, or type the code.")),
        404: (_("Nothing here"), _("Perhaps the night moved. Start from the beginning.")),
        405: (_("Not like this"), _("Go back and use the buttons on the page.")),
        410: (
            _("This link is used up"),
            _("Each link from the terminal works once. Enter in the terminal makes a new one."),
        ),
        413: (_("Too big"), _("That is more than a game night needs.")),
        429: (_("Too many tries"), _("Wait a minute, or scan the QR code instead.")),
    }
    if words := words_by_reason().get(request.path if status == 413 else detail):
        return words
    if status == 403 and detail == "origin":
        return _("Not from our page"), _("Open the tracker by its own address and try again there.")
    if status == 403 and visible_night_code():
        return _("Not from this phone"), _("That is for the host, or for somebody else’s seat.")
    return known.get(status, (_("Something broke"), _("The night is safe. Go back and look at the table.")))


def words_by_reason() -> Words:
    """Return a heading and what to do, by the reasons that pages give; those of extras too."""
    more: Iterable[Callable[[], Words]] = current_app.extensions["error_words"]
    known: Words = {
        "token": (_("This code is from earlier"), _("Scan the code that is on the host’s phone now.")),
        "pace": (_("Too fast"), _("Nothing was recorded by this tap. Wait a moment, then tap again.")),
        "waiting": (_("Many are waiting already"), _("Ask somebody at the table to answer them, then tap again.")),
        "table-full": (
            _("This table is full"),
            _("Somebody who plays no more can be sent away, by the host: Players and phones."),
        ),
    }
    return {**known, **{reason: words for one in more for reason, words in one().items()}}
