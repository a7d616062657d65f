"""One person at the table: the name, the phones that hold the seat, and leaving."""

from __future__ import annotations

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.core.events import Amend, Leave, Sit, Undo
from tracker.core.night import Night
from tracker.sealing import new_id
from tracker.table import Table
from tracker.web import people
from tracker.web.access import door
from tracker.web.faces import faces
from tracker.web.here import is_gathering, see, see_night, tables, the_table
from tracker.web.join import form_key
from tracker.web.knock import send_away
from tracker.web.names import BadName, clean_name

bp = Blueprint("seat", __name__)


@bp.get("/n/<code>/seat/<seat>")
def page(code: str, seat: str) -> ResponseReturnValue:
    """Shows a person: the name, the phones, and how to leave."""
    return seat_page(the_table(code), seat)


def seat_page(table: Table, seat: str, wrong: str = "", typed: str = "") -> ResponseReturnValue:
    table.night.present(seat)
    shown = door().invites.shown(table.code)
    page_ = render_template(
        "seat.html",
        table=table,
        who=g.who,
        face=faces(table.night)[seat],
        phones=door().devices.at_seat(table.code, seat),
        is_mine=g.who.seat == seat,
        token=shown[0] if shown else "",
        is_open=is_gathering(table.night),
        wrong=wrong,
        typed=typed,
        key=new_id(),
    )
    return page_, 422 if wrong else 200


@bp.post("/n/<code>/seat/<seat>/name")
def rename(code: str, seat: str) -> ResponseReturnValue:
    """Corrects a name: the host anybody's, a person their own."""
    table = the_table(code)
    if g.who.role != "host" and g.who.seat != seat:
        abort(403)
    table.night.present(seat)
    others = [name for one, name in people_of(table.night) if one != seat]
    try:
        name = clean_name(request.form.get("name", ""), others)
    except BadName as bad:
        return seat_page(table, seat, people.why_refused(bad), bad.name)
    if name != people.name_of(table, seat):
        table.record(Amend(sitting(table, seat), {"name": name}), id=form_key(), by=g.who.by)
    return see_night(code)


def people_of(night: Night) -> list[tuple[str, str]]:
    return [(seat, night.people[seat].name) for seat in night.seats]


def sitting(table: Table, seat: str) -> int:
    """Returns the number of the event by which this seat last sat down."""
    struck = table.struck
    numbers = [
        entry.number
        for entry in table.entries
        if isinstance(entry.event, Sit) and entry.event.seat == seat and entry.number not in struck
    ]
    return numbers[-1]


@bp.post("/n/<code>/seat/<seat>/remove")
def remove(code: str, seat: str) -> ResponseReturnValue:
    """Takes somebody from the table: before the first hand as if they had never sat down, later by leaving."""
    table = the_table(code)
    table.night.present(seat)
    event = Undo(sitting(table, seat)) if is_gathering(table.night) else Leave(seat)
    table.record(event, id=form_key(), by=g.who.by)
    for row in door().devices.at_seat(code, seat):
        if row.id != g.who.device:
            send_away(row)
    return see_night(code)


@bp.post("/n/<code>/devices/<int:device>/away")
def send_phone_away(code: str, device: int) -> ResponseReturnValue:
    """Ends one phone's part in the night: the host any phone's, a person their own seat's."""
    row = next((one for one in door().devices.devices_of(code) if one.id == device), None)
    if row is None:
        return see_night(code)
    if g.who.role != "host" and row.seat != g.who.seat:
        abort(403)
    send_away(row)
    tables().live.publish(code)
    shown = door().invites.shown(code)
    if row.id == g.who.device:
        return see("join.scan", token=shown[0]) if shown else see("home.index")
    if row.seat and request.form.get("from") != "phones":
        return see("seat.page", code=code, seat=row.seat)
    return see("phones.page", code=code) if g.who.role == "host" else see_night(code)
