"""The lobby: who sits where, in which order, who deals first, and who runs the table."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from flask import Blueprint, Response, current_app, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.core.events import Order
from tracker.live import Frame
from tracker.sealing import new_id
from tracker.table import Table
from tracker.web import people
from tracker.web.access import door
from tracker.web.addresses import SETTING
from tracker.web.chips import BoxAdvice, box_advice
from tracker.web.devices import Who
from tracker.web.faces import Face, faces
from tracker.web.here import is_gathering, readable, see, see_night, tables, the_table
from tracker.web.join import form_key, ways
from tracker.web.knock import asked_of, host_name, hosts_of
from tracker.web.language import language
from tracker.web.names import BadName, likeness
from tracker.web.streaming import stream_response

bp = Blueprint("lobby", __name__)


@dataclass(frozen=True)
class Chair:
    """A seat as the lobby draws it."""

    face: Face
    phone: str
    """`this`, `joined` or `none`."""
    is_here: bool
    """A phone of this seat is connected just now."""
    is_host: bool


def chairs(table: Table, who: Who) -> list[Chair]:
    """Returns everybody at the table, clockwise."""
    night, present = table.night, tables().live.present(table.code)
    held = door().devices.seats_with_phone(table.code)
    hosts = {row.seat for row in hosts_of(table.code)}
    drawn = faces(night)
    return [
        Chair(
            drawn[seat],
            phone="this" if seat == who.seat else "joined" if seat in held else "none",
            is_here=seat in present,
            is_host=seat in hosts,
        )
        for seat in night.seats
    ]


# The lobby's page


@bp.get("/n/<code>/lobby")
def page(code: str) -> ResponseReturnValue:
    """Shows the code to scan and the seats as they fill."""
    return lobby_page(the_table(code))


def lobby_page(table: Table, wrong: str = "", typed: str = "") -> ResponseReturnValue:
    page_ = render_template(
        "lobby.html",
        table=table,
        who=g.who,
        ways=ways(table.code),
        seats=seats_html(table, g.who),
        help="help" in request.args,
        host=host_name(table),
        is_open=is_gathering(table.night),
        tab=secrets.token_hex(4),
        key=new_id(),
        wrong=wrong,
        typed=typed,
        stack=people.starting_stack(table),
    )
    return page_, 422 if wrong else 200


def seats_html(table: Table, who: Who) -> str:
    """Returns the part of the lobby that changes, as one who looks sees it."""
    night = table.night
    return current_app.jinja_env.get_template("partials/_lobby.html").render(
        table=table,
        night=night,
        who=who,
        chairs=chairs(table, who),
        asked=asked_of(table, who),
        before=before(table) if who.role == "host" and len(night.seats) < 2 else [],
        advice=advice(table),
        is_unreached=is_gathering(night) and not door().addresses.reached,
        begun="" if is_gathering(night) else f"/n/{table.code}",
        code_mark=code_mark(table),
        key=new_id(),
    )


def code_mark(table: Table) -> str:
    """Returns a text that changes with the code on the screens: a page that shows an older one loads itself again."""
    shown = door().invites.shown(table.code)
    best = next(iter(door().addresses.candidates()), "")  # it changes when this machine joins another network
    return f"{shown[1] if shown else ''} {tables().store.setting(None, SETTING)} {best}"


def advice(table: Table) -> BoxAdvice | None:
    """Returns what to do when the chips will not go round, or None."""
    if table.preset.game != "pots":
        return None
    return box_advice(table.preset, people.starting_stack(table), len(table.night.seats))


@bp.get("/n/<code>/lobby/seats")
def seats(code: str) -> str:
    """Returns the part of the lobby that changes."""
    return seats_html(the_table(code), g.who)


@bp.get("/n/<code>/lobby/stream")
def stream(code: str) -> Response:
    """Sends that part again whenever somebody sits down, knocks or leaves."""
    table, who = the_table(code), g.who
    view = "/".join(("lobby", who.role or "", who.seat or "", language()))
    return stream_response(table, view, lambda: Frame(table.head, seats_html(table, who)))


@bp.get("/n/<code>/lobby/tv")
def tv(code: str) -> str:
    """Shows the code as large as a room needs it."""
    table = the_table(code)
    return render_template(
        "lobby-tv.html",
        table=table,
        ways=ways(code),
        seats=tv_html(table),
        is_open=is_gathering(table.night),
        tab=secrets.token_hex(4),
    )


def tv_html(table: Table) -> str:
    return current_app.jinja_env.get_template("partials/_lobby-tv.html").render(
        table=table,
        chairs=chairs(table, Who()),
        begun="" if is_gathering(table.night) else f"/n/{table.code}/tv",
        code_mark=code_mark(table),
    )


@bp.get("/n/<code>/lobby/tv/seats")
def tv_seats(code: str) -> str:
    """Returns the part of the TV's lobby that changes."""
    return tv_html(the_table(code))


@bp.get("/n/<code>/lobby/tv/stream")
def tv_stream(code: str) -> Response:
    """Sends the TV's seats again whenever somebody sits down."""
    table = the_table(code)
    view = f"lobby-tv/{language()}"
    return stream_response(table, view, lambda: Frame(table.head, tv_html(table)))


# Who sits where


@bp.post("/n/<code>/seats")
def add(code: str) -> ResponseReturnValue:
    """Seats somebody without a phone."""
    table, wrong, typed = the_table(code), "", ""
    try:
        people.sit_down(table, request.form.get("name", ""), key=form_key(), by=g.who.by)
    except BadName as bad:
        wrong, typed = people.why_refused(bad), bad.name
    if request.headers.get("HX-Request"):
        # The stream shows the new seat; this form comes back empty, with a key of its own.
        form = render_template("partials/_add.html", code=code, key=new_id(), wrong=wrong, typed=typed)
        return form, 422 if wrong else 200
    return lobby_page(table, wrong, typed) if wrong else see("lobby.page", code=code)


def before(table: Table) -> list[str]:
    """Returns who sat at the last table, clockwise, without those who sit here already."""
    here = {likeness(name) for name in people.names_here(table.night)}
    for row in tables().nights():
        if row.code == table.code or row.created_at > table.created_at:
            continue
        old = readable(row.code)
        names = people.names_here(old.night) if old else []
        if len(names) > 1:
            return [name for name in names if likeness(name) not in here]
    return []


@bp.post("/n/<code>/same-people")
def same_people(code: str) -> ResponseReturnValue:
    """Seats everybody who sat at the last table, in the order in which they sat."""
    table, key = the_table(code), form_key()
    for number, name in enumerate(before(table)):
        people.sit_down(table, name, key=f"{key}-{number}", by=g.who.by)
    return see("lobby.page", code=code)


@bp.get("/n/<code>/order")
def order(code: str) -> str:
    """Asks for the people clockwise: each tap adds one, kept in the address until it is saved."""
    table = the_table(code)
    taken = [seat for seat in request.args.getlist("o") if seat in table.night.seats]
    taken = list(dict.fromkeys(taken))
    rest = [seat for seat in table.night.seats if seat not in taken]
    if len(rest) == 1:
        taken, rest = [*taken, *rest], []
    drawn = faces(table.night)
    return render_template(
        "order.html",
        table=table,
        taken=[drawn[seat] for seat in taken],
        rest=[drawn[seat] for seat in rest],
        key=new_id(),
    )


@bp.post("/n/<code>/order")
def save_order(code: str) -> ResponseReturnValue:
    """Records the order in which people sit."""
    table = the_table(code)
    event = Order(tuple(request.form.getlist("seat")))
    if event.seats != table.night.seats:
        table.record(event, id=form_key(), by=g.who.by)
    return see_night(code)
