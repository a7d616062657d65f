"""Files made when they are asked for: the icons and the manifest of a home screen, the style sheets of boards."""

import hashlib
import struct
from functools import cache
from pathlib import Path

from flask import Blueprint, Response, abort, current_app, url_for

from tracker.core.night import Night
from tracker.web.access.roles import ANYONE, may
from tracker.web.compression import YEAR_SECONDS
from tracker.web.drawing import board
from tracker.web.drawing.board_places import board_size
from tracker.web.flat_styles import without_layers

bp = Blueprint("made_files", __name__)

ICON = "shared/icon.png"
"""The chip of shared/favicon.svg on the colour of the page, 192 pixels wide: iPhones take no SVG, and fill what is
transparent with black."""
ICON_SIZE = 192
ICON_DIRECTORY = "<HHHBBBBHHII"
"""An .ico file's header (reserved, 1 for icon, how many) and its one entry (width, height, colours, reserved, planes,
bits per pixel, bytes, offset)."""
DAY_SECONDS = 24 * 3600


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


@bp.get("/favicon.ico")
@may(ANYONE)
def favicon() -> Response:
    """Answer browsers and programs that ask without having read a page."""
    return _kept_for_a_day(windows_icon(_png()), "image/vnd.microsoft.icon")


@bp.get("/apple-touch-icon.png")
@may(ANYONE)
def touch_icon() -> Response:
    return _kept_for_a_day(_png(), "image/png")


@bp.get("/manifest.json")
@may(ANYONE)
def manifest() -> Response:
    """Answer with the name, icons and colours for a home screen."""
    icons = [
        {"src": url_for("static", filename="shared/favicon.svg"), "sizes": "any", "type": "image/svg+xml"},
        {"src": url_for("static", filename=ICON), "sizes": f"{ICON_SIZE}x{ICON_SIZE}", "type": "image/png"},
    ]
    content = {
        "name": "Board Tracker",
        "short_name": "Board Tracker",
        "start_url": "/",
        # As an app of its own an iPhone would give it other cookies than the browser has: the seat would be lost.
        "display": "browser",
        "background_color": "#F6EFE0",
        "theme_color": "#F6EFE0",
        "icons": icons,
    }
    return _kept_for_a_day(current_app.json.dumps(content).encode(), "application/manifest+json")


def windows_icon(png: bytes) -> bytes:
    """Return an .ico file with one picture, which is a PNG file of ICON_SIZE pixels."""
    header = struct.pack(ICON_DIRECTORY, 0, 1, 1, ICON_SIZE, ICON_SIZE, 0, 0, 1, 32, len(png), 6 + 16)
    return header + png


def _png() -> bytes:
    return Path(current_app.static_folder or "", ICON).read_bytes()


def _kept_for_a_day(content: bytes, mimetype: str) -> Response:
    return Response(content, mimetype=mimetype, headers={"Cache-Control": f"public, max-age={DAY_SECONDS}"})
