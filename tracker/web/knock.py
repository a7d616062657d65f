"""At the door: somebody waits, anybody at the table says yes, and only then the phone gets a role."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.core.night import Night
from tracker.store import DeviceRow
from tracker.table import Table
from tracker.web import people
from tracker.web.access import door
from tracker.web.devices import MOST_PER_SEAT, Who
from tracker.web.faces import Face, faces
from tracker.web.here import see, see_night, tables, the_table
from tracker.web.names import BadName

bp = Blueprint("knock", __name__)
bp.record_once(lambda setup: setup.app.add_template_global(asked_here))

OFFER = "table-offered-to"
"""The setting that names the seat the host has offered the table to."""


@dataclass(frozen=True)
class Knock:
    """Somebody who waits to be let in, as the table is asked about them."""

    device: int
    name: str
    """Empty for somebody who wants to watch."""
    label: str
    face: Face | None
    """Of the seat they say is theirs."""


@bp.get("/n/<code>/knock")
def waiting(code: str) -> ResponseReturnValue:
    """Shows that the table was asked."""
    who: Who = g.who
    if who.role != "knock":
        return see_night(code)
    return render_template("knock.html", table=the_table(code), who=who, state=state_of(who))


@bp.get("/n/<code>/knock/answer")
def answer(code: str) -> ResponseReturnValue:
    """Returns what the table has said so far; the waiting page asks every two seconds."""
    return render_template("partials/_answer.html", code=code, state=state_of(g.who))


def state_of(who: Who) -> str:
    """Returns `waiting`, `yes`, or `no` for a phone that the table sent away."""
    if who.role is None:
        return "no"
    return "yes" if who.role != "knock" or door().devices.answer(who) else "waiting"


@bp.post("/n/<code>/enter")
def enter(code: str) -> ResponseReturnValue:
    """Comes in after a yes: only now the phone gets a token that can do anything."""
    devices, who = door().devices, g.who
    granted = devices.answer(who) if who.role == "knock" else None
    if granted:
        role, seat = granted
        table = the_table(code)
        while seat and len(devices.at_seat(code, seat)) >= MOST_PER_SEAT:
            send_away(devices.at_seat(code, seat)[0])
        devices.welcome(code, role, seat=seat, name=people.name_of(table, seat) or who.name)
        tables().live.publish(code)
    return see("knock.waiting", code=code) if who.role == "knock" and not granted else see_night(code)


def send_away(row: DeviceRow) -> None:
    """Ends a device and the stream it watches."""
    door().devices.dismiss(row.id)
    tables().live.end_device(str(row.id))


@dataclass(frozen=True)
class Asked:
    """What a phone at the table is asked besides the game, for `partials/_asks.html`."""

    code: str
    knocks: tuple[Knock, ...] = ()
    offer: str | None = None
    """Who gives the table to this seat: a name, "" for a host without a seat, None when nobody does."""


def asked_of(table: Table, who: Who) -> Asked:
    """Returns who waits at the door and whether the table is offered; nothing for watchers."""
    if who.role not in ("seat", "host"):
        return Asked(table.code)
    return Asked(table.code, knocks(table.code, table.night), offer_to(table, who))


def asked_here(code: str) -> Asked:
    """Returns what the phone that asks for a page is asked, for templates of every room."""
    return asked_of(the_table(code), g.who)


def offer_to(table: Table, who: Who) -> str | None:
    """Returns whose table is offered to this seat ("" for a host without a seat), or None; for `_offer.html`."""
    if who.role != "seat" or table.setting(OFFER) != who.seat:
        return None
    return host_name(table)


def host_name(table: Table) -> str:
    """Returns who runs the table, by name; empty when it is a device without a seat."""
    return next((people.name_of(table, row.seat) for row in hosts_of(table.code) if row.seat), "")


def hosts_of(code: str) -> list[DeviceRow]:
    return [row for row in door().devices.devices_of(code) if row.role == "host"]


def knocks(code: str, night: Night) -> tuple[Knock, ...]:
    """Returns who waits to be let in, for `partials/_asks.html`: looked up once for all whose pages are drawn now."""
    known: dict[str, tuple[Knock, ...]] = g.setdefault("knocks", {})
    if code not in known:
        rows = door().devices.knocks(code)
        drawn = faces(night) if rows else {}
        known[code] = tuple(Knock(row.id, row.name, row.label, drawn.get(row.seat or "")) for row in rows)
    return known[code]


@bp.post("/n/<code>/knocks/<int:device>/in")
def let_in(code: str, device: int) -> ResponseReturnValue:
    """Says yes to somebody at the door; a new person is seated now."""
    table, row = the_table(code), knocking(code, device)
    if row:
        seat = row.seat
        if not seat and row.name:
            seat = seat_newcomer(table, row)
        door().devices.let_in(row, "seat" if seat else "watcher", seat)
        tables().live.publish(code)
    return done(code)


def seat_newcomer(table: Table, row: DeviceRow) -> str:
    """Seats somebody who waited; a name that was taken meanwhile gets a number."""
    for name in (row.name, *(f"{row.name[:21]} {number}" for number in range(2, 10))):
        try:
            return people.sit_down(table, name, key=f"let-in-{row.id}", by=g.who.by)[0]
        except BadName as bad:
            if bad.reason != "taken":
                raise
    raise BadName("taken", row.name)


@bp.post("/n/<code>/knocks/<int:device>/away")
def refuse(code: str, device: int) -> ResponseReturnValue:
    """Says no to somebody at the door."""
    row = knocking(code, device)
    if row:
        send_away(row)
        tables().live.publish(code)
    return done(code)


def knocking(code: str, device: int) -> DeviceRow | None:
    """Returns a device that waits at this night, or None when somebody was faster."""
    return next((row for row in door().devices.knocks(code) if row.id == device), None)


def done(code: str) -> ResponseReturnValue:
    """Answers a small form: htmx has nothing to swap (the stream shows it), a bare browser goes back."""
    return ("", 204) if request.headers.get("HX-Request") else see_night(code)
