"""One person at the table: the name, the phones that hold the seat, leaving, and which person of earlier nights it is.

Only the host of this machine sees the people of earlier nights, not whoever hosts a night by a handed-over table, and
no guest: the code on the table lets in everybody who sees it, and the list says who has ever played in this house. A
guest types a name; if several people of earlier nights have it, the host is asked.
"""

from flask import Blueprint, abort, g, request
from flask.typing import ResponseReturnValue

from tracker.app import seating
from tracker.app.event_rows import new_id
from tracker.app.known_people import LinkedSeat
from tracker.app.open_night import OpenNight
from tracker.app.person_names import BadName, clean_name
from tracker.archive.person_offers import NightOffers
from tracker.core.events import Amend, Leave, Undo
from tracker.web.access.admission import end_scripts, may_decide, send_away
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.permissions import get_access, is_house
from tracker.web.access.pin import after_pin
from tracker.web.access.roles import AT_TABLE, HOST, may
from tracker.web.base.context import (
    form_page,
    get_nights,
    get_people,
    get_summaries,
    get_table,
    is_lobby_open,
    redirect_to,
    redirect_to_night,
)
from tracker.web.drawing.player_token import player_tokens
from tracker.web.wording.texts import refusal

bp = Blueprint("seat", __name__)

STRANGER = "stranger"
"""Sent for a seat that is nobody of earlier nights: nothing is asked about it any more."""


def offers_for(table: OpenNight, *, is_allowed: bool) -> NightOffers | None:
    """Return what is offered at a night; None for whoever may not see it, and at a rehearsal."""
    if not is_allowed or table.is_temporary:
        return None
    return NightOffers(get_people(), get_summaries().all(), table.code)


@bp.post("/n/<code>/seat/<seat>/who")
@may(HOST)
def choose(code: str, seat: str) -> ResponseReturnValue:
    """State which person of earlier nights a seat is, or that it is none of them."""
    table = get_table(code)
    table.night.require_seated(seat)
    offers = checked_offers(table)
    chosen = request.form.get("person", "")
    offers.take(seat, "" if chosen == STRANGER else chosen)
    table.settings.strangers.put(seat, chosen == STRANGER or None)
    if chosen == STRANGER and offers.namesakes(table.night).get(seat):  # from now on two known people have the name
        get_people().add(table.night.name(seat), [LinkedSeat(code, seat)])
    table.show_again()
    if request.form.get("from") == "seat":
        return redirect_to("seat.page", code=code, seat=seat)
    return redirect_to_night(code)


def checked_offers(table: OpenNight) -> NightOffers:
    """Return what is offered at a night; answer 403 to whoever may not see it."""
    return offers_for(table, is_allowed=is_house()) or abort(403)


@bp.get("/n/<code>/seat/<seat>")
@may(AT_TABLE)
def page(code: str, seat: str, wrong: str = "", typed: str = "") -> ResponseReturnValue:
    """Show a person: the name, the phones, and how to leave."""
    table = get_table(code)
    table.night.require_seated(seat)
    shown, offers = get_access().invites.shown(table.code), offers_for(table, is_allowed=is_house())
    return form_page(
        "join/seat.html",
        wrong,
        table=table,
        identity=g.identity,
        face=player_tokens(table.night)[seat],
        phones=get_access().devices.at_seat(table.code, seat),
        is_mine=g.identity.seat == seat,
        token=shown[0] if shown else "",
        person=get_people().person_of(table.code, seat) if offers else None,
        offers=[*offers.everybody()] if offers else [],
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
@after_pin
def remove(code: str, seat: str) -> ResponseReturnValue:
    """Take somebody from the table: before the first hand as if they had never sat down, later by leaving."""
    table = get_table(code)
    table.night.require_seated(seat)
    event = Undo(seating.sit_event_number(table, seat)) if is_lobby_open(table) else Leave(seat)
    table.record(event, id=id_from_key(request.form), by=g.identity.by)
    if isinstance(event, Undo):
        forget_person(table, seat)
    get_access().devices.end_admissions(code, seat)
    for row in get_access().devices.at_seat(code, seat):
        if row.id != g.identity.device:
            send_away(row)
    return redirect_to_night(code)


def forget_person(table: OpenNight, seat: str) -> None:
    """Forget who a seat was: whoever sits down next may get the same seat id."""
    get_people().unlink(table.code, seat)
    table.settings.strangers.put(seat, None)


@bp.post("/n/<code>/devices/<int:device>/away")
@may(AT_TABLE, needs_others=True)
@after_pin
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
