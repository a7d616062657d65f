"""Joining: the QR code, the typed code, and the request that the table answers."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from tracker.app import seating
from tracker.app.event_rows import new_id
from tracker.app.open_night import OpenNight
from tracker.app.person_names import BadName, clean_name, name_taken
from tracker.core.errors import TableError
from tracker.core.events import Sit, Undo
from tracker.core.night import Night
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.cookie_check import keeps_cookies
from tracker.web.access.devices import SCRIPT, Identity
from tracker.web.access.join_link import join_link, own_addresses, remember_choice
from tracker.web.access.permissions import (
    after_unlocking,
    asked_display,
    displays,
    get_access,
    identify,
    in_turn,
    is_house,
    lead_to_night,
)
from tracker.web.access.public_address import split_port
from tracker.web.access.request_guards import is_from_this_machine, sender
from tracker.web.access.roles import ALLOWED_IN, ANYONE, HOST, may
from tracker.web.base.context import (
    form_page,
    get_nights,
    get_table,
    is_lobby_open,
    own_colours,
    readable_night,
    redirect_to,
    redirect_to_night,
    replaced_by,
)
from tracker.web.drawing.player_token import OWN_COLOURS, player_tokens
from tracker.web.join.lobby import seats_html
from tracker.web.wording.texts import gettext as _, refusal

bp = Blueprint("join", __name__)


@dataclass(frozen=True)
class JoinTarget:
    """What a phone that joins wants: a seat that is there, a new one under a name, or (neither) to watch."""

    seat: str | None = None
    name: str = ""
    display: str = ""
    """The name of the display that watches; empty for a phone."""

    @property
    def label(self) -> str:
        """What lists of devices call it; empty for what its browser says."""
        return displays()[self.display].label if self.display else ""


# Scanning and typing


@bp.get("/j/<token>")
@may(ANYONE, needs_others=True)
def scan(token: str) -> ResponseReturnValue:
    """Show who is at the table to somebody who scanned the code. Nothing happens before they tap."""
    code = get_access().invites.night_of_token(token) or abort(404, description="token")
    table, identity = replaced_by(get_table(code)), identify(code)
    later = tonight(table).code
    if later != code and identify(later).role in ALLOWED_IN:
        return redirect_to_night(later)
    if identity.role in ("seat", "watcher") or (identity.role == "host" and identity.seat):
        return redirect_to_night(code)
    return who_are_you(table, token)


def tonight(table: OpenNight) -> OpenNight:
    """Return the table at which the people of a night play now: of one that is over, what followed by "Again!"."""
    while table.night.is_over and (later := readable_night(table.settings.next_night or "")):
        table = later
    return replaced_by(table)


def who_are_you(table: OpenNight, token: str, wrong: str = "", typed: str = "") -> ResponseReturnValue:
    """Return the page with the seats as chips; of a night that is over, what it leads to, without its people."""
    night = table.night
    OWN_COLOURS.set(own_colours(table.code))  # the address names no night
    return form_page(
        "join/join.html",
        wrong,
        table=tonight(table),
        token=token,
        old=table if night.is_over else None,
        lobby_seats=[] if night.is_over else [player_tokens(night)[seat] for seat in night.seats],
        held=get_access().devices.seats_with_phone(table.code),
        is_open=is_lobby_open(table),
        key=new_id(),
        typed=typed,
        same=seating.seat_by_name(night, typed) if typed else None,
    )


@bp.get("/join")
@may(ANYONE, needs_others=True)
def code_form(wrong: str = "", display: str = "") -> ResponseReturnValue:
    """Ask for the code and a name: for phones that can't scan."""
    display = display or asked_display()
    return form_page(
        displays()[display].code_form if display else "join/typed.html",
        wrong,
        code=request.form.get("typed", "")[:12],
        name=request.form.get("name", "")[:40],
        is_this_machine=is_from_this_machine(),
        at=[] if display else tables_of_this_browser(),
    )


def tables_of_this_browser() -> list[OpenNight]:
    """Return the tables that go on and at which this browser is in, the newest three."""
    codes = [code for code in get_access().devices.nights_of(request) if identify(code).role in ALLOWED_IN]
    found = [table for code in codes if (table := readable_night(code)) and not table.night.is_over]
    return sorted(found, key=lambda table: table.created_at, reverse=True)[:3]


@bp.get("/help")
@may(ANYONE, needs_others=True)
def help_page() -> str:
    """Say what helps a phone that can't open the tracker, by what it shows; it is read on another phone."""
    return render_template("join/help.html", address=next(iter(own_addresses()), ""))


@bp.post("/join")
@may(ANYONE, needs_others=True)
@keeps_cookies
@in_turn
def sit() -> ResponseReturnValue:
    """Take the seat that was tapped, or ask the table for it."""
    token = request.form.get("token", "")
    if not token:
        return ask_by_typed_code()
    found = get_access().invites.night_of_token(token) or abort(404, description="token")
    table = replaced_by(get_table(found))
    code = table.code
    if table.night.is_over:
        return ask_after_end(table, lambda sentence, typed: who_are_you(table, token, sentence, typed))
    try:
        target = target_from_form(table.night)
        if (
            target.seat and "seat" not in request.form and is_held(code, target.seat)
        ):  # they may tap it, others add a letter
            raise name_taken(seating.name_of(table, target.seat))
        return join(table, target) if may_join_unasked(table, target) else ask_to_join(table, target)
    except BadName as bad:
        return who_are_you(table, token, refusal(bad), bad.name)


def ask_by_typed_code() -> ResponseReturnValue:
    """Check a typed code, which may be guessed at a limited rate only, and ask the table."""
    if not get_access().tries.take(sender()):
        abort(429)
    code = get_access().invites.night_of_typed(request.form.get("typed", ""))
    if code is None:
        return code_form(_("No table has this code. Look again: it stands under the QR code."))
    get_access().tries.give_back(sender())
    table = replaced_by(get_table(code))
    if table.night.is_over:
        return ask_after_end(table, lambda sentence, _typed: code_form(sentence))
    try:
        target = target_from_form(table.night)
        return join(table, target) if identify(table.code).role == "host" else ask_to_join(table, target)
    except BadName as bad:
        return code_form(refusal(bad))


def ask_after_end(old: OpenNight, again: Callable[[str, str], ResponseReturnValue]) -> ResponseReturnValue:
    """Ask the table that followed a night, else the night itself to watch; `again` shows the form once more."""
    table = tonight(old)
    if identify(table.code).role in ALLOWED_IN:
        return redirect_to_night(table.code)
    try:
        watches = JoinTarget(display=asked_display())
        return ask_to_join(table, watches if table.night.is_over else target_from_form(table.night))
    except BadName as bad:
        return again(refusal(bad), bad.name)


def target_from_form(night: Night) -> JoinTarget:
    """Read the form: a seat, a name, or just watching. Raises BadName."""
    seat = request.form.get("seat", "")
    if seat:
        return JoinTarget(seat=night.require_seated(seat))
    display = asked_display()
    if display or "watch" in request.form:
        return JoinTarget(display=display)
    name = clean_name(request.form.get("name", ""))
    known = seating.seat_by_name(night, name)
    return JoinTarget(seat=known, name="" if known else name)


def is_held(code: str, seat: str) -> bool:
    """Return whether somebody else's phone has this seat, or has taken it at another address and not come back yet."""
    devices = get_access().devices
    phones = [row for row in devices.at_seat(code, seat) if row.label != SCRIPT and not devices.is_lost(row, sender())]
    return bool(phones) and identify(code).seat != seat


def may_join_unasked(table: OpenNight, target: JoinTarget) -> bool:
    """Return whether nobody has to be asked: in an open lobby about what no phone holds, and for the host never."""
    if identify(table.code).role == "host":
        return True
    if not is_lobby_open(table) or (target.seat and is_held(table.code, target.seat)):
        return False
    if target.seat:
        return True
    if target.name:
        return own_person(table) is not None or get_access().devices.may_seat_unasked(table.code, sender())
    return get_access().devices.may_watch_unasked(table.code, sender())


def own_person(table: OpenNight) -> str | None:
    """Return the seat that this browser alone has sat down at, under another name, while the lobby was open."""
    identity, devices = identify(table.code), get_access().devices
    seat = identity.seat if identity.role == "seat" else None
    if seat is None or seat not in table.night.seats or len(devices.at_seat(table.code, seat)) != 1:
        return None
    entry = table.entries[seating.sit_event_number(table, seat) - 1]
    return seat if is_lobby_open(table) and entry.by == seat else None


def join(table: OpenNight, target: JoinTarget) -> ResponseReturnValue:
    """Give a phone its role without asking the table; a host stays the host."""
    devices, identity = get_access().devices, identify(table.code)
    check_table_has_room(table, identity)
    seat, before = target.seat, own_person(table)
    if target.name:
        seat = seat_new_person(table, target.name)
    if before and before != seat:  # one browser, one person, or none if it watches
        with suppress(TableError):  # somebody has put them in order, for one: then the host removes who is not there
            table.record(Undo(seating.sit_event_number(table, before)), id=new_id(), by=seat or before)
            get_nights().people.forget_seat(table.code, before)
    if seat:
        for lost in devices.at_seat(table.code, seat):
            if devices.is_lost(lost, sender()):
                devices.dismiss(lost.id)
    role = "host" if identity.role == "host" else "seat" if seat else "watcher"
    devices.register_device(table.code, role, seat=seat, name=seating.name_of(table, seat), label=target.label)
    get_nights().live.publish(table.code)
    return lead_to_night(table.code, target.display)


def check_table_has_room(table: OpenNight, identity: Identity) -> None:
    """Answer 429 to a phone that is new at a table which has as many as it may have."""
    most, devices = get_access().owners.most_phones, get_access().devices
    if most is not None and identity.device is None and len(devices.devices_of(table.code)) >= most:
        abort(429, description="table-full")


def seat_new_person(table: OpenNight, name: str) -> str:
    """Seat a new person; the same form sent again finds the seat it made."""
    key = id_from_key(request.form)
    for entry in table.entries:
        if entry.id == key and isinstance(entry.event, Sit):
            return entry.event.seat
    return seating.sit_down(table, name, key=key, by="")[0]


def ask_to_join(table: OpenNight, target: JoinTarget) -> ResponseReturnValue:
    """Make a join request, which everybody at the table sees."""
    devices = get_access().devices
    check_table_has_room(table, identify(table.code))
    if not devices.make_room_to_wait(table.code, identify(table.code), sender()):
        abort(429, description="waiting")
    name = target.name or seating.name_of(table, target.seat)
    devices.register_device(table.code, "knock", seat=target.seat, name=name, label=target.label)
    get_nights().live.publish(table.code)
    asked = {key: request.form.get(key) or None for key in ("token", "typed")}  # by which the page can ask again
    return redirect_to_waiting(table.code, target.display, name=name or None, **asked)


def redirect_to_waiting(code: str, display: str, **asked: str | None) -> Response:
    """Send the browser on to wait for what the table says, with what it has asked; a display says what it is."""
    return redirect_to("join_requests.waiting", code=code, **({display: 1} if display else {}), **asked)


# The code on the screen


@bp.get("/n/<code>/share")
@may(ALLOWED_IN, needs_others=True)
def show_code(code: str) -> ResponseReturnValue:
    table = get_table(code)
    return render_template(
        "join/share.html",
        table=table,
        join_link=join_link(code),
        identity=g.identity,
        is_open=is_lobby_open(table),
        seats=seats_html(table, g.identity, is_house=is_house()),
        tab=new_id(),
    )


@bp.post("/n/<code>/address")
@may(HOST, needs_others=True, of_the_house=True)
def choose_address(code: str) -> ResponseReturnValue:
    """Put another of this machine's addresses into the code."""
    choice = request.form.get("address", "")
    if choice in own_addresses():
        remember_choice(split_port(choice)[0])
        get_nights().live.publish(code)
    return redirect_to("lobby.page" if request.form.get("from") == "lobby" else "join.show_code", code=code)


@bp.post("/n/<code>/new-code")
@may(HOST, needs_others=True)
@after_unlocking
def new_code(code: str) -> ResponseReturnValue:
    """Make a new code; the old ones, photographed or overheard, lead nowhere from now on."""
    get_access().invites.renew(code)
    get_access().devices.end_admissions(code)
    get_nights().live.publish(code)
    return redirect_to("join.show_code", code=code)
