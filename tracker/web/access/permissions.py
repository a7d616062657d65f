"""Who may do what. A page or move that is not in this table is open to nobody.

A device's role belongs to one night: `identify` looks it up for the night in the address, so the host of one night
is a stranger at the next. The browser that opened the terminal's link is `host` outside of all nights: it makes them.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import cast

from flask import Flask, abort, current_app, g, request
from werkzeug.wrappers import Response

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core.errors import TableError
from tracker.storage import DiskTrouble
from tracker.web.access.devices import Devices, Identity, Invites
from tracker.web.access.public_address import Addresses
from tracker.web.access.rate_limits import GuessLimit, HostLinks, PinLimits, PostRateLimit, TransferLinks
from tracker.web.access.request_guards import (
    API_IMPORT_PATH,
    IMPORT_LIMIT,
    IMPORT_PATH,
    SERVER_LIMIT,
    has_bearer_token,
)
from tracker.web.context import own_colours
from tracker.web.drawing.player_token import OWN_COLOURS

ANYONE = frozenset({None, "knock", "watcher", "seat", "host"})
ALLOWED_IN = frozenset({"watcher", "seat", "host"})
AT_TABLE = frozenset({"seat", "host"})
HOST = frozenset({"host"})

MAY: dict[str, frozenset[str | None]] = {
    # No night in the address. Here `host` is the browser that opened the terminal's link.
    "static": ANYONE,
    "app_icons.favicon": ANYONE,
    "app_icons.touch_icon": ANYONE,
    "app_icons.manifest": ANYONE,
    "home.index": ANYONE,
    "home.host_link": ANYONE,
    "home.redeem": ANYONE,
    "home.take_over": HOST,
    "new_night.games": HOST,
    "new_night.set_up": HOST,
    "new_night.open_night": HOST,
    "rehearsal.begin": HOST,
    "rehearsal.end": HOST,
    "night_options.page": HOST,
    "night_options.rename": HOST,
    "night_options.put_away": HOST,
    "night_options.list_put_away": HOST,
    "night_options.play_again": HOST,
    # Who played over all nights: the names of everybody who was ever here, so they are the host's alone
    "people.index": HOST,
    "people.names": HOST,
    "people.add": HOST,
    "people.page": HOST,
    **dict.fromkeys(
        (f"people.{change}" for change in ("rename", "set_colour", "hide", "merge", "split", "undo")), HOST
    ),
    **dict.fromkeys((f"kept.{page}" for page in ("page", "file", "forget_page", "forget")), HOST),
    "home.language": ANYONE,
    "home.trust": ANYONE,
    # Several nights settled together
    **dict.fromkeys(("settle_up.index", "settle_up.make", "settle_up.page", "settle_up.tick", "settle_up.close"), HOST),
    **dict.fromkeys(("settle_up.undo", "settle_up.delete", "settle_up.add_cost", "settle_up.remove_cost"), HOST),
    # Boards: whoever scans the code of one may read it; keeping and changing are the host's
    "presets.index": HOST,
    "presets.edit": HOST,
    "presets.redraw_form": HOST,
    "presets.preview": HOST,
    "presets.save": HOST,
    "presets.delete": HOST,
    "presets.restore": HOST,
    "presets.duplicate": HOST,
    "presets.rule_card_page": HOST,
    "presets.download_toml": HOST,
    "presets.share": HOST,
    "presets.import_form": HOST,
    "presets.import_preset": HOST,
    "presets.shared_preset": ANYONE,
    "join.scan": ANYONE,
    "join.code_form": ANYONE,
    "join.tv_code_form": ANYONE,
    "join.help_page": ANYONE,
    "join.sit": ANYONE,
    # Copies of all nights hold everything: they are the host's
    **dict.fromkeys(("backups.page", "backups.make", "backups.look", "backups.download", "backups.ask"), HOST),
    **dict.fromkeys(("backups.bring_all_back", "backups.bring_one_back"), HOST),
    # Waiting to be let in
    "join_requests.waiting": frozenset({"knock", "watcher", "seat", "host"}),
    "join_requests.answer": ANYONE,
    "join_requests.enter": frozenset({"knock", "watcher", "seat", "host"}),
    "join_requests.let_in": AT_TABLE,
    "join_requests.refuse": AT_TABLE,
    "join.show_code": ALLOWED_IN,
    "join.tv_instructions": ALLOWED_IN,
    "join.choose_address": HOST,
    "join.new_code": HOST,
    "wifi_code.page": AT_TABLE,
    "wifi_code.save": HOST,
    # The lobby
    "lobby.page": ALLOWED_IN,
    "lobby.seats": ALLOWED_IN,
    "lobby.stream": ALLOWED_IN,
    "lobby.tv": ALLOWED_IN,
    "lobby.tv_seats": ALLOWED_IN,
    "lobby.tv_stream": ALLOWED_IN,
    "lobby.add_person": HOST,
    "lobby.seat_same_people": HOST,
    "lobby.order": HOST,
    "lobby.save_order": HOST,
    "notices.go_on": HOST,
    "settings.sounds": ALLOWED_IN,
    "settings.settings": HOST,
    "settings.save_settings": HOST,
    "seat.page": AT_TABLE,
    "seat.rename": AT_TABLE,
    "seat.remove": HOST,
    "person_offers.choose": HOST,  # and nobody but the host of the machine, as the page checks itself
    "seat.send_phone_away": AT_TABLE,
    # Phones: who is in, and moving what a phone is to another one
    "phones.page": HOST,
    "phones.transfer_code": AT_TABLE,
    "phones.transfer_form": ANYONE,
    "phones.transfer": ANYONE,
    "settings.dealer": HOST,
    "settings.begin": HOST,
    "settings.hand_over": HOST,
    "settings.offer": HOST,
    "settings.take_table": frozenset({"seat"}),
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
    "rules.page": ALLOWED_IN,
    "rules.change": HOST,
    # Scripts
    "api.state": ALLOWED_IN,
    "api.record": AT_TABLE,
    "api.seat_token": HOST,
    "api.file": ALLOWED_IN,
    "api.stream": ALLOWED_IN,
    "api_nights.index": HOST,
    "api_nights.open_night": HOST,
    "api_nights.take": HOST,
    "api_presets.index": HOST,
    "api_presets.whole": HOST,
    "openapi.document": ANYONE,
    # The log, counting, the end
    "log.log": ALLOWED_IN,
    "log.hand": ALLOWED_IN,
    "log.older_hands": ALLOWED_IN,
    "log.undo": AT_TABLE,
    "log.undo_preview": AT_TABLE,
    "log.amend_form": HOST,
    "log.amend": HOST,
    "count.page": ALLOWED_IN,
    "count.save": AT_TABLE,
    "count.record": HOST,
    "count.reset": HOST,
    "settlement.page": ALLOWED_IN,
    "settlement.print_page": ALLOWED_IN,
    "settlement.set_last_hand": HOST,
    "settlement.award_pool": HOST,
    "settlement.award_odd_chips": HOST,
    "settlement.book_faults": HOST,
    "settlement.finish": HOST,
    "settlement.payments": ALLOWED_IN,
    "settlement.set_payment": AT_TABLE,
    # The film of a night that is over
    "film.page": ALLOWED_IN,
    "film.player": ALLOWED_IN,
    "film.file": ALLOWED_IN,
    # Statistics over all nights
    **dict.fromkeys((f"statistics.{page}" for page in ("overview", "person", "pair", "recap", "recap_file")), HOST),
    # Nights as files
    "files.page": ALLOWED_IN,
    "files.night": ALLOWED_IN,
    "tables.hands_csv": ALLOWED_IN,
    "tables.log_csv": ALLOWED_IN,
    "tables.result_text_file": ALLOWED_IN,
    "files.bring": HOST,
    "files.all_nights_table": HOST,
    "files.take": HOST,
    "phone_backup.copy": ALLOWED_IN,
    # The table PIN
    "pin.page": HOST,
    "pin.submit": HOST,
    "pin.remove": HOST,
}
"""endpoint -> the roles that may use it"""


class Access:
    """Everything about letting people in that one running server shares."""

    def __init__(self, tables: Nights, addresses: Addresses) -> None:
        self.devices = Devices(tables.store)
        self.invites = Invites(tables.store)
        self.addresses = addresses
        self.host_links = HostLinks()
        self.phone_links = TransferLinks()
        self.tries = GuessLimit()
        self.pace = PostRateLimit()
        self.pins = PinLimits()

    def body_limit(self, path: str, cookies: str, authorization: str) -> int:
        """Return how many bytes of a body the server takes in: more only for a night's file that a host imports."""
        if path not in (IMPORT_PATH, API_IMPORT_PATH):
            return SERVER_LIMIT
        with suppress(DiskTrouble):
            if self.devices.is_site_host(cookies, authorization):
                return IMPORT_LIMIT
        return SERVER_LIMIT

    def mint_host_link(self) -> str:
        """Return the path of a new link that makes the browser that opens it the host: once, within ten minutes."""
        return f"/host/{self.host_links.mint()}"


def install(app: Flask, access: Access) -> None:
    """Put the question "who is this, and may they?" before every page."""
    app.extensions["access"] = access
    app.before_request(admit)
    app.after_request(access.devices.send_cookies)


def get_access() -> Access:
    """Return this app's devices, join codes and limits."""
    return cast(Access, current_app.extensions["access"])


def mint_host_link(app: Flask) -> str:
    """Return the path of a new host's link to this app."""
    return cast(Access, app.extensions["access"]).mint_host_link()


def admit() -> Response | None:
    """Find out who sends this request, and refuse what the table above does not give them."""
    get_access().addresses.note(request)
    code = (request.view_args or {}).get("code")
    OWN_COLOURS.set(own_colours(code))
    g.identity = identify(code)
    if request.endpoint is None:
        return None  # Flask answers 404 or 405 by itself
    if request.method == "POST" and not has_bearer_token(request) and not get_access().pace.take(sender()):
        abort(429, description="pace")
    if g.identity.role in MAY.get(request.endpoint, frozenset()):
        return None
    abort(401 if request.path.startswith("/api/") and g.identity.role is None else 403)


def sender() -> str:
    """Return whose posts are counted together: a phone's, else all that come from one address."""
    return f"device {g.identity.device}" if g.identity.device else f"address {request.remote_addr}"


def identify(code: str | None) -> Identity:
    """Return who sends this request, at one night or (None) outside of all.

    A night that is over may be looked at by the browser that is host outside the nights, whoever ran it. It is
    the host, at the first seat, of a night that is in memory only, where no device can be kept.
    """
    devices = get_access().devices
    if has_bearer_token(request):
        return devices.identify_script(request, code)
    identity = devices.identity_of(request, code)
    if (
        identity.role is None
        and code
        and (host := devices.identity_of(request, None)).role == "host"
        and (table := _table(code))
    ):
        if table.is_temporary:
            return replace(host, seat=table.night.all_seats[0], code=code)
        if table.night.is_over:
            return replace(host, role="watcher", code=code)
    return identity


def _table(code: str) -> OpenNight | None:
    """Return the night of that code; None when there is none, or when it can't be read."""
    try:
        return cast(Nights, current_app.extensions["tables"]).get(code)
    except TableError:
        return None
