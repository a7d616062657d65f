"""What belongs to no one night by the API: the lists of nights, people and presets, new nights, the description."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from flask import Blueprint, Response, jsonify, request, url_for

from tracker.app.open_night import OpenNight
from tracker.app.settings import ARCHIVED
from tracker.core.errors import BadEvent, TableError
from tracker.core.game import GAMES
from tracker.extras._night_files.importing import FORM_LIMIT, import_night
from tracker.extras._night_files.json_text import UnreadableError
from tracker.extras._night_summaries.night_summary import NightSummary
from tracker.extras._night_summaries.pages import get_summaries
from tracker.extras._people import get_people
from tracker.extras.api.json_refusal import json_refusal, of_table
from tracker.extras.api.request_fields import body_text, fields_of, page_of, text_of
from tracker.extras.api.tokens import get_tokens
from tracker.formats.codec import LONGEST_LABELS, preset_from, preset_to
from tracker.formats.evening import evening_of
from tracker.formats.text import brief
from tracker.storage import NightRow
from tracker.web.access.admission import revoke_old_devices
from tracker.web.access.join_link import join_link
from tracker.web.access.permissions import get_access, own_nights
from tracker.web.access.roles import ANYONE, HOST, may
from tracker.web.base.context import get_nights

bp = Blueprint("api_nights", __name__, url_prefix="/api")
people_bp = Blueprint("api_people", __name__, url_prefix="/api/people")
presets_bp = Blueprint("api_presets", __name__, url_prefix="/api/presets")
openapi_bp = Blueprint("openapi", __name__, url_prefix="/api")
BLUEPRINTS = (bp, people_bp, presets_bp, openapi_bp)

MOST_TITLE = 60


@bp.get("/nights")
@may(HOST)
def index() -> Response:
    """Return the nights, the one that was played last first, with its people and, of one that has ended, its end."""
    deleted = {one.code for one in get_summaries().deleted()}
    is_own = own_nights()
    rows = [row for row in get_nights().nights() if row.code not in deleted and is_own(row.code)]
    page, following = page_of(rows, lambda row: row.code, request)
    next_page = url_for("api_nights.index", **following) if following else None
    known = {one.code: one for one in get_summaries().of([row.code for row in page])}
    return jsonify(nights=[night_line(row, known.get(row.code)) for row in page], next=next_page)


def night_line(row: NightRow, known: NightSummary | None) -> dict[str, Any]:
    """Return a night as a line of the list, from its summary; None for one whose log can't be read."""
    is_over = known is not None and known.is_over
    return {
        "code": row.code,
        "name": row.name,
        "opened_at": row.created_at,
        "day": str(day) if (day := evening_of(row.began_at)) else None,
        "events": row.events,
        "preset": known.preset if known else "",
        "phase": known.phase if known else "unreadable",
        "hand": known.hand if known else 0,
        "names": {one.seat: one.name for one in known.seats} if known else {},
        "winners": list(known.winners) if known and is_over else [],
        "net": {one.seat: one.net for one in known.seats} if known and is_over else {},
        "is_archived": known is not None and known.put_away == ARCHIVED,
    }


@bp.post("/nights")
@may(HOST)
def open_night() -> Response:
    """Open a night and return its host's token; the same id again opens no other night, and gives another token."""
    try:
        raw = fields_of(request, {"preset", "options", "name", "id"})
        options = raw.get("options", {})
        if not isinstance(options, dict):
            raise BadEvent("options must be an object, not {value}", value=brief(options), field="options")
        written = raw.get("preset")
        preset = written if isinstance(written, str) else preset_from(written)
        key = text_of("id", raw.get("id", ""), LONGEST_LABELS["id"])
        name, new = text_of("name", raw.get("name", ""), MOST_TITLE), list[OpenNight]()
        table = get_nights().open(preset, options, name, key=key, on_new=new.append)
    except TableError as error:
        return of_table(error)
    return opened(table, is_new=bool(new))


@bp.post("/import")
@may(HOST, most_bytes=FORM_LIMIT)
def take() -> Response:
    """Add the night of a night file, which goes on here, and return its host's token."""
    text = body_text(request).removeprefix("\ufeff")
    try:
        key = text_of("id", request.args.get("id", ""), LONGEST_LABELS["id"])
        new = list[OpenNight]()
        table = import_night(get_nights(), text, key=key, on_new=new.append)
    except UnreadableError as error:
        return json_refusal(422, "bad-file", str(error))
    except TableError as error:
        return of_table(error)
    return opened(table, is_new=bool(new))


def opened(table: OpenNight, *, is_new: bool) -> Response:
    """Return a night's code, a token of its host and how people join; 200 where it was opened before."""
    revoke_old_devices()
    get_access().invites.open(table.code)
    link = join_link(table.code)
    join = {"url": link.url, "address": link.address, "code": link.typed_code} if link else None
    token = get_tokens().issue(table.code, "host")
    answer = jsonify(code=table.code, token=token, join=join)
    answer.status_code = 201 if is_new else 200
    answer.headers["Location"] = url_for("api.state", code=table.code)
    return answer


@people_bp.get("", endpoint="index")
@may(HOST)
def list_people() -> Response:
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


@presets_bp.get("", endpoint="index")
@may(HOST)
def list_presets() -> Response:
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


@presets_bp.get("/<preset>", endpoint="whole")
@may(HOST)
def whole_preset(preset: str) -> Response:
    """Return a whole preset: to be changed, and sent with a night or in a night file."""
    return jsonify(preset_to(get_nights().library.find(preset)))


@openapi_bp.get("/openapi.json", endpoint="document")
@may(ANYONE)
def openapi_document() -> Response:
    """Return the OpenAPI description of the API: the document beside this module, with the events of all games."""
    return Response(_document(), mimetype="application/json")


@cache
def _document() -> str:
    document = json.loads(files("tracker.extras.api").joinpath("openapi.json").read_text("utf-8"))
    schemas = document["components"]["schemas"]
    schemas["PresetLine"]["properties"]["game"]["enum"] = [*GAMES]
    for game in GAMES.values():
        own = files(game.package or "tracker.extras.api") / "openapi.json"
        for name, schema in json.loads(own.read_text("utf-8")).items() if game.package and own.is_file() else ():
            schemas[name], place = schema, f"#/components/schemas/{name}"
            if kind := schema["properties"].get("kind"):
                schemas["Event"]["oneOf"].append({"$ref": place})
                schemas["Event"]["discriminator"]["mapping"][kind["const"]] = place
    return json.dumps(document, ensure_ascii=False)
