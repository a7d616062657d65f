"""The film of a night that is over: its page, its player within another page, and one file to keep and send."""

from functools import cache
from threading import Semaphore
from typing import Any

from flask import Blueprint, Response, abort, render_template
from flask.typing import ResponseReturnValue

from tracker.app.open_night import OpenNight
from tracker.extras._kept_files import Inlined, inlined
from tracker.extras.film.player import Film, best_film
from tracker.web.access.roles import ALLOWED_IN, may
from tracker.web.base.context import get_table, redirect_to
from tracker.web.drawing import board
from tracker.web.drawing.board_places import colouring
from tracker.web.night_result import NightResult
from tracker.web.responses import download
from tracker.web.wording.dates import day_of
from tracker.web.wording.texts import gettext as _, listed

bp = Blueprint("film", __name__)

MOST_BYTES = 300_000
"""Of a film's file; of a longer night it has the hands' ends only."""
STYLES = ("shared/site.css", "shared/board-surface.css", "film/film.css")
SCRIPT = "film/film.js"


FEW = Semaphore(2)
"""Held while an answer is made that takes many megabytes: two at a time, for all tables together."""


@bp.get("/n/<code>/film")
@may(ALLOWED_IN)
def page(code: str) -> ResponseReturnValue:
    """Show the film; before the night's end, lead to where it can be ended."""
    table = get_table(code)
    if not table.night.is_over:
        return redirect_to("settlement.page", code=code)
    with FEW:
        return render_template("film/film.html", **film_context(table))


@bp.get("/n/<code>/film/player")
@may(ALLOWED_IN)
def player(code: str) -> str:
    """Return the player, which begins at once: for a page that is there already."""
    with FEW:
        return render_template("film/_player.html", starts=True, **film_context(get_table(code)))


@bp.get("/n/<code>/film.html")
@may(ALLOWED_IN)
def file(code: str) -> Response:
    """Return the film as one HTML file that needs no network."""
    table = get_table(code)
    with FEW:
        shown = film_context(table)
        content, film = file_content(**shown), shown["film"]
        if (over := len(content.encode()) - MOST_BYTES) > 0:
            content = file_content(**{**shown, "film": film.fitting(len(film.json.encode()) - over)})
    return download(table, content, "html", "text/html", _("film"))


def file_content(film: Film, **shown: Any) -> str:
    parts = film_parts(film.board_size if film.places else 0)
    return render_template("film/file.html", parts=parts, film=film, **shown)


@cache
def film_parts(board_size: int) -> Inlined:
    """Return what a film's file needs for a board of so many places; 0 for none."""
    return inlined(STYLES, SCRIPT, board.css(board_size) if board_size else "")


def film_context(table: OpenNight) -> dict[str, Any]:
    """Return what the film's pages need; 404 before the night's end, and when no hand was played."""
    game, day, result = _(table.preset.name), day_of(table.began_at), NightResult(table.history())
    seats = [result.faces[seat] for seat in result.night.all_seats]
    start = _("%(names)s sit down", names=listed(face.name for face in seats))
    film = best_film(result, start) if result.night.is_over else None
    if film is None:
        abort(404)
    shown = result.nets if result.is_pots else result.totals
    return {
        "table": table,
        "title": table.name,
        "game": game,
        "day": day,
        "film": film,
        "result": result,
        "seats": seats,
        "ranking": [(result.faces[one.seat], shown[one.seat]) for one in result.ranking],
        "colouring": colouring,
    }
