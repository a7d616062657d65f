"""One night by the API: its state, its events, tokens for seats, its file, and the stream of what happens."""

import hashlib
import json

from flask import Blueprint, Flask, Response, abort, g, jsonify, request, url_for

from tracker.app.event_rows import new_id
from tracker.app.open_night import ExpectedState, OpenNight
from tracker.core.errors import BadEvent, NotAllowed, TableError
from tracker.core.events import Undo
from tracker.core.log import find
from tracker.extras.api.json_refusal import json_refusal, of_table
from tracker.extras.api.request_fields import body, fields_of, number_in_header
from tracker.extras.api.tokens import Tokens, get_tokens, is_for_scripts, register_own_token
from tracker.formats.codec import entry_from, entry_to
from tracker.formats.text import brief
from tracker.streaming.hub import Frame, TooManyStreams
from tracker.streaming.stream import message
from tracker.web.access.consent import agreed_by, may_record
from tracker.web.access.devices import MOST_PER_SEAT, SCRIPT
from tracker.web.access.permissions import get_access
from tracker.web.access.roles import ALLOWED_IN, AT_TABLE, HOST, PageRules, may
from tracker.web.base.context import get_nights, get_table
from tracker.web.base.snapshot import snapshot_of, state_of
from tracker.web.responses import download, stream_response

bp = Blueprint("api", __name__, url_prefix="/api/nights/<code>")


@bp.get("")
@may(ALLOWED_IN)
def state(code: str) -> Response:
    """Return the state of a night; 304 without a body where the sender has it already."""
    answer = state_response(get_table(code), 200)
    if request.if_none_match.contains_weak(answer.get_etag()[0] or ""):
        return Response(status=304, headers={"ETag": answer.headers["ETag"]})
    return answer


@bp.post("/events")
@may(AT_TABLE)
def record(code: str) -> Response:
    """Record one event and return the state after it; 200 where it was recorded already."""
    table = get_table(code)
    raw = body(request)
    try:
        entry = entry_from(raw, table.head + 1)
        # Of what was sent before nothing is recorded, and no right is asked for.
        if entry.id is None or not table.is_recorded(entry.event, entry.id):
            if isinstance(entry.event, Undo):
                find(table.entries, entry.event.event)  # Unknown says more than that it is not theirs
            if not may_record(table, g.identity, entry.event):
                return json_refusal(403, "not-yours", "This token may not record that event.")
            get_access().lock.check(table, g.identity, entry.event)
        head = number_in_header(request, "If-Match")
        expected = None if head is None else ExpectedState(head=head, is_exact=True)
        by, agreed = g.identity.by or SCRIPT, agreed_by(table, g.identity, entry.event)
        done = table.record(entry.event, id=entry.id or new_id(), by=by, seen=expected, agreed=agreed)
    except TableError as error:
        return of_table(error, table)
    return state_response(table, 201 if done.is_fresh else 200)


@bp.post("/seats")
@may(HOST, needs_others=True)
def seat_token(code: str) -> Response:
    """Return a new token that records for one seat."""
    table = get_table(code)
    try:
        seat = fields_of(request, {"seat"}).get("seat")
        if not isinstance(seat, str):
            raise BadEvent("seat must be the id of a seat, not {value}", value=brief(seat), field="seat")
        table.night.require_seated(seat)
        if len(get_access().devices.at_seat(code, seat)) >= MOST_PER_SEAT:
            raise NotAllowed("{most} devices hold this seat already: send one away first", most=MOST_PER_SEAT)
    except TableError as error:
        return of_table(error)
    answer = jsonify(seat=seat, token=get_tokens().issue(code, "seat", seat=seat, name=table.night.name(seat)))
    answer.headers["Location"] = url_for("api.state", code=code)
    answer.status_code = 201
    return answer


@bp.get("/file")
@may(ALLOWED_IN)
def file(code: str) -> Response:
    table = get_table(code)
    return download(table, table.export(), "json", "application/json")


@bp.get("/stream")
@may(ALLOWED_IN)
def stream(code: str) -> Response:
    """Send every event as it is recorded, and the state after it, as server-sent events."""
    table = get_table(code)
    has = number_in_header(request, "Last-Event-ID")
    messages = EventMessages(code, table.head if has is None else has)
    try:
        get_nights().live.check_room(code, is_player=False)
    except TooManyStreams as full:
        answer = json_refusal(503, "too-many-streams", "Too many screens and scripts are watching: try again soon.")
        answer.headers["Retry-After"] = str(full.retry_after)
        return answer
    return stream_response(table, f"script/{new_id()}", lambda _: messages.take(), is_page=False)


class EventMessages:
    """What one stream has still to be sent: each is a view of its own, rendered only when its reader takes it."""

    def __init__(self, code: str, number: int) -> None:
        self._code, self._number = code, number

    def take(self) -> Frame:
        """Return a message for each event after those that were taken before, and one with the state."""
        table = get_table(self._code)
        snapshot = snapshot_of(table)
        before = b"".join(
            message(json.dumps(entry_to(entry), ensure_ascii=False), event="event", head=entry.number)
            for entry in snapshot.entries[self._number :]
        )
        self._number = snapshot.head
        return Frame(snapshot.head, json.dumps(state_of(snapshot, table.name), ensure_ascii=False), "state", before)


def state_response(table: OpenNight, status: int) -> Response:
    """Return the state as an answer, with an ETag: the number of events and a hash of the body."""
    told = state_of(snapshot_of(table), table.name)
    answer = jsonify(told)
    answer.status_code = status
    answer.set_etag(f"{told['head']}-{hashlib.sha256(answer.get_data()).hexdigest()[:16]}")
    return answer


def begin(app: Flask) -> None:
    """Have scripts known by their tokens, and what is refused at the addresses of the API answered as JSON."""
    store, folder = app.extensions["nights"].store, app.config["OPTIONS"].get("data_folder")
    app.extensions["access"].scripts = Tokens(store)
    app.extensions["guards"].append(guard)
    app.extensions["error_answers"].append(error_answer)
    if folder:
        register_own_token(store, folder)


def guard(rules: PageRules) -> None:
    """Answer 401 to a script without a role."""
    if request.endpoint and is_for_scripts(request) and g.identity.role is None and None not in rules.roles:
        abort(401)


def error_answer(status: int, reason: str, text: str, error: Exception | None) -> Response | None:
    """Return the answer to a script; None at the address of a page."""
    if not is_for_scripts(request):
        return None
    if status == 403 and "identity" not in g:
        status = 401  # what a script lacks is a token, not a page to come from
    return json_refusal(status, reason, (str(error) if isinstance(error, TableError) else text) if reason else "")
