"""Who may record an event, or keep a number that somebody said, for whom."""

from __future__ import annotations

from flask import abort

from tracker.app.open_night import OpenNight
from tracker.core.errors import TableError
from tracker.core.events import Event, Undo
from tracker.core.log import find
from tracker.core.queries.undo_policy import may_take_back
from tracker.web.access.devices import Identity
from tracker.web.access.pin import check_pin
from tracker.web.events.registry import kind_of
from tracker.web.snapshot import snapshot_of


def may_record(table: OpenNight, identity: Identity, event: Event) -> bool:
    """Return whether this phone may record this event, if nobody else has to agree to it; the host's may any."""
    if identity.role != "seat":
        return identity.role == "host"
    if not isinstance(event, Undo):
        is_open = table.settings.is_open_to_all
        return kind_of(event).may_record(event, table.night, identity.seat, is_open=is_open)
    log = snapshot_of(table)
    try:
        return may_take_back(log, identity.role, identity.seat, find(log.entries, event.event).number)
    except TableError:
        return False


def check_may_record(table: OpenNight, identity: Identity, event: Event) -> None:
    """Answer 403 unless this phone may record this event, and ask the host's for the PIN where it needs one."""
    if not may_record(table, identity, event):
        abort(403)
    check_pin(table, identity, event)


def check_may_speak_for(table: OpenNight, identity: Identity, seat: str) -> None:
    """Answer 403 unless this phone may type what a seat holds or decides before it is recorded."""
    is_own = identity.role == "seat" and (identity.seat == seat or table.settings.is_open_to_all)
    if identity.role != "host" and not is_own:
        abort(403)
