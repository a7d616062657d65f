"""The page of a tablet that lies in the middle of the table, and what is recorded at it."""

import secrets
from dataclasses import replace

from flask import Blueprint, Response, abort, g, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response as AnyResponse

from tracker.app.open_night import OpenNight
from tracker.core.events import Order
from tracker.core.log import Entry
from tracker.extras.flat.dock import FOR_ALL, NOTHING_SAID, Said, flat_page, with_own_ids
from tracker.extras.flat.places import PLACES, sit_down, sitting, stand_up
from tracker.extras.flat.way_in import remember_tablet
from tracker.streaming.hub import Frame
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.consent import check_may_record
from tracker.web.access.devices import Identity
from tracker.web.access.roles import AT_TABLE, may
from tracker.web.base.context import get_nights, get_table, redirect_to
from tracker.web.base.snapshot import Viewer, snapshot_of
from tracker.web.drawing.board import art
from tracker.web.drawing.board_places import board_size
from tracker.web.responses import stream_response
from tracker.web.table.pages import pages_of, sent_move, viewer_of
from tracker.web.wording.texts import language

bp = Blueprint("flat", __name__)
TABLET = "host"
"""Stands in an address for the tablet itself, beside the seats that it records for."""
AT_TABLET = "at-tablet-"
"""So begin the ids of what is recorded at the tablet."""


@bp.app_template_test("at_tablet")
def is_at_tablet(entry: Entry) -> bool:
    """Return whether an entry was made at a dock: its seat says who, and this that another hand may have tapped."""
    return bool(entry.id and entry.id.startswith(AT_TABLET))


def tablet_of(code: str) -> OpenNight:
    """Return the night of a tablet; 403 for a device that may not record for everybody."""
    table = get_table(code)
    if not viewer_of(table, g.identity).records_for_all:
        abort(403)
    return table


def recorder(table: OpenNight, who: str, verb: str = "") -> Identity:
    """Return who records by a tap: the tablet's own device, or a seat that sits at it; 404 for any other."""
    own: Identity = g.identity
    if who == TABLET:
        return own
    if who not in sitting(table).values():
        abort(404)
    role = own.role if verb in FOR_ALL else "seat"
    return replace(own, role=role, seat=who)


@bp.get("/n/<code>/flat")
@may(AT_TABLE, in_memory=True, follows="night")
def page(code: str) -> str:
    """Show the board in the middle, and a dock for each who sits at the tablet, turned to their side."""
    table = tablet_of(code)
    remember_tablet(code)
    is_pots = table.preset.is_pot_game
    return render_template(
        "flat/page.html",
        night=table.night,
        name=table.name,
        base=f"/n/{code}",
        is_pots=is_pots,
        art=art(board_size(table.night)) if is_pots else "",
        live=str(flat_page(table, g.identity)),
        tab=secrets.token_hex(4),
    )


@bp.get("/n/<code>/flat/live")
@may(AT_TABLE, in_memory=True, follows="part")
def live(code: str) -> str:
    return str(flat_page(tablet_of(code), g.identity))


@bp.get("/n/<code>/flat/stream")
@may(AT_TABLE, in_memory=True)
def stream(code: str) -> Response:
    table = tablet_of(code)
    return stream_response(table, view_name(), lambda identity: Frame(table.head, flat_page(table, identity)))


def view_name() -> str:
    return "/".join(("flat", g.identity.role or "", g.identity.seat or "", language()))


@bp.post("/n/<code>/flat/sit")
@may(AT_TABLE, in_memory=True)
def sit(code: str) -> ResponseReturnValue:
    """Keep who sits at a place of the tablet, or that somebody sits there no more."""
    table, place, seat = tablet_of(code), request.form.get("place", ""), request.form.get("seat", "")
    if seat not in table.night.seats or place not in ("", *PLACES):
        abort(404)
    if place:
        sit_down(table, place, seat)
    else:
        stand_up(table, seat)
    return answer(table)


@bp.post("/n/<code>/flat/order")
@may(AT_TABLE, in_memory=True)
def order(code: str) -> ResponseReturnValue:
    """Record the order in which people sit around the tablet."""
    table = tablet_of(code)
    event = Order(tuple(request.form.getlist("seat")))
    check_may_record(table, g.identity, event)
    if event.seats != table.night.seats:
        table.record(event, id=id_from_key(request.form), by=g.identity.by)
    return answer(table)


@bp.get("/n/<code>/flat/<who>/sheet")
@bp.get("/n/<code>/flat/<who>/sheet/<seat>")
@may(AT_TABLE, in_memory=True)
def sheet(code: str, who: str, seat: str | None = None) -> str:
    """Show a sheet of the table's page, whose forms record as that seat or, of the menu, as the tablet."""
    table = tablet_of(code)
    recorder(table, who)
    viewer = viewer_of(table, g.identity) if who == TABLET else Viewer("seat", who)
    html = with_own_ids(
        pages_of(table).sheet(table, viewer, seat or (None if who == TABLET else who)), who, f"/n/{code}"
    )
    sits = "" if who == TABLET else who
    night = table.night
    may_finish = (
        night.preset.is_pot_game and bool(night.hand) and night.is_between_hands
    )  # as the host's own dock offers
    return render_template("flat/sheet.html", sheet=html, seat=sits, base=f"/n/{code}", may_finish=may_finish)


@bp.post("/n/<code>/flat/<who>/record")
@may(AT_TABLE, in_memory=True)
def record(code: str, who: str) -> ResponseReturnValue:
    """Do what a form of a dock asks, as the seat that sits there; a refusal is shown in that dock."""
    table = tablet_of(code)
    form = request.form.to_dict()
    identity = recorder(table, who, form.get("do", "").partition(":")[0])
    key = form.get("key") or f"{who}-{form.get('head', '')}"
    form["key"] = f"{AT_TABLET}{key}"
    done = sent_move(table, identity, form)
    return answer(table, Said(who, done.error, done.note), done.status)


def answer(table: OpenNight, said: Said = NOTHING_SAID, status: int = 200) -> tuple[str, int] | AnyResponse:
    """Return what the tablet shows now; nothing where its stream has shown that already."""
    if not request.headers.get("HX-Request"):
        return redirect_to("flat.page", code=table.code)
    device = str(g.identity.device or "")
    if not (said.refusal or said.note) and get_nights().live.has_newest(table.code, view_name(), device):
        return Response(status=204, headers={"X-At": snapshot_of(table).at})
    return str(flat_page(table, g.identity, said)), status
