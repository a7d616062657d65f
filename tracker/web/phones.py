"""The phones of a night: who is in, and going on with another phone."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.store import DeviceRow
from tracker.table import Table
from tracker.web import people
from tracker.web.access import door
from tracker.web.devices import SCRIPT
from tracker.web.faces import Face, faces
from tracker.web.here import see_night, tables, the_table
from tracker.web.join import Ways, offered
from tracker.web.knock import send_away
from tracker.web.limits import Moving

bp = Blueprint("phones", __name__)


@dataclass(frozen=True)
class Phone:
    """One device as the host sees it."""

    row: DeviceRow
    face: Face | None
    """Of the seat it holds; None for one that only watches, or that has no seat."""
    is_here: bool
    """It follows the night just now."""

    @property
    def is_script(self) -> bool:
        return self.row.label == SCRIPT


@bp.get("/n/<code>/phones")
def page(code: str) -> str:
    """Shows every phone that is in, with a way to send it away."""
    table = the_table(code)
    return render_template("phones.html", table=table, who=g.who, phones=phones_of(table))


def phones_of(table: Table) -> list[Phone]:
    """Returns the devices of a night that may see it: by seat, then those that watch."""
    drawn, here = faces(table.night), tables().live.devices(table.code)
    rows = [row for row in door().devices.devices_of(table.code) if row.role != "knock"]
    places = {seat: at for at, seat in enumerate(drawn)}
    rows.sort(key=lambda row: (places.get(row.seat or "", len(places)), row.role != "host", row.id))
    return [Phone(row, drawn.get(row.seat) if row.seat else None, str(row.id) in here) for row in rows]


# Going on with another phone


@bp.post("/n/<code>/move")
def show_code(code: str) -> ResponseReturnValue:
    """Shows a code that makes the phone that scans it what this one is: once, within ten minutes."""
    addresses = offered()
    if g.who.device is None or not addresses:
        abort(404)
    token = door().phone_links.mint_for(Moving(code, g.who.device))
    way = Ways(f"{request.scheme}://{addresses[0]}/m/{token}", addresses[0], (), "")
    return render_template("move.html", table=the_table(code), who=g.who, way=way)


@bp.get("/m/<token>")
def look(token: str) -> ResponseReturnValue:
    """Asks whoever scanned the code for one tap; looking uses nothing up."""
    moving = door().phone_links.moving(token)
    row = mover(moving)
    if moving is None or row is None:
        abort(410, description="move")
    table = the_table(moving.code)
    return render_template("take-seat.html", table=table, token=token, row=row, name=people.name_of(table, row.seat))


@bp.post("/m")
def take() -> ResponseReturnValue:
    """Makes this phone what the other one was, and ends that one."""
    moving = door().phone_links.take(request.form.get("token", ""))
    row = mover(moving)
    if moving is None or row is None:
        abort(410, description="move")
    door().devices.welcome(moving.code, row.role, seat=row.seat, name=row.name)
    if g.who.device != row.id:
        send_away(row)
    tables().live.publish(moving.code)
    return see_night(moving.code)


def mover(moving: Moving | None) -> DeviceRow | None:
    """Returns the phone that shows the code, as it is now; None when it was sent away or is no player's any more."""
    rows = door().devices.devices_of(moving.code) if moving else []
    return next((row for row in rows if moving and row.id == moving.device and row.role in ("seat", "host")), None)
