"""The presets by the API: the list of all, and each as the night file holds it."""

from flask import Blueprint, Response, jsonify

from tracker.formats.codec import preset_to
from tracker.web.context import get_nights

bp = Blueprint("api_presets", __name__, url_prefix="/api/presets")


@bp.get("")
def index() -> Response:
    """Return every preset, the table's own first."""
    library = get_nights().library
    lines = [
        {
            "id": preset.id,
            "name": preset.name,
            "game": preset.game,
            "seats": {"min": preset.seats.min, "max": preset.seats.max},
            "is_own": library.is_own(preset.id),
        }
        for preset in library.all()
    ]
    return jsonify(presets=lines)


@bp.get("/<preset>")
def whole(preset: str) -> Response:
    """Return a whole preset: to be changed, and sent with a night or in a night file."""
    return jsonify(preset_to(get_nights().library.find(preset)))
