"""The table PIN, for whoever wants one: four digits before the host's phone ends the night or sends people away.

It keeps a child with the unlocked phone from finishing the evening. It is no lock against somebody who means harm.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Sequence
from functools import wraps
from typing import ParamSpec

from flask import Blueprint, Response, abort, g, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response as WsgiResponse

from tracker.app.open_night import OpenNight
from tracker.app.settings import NightSettings
from tracker.core.errors import TableError, Unknown
from tracker.core.events import Amend, Event, Undo
from tracker.core.log import CorrectionIndex, Entry
from tracker.web.access.answered_forms import keep_no_answer
from tracker.web.access.devices import Identity
from tracker.web.access.permissions import get_access
from tracker.web.access.request_guards import is_for_scripts
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import form_page, get_table, redirect_to, redirect_to_night
from tracker.web.wording.texts import gettext as _

bp = Blueprint("pin", __name__)

PIN = re.compile(r"[0-9]{4}", re.ASCII)
PIN_KINDS = frozenset({"end", "leave"})
"""Kinds of events that the host's phone records only after the PIN, by whichever page or the API."""


P = ParamSpec("P")


def after_pin(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """Have the host's phone type the PIN, where the night has one, before a view does what a form asks."""

    @wraps(view)
    def run(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        code = str(kwargs["code"])
        return pin_page_first(code) if is_asked(code, g.identity) else view(*args, **kwargs)

    return run


def pin_page_first(code: str) -> WsgiResponse:
    """Return the way to the PIN's page; after it the same form does what it says."""
    keep_no_answer()
    return redirect_to("pin.page", code=code)


def check_pin(table: OpenNight, identity: Identity, event: Event) -> None:
    """Refuse an event that needs the PIN from a host's device that has not typed it: to the PIN's page, or 403."""
    if not is_asked(table.code, identity) or not needs_pin(table, event):
        return
    if is_for_scripts(request):
        abort(403, description="pin")
    if request.headers.get("HX-Request"):
        keep_no_answer()
        abort(Response(status=204, headers={"HX-Redirect": url_for("pin.page", code=table.code)}))
    abort(pin_page_first(table.code))


def needs_pin(table: OpenNight, event: Event) -> bool:
    """Return whether an event ends the night or sends somebody away; also by correcting or restoring another one."""
    if not isinstance(event, Undo | Amend):
        return event.kind in PIN_KINDS
    try:
        about, holds = _corrected(table.entries, event)
    except Unknown:
        return False  # the log refuses it
    return holds if about.kind in PIN_KINDS else about.kind == "sit" and _takes_somebody_out(table, event)


def check_typed(table: OpenNight, pin: str) -> str:
    """Return what is wrong with a PIN that was typed for a night, empty for nothing; 429 after too many tries."""
    known = table.settings.pin_hash
    if not PIN.fullmatch(pin):
        return _("Four digits, please.")
    if not get_access().pins.take(table.code):
        abort(429)
    if not hmac.compare_digest(known, hash_pin(pin, known.partition(":")[0])):
        return _("That was not the PIN.")
    get_access().pins.forget(table.code)
    return ""


def _corrected(entries: Sequence[Entry], correction: Undo | Amend) -> tuple[Event, bool]:
    """Return the event that a correction is about in the end, and whether it is in force afterwards.

    Raises Unknown where the correction names nothing.
    """
    number = len(entries) + 1
    index = CorrectionIndex([*entries, Entry(number, correction)])
    about = index.root_of(number)
    return entries[about - 1].event, about not in index.undone()


def _takes_somebody_out(table: OpenNight, correction: Undo | Amend) -> bool:
    """Return whether somebody at the table is not there any more after a correction; True also where it is refused."""
    try:
        after = table.preview(correction)
    except TableError:
        return True
    return not set(table.night.seats) <= set(after.seats)


def is_asked(code: str, identity: Identity) -> bool:
    """Return whether this phone has to type the PIN before it goes on, as the host's."""
    pin_hash = NightSettings(get_access().devices.store, code).pin_hash
    if identity.role != "host" or not pin_hash:
        return False
    return not get_access().pins.is_open(identity.device, pin_hash)


def hash_pin(pin: str, salt: str) -> str:
    made = hashlib.scrypt(pin.encode(), salt=bytes.fromhex(salt), n=2**12, r=8, p=1, dklen=32)
    return f"{salt}:{made.hex()}"


@bp.get("/n/<code>/pin")
@may(HOST)
def page(code: str, wrong: str = "") -> ResponseReturnValue:
    """Ask for the PIN, or for a new one."""
    table, asks = get_table(code), is_asked(code, g.identity)
    return form_page("access/pin.html", wrong, table=table, is_set=bool(table.settings.pin_hash), asks=asks)


@bp.post("/n/<code>/pin")
@may(HOST)
def submit(code: str) -> ResponseReturnValue:
    """Take the PIN that was typed: right, it opens for five minutes; where there was none, it is set."""
    table, pin = get_table(code), request.form.get("pin", "").strip()
    if g.identity.device is None:
        abort(403)
    if not table.settings.pin_hash and PIN.fullmatch(pin):
        table.settings.pin_hash = hash_pin(pin, secrets.token_hex(16))
        return redirect_to_night(code)
    if wrong := check_typed(table, pin):
        return page(code, wrong)
    get_access().pins.open(g.identity.device, table.settings.pin_hash)
    return redirect_to_night(code)


@bp.post("/n/<code>/pin/off")
@may(HOST)
@after_pin
def remove(code: str) -> ResponseReturnValue:
    get_table(code).settings.pin_hash = ""
    return redirect_to("settings.settings", code=code)
