"""The first page, the link that makes a browser the host, and setting up a new night."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_babel import ngettext

from tracker.core.night import LOBBY, Night
from tracker.presets.bundles import all_bundled
from tracker.store import NightRow
from tracker.web.access import door, identify
from tracker.web.here import readable, see, tables, the_table
from tracker.web.language import LANGUAGES, YEAR_SECONDS

bp = Blueprint("home", __name__)

NEWEST = 30
"""How many nights the first page looks at; the others stand in the book of all nights."""


@dataclass(frozen=True)
class Evening:
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
        """Who came out best, by name; several when they are level."""
        if not self.night.people:
            return []
        score = self.night.points.get if self.night.preset.game != "pots" else self.night.net
        best = max(score(seat) or 0 for seat in self.night.people)
        return [person.name for seat, person in self.night.people.items() if (score(seat) or 0) == best]


# The first page


@bp.get("/")
def index() -> ResponseReturnValue:
    """Shows the nights this browser belongs to; to a stranger, the way to the table."""
    evenings = evenings_of(g.who.role == "host")
    if g.who.role is None and not evenings:
        return see("join.typed")
    open_ = [evening for evening in evenings if not evening.night.is_over]
    over = [evening for evening in evenings if evening.night.is_over]
    shown = {"open": open_, "over": over[:8], "hero": all_bundled()[0]}
    return render_template("home.html", who=g.who, evening_line=evening_line, **shown)


def evening_line(evening: Evening) -> str:
    """Returns where a night is, in a sentence."""
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


def evenings_of(is_host: bool) -> list[Evening]:
    """Returns the nights that this browser may enter, the newest first."""
    mine = set(door().devices.nights_of(request))
    found = []
    for row in tables().nights()[:NEWEST]:
        role = identify(row.code).role if row.code in mine or is_host else None
        table = readable(row.code) if role else None
        if table:
            found.append(Evening(row.code, row.name, table.night, row, role))
    return found


@bp.post("/language")
def language() -> ResponseReturnValue:
    """Keeps this device's language."""
    response = see("home.index")
    if request.form.get("lang") in LANGUAGES:
        response.set_cookie(
            "lang", request.form["lang"], max_age=YEAR_SECONDS, samesite="Lax", secure=request.is_secure
        )
    return response


@bp.get("/trust")
def trust() -> str:
    """Says what can be relied on, and what plain http on a home network can't promise."""
    return render_template("trust.html")


# Becoming the host


@bp.get("/host/<token>")
def host_link(token: str) -> ResponseReturnValue:
    """Asks for one tap; a link preview or a prefetch that opens this page uses nothing up."""
    if not door().host_links.is_good(token):
        abort(410)
    others = [row for row in tables().nights() if identify(row.code).role != "host" and is_on(row.code)]
    return render_template("host.html", token=token, others=others)


def is_on(code: str) -> bool:
    table = readable(code)
    return table is not None and not table.night.is_over


@bp.post("/host")
def redeem() -> ResponseReturnValue:
    """Makes this browser the host of new nights, and of one that is going on if that was chosen."""
    code = request.form.get("night", "")
    table = the_table(code) if code else None
    if not door().host_links.redeem(request.form.get("token", "")):
        abort(410)
    door().devices.welcome(None, "host")
    if table is None:
        return see("home.index")
    before = identify(code)
    door().devices.welcome(code, "host", seat=before.seat, name=before.name)
    return see("table.page", code=code)
