"""Who may record an event, or keep a number that somebody said, for whom."""

from __future__ import annotations

from flask import abort

from tracker.app.open_night import OpenNight
from tracker.core.errors import TableError
from tracker.core.events import Event, Undo
from tracker.core.log import find
from tracker.core.night import Night
from tracker.core.queries.undo_policy import Recorded, may_take_back
from tracker.web.access.devices import Identity
from tracker.web.access.pin import check_pin
from tracker.web.events.registry import kind_of
from tracker.web.snapshot import snapshot_of


def may_record(identity: Identity, event: Event, night: Night, *, is_open: bool) -> bool:
    """Return whether this phone may record this event; `is_open` is the night's "everyone may record for everyone"."""
    if identity.role == "host":
        return True
    return identity.role == "seat" and kind_of(event).may_record(event, night, identity.seat, is_open=is_open)


def check_may_record(table: OpenNight, identity: Identity, event: Event) -> None:
    """Answer 403 unless this phone may record this event, and ask the host's for the PIN where it needs one."""
    if isinstance(event, Undo):
        may = may_undo(identity, event, snapshot_of(table))
    else:
        may = may_record(identity, event, table.night, is_open=table.settings.is_open_to_all)
    if not may:
        abort(403)
    check_pin(table, identity, event)


def may_speak_for(identity: Identity, seat: str, *, is_open: bool) -> bool:
    """Return whether this phone may type what a seat holds or decides before it is recorded."""
    return identity.role == "host" or (identity.role == "seat" and (identity.seat == seat or is_open))


def may_undo(identity: Identity, event: Undo, log: Recorded) -> bool:
    """Return whether this phone may take back the entry that `event` names; the host's may try any."""
    if identity.role == "host":
        return True
    try:
        number = find(log.entries, event.event).number
    except TableError:
        return False
    return may_take_back(log, identity.role, identity.seat, number)
