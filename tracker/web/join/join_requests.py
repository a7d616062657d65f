"""Join requests: a phone waits, anybody at the table admits it, and only then it gets a role."""

from typing import Any

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app import seating
from tracker.app.open_night import OpenNight
from tracker.app.person_names import BadName, name_taken
from tracker.app.settings import Admission
from tracker.storage import DeviceRow
from tracker.web.access.admission import (
    PhoneQuestions,
    is_present,
    may_decide,
    questions_for,
    replaced_by_count,
    send_away,
)
from tracker.web.access.devices import MOST_PER_SEAT, Identity
from tracker.web.access.permissions import asked_display, displays, get_access, in_turn, lead_to_night
from tracker.web.access.roles import ALLOWED_IN, ANYONE, AT_TABLE, HAS_ASKED, may
from tracker.web.base.context import get_nights, get_table, redirect_to, redirect_to_night
from tracker.web.join.pages import JoinTarget, ask_to_join, redirect_to_waiting, target_from_form, tonight

bp = Blueprint("join_requests", __name__)
bp.record_once(lambda setup: setup.app.add_template_global(questions_of_phone))


@bp.get("/n/<code>/knock")
@may(ANYONE, needs_others=True)
def waiting(code: str) -> ResponseReturnValue:
    """Show that the table was asked; to a phone that was sent away, how to ask again, and nothing of the night."""
    identity: Identity = g.identity
    if identity.role in ALLOWED_IN:
        return lead_to_night(code, asked_display())
    table = get_table(code) if identity.role else None
    return render_template("join/join-request.html", code=code, table=table, **answer_context(identity))


@bp.get("/n/<code>/knock/answer")
@may(ANYONE, needs_others=True)
def answer(code: str) -> ResponseReturnValue:
    """Return what the table has said so far, 204 while the page shows it; the waiting page asks every two seconds."""
    facts = answer_context(g.identity)
    if request.args.get("state") == facts["state"]:
        return "", 204
    return render_template("join/_join_answer.html", code=code, **facts)


@bp.post("/n/<code>/knock")
@may(HAS_ASKED, needs_others=True)
@in_turn
def ask_otherwise(code: str) -> ResponseReturnValue:
    """Ask under another name, only to watch, or at the table that plays on; or ask no more."""
    table, identity = get_table(code), g.identity
    if identity.role != "knock" or identity.device is None:
        return redirect_to_night(code)
    if "away" in request.form or table.night.is_over:
        get_access().devices.dismiss(identity.device)
        get_nights().live.publish(code)
        if "away" in request.form:
            return redirect_to("join.code_form")
    table = tonight(table)
    target = JoinTarget(display=asked_display()) if table.night.is_over else target_from_form(table.night)
    return ask_to_join(table, target)


def answer_context(identity: Identity) -> dict[str, Any]:
    """Return what the waiting page shows: the answer, whether only the host or the seat's own phone can give it, how
    the phone has asked, and at which table it can ask where this night is over.
    """
    is_held = identity.role == "knock" and identity.seat in get_access().devices.seats_with_phone(identity.code or "")
    state = state_of(identity)
    later = tonight(get_table(identity.code or "")) if state == "over" else None
    display = asked_display()
    return {
        "state": state,
        "is_held": is_held,
        "display": display,
        "code_page": displays()[display].code_page if display else "/join",
        "asked": {key: request.values.get(key) or None for key in ("token", "typed", "name", *displays())},
        "name": identity.name,
        "later": later,
    }


def state_of(identity: Identity) -> str:
    """Return `waiting`, `yes`, `no` for a phone that the table sent away, or `over` where people play on elsewhere."""
    if identity.role is None:
        return "no"
    if identity.role != "knock" or admission_of(identity):
        return "yes"
    table = get_table(identity.code or "")
    return "waiting" if tonight(table) is table else "over"


def admission_of(identity: Identity) -> Admission | None:
    """Return what a waiting phone was admitted to; nothing once the person of that seat has left or was removed."""
    found = get_access().devices.answer(identity) if identity.role == "knock" else None
    if found is None or found.seat is None:
        return found
    table = get_table(identity.code or "")
    is_there = found.seat in table.night.seats and found.sit == seating.sit_event_number(table, found.seat)
    return found if is_there else None


@bp.post("/n/<code>/enter")
@may(HAS_ASKED, needs_others=True)
@in_turn
def enter(code: str) -> ResponseReturnValue:
    """Come in after a yes: only now the phone gets a token that can do anything."""
    devices, identity = get_access().devices, g.identity
    granted = admission_of(identity)
    if granted:
        role, seat = granted.role, granted.seat
        table = get_table(code)
        for row in replaced_by_count(devices.at_seat(code, seat), MOST_PER_SEAT) if seat else ():
            send_away(row)
        name, display = seating.name_of(table, seat) or identity.name, displays().get(asked_display())
        devices.register_device(code, role, seat=seat, name=name, label=display.label if display else "")
        get_nights().live.publish(code)
    if identity.role == "knock" and not granted:
        return redirect_to_waiting(code, asked_display())
    return lead_to_night(code, asked_display())


def questions_of_phone(code: str) -> PhoneQuestions:
    """Return what the phone that asks for a page is asked, for templates of every room."""
    return questions_for(get_table(code), g.identity)


@bp.post("/n/<code>/knocks/<int:device>/in")
@may(AT_TABLE, needs_others=True)
@in_turn
def let_in(code: str, device: int) -> ResponseReturnValue:
    """Admit a join request; a new person is seated now."""
    table, row = get_table(code), join_request(code, device)
    if row:
        is_held = row.seat in get_access().devices.seats_with_phone(code)
        seat = table.night.require_seated(row.seat) if row.seat else None
        if not seat and row.name and not table.night.is_over:
            seat = seat_newcomer(table, row)
        role, sit = ("seat", seating.sit_event_number(table, seat)) if seat else ("watcher", 0)
        get_access().devices.let_in(row, role, seat, is_held=is_held, sit=sit)
        get_nights().live.publish(code)
    return done(code)


def join_request(code: str, device: int) -> DeviceRow | None:
    """Return a join request, None once it is answered; answers 403 to a phone that may not decide about it."""
    devices, identity = get_access().devices, g.identity
    row = devices.join_request(code, device)
    is_allowed = row and is_present(get_table(code).night, identity)
    if row and not (is_allowed and may_decide(identity, row, devices.seats_with_phone(code))):
        abort(403)
    return row


def seat_newcomer(table: OpenNight, row: DeviceRow) -> str:
    """Seat somebody who waited; a name that was taken meanwhile gets a number."""
    for name in (row.name, *(f"{row.name[:21]} {number}" for number in range(2, 10))):
        try:
            return seating.sit_down(table, name, key=f"let-in-{row.id}", by=g.identity.by)[0]
        except BadName as bad:
            if bad.reason != "taken":
                raise
    raise name_taken(row.name)


@bp.post("/n/<code>/knocks/<int:device>/away")
@may(AT_TABLE, needs_others=True)
def refuse(code: str, device: int) -> ResponseReturnValue:
    if row := join_request(code, device):
        send_away(row)
        get_nights().live.publish(code)
    return done(code)


def done(code: str) -> ResponseReturnValue:
    """Answer a small form: htmx has nothing to swap (the stream shows it), a bare browser goes back."""
    return ("", 204) if request.headers.get("HX-Request") else redirect_to_night(code)
