"""The film of a night that is over: its page, its player within another page, and one file to keep and send."""

from dataclasses import replace
from functools import cache
from typing import Any

from flask import Blueprint, Response, abort, render_template
from flask.typing import ResponseReturnValue

from tracker.app.open_night import OpenNight
from tracker.web.context import get_table, redirect_to
from tracker.web.drawing import board
from tracker.web.film.player import Player, player_of
from tracker.web.resources import Inlined, inlined
from tracker.web.responses import download, few_at_once
from tracker.web.wording.dates import day_of
from tracker.web.wording.texts import gettext as _, listed

bp = Blueprint("film", __name__)

MOST_BYTES = 300_000
"""Of a film's file; of a longer night it has the hands' ends only."""
STYLES = ("shared/site.css", "shared/board-surface.css", "film/film.css")
SCRIPT = "film/film.js"


@bp.get("/n/<code>/film")
@few_at_once
def page(code: str) -> ResponseReturnValue:
    """Show the film; before the night's end, lead to where it can be ended."""
    table = get_table(code)
    if not table.night.is_over:
        return redirect_to("settlement.page", code=code)
    return render_template("film/film.html", **film_context(table))


@bp.get("/n/<code>/film/player")
@few_at_once
def player(code: str) -> str:
    """Return the player, which begins at once: for a page that is there already."""
    table = get_table(code)
    if not table.night.is_over:
        abort(404)
    return render_template("film/_player.html", starts=True, **film_context(table))


@bp.get("/n/<code>/film.html")
@few_at_once
def file(code: str) -> Response:
    """Return the film as one HTML file that needs no network."""
    table = get_table(code)
    if not table.night.is_over:
        abort(404)
    shown = film_context(table)
    content = file_content(**shown)
    if (over := len(content.encode()) - MOST_BYTES) > 0:
        film = shown["player"].film
        shown["player"] = replace(shown["player"], film=film.fitting(len(film.json.encode()) - over))
        content = file_content(**shown)
    return download(table, content, "html", "text/html", _("film"))


def file_content(player: Player, **shown: Any) -> str:
    parts = film_parts(player.board_size if player.is_pots else 0)
    return render_template("film/file.html", parts=parts, player=player, **shown)


@cache
def film_parts(board_size: int) -> Inlined:
    """Return what a film's file needs for a board of so many places; 0 for none."""
    return inlined(STYLES, SCRIPT, board.css(board_size, board_size) if board_size else "")


def film_context(table: OpenNight) -> dict[str, Any]:
    """Return what the film's pages need; 404 when no hand was played."""
    game, day, night = _(table.preset.name), day_of(table.began_at), table.night
    start = _("%(names)s sit down", names=listed(night.name(seat) for seat in night.all_seats))
    found = player_of(table.history(), start) or abort(404)
    return {"table": table, "title": table.name, "game": game, "day": day, "player": found}
