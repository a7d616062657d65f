"""The style sheets of boards, made when they are asked for."""

import hashlib
from functools import cache

from flask import Blueprint, Response, abort

from tracker.core.night import Night
from tracker.web.access.roles import ANYONE, may
from tracker.web.compression import YEAR_SECONDS
from tracker.web.drawing import board
from tracker.web.drawing.board_places import board_size
from tracker.web.flat_styles import without_layers

bp = Blueprint("made_files", __name__)


@bp.get("/static/board/<int:places>.css")
@may(ANYONE, in_memory=True)
def board_style_sheet(places: int) -> Response:
    """Answer with where everything stands on a board of so many places around its centre."""
    if not board.FEWEST <= places <= board.MOST:
        abort(404)
    response = Response(board_css(places), mimetype="text/css")
    response.headers["Cache-Control"] = f"public, max-age={YEAR_SECONDS}, immutable"
    return response


@bp.app_template_global()
def board_styles(night: Night) -> str:
    """Return the address of the style sheet of a night's board."""
    return board_styles_address(board_size(night))


@cache
def board_css(places: int) -> str:
    """Return the style sheet of a board as it is sent."""
    return without_layers(board.css(places))


@cache
def board_styles_address(places: int) -> str:
    """Return the address of the style sheet of a board, which changes with its content."""
    return f"/static/board/{places}.css?v={hashlib.sha256(board_css(places).encode()).hexdigest()[:10]}"
