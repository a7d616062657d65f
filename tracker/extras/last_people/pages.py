"""The people of the last table, for the lobby of the next one."""

from flask import Blueprint, g, request
from flask.typing import ResponseReturnValue

from tracker.app import seating
from tracker.app.open_night import OpenNight
from tracker.app.person_names import comparison_key
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.permissions import get_access
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import get_extras, get_nights, get_table, is_lobby_open, readable_night, redirect_to

bp = Blueprint("last_people", __name__)


def last_table(table: OpenNight) -> OpenNight | None:
    """Return the newest older night at which several people sat, or None."""
    owner_of = get_access().owners.owner_of
    for row in get_nights().nights():
        if row.code == table.code or row.created_at > table.created_at or owner_of(row.code) != owner_of(table.code):
            continue
        old = readable_night(row.code)
        if old and len(old.night.seats) > 1:
            return old
    return None


@bp.app_template_global()
def last_people(table: OpenNight) -> list[str]:
    """Return who sat at the last table, clockwise, without those who sit here already."""
    here, old = {comparison_key(name) for name in seating.seated_names(table.night)}, last_table(table)
    return [name for name in seating.seated_names(old.night) if comparison_key(name) not in here] if old else []


@bp.app_template_global()
def gone_last_time(table: OpenNight) -> list[str]:
    """Return who left the night before this one early, to offer them here: without those who sit here already."""
    before = table.settings.previous_night if is_lobby_open(table) else ""
    old = readable_night(before) if before else None
    here = {comparison_key(name) for name in seating.seated_names(table.night)}
    return [name for name in seating.names_of_leavers(old.night) if comparison_key(name) not in here] if old else []


@bp.post("/n/<code>/same-people")
@may(HOST)
def seat_same_people(code: str) -> ResponseReturnValue:
    """Seat everybody who sat at the last table, in the order in which they sat, as the people that they were."""
    table, key = get_table(code), id_from_key(request.form)
    old = last_table(table)
    for number, name in enumerate(last_people(table)):
        seating.sit_down(table, name, key=f"{key}-{number}", by=g.identity.by)
    if old:
        for one in get_extras():
            one.same_people(old, table)
        table.show_again()
    return redirect_to("lobby.page", code=code)
