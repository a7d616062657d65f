"""The OpenAPI description of the API: the document beside this module, as it is."""

from importlib.resources import files

from flask import Blueprint, Response

bp = Blueprint("openapi", __name__, url_prefix="/api")


@bp.get("/openapi.json")
def document() -> Response:
    return Response(files("tracker.web.api").joinpath("openapi.json").read_bytes(), mimetype="application/json")
