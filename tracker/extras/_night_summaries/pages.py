"""What pages ask of the summaries of an app's nights, and what is answered until they are computed."""

from collections.abc import Callable
from contextlib import closing
from typing import cast

from flask import Blueprint, Flask, Response, current_app, has_request_context, make_response, render_template, request

from tracker.app.nights import Nights
from tracker.extras._night_summaries import summaries
from tracker.extras._night_summaries.summaries import StillComputing, Summaries, SummaryWriter
from tracker.web.wording.texts import gettext as _

bp = Blueprint("night_summaries", __name__)


def begin(app: Flask) -> None:
    """Have the app's lists know all nights by their summaries, which are stored beside the server.

    own_nights: returns which nights whoever asks may see, where not all.
    """
    nights: Nights = app.extensions["nights"]
    known = Summaries(nights)
    app.extensions |= {"known_nights": known, "own_nights": None}
    app.extensions["jobs"].append(lambda: closing(SummaryWriter(nights, known)))


def get_summaries() -> Summaries:
    """Return the summaries of the nights of whoever asks: of all that this app serves, unless an extra says which."""
    which: Callable[[], Callable[[str], bool]] | None = current_app.extensions["own_nights"]
    return get_all_summaries().only(which()) if which and has_request_context() else get_all_summaries()


def get_all_summaries() -> Summaries:
    """Return the summaries of all nights of this app; a page that somebody opens waits MOST_SECONDS for them."""
    found = cast(Summaries, current_app.extensions["known_nights"])
    if not has_request_context() or request.method != "GET" or "HX-Request" in request.headers:
        return found
    return found.within(summaries.MOST_SECONDS) if "text/html" in request.headers.get("Accept", "") else found


@bp.app_errorhandler(StillComputing)
def still_computing(error: StillComputing) -> Response:
    """Answer with how far the summaries are; the page is asked for again by itself."""
    title, known = _("The figures are worked out anew"), len(error.found)
    text = _("%(known)s of %(total)s nights. This page comes by itself.", known=known, total=error.total)
    html = render_template("night_summaries/computing.html", status=503, title=title, text=text, code="")
    return make_response(html, 503, {"Refresh": "1"})
