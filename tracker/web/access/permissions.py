"""Who sends a request, and whether they may use the page: its roles stand beside its route; a page without is nobody's.

A device's role belongs to one night: `identify` looks it up for the night in the address, so the host of one night
is a stranger at the next. The browser that opened the terminal's link is `host` outside of all nights: it makes them.
Where an extra lets others open nights, each has only the own ones, also in lists: `Owners` says whose they are.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from typing import ParamSpec, TypeVar, cast

from flask import Flask, Request, abort, current_app, g, request
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.app.settings import NightSettings
from tracker.core.events import Event
from tracker.formats.sender import network_of
from tracker.storage import DiskTrouble
from tracker.web.access import answered_forms
from tracker.web.access.answered_forms import AnsweredForms, answer_again
from tracker.web.access.devices import Devices, Identity, send_cookies
from tracker.web.access.links import HostLinks, Invites
from tracker.web.access.public_address import Addresses
from tracker.web.access.rate_limits import GuessLimit, PostRateLimit
from tracker.web.access.request_guards import SERVER_LIMIT, sender
from tracker.web.access.roles import OPENS_NIGHTS, Display, PageRules, Roles
from tracker.web.base.context import own_colours, readable_night, redirect_to, redirect_to_night
from tracker.web.drawing.player_token import OWN_COLOURS

REFUSED_SECONDS = 3600.0
HOUSE = ""
"""The owner of the nights of whoever runs the house."""
Guard = Callable[[PageRules], None]
"""What an extra asks of each request, also for a page that is not there (`request.endpoint` is None then), before it is
looked at who may use the page; aborts one that it refuses."""


class Owners:
    """Whose nights are whose. Here all are the house's; an extra by which others open nights puts its own in place."""

    are_several = False

    @property
    def most_phones(self) -> int | None:
        """How many devices there may be at one table, watchers and those who wait included; None for any number."""
        return None

    def owner_of(self, _code: str) -> str:
        """Return the id of a night's owner."""
        return HOUSE

    def is_own(self, _owner: str) -> Callable[[str], bool]:
        """Return a function that says of a night's code whether it is this owner's, as it is now."""
        return lambda _code: True

    def set_owner(self, code: str, owner: str) -> None:
        """Note whose a new night is."""

    def refusal(self, _owner: str, _key: str) -> str:
        """Return why an owner may open no more nights, and what to do; empty where the form of a key may open one."""
        return ""


class Lock:
    """What is asked of the host's phone before it ends a night or sends somebody away. Here nothing is; an extra that
    asks puts its own in place.
    """

    kinds: Collection[str] = ()
    """Kinds of events that the host's phone records only after it, by whichever page or the API."""

    def is_locked(self, _code: str, _device: int | None) -> bool:
        """Return whether a device has to open the lock of a night."""
        return False

    def asks(self, code: str, identity: Identity) -> bool:
        """Return whether this phone has to open it before it goes on, as the host's."""
        return identity.role == "host" and self.is_locked(code, identity.device)

    def page_first(self, code: str) -> Response:
        """Return the way to the page that opens it; after it the same form does what it says."""
        raise NotImplementedError

    def refusal(self, _table: OpenNight, _typed: str) -> str:
        """Return what is wrong with what was typed to open it, empty for nothing; 429 after too many tries."""
        return ""

    def check(self, _table: OpenNight, _identity: Identity, _event: Event) -> None:
        """Refuse an event that needs it from a host's device that has not opened it: to its page, or 403."""


class Scripts:
    """Who asks by something else than a browser's cookie. Here nobody does; an extra that lets scripts in puts its
    own in place.
    """

    pace: PostRateLimit | None = None
    """How fast those of whoever runs the house send; None for as fast as everybody."""

    def has_token(self, _asked: Request) -> bool:
        """Return whether a request carries a token that no browser adds by itself."""
        return False

    def identify(self, _asked: Request, _code: str | None) -> Identity | None:
        """Return who such a token stands for, at a night or (None) outside of all; None without one."""
        return None

    def is_house(self, _authorization: str) -> bool:
        """Return whether this header has a token of whoever runs the house."""
        return False


class Access:
    """Everything about letting people in that one running server shares."""

    def __init__(
        self,
        tables: Nights,
        addresses: Addresses,
        *,
        has_others: bool = True,
    ) -> None:
        """Without `has_others` no other device reaches this app: nothing that needs one is offered."""
        self.has_others = has_others
        self.owners, self.lock, self.scripts = Owners(), Lock(), Scripts()
        self.counted_roles: Roles = frozenset({None, "knock", "watcher"})
        """The roles of whoever has no part in a night."""
        self.large_bodies: Mapping[str, int] = {}
        """The addresses that take more of a host than the server takes of others, and how many bytes."""
        self.devices = Devices(
            tables.store,
            clock=tables.seconds,
            publish=tables.live.publish,
        )
        self.invites = Invites(tables.store)
        self.addresses = addresses
        self.rows = rows = tables.store.temporary
        self.host_links = HostLinks(rows=rows)
        self.tries = GuessLimit(rows=rows)
        self.pace, self.network_pace = PostRateLimit(), PostRateLimit(240, 40)
        self.answered_forms = AnsweredForms()

    def body_limit(self, path: str, cookies: str, authorization: str) -> int:
        """Return how many bytes of a body the server takes in: more only for a night's file that a host imports."""
        if (most := self.large_bodies.get(path)) is None:
            return SERVER_LIMIT
        with suppress(DiskTrouble):
            if self.devices.is_site_host(cookies) or self.scripts.is_house(authorization):
                return most
        return SERVER_LIMIT

    def count_refusal(self, why: str) -> None:
        """Count a request that was refused, for an hour."""
        self.rows.tally("refused", why, REFUSED_SECONDS)

    def mint_host_link(self) -> str:
        """Return the path of a new link that makes the browser that opens it the host: once, within ten minutes."""
        return f"/host/{self.host_links.mint()}"


def install(app: Flask) -> None:
    """Put the question "who is this, and may they?" before every page."""
    # Before it is asked who this is: a form may have changed that.
    answered_forms.install(app)
    app.before_request(admit)
    app.after_request(send_cookies)
    app.teardown_request(end_request)


def get_access() -> Access:
    return cast(Access, current_app.extensions["access"])


def admit() -> Response | None:
    """Find out who sends this request, and refuse a page whose roles they have none of."""
    get_access().addresses.note(request)
    code = (request.view_args or {}).get("code")
    OWN_COLOURS.set(own_colours(code or (request.view_args or {}).get("night")))
    g.identity = identify(code)
    rules: PageRules = g.page_rules
    guards: Iterable[Guard] = current_app.extensions["guards"]
    for check in guards:
        check(rules)
    if request.endpoint is None:
        return None  # Flask answers 404 or 405 by itself
    if rules.needs_others and not get_access().has_others:
        abort(404)
    if request.method == "POST" and get_access().has_others:
        check_pace()
    is_allowed = not rules.roles.isdisjoint({None, g.identity.role})
    is_sent_again = "known_answer" in g
    if is_sent_again and (again := answer_again(is_allowed=is_allowed, is_there=get_access().devices.is_there)):
        return again
    if not is_allowed:
        abort(403)
    if rules.follows and (led := _to_next_night(rules.follows)):
        return led
    return None if rules.in_memory or not code else _back_to_the_table(code)


def end_request(_error: BaseException | None) -> None:
    """Keep the answer to a form for when it is sent again."""
    if form := g.pop("sent_form", None):
        g.answered_forms.end(form, g.pop("answer", None))


def check_pace() -> None:
    """Answer 429 to who sends faster than any hand taps, but for a script of whoever runs the house."""
    access, device = get_access(), g.identity.device
    if device:
        own_pace = access.scripts.pace if access.scripts.has_token(request) and is_house() else None
        is_left = (own_pace or access.pace).take(f"device {device}")
    else:
        is_left = access.pace.take(f"sender {sender()}")
        is_left = is_left and access.network_pace.take(f"network {network_of(sender())}")
    if not is_left:
        abort(429, description="pace")


def displays() -> Mapping[str, Display]:
    """Return the kinds of browsers that watch a night on pages of their own, by their names."""
    return cast(Mapping[str, Display], current_app.extensions["displays"])


def asked_display() -> str:
    """Return the name of the display that this request says it is; empty for none."""
    return next((name for name in displays() if name in request.values), "")


def lead_to_night(code: str, display: str = "") -> Response:
    """Send the browser to where a night is now, on the pages of a display."""
    return displays()[display].lead(code) if display else redirect_to_night(code)


def _to_next_night(follows: str) -> Response | None:
    """Lead a browser along, once, to the night that its people play after this one: it gets its role there."""
    display, code = follows if follows in displays() else "", g.identity.code
    row = get_access().devices.next_of(g.identity)
    next_night = NightSettings(get_access().devices.store, code).next_night if display and code else None
    if next_night and identify(next_night).role:  # a screen of a browser that is there already, as the host's is
        return lead_to_night(next_night, display)
    if row is None or identify(row.code).role:
        return None
    if follows == "part" or row.code is None:
        abort(403)
    get_access().devices.move_here(row)
    return lead_to_night(row.code, display)


def _back_to_the_table(code: str) -> Response | None:
    """Lead back to the table from pages that would keep something of a night in memory only, or show it to others."""
    table = readable_night(code)
    return redirect_to("table.page", code=code) if table and table.is_temporary else None


P = ParamSpec("P")
R = TypeVar("R")


def after_unlocking(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """Have the host's phone open the night's lock before a view does what a form asks."""

    @wraps(view)
    def run(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        code, lock = str(kwargs["code"]), get_access().lock
        return lock.page_first(code) if lock.asks(code, g.identity) else view(*args, **kwargs)

    return run


def in_turn(view: Callable[P, R]) -> Callable[P, R]:
    """Have one request at a time run a view that gives away what may be left once; who asks is looked up in turn."""

    @wraps(view)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        with cast(Nights, current_app.extensions["nights"]).store.one_at_a_time("give"):
            g.pop("site_identity", None)
            g.identity = identify((request.view_args or {}).get("code"))
            return view(*args, **kwargs)

    return run


def site_identity() -> Identity:
    """Return who sends this request outside of all nights."""
    if "site_identity" not in g:
        access = get_access()
        g.site_identity = access.scripts.identify(request, None) or access.devices.identity_of(request, None)
    found: Identity = g.site_identity
    return found


def is_house() -> bool:
    """Return whether this browser opened the terminal's link: it runs the house."""
    return site_identity().role == "host"


def may_change_for_all() -> bool:
    """Return whether a host may change what all nights share: where others open nights, whoever runs the house."""
    return not get_access().owners.are_several or is_house()


def is_own_night(code: str) -> bool:
    """Return whether a night is of the owner who asks."""
    identity = site_identity()
    return identity.role in OPENS_NIGHTS and get_access().owners.owner_of(code) == identity.owner


def own_nights() -> Callable[[str], bool]:
    """Return a function that says of a night's code what `is_own_night` says, for many nights."""
    identity = site_identity()
    return get_access().owners.is_own(identity.owner) if identity.role in OPENS_NIGHTS else lambda _code: False


def identify(code: str | None) -> Identity:
    """Return who sends this request, at one night or (None) outside of all.

    A night that is over may be looked at by the browser that is host outside the nights, whoever ran it. It is
    the host, at the first seat, of a night that is in memory only, where no device can be kept.
    """
    if script := get_access().scripts.identify(request, code):
        return script
    identity = get_access().devices.identity_of(request, code)
    if identity.role is None and code and is_own_night(code) and (table := readable_night(code)):
        host = site_identity()
        if table.is_temporary and host.role == "host":
            return replace(host, seat=table.night.all_seats[0], code=code)
        if table.night.is_over:
            return replace(host, role="watcher", code=code)
    return identity
