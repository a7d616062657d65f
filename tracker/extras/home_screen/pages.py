"""The icons and the manifest of a home screen."""

from pathlib import Path

from flask import Blueprint, Response, current_app, url_for

from tracker.web.access.roles import ANYONE, may

bp = Blueprint("home_screen", __name__)

ICON = "shared/icon.png"
"""The chip of shared/favicon.svg on the colour of the page, 192 pixels wide: iPhones take no SVG, and fill what is
transparent with black."""
ICON_SIZE = 192
DAY_SECONDS = 24 * 3600


@bp.get("/favicon.ico")
@bp.get("/apple-touch-icon.png")
@may(ANYONE)
def icon() -> Response:
    """Answer phones, and browsers and programs that ask without having read a page: they know a PNG by its content."""
    return _kept_for_a_day(Path(current_app.static_folder or "", ICON).read_bytes(), "image/png")


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


def _kept_for_a_day(content: bytes, mimetype: str) -> Response:
    return Response(content, mimetype=mimetype, headers={"Cache-Control": f"public, max-age={DAY_SECONDS}"})
