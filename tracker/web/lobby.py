"""The lobby: who sits where, in which order, who deals first, and who runs the table."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from flask import Blueprint, Response, abort, current_app, g, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import get_locale
from flask_babel import gettext as _

from tracker.core.errors import NotEnoughChips, TableError
from tracker.core.events import Amend, Hand, Leave, Order, Sit, Undo
from tracker.core.night import Night
from tracker.live import Frame
from tracker.store import DeviceRow
from tracker.tables import Table, new_id
from tracker.web import people
from tracker.web.access import door
from tracker.web.chips import BoxAdvice, box_advice
from tracker.web.devices import Who, label_of
from tracker.web.faces import Face, faces
from tracker.web.here import is_gathering, see, see_night, tables, the_table
from tracker.web.join import Knock, form_key, knocks, name_of, send_away, ways
from tracker.web.names import BadName, clean_name, likeness
from tracker.web.table import keep, stream_response

bp = Blueprint("lobby", __name__)

OFFER = "table-offered-to"


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
    hosts = {row.seat for row in door().devices.devices_of(table.code) if row.role == "host"}
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
        knocks=waiting_for(table, who),
        before=before(table) if who.role == "host" and len(night.seats) < 2 else [],
        advice=advice(table),
        offer=offer_to(table, who),
        begun="" if is_gathering(night) else f"/n/{table.code}",
        key=new_id(),
    )


def waiting_for(table: Table, who: Who) -> list[Knock]:
    return knocks(table.code, table.night) if who.role in ("seat", "host") else []


def offer_to(table: Table, who: Who) -> str | None:
    """Returns whose table is offered to this seat ("" for a host without a seat), or None; for `_offer.html`."""
    if who.role != "seat" or table.setting(OFFER) != who.seat:
        return None
    return host_name(table)


def host_name(table: Table) -> str:
    """Returns who runs the table, by name; empty when it is a device without a seat."""
    return next((name_of(table, row.seat) for row in hosts_of(table.code) if row.seat), "")


def hosts_of(code: str) -> list[DeviceRow]:
    return [row for row in door().devices.devices_of(code) if row.role == "host"]


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
    view = "/".join(("lobby", who.role or "", who.seat or "", str(get_locale())))
    tab = request.args.get("tab", "")[:16]
    return stream_response(table, view, lambda: Frame(table.head, seats_html(table, who)), tab=tab)


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
    )


@bp.get("/n/<code>/lobby/tv/stream")
def tv_stream(code: str) -> Response:
    """Sends the TV's seats again whenever somebody sits down."""
    table = the_table(code)
    view = f"lobby-tv/{get_locale()}"
    tab = request.args.get("tab", "")[:16]
    return stream_response(table, view, lambda: Frame(table.head, tv_html(table)), tab=tab)


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
        try:
            names = people.names_here(the_table(row.code).night)
        except TableError:
            continue
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


@bp.get("/n/<code>/seat/<seat>")
def seat(code: str, seat: str) -> ResponseReturnValue:
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
    others = [name for one, name in people_of(table.night) if one != seat]
    try:
        name = clean_name(request.form.get("name", ""), others)
    except BadName as bad:
        return seat_page(table, seat, people.why_refused(bad), bad.name)
    if name != name_of(table, seat):
        table.record(Amend(sitting(table, seat), {"name": name}), id=form_key(), by=g.who.by)
    return see_night(code)


def people_of(night: Night) -> list[tuple[str, str]]:
    return [(seat, night.people[seat].name) for seat in night.seats]


def sitting(table: Table, seat: str) -> int:
    """Returns the number of the event by which this seat last sat down."""
    struck = table.standing.struck
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
    return see("lobby.seat", code=code, seat=row.seat) if row.seat else see_night(code)


# What the table agreed on


@bp.get("/n/<code>/settings")
def settings(code: str) -> ResponseReturnValue:
    """Shows what the host may change during the night."""
    return settings_page(the_table(code))


def settings_page(table: Table, wrong: str = "") -> ResponseReturnValue:
    page_ = render_template(
        "settings.html",
        table=table,
        stack=people.starting_stack(table),
        is_open=table.setting("everyone") == "on",
        advice=advice(table),
        is_gathering=is_gathering(table.night),
        wrong=wrong,
        key=new_id(),
    )
    return page_, 422 if wrong else 200


@bp.post("/n/<code>/settings")
def save_settings(code: str) -> ResponseReturnValue:
    """Keeps the night's name, who may record, and before the first hand the starting stack of everybody."""
    table = the_table(code)
    name = " ".join(request.form.get("title", "").split())[:60]
    if name and name.isprintable() and name != table.name:
        tables().store.rename(code, name)
    table.change_setting("everyone", "on" if "everyone" in request.form else None)
    stack = request.form.get("stack", "").strip()
    if stack and stack != str(people.starting_stack(table)):
        if not (stack.isascii() and stack.isdigit() and len(stack) < 7 and int(stack) > 0):
            return settings_page(table, _("From 1 to 999,999 chips."))
        table.change_setting("stack", stack)
        if is_gathering(table.night):
            give_everybody(table, int(stack))
    return see_night(code)


def give_everybody(table: Table, chips: int) -> None:
    """Corrects what everybody sat down with."""
    key = form_key()
    for one in table.night.seats:
        if table.night.stack(one) != chips:
            table.record(Amend(sitting(table, one), {"chips": chips}), id=f"{key}-{one}", by=g.who.by)


# The first hand


@bp.get("/n/<code>/dealer")
def dealer(code: str) -> ResponseReturnValue:
    """Asks who deals first; a game without a dealer goes straight to its table."""
    table = the_table(code)
    if not is_gathering(table.night) or table.preset.game != "pots":
        return see("table.page", code=code)
    drawn = faces(table.night)
    return render_template("dealer.html", table=table, faces=[drawn[seat] for seat in table.night.seats], key=new_id())


@bp.post("/n/<code>/dealer")
def begin(code: str) -> ResponseReturnValue:
    """Begins the first hand: the antes go in. If somebody can't pay them, the table asks what to do."""
    table = the_table(code)
    night = table.night
    if is_gathering(night):
        # Drawing lots is no rule of the game, so it happens here and the log only knows who deals.
        seat = night.present(request.form.get("seat") or secrets.choice(night.seats or ("",)))
        try:
            table.record(Hand(seat), id=form_key(), by=g.who.by)
        except NotEnoughChips:
            keep(table, "plan", {"dealer": seat})
    return see("table.page", code=code)


# Giving the table to somebody else


@bp.get("/n/<code>/hand-over")
def hand_over(code: str) -> str:
    """Asks who shall run the table from now on: anybody whose phone is here."""
    table = the_table(code)
    held = door().devices.seats_with_phone(code)
    drawn = faces(table.night)
    return render_template(
        "hand-over.html",
        table=table,
        faces=[drawn[seat] for seat in table.night.seats if seat in held and seat != g.who.seat],
        offered=table.setting(OFFER),
    )


@bp.post("/n/<code>/hand-over")
def offer(code: str) -> ResponseReturnValue:
    """Offers the table to a person; it changes hands when they take it, so it is never without a host."""
    table = the_table(code)
    seat = request.form.get("seat", "")
    table.change_setting(OFFER, table.night.present(seat) if seat else None)
    return see_night(code)


@bp.post("/n/<code>/take-table")
def take_table(code: str) -> ResponseReturnValue:
    """Takes the table that was offered: this phone gets a new token as host, the old host keeps the seat."""
    table, who = the_table(code), g.who
    if not who.seat or table.setting(OFFER) != who.seat:
        abort(403)
    table.change_setting(OFFER, None)
    for row in hosts_of(code):
        door().devices.step_down(row)
        tables().live.end_device(str(row.id), again=True)
    label = label_of(request.headers.get("User-Agent", ""))
    door().devices.welcome(code, "host", seat=who.seat, name=who.name, label=label)
    tables().live.publish(code)
    return see_night(code)
