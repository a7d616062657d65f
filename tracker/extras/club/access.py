"""What a club changes at every request and on every page of a night: who may ask for what, and what stands there."""

from collections.abc import Iterable, Iterator

from flask import Blueprint, Flask, abort, g, request
from flask.typing import ResponseReturnValue

from tracker.app.open_night import OpenNight
from tracker.app.person_names import comparison_key
from tracker.extras._people import LinkedSeat, device_facts
from tracker.extras.club.club import ASSISTANT, CLUB_ROLES, SCREEN, Club
from tracker.extras.club.pages import club_here, get_club
from tracker.extras.club.settings import ClubNightSettings
from tracker.web.access.devices import Identity
from tracker.web.access.permissions import Access, is_house, is_own_night, own_nights
from tracker.web.access.rate_limits import GuessLimit
from tracker.web.access.roles import HOST, OPENS_NIGHTS, OWNER, PageRules, may
from tracker.web.base.context import get_table, redirect_to_night
from tracker.web.error_pages import Words
from tracker.web.notices import Notice
from tracker.web.wording.texts import gettext as _, ngettext

bp = Blueprint("club_line", __name__)

PAGES = ("club", "house", "room", "club_line")
"""The blueprints with the pages of a club."""
COOKIE_SECONDS = 180 * 24 * 3600  # of whoever opens tables in a club, and may come once a month


def begin(app: Flask) -> None:
    """Let others open nights, where the command was told to; else no page of a club is there."""
    app.extensions["kept_about"]["host of the club"] = kept_about
    if not app.config["OPTIONS"].get("club"):
        app.extensions["guards"].append(refuse_pages)
        return
    access: Access = app.extensions["access"]
    access.owners = club = Club(access.devices.store)
    access.devices.other_identity, access.devices.site_cookie_seconds = club.identity_of, COOKIE_SECONDS
    access.counted_roles |= {SCREEN}
    # All tables may be behind one address: there one who mistypes must not hold up the others.
    access.tries = GuessLimit(30, rows=access.rows)
    app.extensions |= {"club": club, "own_nights": own_nights}
    app.extensions["clocks"].append(clock_of_series)
    app.extensions["guards"].append(check_owner)
    app.extensions["notices"].append(announcement_at)
    app.extensions["error_words"].append(error_words)
    app.extensions["starts"] |= {ASSISTANT: "house.page", SCREEN: "house.screen"}
    sentence = "The club's link: whoever opens it may open tables here"
    app.extensions["links"].append((sentence, lambda: f"/club/link/{club.token}"))


def refuse_pages(_rules: PageRules) -> None:
    """Answer 404 for a club's page: there is no club here."""
    if request.blueprint in PAGES:
        abort(404)


def check_owner(rules: PageRules) -> None:
    """Answer 404 for a night of somebody else, 403 for what is the house's, 409 to a host who would be the house."""
    role, night = g.identity.role, (request.view_args or {}).get("night")
    is_of_any_host = request.blueprint in PAGES or rules.of_all_nights
    if night and not is_of_any_host and role in OPENS_NIGHTS and not is_own_night(night):
        abort(404)
    if request.endpoint and role in CLUB_ROLES and rules.roles.isdisjoint({None, role}):
        abort(403, description="house")
    if rules.of_the_house and not is_house():
        abort(403, description="house")
    if role == OWNER and request.endpoint == "home.redeem":
        abort(409, description="club")


# What stands on the pages of a night


def announcement_at(table: OpenNight, identity: Identity) -> Notice | None:
    """Return which table was drawn for the viewer, and the house's line unless the host has taken it away here."""
    settings = get_club().settings
    line, number = settings.announcement, settings.drawn_seats.get(f"{table.code}/{identity.seat}")
    drawn = _("You sit at table %(n)s", n=number) if number else ""
    if line is None or table.is_temporary or night_settings(table).hidden_announcement == line.id:
        return Notice(drawn, announcement="seat") if drawn else None
    action = f"/n/{table.code}/line" if identity.role == "host" else ""
    return Notice(f"{drawn} · {line.text}" if drawn else line.text, action, line.id)


def night_settings(table: OpenNight) -> ClubNightSettings:
    return ClubNightSettings(get_club().store, table.code, table.show_again)


@bp.post("/n/<code>/line")
@may(HOST, needs_others=True)
def hide_announcement(code: str) -> ResponseReturnValue:
    """Take the house's line away at this table; one that came meanwhile stays."""
    night_settings(get_table(code)).hidden_announcement = request.form.get("line", "")
    return ("", 204) if request.headers.get("HX-Request") else redirect_to_night(code)


def clock_of_series(table: OpenNight) -> str | None:
    """Return the attributes of the clock of all tables, as a page has them: when it ends, or how many hands it is."""
    series = get_club().settings.series
    if series is None or table.night.is_over or table.is_temporary:
        return None
    if series.hands:
        return f'data-words="{ngettext("%(num)s hand", "%(num)s hands", series.hands)}"'
    return f'data-ends="{series.ends_at}" data-over="{_("Time!")}"'


# What others say of a club


def kept_about(name: str, _seats: Iterable[LinkedSeat], _persons: Iterable[str]) -> Iterator[dict[str, str]]:
    """Yield what is kept about the devices of a host of that name."""
    club = club_here()
    for row in club.hosts() if club else ():
        if comparison_key(row.name) == comparison_key(name):
            yield device_facts(row)


def error_words() -> Words:
    """Return a heading and what to do, for what only a club refuses."""
    return {
        "house": (_("That is for whoever runs the house"), _("Ask there, or go on at your own tables.")),
        "club-link": (_("This link is from earlier"), _("Ask whoever runs the house for the club’s link of today.")),
        "club-move": (_("This link is used up"), _("Ask whoever runs the house for another one.")),
        "club-full": (
            _("All places for hosts are taken"),
            _("Whoever runs the house can make room: a host who comes no more is dismissed there."),
        ),
        "club": (
            _("This browser is a host of the club"),
            _("Open the terminal’s link with another browser, or in a private window."),
        ),
        "has-host": (_("This table has a host"), _("Only a table that nobody hosts can be given away.")),
        "waiting-house": (
            _("Many are waiting already"),
            _("Ask whoever runs the house to answer them, then tap again."),
        ),
    }
