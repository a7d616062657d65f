"""The table PIN, for whoever wants one: four digits before the host's phone ends the night or sends people away.

It keeps a child with the unlocked phone from finishing the evening. It is no lock against somebody who means harm.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from tracker.web.access import door
from tracker.web.here import see, see_night, the_table

bp = Blueprint("pin", __name__)

SETTING = "pin"
PIN = re.compile(r"[0-9]{4}", re.ASCII)
ASKED_FOR = {
    *(
        "settle.finish",
        "seat.remove",
        "seat.send_phone_away",
        "running.offer",
        "join.new_code",
        "phones.show_code",
        "pin.off",
    ),
}
"""What the host's phone does only after the PIN, where the night has one."""


@bp.before_app_request
def ask() -> ResponseReturnValue | None:
    """Sends the host's phone to the PIN before it does one of these."""
    if request.method != "POST" or request.endpoint not in ASKED_FOR or g.who.role != "host":
        return None
    code = str((request.view_args or {}).get("code", ""))
    return see("pin.page", code=code) if is_asked(code, g.who.device) else None


def is_asked(code: str, device: int | None) -> bool:
    """Says whether this phone has to type the PIN before it goes on."""
    return bool(door().devices.store.setting(code, SETTING)) and not door().pins.is_open(device)


def hashed(pin: str, salt: str) -> str:
    made = hashlib.scrypt(pin.encode(), salt=bytes.fromhex(salt), n=2**12, r=8, p=1, dklen=32)
    return f"{salt}:{made.hex()}"


@bp.get("/n/<code>/pin")
def page(code: str) -> ResponseReturnValue:
    """Asks for the PIN, or for a new one."""
    return pin_page(code)


def pin_page(code: str, wrong: str = "", status: int = 200) -> ResponseReturnValue:
    table = the_table(code)
    is_set = bool(table.setting(SETTING))
    shown = render_template("pin.html", table=table, is_set=is_set, asks=is_asked(code, g.who.device), wrong=wrong)
    return shown, 422 if wrong else status


@bp.post("/n/<code>/pin")
def typed(code: str) -> ResponseReturnValue:
    """Takes the PIN that was typed: right, it opens for five minutes; where there was none, it is set."""
    table, pin = the_table(code), request.form.get("pin", "").strip()
    if g.who.device is None:
        abort(403)
    if not PIN.fullmatch(pin):
        return pin_page(code, _("Four digits, please."))
    known = table.setting(SETTING)
    if not known:
        table.change_setting(SETTING, hashed(pin, secrets.token_hex(16)))
        return see_night(code)
    if not door().pins.take(code):
        abort(429)
    if not hmac.compare_digest(known, hashed(pin, known.partition(":")[0])):
        return pin_page(code, _("That was not the PIN."))
    door().pins.forget(code)
    door().pins.open(g.who.device)
    return see_night(code)


@bp.post("/n/<code>/pin/off")
def off(code: str) -> ResponseReturnValue:
    """Goes on without a PIN."""
    the_table(code).change_setting(SETTING, None)
    return see("running.settings", code=code)
