"""The JSON that a script gets when something is refused: a status, a reason that never changes, and a sentence.

{"reason": "not-enough-chips", "sentence": "Ann is 3 short: …", "short": {"ann": 3}}
"""

from typing import Any

from flask import Response, jsonify

from tracker.app.open_night import OpenNight
from tracker.core.errors import NeedsConsent, TableError
from tracker.web.base.snapshot import snapshot_of, state_of

# By HTTP status, for what is refused before any table is asked.
REASONS = {
    400: ("bad-request", "This is no request that the tracker knows, or not to an address of this machine."),
    401: ("no-token", "Send the header Authorization: Bearer TOKEN, with a token good for this night, and no cookie."),
    403: ("not-allowed-here", "This token may not do that."),
    404: ("not-found", "There is nothing at this address."),
    405: ("wrong-method", "Read with GET, record with POST."),
    413: ("too-large", "A request has at most 16 kB, a night file 4 MB."),
    415: ("not-json", "Send one JSON object, with Content-Type: application/json."),
    429: ("too-many-tries", "Wait a minute."),
    500: ("fault", "Something broke here. Look at the night, then send the same id again."),
    503: ("not-saved", "Perhaps not saved. Send the same id again: it is recorded once at most."),
}


def json_refusal(status: int, reason: str = "", sentence: str = "", **more: Any) -> Response:
    """Return the answer to a script; a status alone brings its own reason and sentence."""
    usual = REASONS.get(status, REASONS[500])
    answer = jsonify(reason=reason or usual[0], sentence=sentence or usual[1], **more)
    answer.status_code = status
    if status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    if status == 503:
        answer.headers["Retry-After"] = "1"
    return answer


CONFLICTS = {"stale", "already-done"}
"""Reasons that mean: the night is not where the sender thought it was. The answer brings its state."""


def of_table(error: TableError, table: OpenNight | None = None) -> Response:
    """Return what a table's refusal is to a script: 409 with the present state, 403, or 422."""
    more = {key: error.facts[key] for key in ("field", "short", "number") if error.facts.get(key) is not None}
    if error.code in CONFLICTS and table is not None:
        return json_refusal(409, error.code, str(error), state=state_of(snapshot_of(table), table.name), **more)
    if isinstance(error, NeedsConsent):
        return json_refusal(403, error.code, str(error), seats=error.seats)
    return json_refusal(422, error.code, str(error), **more)
