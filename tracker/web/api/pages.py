"""The JSON API: what a script may do, with the same rights and the same rules as a phone.

Every request carries `Authorization: Bearer TOKEN`. `board-tracker token` prints the token of whoever runs the server,
good for every night; opening a night gives its host's token, and the host makes tokens for single seats.

    POST /api/nights                {"preset", "options"?, "name"?, "id"?}   201 {"code", "token"}; 200 as for events
    GET  /api/nights/CODE                                               200 the state
    POST /api/nights/CODE/events    one event of the night format       201 the state; 200 if it was there already
    POST /api/nights/CODE/seats     {"seat"}                            201 {"seat", "token"}

The state has the keys of `board-tracker replay --json`, and `head`: how many events led there. An event should carry
an `id` of the sender's own: sent again, it is recorded once. `at` and `by` are written by the tracker, whatever was
sent. With `If-Match: HEAD` an event is refused when anything at all was recorded since.

A refusal is {"reason", "sentence"}, with `field`, `short` {seat: chips missing} or `number` (of the event that would no
longer fit) where they help. 400, 413, 415: no JSON that can be read. 401, 403: no token, or not one that may.
404: no such night. 409: `stale`, or `already-done` (also the same id with other content); `state` is the present
one. 422: the event is malformed (`bad-event`) or not possible now (`unknown`, `wrong-moment`, `not-allowed`, `barred`,
`not-enough-chips`, `no-longer-fits`). 503: perhaps not saved; sending the same id again is always safe.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, g, jsonify, request, url_for

from tracker.app.event_rows import new_id
from tracker.app.expected_state import ExpectedState
from tracker.app.open_night import OpenNight
from tracker.core.errors import BadEvent, NotAllowed, TableError
from tracker.core.events import Event, Undo
from tracker.core.log import Entry, find
from tracker.core.queries.undo_policy import may_take_back
from tracker.formats.codec import LONGEST_LABELS, entry_from, preset_from
from tracker.formats.text import UnreadableError, brief, clean_text, json_value
from tracker.web.access.devices import MOST_PER_SEAT, SCRIPT
from tracker.web.access.permissions import get_access
from tracker.web.access.pin import check_pin
from tracker.web.access.record_permission import may_record
from tracker.web.api.errors import of_table, state_of
from tracker.web.context import get_nights, get_table
from tracker.web.json_refusal import json_refusal
from tracker.web.wording.numbers import whole_number

bp = Blueprint("api", __name__, url_prefix="/api/nights")

MOST_TITLE = 60


@bp.post("")
def open_night() -> Response:
    """Open a night and give its host's token; the same id again opens no other night, and gives another token."""
    try:
        raw = fields_of({"preset", "options", "name", "id"})
        options = raw.get("options", {})
        if not isinstance(options, dict):
            raise BadEvent("options must be an object, not {value}", value=brief(options), field="options")
        written = raw.get("preset")
        preset = written if isinstance(written, str) else preset_from(written)
        key = text_of("id", raw.get("id", ""), LONGEST_LABELS["id"])
        known = get_nights().opened_with(key)
        table = get_nights().open(preset, options, text_of("name", raw.get("name", ""), MOST_TITLE), key=key)
    except TableError as error:
        return of_table(error)
    if get_access().invites.shown(table.code) is None:
        get_access().invites.renew(table.code)
    token = get_access().devices.issue(table.code, "host")
    return created({"code": table.code, "token": token}, table.code, 200 if known else 201)


@bp.get("/<code>")
def state(code: str) -> Response:
    """Give the state of a night."""
    return told(get_table(code), 200)


@bp.post("/<code>/events")
def record(code: str) -> Response:
    """Record one event and give the state after it."""
    table = get_table(code)
    raw = body()
    try:
        entry = entry_from(raw, table.head + 1)
        if not (is_repeat(table, entry) or may(table, entry.event)):
            return json_refusal(403, "not-yours", "This token may not record that event.")
        if not is_repeat(table, entry):
            check_pin(table, g.who, entry.event)
        done = table.record(entry.event, id=entry.id or new_id(), by=g.who.by or SCRIPT, seen=seen())
    except TableError as error:
        return of_table(error, table)
    return told(table, 201 if done.is_fresh else 200)


@bp.post("/<code>/seats")
def seat_token(code: str) -> Response:
    """Give a token that records for one seat."""
    table = get_table(code)
    try:
        seat = fields_of({"seat"}).get("seat")
        if not isinstance(seat, str):
            raise BadEvent("seat must be the id of a seat, not {value}", value=brief(seat), field="seat")
        table.night.present(seat)
        if len(get_access().devices.at_seat(code, seat)) >= MOST_PER_SEAT:
            raise NotAllowed("{most} devices hold this seat already: send one away first", most=MOST_PER_SEAT)
    except TableError as error:
        return of_table(error)
    token = get_access().devices.issue(code, "seat", seat=seat, name=table.night.name(seat))
    return created({"seat": seat, "token": token}, code)


# What is sent


def body() -> Any:
    """Return what the request's JSON says; 400 or 415 when it has none."""
    if request.mimetype != "application/json":
        abort(415)
    try:
        return json_value(request.get_data().decode())
    except UnicodeDecodeError:
        abort(json_refusal(400, "not-json", "The body is not UTF-8 text."))
    except UnreadableError as error:
        abort(json_refusal(400, "not-json", str(error)))


def fields_of(known: set[str]) -> dict[str, Any]:
    """Return the fields of the request's JSON object; BadEvent for any that is not known."""
    raw = body()
    if not isinstance(raw, dict):
        raise BadEvent("send an object, not {value}", value=brief(raw))
    unknown = sorted(set(raw) - known)
    if unknown:
        raise BadEvent("unknown field {name}", name=brief(unknown[0]), field=unknown[0])
    return raw


def text_of(field: str, value: object, longest: int) -> str:
    """Return a field's text; BadEvent when it is none, or too long."""
    try:
        return clean_text(value, longest)
    except ValueError as error:
        raise BadEvent("{field}: {error}", error=str(error), field=field) from None


def seen() -> ExpectedState | None:
    """Return what the sender says to have seen; 400 for an If-Match that is no number of events."""
    head = request.headers.get("If-Match", "").strip().removeprefix('"').removesuffix('"')
    if not head:
        return None
    if (number := whole_number(head, most_digits=9)) is None:
        abort(json_refusal(400, sentence="If-Match takes the head of the state that was seen.", field="If-Match"))
    return ExpectedState(head=number, is_exact=True)


def is_repeat(table: OpenNight, entry: Entry) -> bool:
    """Say whether the same was sent before: then nothing is recorded, and no right is asked for."""
    return entry.id is not None and table.is_recorded(entry.event, entry.id)


def may(table: OpenNight, event: Event) -> bool:
    """Say whether this token may record an event: as a phone with the same seat, an undo as in the log."""
    if not isinstance(event, Undo):
        return may_record(g.who, event, table.night, is_open=table.settings.is_open_to_all)
    if g.who.role == "host":
        return True
    return may_take_back(table.history(), g.who.role, g.who.seat, find(table.entries, event.event).number)


# What is answered


def told(table: OpenNight, status: int) -> Response:
    answer = jsonify(state_of(table))
    answer.status_code = status
    return answer


def created(what: dict[str, str], code: str, status: int = 201) -> Response:
    answer = jsonify(what)
    answer.status_code = status
    answer.headers["Location"] = url_for("api.state", code=code)
    return answer
