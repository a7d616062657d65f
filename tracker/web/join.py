"""Coming to the table: the QR code, the typed code, asking to be let in, and who says yes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from tracker.core.events import Sit
from tracker.core.night import Night
from tracker.sealing import new_id
from tracker.table import Table
from tracker.web import people
from tracker.web.access import door, identify
from tracker.web.addresses import SETTING, split_port
from tracker.web.devices import MOST_WAITING
from tracker.web.faces import faces
from tracker.web.guards import is_loopback
from tracker.web.here import is_gathering, see, see_night, tables, the_table
from tracker.web.names import BadName, clean_name

bp = Blueprint("join", __name__)


@dataclass(frozen=True)
class Wish:
    """What somebody at the door wants: a seat that is there, a new one under a name, or (neither) to watch."""

    seat: str | None = None
    name: str = ""


@dataclass(frozen=True)
class Ways:
    """How phones come to a night: the code as a picture and its link, the address, the code to type."""

    link: str
    address: str
    others: tuple[str, ...]
    typed: str

    @property
    def size(self) -> int:
        """Modules along a side, the white margin included."""
        return qr(self.link)[0]

    @property
    def path(self) -> str:
        return qr(self.link)[1]


# Scanning and typing


@bp.get("/j/<token>")
def scan(token: str) -> ResponseReturnValue:
    """Shows who is at the table to somebody who scanned the code. Nothing happens before they tap."""
    code = door().invites.night_of_token(token)
    if code is None:
        abort(404, description="token")
    if identify(code).role in ("seat", "watcher") or identify(code).seat:
        return see_night(code)
    return who_are_you(the_table(code), token)


def who_are_you(table: Table, token: str, wrong: str = "", typed: str = "") -> ResponseReturnValue:
    """Returns the page with the seats as chips."""
    night = table.night
    page = render_template(
        "join.html",
        table=table,
        token=token,
        chairs=[faces(night)[seat] for seat in night.seats],
        held=door().devices.seats_with_phone(table.code),
        is_open=is_gathering(night),
        key=new_id(),
        wrong=wrong,
        typed=typed,
    )
    return page, 422 if wrong else 200


@bp.get("/join")
def typed() -> ResponseReturnValue:
    """Asks for the code and a name: for phones that can't scan."""
    return typed_page()


def typed_page(wrong: str = "") -> ResponseReturnValue:
    page = render_template(
        "typed.html",
        wrong=wrong,
        code=request.form.get("typed", "")[:12],
        name=request.form.get("name", "")[:40],
        is_this_machine=is_loopback(request.remote_addr or ""),
    )
    return page, 422 if wrong else 200


@bp.post("/join")
def sit() -> ResponseReturnValue:
    """Takes the seat that was tapped, or asks the table for it."""
    token = request.form.get("token", "")
    if not token:
        return ask_by_typed_code()
    code = door().invites.night_of_token(token)
    if code is None:
        abort(404, description="token")
    table = the_table(code)
    try:
        wish = wished(table.night)
        if "seat" not in request.form:
            check_is_free(table, wish)
        if is_gathering(table.night) and not (wish.seat and is_held(code, wish.seat)):
            return come_in(table, wish)
        return knock(table, wish)
    except BadName as bad:
        return who_are_you(table, token, people.why_refused(bad), bad.name)


def ask_by_typed_code() -> ResponseReturnValue:
    """Checks a typed code, which may be guessed at a limited rate only, and asks the table."""
    address = request.remote_addr or ""
    if not door().tries.take(address):
        abort(429)
    code = door().invites.night_of_typed(request.form.get("typed", ""))
    if code is None:
        return typed_page(_("No table has this code. Look again: it stands under the QR code."))
    door().tries.give_back(address)
    table = the_table(code)
    try:
        return knock(table, wished(table.night))
    except BadName as bad:
        return typed_page(people.why_refused(bad))


def wished(night: Night) -> Wish:
    """Reads the form: a seat, a name, or just watching. Raises BadName."""
    seat = request.form.get("seat", "")
    if seat:
        return Wish(seat=night.present(seat))
    if "watch" in request.form:
        return Wish()
    return wish_named(night, request.form.get("name", ""))


def wish_named(night: Night, name: str) -> Wish:
    """Returns what somebody who typed a name wants: the seat of that name if there is one, else a new one."""
    name = clean_name(name)
    seat = people.seat_called(night, name)
    return Wish(seat=seat, name="" if seat else name)


def check_is_free(table: Table, wish: Wish) -> None:
    """Raises BadName for a typed name whose owner's phone is here: they may tap it, others add a letter."""
    if wish.seat and is_held(table.code, wish.seat):
        raise BadName("taken", people.name_of(table, wish.seat))


def is_held(code: str, seat: str) -> bool:
    """Says whether somebody else's phone has this seat."""
    return seat in door().devices.seats_with_phone(code) and identify(code).seat != seat


def come_in(table: Table, wish: Wish) -> ResponseReturnValue:
    """Lets somebody in without a question, as long as the lobby is open."""
    devices, who = door().devices, identify(table.code)
    seat = wish.seat
    if wish.name:
        seat = seat_from_form(table, wish.name)
    if seat:
        for lost in devices.at_seat(table.code, seat):
            if not devices.has_arrived(lost):
                devices.dismiss(lost.id)
    role = "host" if who.role == "host" else "seat" if seat else "watcher"
    devices.welcome(table.code, role, seat=seat, name=people.name_of(table, seat))
    tables().live.publish(table.code)
    return see_night(table.code)


def seat_from_form(table: Table, name: str) -> str:
    """Seats a new person; the same form sent again finds the seat it made."""
    key = form_key()
    for entry in table.entries:
        if entry.id == key and isinstance(entry.event, Sit):
            return entry.event.seat
    return people.sit_down(table, name, key=key, by="")[0]


def form_key() -> str:
    """Returns the id that the page gave this form, so that sending it twice does it once."""
    key = request.form.get("key", "")
    return key if len(key) == 32 and key.isascii() and key.isalnum() else new_id()


def knock(table: Table, wish: Wish) -> ResponseReturnValue:
    """Puts somebody before the door, where anybody at the table sees them."""
    devices = door().devices
    if len(devices.knocks(table.code)) >= MOST_WAITING:
        abort(429)
    name = wish.name or people.name_of(table, wish.seat)
    devices.welcome(table.code, "knock", seat=wish.seat, name=name)
    tables().live.publish(table.code)
    return see("knock.waiting", code=table.code)


# The code on the screen


@bp.get("/n/<code>/share")
def share(code: str) -> ResponseReturnValue:
    """Shows the code, all night."""
    table = the_table(code)
    return render_template("share.html", table=table, ways=ways(code), who=g.who, is_open=is_gathering(table.night))


@bp.post("/n/<code>/address")
def show_address(code: str) -> ResponseReturnValue:
    """Puts another of this machine's addresses into the code."""
    choice = request.form.get("address", "")
    if choice in offered():
        tables().store.set_setting(None, SETTING, split_port(choice)[0])
        tables().live.publish(code)
    return see("lobby.page" if request.form.get("from") == "lobby" else "join.share", code=code)


@bp.post("/n/<code>/new-code")
def new_code(code: str) -> ResponseReturnValue:
    """Makes a new code; the old ones, photographed or overheard, lead nowhere from now on."""
    door().invites.renew(code)
    tables().live.publish(code)
    return see("join.share", code=code)


def offered() -> list[str]:
    """Returns this machine's addresses as `host:port`, best first."""
    return door().addresses.choices(request, tables().store.setting(None, SETTING))


def ways(code: str) -> Ways | None:
    """Returns how phones come to this night; None while it has no code."""
    shown = door().invites.shown(code)
    offers = offered()
    if shown is None or not offers:
        return None
    token, typed_code = shown
    return Ways(f"{request.scheme}://{offers[0]}/j/{token}", offers[0], tuple(offers[1:]), typed_code)


@lru_cache(maxsize=32)
def qr(link: str) -> tuple[int, str]:
    """Returns a link's code, drawn once for everybody who looks."""
    return drawn_code(link)


def drawn_code(text: str) -> tuple[int, str]:
    """Returns a QR code as the modules along its side and one SVG path, with the white margin that readers need."""
    import qrcode  # noqa: PLC0415 - only who draws a code pays for the package, and not the start

    code = qrcode.QRCode(error_correction=qrcode.ERROR_CORRECT_M, border=4)
    code.add_data(text)
    code.make(fit=True)
    rows = code.get_matrix()
    return len(rows), "".join(run for y, row in enumerate(rows) for run in runs(row, y))


def runs(row: list[bool], y: int) -> list[str]:
    """Returns the dark stretches of one row as path commands: fewer shapes, no hairlines between them."""
    found, x = [], 0
    while x < len(row):
        length = 1
        while x + length < len(row) and row[x + length] == row[x]:
            length += 1
        if row[x]:
            found.append(f"M{x} {y}h{length}v1h-{length}z")
        x += length
    return found
