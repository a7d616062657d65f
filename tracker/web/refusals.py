"""What a script is told when something is refused: a status, a reason that never changes, and a sentence.

{"reason": "not-enough-chips", "sentence": "Ann is 3 short: …", "short": {"ann": 3}}
"""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify

from tracker.core.errors import TableError
from tracker.core.summary import summary
from tracker.table import Table

# By HTTP status, for what is refused before any table is asked.
REASONS = {
    400: ("bad-request", "This is no request that the tracker knows, or not to an address of this machine."),
    401: ("no-token", "Send the header Authorization: Bearer TOKEN, with a token good for this night, and no cookie."),
    403: ("not-allowed-here", "This token may not do that."),
    404: ("not-found", "There is nothing at this address."),
    405: ("wrong-method", "Read with GET, record with POST."),
    413: ("too-large", "A request has at most 16 kB."),
    415: ("not-json", "Send one JSON object, with Content-Type: application/json."),
    429: ("too-many-tries", "Wait a minute."),
    500: ("fault", "Something broke here. Look at the night, then send the same id again."),
    503: ("not-saved", "Perhaps not saved. Send the same id again: it is recorded once at most."),
}
CONFLICTS = {"stale", "already-done"}
"""Reasons that mean: the night is not where the sender thought it was. The answer brings its state."""


def refusal(status: int, reason: str = "", sentence: str = "", **more: Any) -> Response:
    """Return the answer to a script; a status alone brings its own reason and sentence."""
    usual = REASONS.get(status, REASONS[500])
    answer = jsonify(reason=reason or usual[0], sentence=sentence or usual[1], **more)
    answer.status_code = status
    if status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    if status == 503:
        answer.headers["Retry-After"] = "1"
    return answer


def of_table(error: TableError, table: Table | None = None) -> Response:
    """Return what a table's refusal is to a script: 409 with the present state, or 422 with the field to mend."""
    more = {key: error.facts[key] for key in ("field", "short", "number") if error.facts.get(key) is not None}
    if error.code in CONFLICTS and table is not None:
        return refusal(409, error.code, str(error), state=state_of(table), **more)
    return refusal(422, error.code, str(error), **more)


def state_of(table: Table) -> dict[str, Any]:
    """Return the state as `replay --json` prints it, and `head`: how many events led there."""
    head, night = table.latest()
    return {**summary(night), "head": head}
