"""A code that joins the Wi-Fi. What the host types for it stays in memory until the tracker stops, in no file."""

import re
from dataclasses import dataclass

from flask import Blueprint, current_app, g, request
from flask.typing import ResponseReturnValue

from tracker.web.access.permissions import may_change_for_all
from tracker.web.access.roles import AT_TABLE, HOST, may
from tracker.web.base.context import form_page, get_table, redirect_to
from tracker.web.drawing.qr_code import QrCode, qr_code
from tracker.web.wording.texts import gettext as _

bp = Blueprint("wifi_code", __name__)

LONGEST_NAME_BYTES = 32
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 63


class BadWifi(ValueError):
    """A Wi-Fi that no phone could join; the message is a sentence for whoever typed it."""


@dataclass(frozen=True)
class Wifi:
    """The home's Wi-Fi: its name, and the QR code that joins it."""

    name: str
    qr: QrCode


def escaped(text: str) -> str:
    """Return a text as it stands in a Wi-Fi code, where some signs have a meaning."""
    return re.sub(r'([\\;,:"])', r"\\\1", text)


def wifi_code(name: str, password: str) -> str:
    """Return what a camera reads to join a Wi-Fi; without a password an open one. Raises BadWifi."""
    if not name:
        raise BadWifi(_("What is the Wi-Fi called?"))
    if len(name.encode()) > LONGEST_NAME_BYTES:
        raise BadWifi(_("No Wi-Fi has so long a name. Look at the name on a phone that has joined."))
    if password and not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise BadWifi(_("A Wi-Fi password has 8 to 63 characters."))
    if not (name + password).isprintable():
        raise BadWifi(_("There is a character in it that nobody can type."))
    kind = f"T:WPA;S:{escaped(name)};P:{escaped(password)}" if password else f"T:nopass;S:{escaped(name)}"
    return f"WIFI:{kind};;"


def known() -> Wifi | None:
    """Return the Wi-Fi that the host has typed since the tracker started."""
    found: Wifi | None = current_app.extensions.get("wifi")
    return found


@bp.get("/n/<code>/wifi")
@may(AT_TABLE, needs_others=True)
def page(code: str, wrong: str = "", name: str = "") -> ResponseReturnValue:
    """Show the code that joins the Wi-Fi, or ask the host for its name and password, which is never sent back."""
    values = {"table": get_table(code), "may_save": may_save(), "wifi": known(), "name": name}
    return form_page("wifi/wifi.html", wrong, **values)


def may_save() -> bool:
    """Return whether this browser may type the Wi-Fi, which all nights show."""
    return g.identity.role == "host" and may_change_for_all()


@bp.post("/n/<code>/wifi")
@may(HOST, needs_others=True, of_the_house=True)
def save(code: str) -> ResponseReturnValue:
    """Draw the code; an empty form forgets it."""
    name, password = request.form.get("name", "").strip(), request.form.get("password", "")
    if "forget" in request.form:
        current_app.extensions.pop("wifi", None)
        return redirect_to("wifi_code.page", code=code)
    try:
        text = wifi_code(name, password)
    except BadWifi as bad:
        return page(code, str(bad), name)
    current_app.extensions["wifi"] = Wifi(name, qr_code(text))
    return redirect_to("wifi_code.page", code=code)
