"""The first page, the link that makes a browser the host, and setting up a new night."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.core.night import LOBBY, Night
from tracker.core.queries.summary import leaders
from tracker.formats.built_in import FEATURED, built_in
from tracker.storage import NightRow
from tracker.web.access.hosts import has_host_browser
from tracker.web.access.permissions import AT_TABLE, get_access, identify
from tracker.web.context import get_nights, get_table, is_lobby_open, readable, redirect_to
from tracker.web.wording.language import LANGUAGES, YEAR_SECONDS
from tracker.web.wording.texts import gettext as _
from tracker.web.wording.texts import ngettext

bp = Blueprint("home", __name__)

NEWEST = 30
"""How many nights the first page looks at; the others stand in the book of all nights."""


@dataclass(frozen=True)
class NightCard:
    """A night as a card on the first page."""

    code: str
    name: str
    night: Night
    row: NightRow
    role: str | None

    @property
    def chips_on_board(self) -> int:
        return sum(self.night.pot(pot) for pot in self.night.preset.board)

    @property
    def dealer(self) -> str:
        """Who deals now, by name."""
        return self.night.people[self.night.dealer].name if self.night.dealer else ""

    @property
    def winners(self) -> list[str]:
        """Who came out best, by name; several when they are level, nobody where no hand was played."""
        return [self.night.name(seat) for seat in leaders(self.night)]


# The first page


@bp.get("/")
def index() -> ResponseReturnValue:
    """Show the nights this browser belongs to; to a stranger, the way to the table."""
    evenings = evenings_of(g.who.role == "host")
    if g.who.role is None and not evenings:
        return redirect_to("join.code_form")
    open_ = [evening for evening in evenings if not evening.night.is_over]
    over = [evening for evening in evenings if evening.night.is_over]
    unhosted = nights_without_host() if g.who.role == "host" else []
    shown = {"open": open_, "unhosted": unhosted, "over": over[:8], "hero": built_in(FEATURED[0])}
    return render_template("nights/home.html", who=g.who, evening_line=evening_line, **shown)


def evening_line(evening: NightCard) -> str:
    """Return where a night is, in a sentence."""
    night = evening.night
    players = ngettext("%(num)s player", "%(num)s players", len(night.seats))
    if night.phase == LOBBY:
        line = _("People are sitting down. %(players)s so far.", players=players)
    elif night.preset.game != "pots":
        line = _("%(players)s, deal %(n)s.", players=players, n=night.hand)
    else:
        line = _(
            "Hand %(n)s, %(dealer)s deals. %(players)s, %(chips)s chips on the board.",
            n=night.hand,
            dealer=evening.dealer,
            players=players,
            chips=evening.chips_on_board,
        )
    return str(line)


def evenings_of(is_host: bool) -> list[NightCard]:
    """Return the nights that this browser may enter, the newest first."""
    mine = set(get_access().devices.nights_of(request))
    found = []
    for row in get_nights().nights()[:NEWEST]:
        role = identify(row.code).role if row.code in mine or is_host else None
        table = readable(row.code) if role else None
        if table:
            found.append(NightCard(row.code, row.name, table.night, row, role))
    return found


@bp.post("/language")
def language() -> ResponseReturnValue:
    """Keep this device's language."""
    response = redirect_to("home.index")
    if request.form.get("lang") in LANGUAGES:
        response.set_cookie(
            "lang", request.form["lang"], max_age=YEAR_SECONDS, samesite="Lax", secure=request.is_secure
        )
    return response


@bp.get("/trust")
def trust() -> str:
    """Say what can be relied on, and what plain http on a home network can't promise."""
    return render_template("nights/trust.html")


def nights_without_host() -> list[NightCard]:
    """Return the nights going on that no browser hosts, as one that a script has opened; the newest first."""
    rows = [row for row in get_nights().nights()[:NEWEST] if not has_host_browser(row.code)]
    cards = [NightCard(row.code, row.name, table.night, row, None) for row in rows if (table := readable(row.code))]
    return [card for card in cards if not card.night.is_over]


# Becoming the host


@bp.get("/host/<token>")
def host_link(token: str) -> ResponseReturnValue:
    """Ask for one tap; a link preview or a prefetch that opens this page uses nothing up."""
    if not get_access().host_links.is_good(token):
        abort(410)
    others = [row for row in get_nights().nights() if identify(row.code).role != "host" and is_on(row.code)]
    return render_template("nights/host-link.html", token=token, others=others)


def is_on(code: str) -> bool:
    table = readable(code)
    return table is not None and not table.night.is_over


@bp.post("/host")
def redeem() -> ResponseReturnValue:
    """Make this browser the host of new nights, and of one that is going on if that was chosen."""
    code = request.form.get("night", "")
    table = get_table(code) if code else None
    if not get_access().host_links.redeem(request.form.get("token", "")):
        abort(410)
    get_access().devices.register_device(None, "host")
    if table is None:
        return redirect_to("home.index")
    before = identify(code)
    seat = before.seat if before.role in AT_TABLE else None  # whoever waits only wants a seat
    get_access().devices.register_device(code, "host", seat=seat, name=before.name)
    return redirect_to("table.page", code=code)


@bp.post("/take-over")
def take_over() -> ResponseReturnValue:
    """Make this browser, which opens the nights of this machine, the host of a night that no browser hosts."""
    code = request.form.get("night", "")
    table = get_table(code)
    if identify(code).role != "host":
        if has_host_browser(code):
            abort(403)
        if get_access().invites.shown(code) is None:
            get_access().invites.renew(code)
        get_access().devices.register_device(code, "host")
        get_nights().live.publish(code)
    return redirect_to("lobby.page" if is_lobby_open(table.night) else "table.page", code=code)
