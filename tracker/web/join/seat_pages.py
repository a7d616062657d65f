"""One person at the table: the name, the phones that hold the seat, and leaving."""

from flask import Blueprint, abort, g, request
from flask.typing import ResponseReturnValue

from tracker.app import seating
from tracker.app.event_rows import new_id
from tracker.app.person_names import BadName, clean_name
from tracker.core.events import Amend, Leave, Undo
from tracker.web.access.admission import end_scripts, may_decide, send_away
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.permissions import after_unlocking, get_access
from tracker.web.access.roles import AT_TABLE, HOST, may
from tracker.web.base.context import (
    form_page,
    get_nights,
    get_table,
    is_lobby_open,
    redirect_to,
    redirect_to_night,
)
from tracker.web.drawing.player_token import player_tokens
from tracker.web.wording.texts import refusal

bp = Blueprint("seat", __name__)


@bp.get("/n/<code>/seat/<seat>")
@may(AT_TABLE)
def page(code: str, seat: str, wrong: str = "", typed: str = "") -> ResponseReturnValue:
    """Show a person: the name, the phones, and how to leave."""
    table = get_table(code)
    table.night.require_seated(seat)
    shown = get_access().invites.shown(table.code)
    return form_page(
        "join/seat.html",
        wrong,
        table=table,
        identity=g.identity,
        face=player_tokens(table.night)[seat],
        phones=get_access().devices.at_seat(table.code, seat),
        is_mine=g.identity.seat == seat,
        token=shown[0] if shown else "",
        typed=typed,
        key=new_id(),
    )


@bp.post("/n/<code>/seat/<seat>/name")
@may(AT_TABLE)
def rename(code: str, seat: str) -> ResponseReturnValue:
    """Correct a name: the host anybody's, a person their own."""
    table = get_table(code)
    if g.identity.role != "host" and g.identity.seat != seat:
        abort(403)
    table.night.require_seated(seat)
    others = [table.night.name(one) for one in table.night.seats if one != seat]
    try:
        name = clean_name(request.form.get("name", ""), others)
    except BadName as bad:
        return page(code, seat, refusal(bad), bad.name)
    if name != seating.name_of(table, seat):
        table.record(
            Amend(seating.sit_event_number(table, seat), {"name": name}), id=id_from_key(request.form), by=g.identity.by
        )
    return redirect_to_night(code)


@bp.post("/n/<code>/seat/<seat>/remove")
@may(HOST)
@after_unlocking
def remove(code: str, seat: str) -> ResponseReturnValue:
    """Take somebody from the table: before the first hand as if they had never sat down, later by leaving."""
    table = get_table(code)
    table.night.require_seated(seat)
    event = Undo(seating.sit_event_number(table, seat)) if is_lobby_open(table) else Leave(seat)
    table.record(event, id=id_from_key(request.form), by=g.identity.by)
    if isinstance(event, Undo):
        get_nights().people.forget_seat(table.code, seat)
    get_access().devices.end_admissions(code, seat)
    for row in get_access().devices.at_seat(code, seat):
        if row.id != g.identity.device:
            send_away(row)
    return redirect_to_night(code)


@bp.post("/n/<code>/devices/<int:device>/away")
@may(AT_TABLE, needs_others=True)
@after_unlocking
def send_phone_away(code: str, device: int) -> ResponseReturnValue:
    """End one phone's part in the night, and its seat's scripts: the host any phone's, a person their own seat's."""
    row = next((one for one in get_access().devices.devices_of(code) if one.id == device), None)
    if row is None:
        return redirect_to_night(code)
    if not may_decide(g.identity, row, get_access().devices.seats_with_phone(code)):
        abort(403)
    send_away(row)
    if row.seat:
        end_scripts(code, row.seat)
    get_nights().live.publish(code)
    shown = get_access().invites.shown(code)
    if row.id == g.identity.device:
        return redirect_to("join.scan", token=shown[0]) if shown else redirect_to("home.index")
    if row.seat and request.form.get("from") != "phones":
        return redirect_to("seat.page", code=code, seat=row.seat)
    return redirect_to("phones.page", code=code) if g.identity.role == "host" else redirect_to_night(code)
