"""Who may do what. A page or move that is not in this table is open to nobody.

A device's role belongs to one night: `identify` looks it up for the night in the address, so the host of one night
is a stranger at the next. The browser that opened the terminal's link is `host` at the door, where nights are made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from flask import Flask, abort, current_app, g, request
from werkzeug.wrappers import Response

from tracker.core.errors import TableError
from tracker.core.events import Event
from tracker.core.night import Night
from tracker.tables import Tables
from tracker.web.addresses import Addresses
from tracker.web.devices import Devices, Invites, Who
from tracker.web.guards import bears_token
from tracker.web.limits import HostLinks, Pace, PhoneLinks, Pins, Tries

ANYONE = frozenset({None, "knock", "watcher", "seat", "host"})
ALLOWED_IN = frozenset({"watcher", "seat", "host"})
AT_TABLE = frozenset({"seat", "host"})
HOST = frozenset({"host"})

MAY: dict[str, frozenset[str | None]] = {
    # The door: no night in the address. Here `host` is the browser that opened the terminal's link.
    "static": ANYONE,
    "home.index": ANYONE,
    "home.host_link": ANYONE,
    "home.redeem": ANYONE,
    "new.games": HOST,
    "new.set_up": HOST,
    "new.open_night": HOST,
    "home.language": ANYONE,
    "home.trust": ANYONE,
    # Boards: whoever scans the code of one may read it; keeping and changing are the host's
    "boards.index": HOST,
    "boards.edit": HOST,
    "boards.form": HOST,
    "boards.preview": HOST,
    "boards.save": HOST,
    "boards.delete": HOST,
    "boards.bring_back": HOST,
    "boards.duplicate": HOST,
    "boards.card": HOST,
    "boards.toml": HOST,
    "boards.share": HOST,
    "boards.bring": HOST,
    "boards.take": HOST,
    "boards.offer": ANYONE,
    "join.scan": ANYONE,
    "join.typed": ANYONE,
    "join.sit": ANYONE,
    # Copies of all nights hold everything: they are the host's
    "backups.page": HOST,
    "backups.make": HOST,
    "backups.look": HOST,
    "backups.download": HOST,
    "backups.ask": HOST,
    "backups.bring_all_back": HOST,
    "backups.bring_one_back": HOST,
    # Waiting to be let in
    "knock.waiting": frozenset({"knock", "watcher", "seat", "host"}),
    "knock.answer": ANYONE,
    "knock.enter": frozenset({"knock", "watcher", "seat", "host"}),
    "knock.let_in": AT_TABLE,
    "knock.refuse": AT_TABLE,
    "join.share": ALLOWED_IN,
    "join.show_address": HOST,
    "join.new_code": HOST,
    "wifi.page": AT_TABLE,
    "wifi.keep": HOST,
    # The lobby
    "lobby.page": ALLOWED_IN,
    "lobby.seats": ALLOWED_IN,
    "lobby.stream": ALLOWED_IN,
    "lobby.tv": ALLOWED_IN,
    "lobby.tv_seats": ALLOWED_IN,
    "lobby.tv_stream": ALLOWED_IN,
    "lobby.add": HOST,
    "lobby.same_people": HOST,
    "lobby.order": HOST,
    "lobby.save_order": HOST,
    "trouble.go_on": HOST,
    "running.settings": HOST,
    "running.save_settings": HOST,
    "seat.page": AT_TABLE,
    "seat.rename": AT_TABLE,
    "seat.remove": HOST,
    "seat.send_phone_away": AT_TABLE,
    # Phones: who is in, and moving what a phone is to another one
    "phones.page": HOST,
    "phones.show_code": AT_TABLE,
    "phones.look": ANYONE,
    "phones.take": ANYONE,
    "running.dealer": HOST,
    "running.begin": HOST,
    "running.hand_over": HOST,
    "running.offer": HOST,
    "running.take_table": frozenset({"seat"}),
    # The table
    "table.page": ALLOWED_IN,
    "table.live": ALLOWED_IN,
    "table.stream": ALLOWED_IN,
    "table.menu": AT_TABLE,
    "table.sheet": AT_TABLE,
    "table.record": AT_TABLE,
    "tv.page": ALLOWED_IN,
    "tv.live": ALLOWED_IN,
    "tv.stream": ALLOWED_IN,
    "night_rules.page": ALLOWED_IN,
    "night_rules.change": HOST,
    # Scripts
    "api.open_night": HOST,
    "api.state": ALLOWED_IN,
    "api.record": AT_TABLE,
    "api.seat_token": HOST,
    # The log, counting, the end
    "book.log": ALLOWED_IN,
    "book.hand": ALLOWED_IN,
    "book.older": ALLOWED_IN,
    "book.undo": AT_TABLE,
    "book.take_back": AT_TABLE,
    "book.change": HOST,
    "book.amend": HOST,
    "book.recount.page": ALLOWED_IN,
    "book.recount.counted": AT_TABLE,
    "book.recount.done": HOST,
    "book.recount.again": HOST,
    "settle.page": ALLOWED_IN,
    "settle.sheet": ALLOWED_IN,
    "settle.last": HOST,
    "settle.pool": HOST,
    "settle.finish": HOST,
    "settle.dues": ALLOWED_IN,
    "settle.paid": AT_TABLE,
    # Nights as files
    "files.page": ALLOWED_IN,
    "files.night": ALLOWED_IN,
    "files.hands": ALLOWED_IN,
    "files.log": ALLOWED_IN,
    "files.text": ALLOWED_IN,
    "files.bring": HOST,
    "files.take": HOST,
    "kept.copy": ALLOWED_IN,
    # The table PIN
    "pin.page": HOST,
    "pin.typed": HOST,
    "pin.off": HOST,
}
"""endpoint -> the roles that may use it"""


class Door:
    """Everything about letting people in that one running server shares."""

    def __init__(self, tables: Tables, addresses: Addresses) -> None:
        self.devices = Devices(tables.store)
        self.invites = Invites(tables.store)
        self.addresses = addresses
        self.host_links = HostLinks()
        self.phone_links = PhoneLinks()
        self.tries = Tries()
        self.pace = Pace()
        self.pins = Pins()

    def mint_host_link(self) -> str:
        """Returns the path of a new link that makes the browser that opens it the host: once, within ten minutes."""
        return f"/host/{self.host_links.mint()}"


def install(app: Flask, at_door: Door) -> None:
    """Puts the question "who is this, and may they?" before every page."""
    app.extensions["door"] = at_door
    app.before_request(admit)
    app.after_request(at_door.devices.send_cookies)


def door() -> Door:
    """Returns this app's door."""
    return cast(Door, current_app.extensions["door"])


def mint_host_link(app: Flask) -> str:
    """Returns the path of a new host's link to this app."""
    return cast(Door, app.extensions["door"]).mint_host_link()


def admit() -> Response | None:
    """Finds out who sends this request, and refuses what the table above does not give them."""
    door().addresses.note(request)
    code = (request.view_args or {}).get("code")
    g.who = identify(code)
    if request.endpoint is None:
        return None  # Flask answers 404 or 405 by itself
    if request.method == "POST" and not bears_token(request) and not door().pace.take(sender()):
        abort(429, description="pace")
    if g.who.role in MAY.get(request.endpoint, frozenset()):
        return None
    abort(401 if request.path.startswith("/api/") and g.who.role is None else 403)


def sender() -> str:
    """Returns whose posts are counted together: a phone's, else all that come from one address."""
    return f"device {g.who.device}" if g.who.device else f"address {request.remote_addr}"


def identify(code: str | None) -> Who:
    """Returns who sends this request, at one night or (None) at the door.

    A night that is over may be looked at by the browser that is host at the door, whoever ran it.
    """
    devices = door().devices
    if bears_token(request):
        return devices.bearer(request, code)
    who = devices.who(request, code)
    if who.role is None and code and devices.who(request, None).role == "host" and is_over(code):
        return replace(devices.who(request, None), role="watcher", code=code)
    return who


def is_over(code: str) -> bool:
    """Says whether there is such a night and it has ended."""
    try:
        return cast(Tables, current_app.extensions["tables"]).get(code).night.is_over
    except TableError:
        return False


# What a phone may record

# For each kind of event, the field that names whose doing it is: that seat's own phone may record it.
OWN: Mapping[str, str] = {
    "collect": "seat",
    "penalty": "seat",
    "bid": "seat",
    "pass": "seat",
    "out": "seat",
    "borrow": "seat",
    "repay": "seat",
    "sale": "buyer",
    "hand": "dealer",
    "round": "winner",
    "rummy": "seat",
    "place": "seat",
    "bet": "seat",
    "fine": "seat",
    "due": "seat",
    "left": "seat",
    "sweep": "seat",
}
OWN_DEALER = frozenset({"exchange", "no-sale"})
ANYBODY = frozenset({"reverse"})  # it moves no points, and whoever sees the card may say so
HOST_ONLY = frozenset({"end", "amend", "undo", "order", "move", "leave", "rule"})


def may_record(who: Who, event: Event, night: Night, *, is_open: bool) -> bool:
    """Says whether this phone may record this event; `is_open` is the night's "everyone may record for everyone"."""
    if who.role == "host":
        return True
    if who.role != "seat" or event.kind in HOST_ONLY:
        return False
    if is_open or event.kind in ANYBODY:
        return True
    if event.kind in OWN_DEALER:
        return night.deal is not None and night.deal.dealer == who.seat
    return _whose(event) <= {who.seat}


def _whose(event: Event) -> set[str | None]:
    """Return the seats whose doing an event is; that of nobody in particular is not for a seat's phone."""
    if event.kind == "count":
        return set(getattr(event, "stacks", ()))
    if event.kind == "poker":
        return set(getattr(event, "winners", ()))
    return {getattr(event, OWN[event.kind])} if event.kind in OWN else {None}


def is_open_to_all(code: str) -> bool:
    """Says whether the host of this night lets everyone record for everyone."""
    return door().devices.store.setting(code, "everyone") == "on"
