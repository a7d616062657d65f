"""The file of a night, to download."""

from flask import Blueprint, Response, g, render_template

from tracker.web.access.roles import ALLOWED_IN, may
from tracker.web.base.context import get_table
from tracker.web.responses import download
from tracker.web.wording.dates import day_of

bp = Blueprint("files", __name__)


@bp.get("/n/<code>/files")
@may(ALLOWED_IN)
def page(code: str) -> str:
    """Offer the night as a file, as tables and as text."""
    table = get_table(code)
    return render_template("nights/files.html", table=table, identity=g.identity, day=day_of(table.began_at))


@bp.get("/n/<code>/night.json")
@may(ALLOWED_IN)
def night(code: str) -> Response:
    """Return the night file: it can be brought in on any machine, and goes on there."""
    table = get_table(code)
    return download(table, table.export(), "json", "application/json")
