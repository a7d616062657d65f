"""The table PIN, for whoever wants one: four digits before the host's phone ends the night or sends people away.

It keeps a child with the unlocked phone from finishing the evening. It is no lock against somebody who means harm.
"""

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable, Sequence
from typing import cast

from flask import Blueprint, Response as FlaskResponse, abort, g, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from tracker.app.open_night import OpenNight
from tracker.app.settings import NightSettings, Setting
from tracker.core.errors import TableError, Unknown
from tracker.core.events import Amend, Event, Undo
from tracker.core.log import CorrectionIndex, Entry
from tracker.storage import ExpiringRows
from tracker.web.access.answered_forms import keep_no_answer
from tracker.web.access.devices import Identity
from tracker.web.access.permissions import Access, Lock, after_unlocking, get_access
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import form_page, get_table, redirect_to, redirect_to_night
from tracker.web.wording.texts import gettext as _

bp = Blueprint("pin", __name__)

PIN = re.compile(r"[0-9]{4}", re.ASCII)
OPEN_SECONDS, PAUSE_SECONDS, MOST_TRIES = 300, 60, 5
EVERYBODY = 1 << 30


class PinSettings(NightSettings):
    """The settings of a night, with its PIN."""

    pin_hash = Setting("pin", "", str)
    """Salt and hash of the table PIN."""


class PinLimits:
    """Which phones have typed the PIN lately, and how often it was typed wrong."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, rows: ExpiringRows | None = None) -> None:
        self._rows = rows or ExpiringRows(clock=clock)

    def is_open(self, device: int | None, pin_hash: str) -> bool:
        """Return whether this phone has typed the PIN that has this hash in the last five minutes: no earlier one."""
        return device is not None and self._rows.value("pin-open", str(device)) == pin_hash

    def open(self, device: int, pin_hash: str) -> None:
        self._rows.add("pin-open", str(device), OPEN_SECONDS, pin_hash)

    def take(self, code: str) -> bool:
        """Take one of five tries a minute for a night, and return whether there was one left."""
        return self._rows.count_one("pin-try", code, PAUSE_SECONDS, each=MOST_TRIES, in_all=EVERYBODY)

    def forget(self, code: str) -> None:
        """Give all tries back: it was typed right."""
        self._rows.take("pin-try", code)


class PinLock(Lock):
    """Asks for the PIN, where a night has one."""

    kinds = frozenset({"end", "leave"})

    def __init__(self, access: Access) -> None:
        self.store, self.limits = access.devices.store, PinLimits(rows=access.rows)

    def settings_of(self, code: str) -> PinSettings:
        return PinSettings(self.store, code)

    def is_locked(self, code: str, device: int | None) -> bool:
        pin_hash = self.settings_of(code).pin_hash
        return bool(pin_hash) and not self.limits.is_open(device, pin_hash)

    def page_first(self, code: str) -> Response:
        keep_no_answer()
        return redirect_to("pin.page", code=code)

    def refusal(self, table: OpenNight, typed: str) -> str:
        known = self.settings_of(table.code).pin_hash
        if not PIN.fullmatch(typed):
            return _("Four digits, please.")
        if not self.limits.take(table.code):
            abort(429)
        if not hmac.compare_digest(known, hash_pin(typed, known.partition(":")[0])):
            return _("That was not the PIN.")
        self.limits.forget(table.code)
        return ""

    def check(self, table: OpenNight, identity: Identity, event: Event) -> None:
        if not self.asks(table.code, identity) or not self.is_needed(table, event):
            return
        if request.path.startswith("/api/"):  # a script, which opens no page
            abort(403, description="pin")
        if request.headers.get("HX-Request"):
            keep_no_answer()
            abort(FlaskResponse(status=204, headers={"HX-Redirect": url_for("pin.page", code=table.code)}))
        abort(self.page_first(table.code))

    def is_needed(self, table: OpenNight, event: Event) -> bool:
        """Return whether an event ends the night or sends somebody away, also by way of another one."""
        if not isinstance(event, Undo | Amend):
            return event.kind in self.kinds
        try:
            about, holds = _corrected(table.entries, event)
        except Unknown:
            return False  # the log refuses it
        return holds if about.kind in self.kinds else about.kind == "sit" and _takes_somebody_out(table, event)


def get_lock() -> PinLock:
    return cast(PinLock, get_access().lock)


def _corrected(entries: Sequence[Entry], correction: Undo | Amend) -> tuple[Event, bool]:
    """Return the event that a correction is about in the end, and whether it then holds. Raises Unknown."""
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


def hash_pin(pin: str, salt: str) -> str:
    made = hashlib.scrypt(pin.encode(), salt=bytes.fromhex(salt), n=2**12, r=8, p=1, dklen=32)
    return f"{salt}:{made.hex()}"


@bp.get("/n/<code>/pin")
@may(HOST)
def page(code: str, wrong: str = "") -> ResponseReturnValue:
    """Ask for the PIN, or for a new one."""
    table, lock = get_table(code), get_lock()
    is_set, asks = bool(lock.settings_of(code).pin_hash), lock.asks(code, g.identity)
    return form_page("pin/pin.html", wrong, table=table, is_set=is_set, asks=asks)


@bp.post("/n/<code>/pin")
@may(HOST)
def submit(code: str) -> ResponseReturnValue:
    """Take the PIN that was typed: right, it opens for five minutes; where there was none, it is set."""
    table, pin, lock = get_table(code), request.form.get("pin", "").strip(), get_lock()
    if g.identity.device is None:
        abort(403)
    settings = lock.settings_of(code)
    if not settings.pin_hash and PIN.fullmatch(pin):
        settings.pin_hash = hash_pin(pin, secrets.token_hex(16))
        return redirect_to_night(code)
    if wrong := lock.refusal(table, pin):
        return page(code, wrong)
    lock.limits.open(g.identity.device, settings.pin_hash)
    return redirect_to_night(code)


@bp.post("/n/<code>/pin/off")
@may(HOST)
@after_unlocking
def remove(code: str) -> ResponseReturnValue:
    get_lock().settings_of(code).pin_hash = ""
    return redirect_to("settings.settings", code=code)
