"""A big screen whose code a phone at a table scans; it hashes what the screen alone knows, so a picture is no use."""

import secrets
from typing import NamedTuple

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.storage import ExpiringRows
from tracker.web.access.cookie_check import keeps_cookies
from tracker.web.access.devices import hash_token
from tracker.web.access.join_link import link_to, own_addresses
from tracker.web.access.permissions import get_access, identify, in_turn, lead_to_night
from tracker.web.access.roles import ALLOWED_IN, ANYONE, AT_TABLE, may
from tracker.web.base.context import get_nights, get_table, redirect_to, redirect_to_night
from tracker.web.drawing.qr_code import QrCode, qr_code
from tracker.web.join.pages import check_table_has_room, tables_of_this_browser

bp = Blueprint("screen", __name__)
KIND, SECONDS = "screen", 600.0


class ScreenCode(NamedTuple):
    """What a screen shows to be scanned."""

    secret: str
    qr: QrCode


@bp.app_template_global()
def screen_code() -> ScreenCode | None:
    """Return the code of the page that is made, a new one each time; None without an address for phones."""
    addresses = own_addresses()
    if not addresses:
        return None
    secret: str = g.setdefault("screen_secret", secrets.token_urlsafe(24))
    return ScreenCode(secret, qr_code(link_to(addresses[0], f"/tv/show/{name_of(secret)}")))


def name_of(secret: str) -> str:
    """Return the part of a secret's hash by which a screen is known."""
    return hash_token(secret).hex()[:32]


def chosen_nights() -> ExpiringRows:
    """Return the rows that say by the name of a screen which night it shows."""
    return get_access().devices.store.temporary


@bp.get("/tv/show/<screen>")
@may(ANYONE, needs_others=True)
def ask(screen: str) -> str:
    """Ask a phone that has scanned a screen's code which of its tables is shown there."""
    tables = [table for table in tables_of_this_browser() if identify(table.code).role in AT_TABLE]
    return render_template("tv/scan.html", screen=screen, tables=tables)


@bp.post("/tv/show/<screen>")
@may(ANYONE, needs_others=True)
def show(screen: str) -> ResponseReturnValue:
    """Let a screen in to a table at which this phone sits."""
    code = get_table(request.form.get("night", "")).code
    if identify(code).role not in AT_TABLE:
        abort(403)
    chosen_nights().add(KIND, screen[:32], SECONDS, code)
    return redirect_to_night(code)


@bp.get("/tv/scanned")
@may(ANYONE, needs_others=True)
def scanned() -> ResponseReturnValue:
    """Return the way in for a screen whose code was scanned, 204 until then; the screen asks every two seconds."""
    secret = request.args.get("secret", "")
    if chosen_nights().value(KIND, name_of(secret)) is None:
        return "", 204
    return render_template("tv/_scanned.html", secret=secret)


@bp.post("/tv/scanned")
@may(ANYONE, needs_others=True)
@keeps_cookies
@in_turn
def enter() -> ResponseReturnValue:
    """Let a screen watch the table that a phone has chosen for it, once."""
    code = chosen_nights().take(KIND, name_of(request.form.get("secret", "")))
    if code is None:
        return redirect_to("tv.type_code")
    table, identity = get_table(code), identify(code)
    if identity.role not in ALLOWED_IN:
        check_table_has_room(table, identity)
        get_access().devices.register_device(code, "watcher", label="TV")
        get_nights().live.publish(code)
    return lead_to_night(code, "tv")
