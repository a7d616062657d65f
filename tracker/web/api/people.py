"""The people of this machine's nights by the API: who has sat where, as somebody has said it."""

from flask import Blueprint, Response, jsonify, request, url_for

from tracker.web.access.permissions import own_nights
from tracker.web.api.request_fields import page_of
from tracker.web.context import get_people, get_summaries

bp = Blueprint("api_people", __name__, url_prefix="/api")


@bp.get("/people")
def index() -> Response:
    """Return the people, by name, with their seats; hidden ones too, nobody who was forgotten."""
    people, is_own = get_people(), own_nights()
    deleted = {one.code for one in get_summaries().deleted()}
    page, following = page_of(people.all(), lambda one: one.id, request)
    lines = [
        {
            "id": one.id,
            "name": one.name,
            "colour": one.colour,
            "is_hidden": one.is_hidden,
            "seats": [
                {"code": code, "seat": seat}
                for code, seat in people.seats_of(one.id)
                if code not in deleted and is_own(code)
            ],
        }
        for one in page
    ]
    return jsonify(people=lines, next=url_for("api_people.index", **following) if following else None)
