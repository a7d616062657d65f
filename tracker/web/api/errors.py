"""A refusal by a night as JSON, and the state that goes with it."""

from flask import Response

from tracker.app.open_night import OpenNight
from tracker.core.errors import NeedsConsent, TableError
from tracker.web.json_refusal import json_refusal
from tracker.web.snapshot import snapshot_of, state_of

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
