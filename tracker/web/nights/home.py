"""The first page, the link that makes a browser the host, and setting up a new night."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from flask import Blueprint, abort, current_app, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app.event_rows import new_id
from tracker.app.known_nights import KnownNight
from tracker.app.open_night import OpenNight
from tracker.app.settings import NightSettings
from tracker.core.errors import Unknown
from tracker.core.night import LOBBY, Night
from tracker.web.access.admission import has_host_browser
from tracker.web.access.cookie_check import keeps_cookies
from tracker.web.access.permissions import HOUSE, get_access, identify, in_turn, is_house, is_own_night, own_nights
from tracker.web.access.roles import ANYONE, AT_TABLE, OPENS_NIGHTS, may
from tracker.web.base.context import (
    get_known_nights,
    get_nights,
    get_table,
    is_lobby_open,
    is_running,
    readable_night,
    redirect_to,
)
from tracker.web.drawing.game_picture import picture_of
from tracker.web.drawing.player_token import PlayerToken, tokens_of
from tracker.web.nights.new_night import game_choice, known_name
from tracker.web.nights.past_night import N, PastNight
from tracker.web.wording.dates import day_of
from tracker.web.wording.texts import LANGUAGES, YEAR_SECONDS, gettext as _, listed as listed_words, ngettext

bp = Blueprint("home", __name__)

MOST_RUNNING = 8
"""Each night that goes on is loaded for its card; as many stay in memory."""
MOST_NEWEST = 12
"""How many of the past are listed where no page has all of them."""
MOST_AGAIN, MOST_LATELY = 3, 6
"""So many games are offered again; the one played most in so many nights comes first."""
NEWEST = 30
"""How many nights are looked at for one that goes on, when a browser becomes a host."""


# The first page


@bp.get("/")
@may(ANYONE)
def index() -> ResponseReturnValue:
    """Show what goes on and how to play again; before the first night, the choice of the game; to a stranger, /join."""
    is_host, is_house = g.identity.role in OPENS_NIGHTS, g.identity.role == "host"
    mine, is_own = codes_of_own(), own_nights()
    known = get_known_nights().listed(lambda code: code in mine or is_own(code)) if is_host or mine else []
    own, listed = [one for one in known if is_own(one.code)], [one for one in known if not one.put_away]
    own_codes = {one.code for one in own}
    running = [one for one in listed if is_running(one)][:MOST_RUNNING]
    cards = {one.code for one in running}
    past = [one for one in listed if one.code not in cards]
    open_ = tables_of(one for one in running if one.code in mine)
    if not is_host and not open_ and not past:
        starts: Mapping[str | None, str] = current_app.extensions["starts"]
        return redirect_to(starts.get(g.identity.role, "join.code_form"))
    others = of_other_browsers([one for one in running if one.code in own_codes], mine)
    is_first = is_host and not listed and not get_known_nights().rows(is_own)
    goes_on = any((open_, *others.values()))
    return render_template(
        "nights/home.html",
        evening_line=evening_line,
        is_lobby_open=is_lobby_open,
        names_of=lambda night: listed_words(night.name(seat) for seat in night.seats),
        open=open_,
        **others,
        goes_on=goes_on,
        again=played_again(past) if is_host and not goes_on else [],
        newest=past_rows(past[:MOST_NEWEST]),
        own=own,
        own_codes=own_codes,
        mine=mine,
        is_host=is_host,
        is_house=is_house,
        key=new_id(),
        host=known_name(),
        choice=game_choice() if is_first else None,
        wrong="",
    )


class PlayedAgain(NamedTuple):
    """A night whose game the first page offers once more."""

    code: str
    game: str
    picture: str
    faces: Sequence[PlayerToken]


def played_again(past: Sequence[KnownNight]) -> list[PlayedAgain]:
    """Return the nights to play again: the newest of the game played most of late, then of two others."""
    ended = [one for one in past if one.is_over and one.hands and is_own_night(one.code)]
    times = Counter(one.game_name for one in ended[:MOST_LATELY])
    newest = {one.game_name: one for one in reversed(ended)}
    most = [newest[name] for name, _times in times.most_common(1)]
    others = [one for one in ended if one is newest[one.game_name] and one not in most]
    return [again_of(one) for one in (*most, *others)[:MOST_AGAIN]]


def again_of(night: KnownNight) -> PlayedAgain:
    """Return how the first page shows a night that can be played again: its game's picture and who sat there."""
    colours = NightSettings(get_nights().store, night.code).colours.all()
    drawn = tokens_of(tuple((one.seat, one.name, colours.get(one.seat, 0)) for one in night.seats))
    picture = ""
    with suppress(Unknown):  # a board of the house may be deleted
        picture = picture_of(get_nights().library.find(night.preset))
    return PlayedAgain(night.code, night.game_name, picture, [drawn[one.seat] for one in night.seats if one.is_here])


# What is rare


@bp.get("/files")
@may(OPENS_NIGHTS)
def files() -> str:
    """List what is kept on this machine, and what brings nights in and takes them out."""
    return render_template("nights/machine.html", is_house=is_house())


def of_other_browsers(running: Iterable[KnownNight], mine: Collection[str]) -> dict[str, list[OpenNight]]:
    """Return the nights that go on and that no browser hosts, and those that only another one is at."""
    hosted = [(one, has_host_browser(one.code)) for one in running]
    return {
        "unhosted": tables_of(one for one, is_hosted in hosted if not is_hosted),
        "elsewhere": tables_of(one for one, is_hosted in hosted if is_hosted and one.code not in mine),
    }


def past_rows(summaries: Iterable[N]) -> list[PastNight[N]]:
    """Return nights as the lists show them, with their notes, in the same order."""
    notes = get_nights().store.settings_of_nights(NightSettings.note.key)
    return [PastNight(one, notes.get(one.code, "")) for one in summaries]


def evening_line(night: Night) -> str:
    """Return how far a night is that goes on."""
    players = ngettext("%(num)s player", "%(num)s players", len(night.seats))
    if night.phase == LOBBY:
        line = _("People are sitting down. %(players)s so far.", players=players)
    elif not night.preset.is_pot_game:
        line = _("%(players)s, deal %(n)s.", players=players, n=night.hand)
    else:
        line = _(
            "Hand %(n)s, %(dealer)s deals. %(players)s, %(chips)s chips on the board.",
            n=night.hand,
            dealer=night.people[night.dealer].name if night.dealer else "",
            players=players,
            chips=sum(night.pot(pot) for pot in night.preset.board),
        )
    return str(line)


def codes_of_own() -> set[str]:
    devices = get_access().devices
    return {code for code in devices.nights_of(request) if devices.identity_of(request, code).role}


def tables_of(summaries: Iterable[KnownNight]) -> list[OpenNight]:
    return [table for one in summaries if (table := readable_night(one.code))]


@bp.post("/language")
@may(ANYONE)
def language() -> ResponseReturnValue:
    """Keep this device's language; the page of the night that it was chosen at comes back."""
    code = request.form.get("night", "")
    response = redirect_to("table.page", code=code) if code.isascii() and code.isalnum() else redirect_to("home.index")
    if request.form.get("lang") in LANGUAGES:
        response.set_cookie(
            "lang", request.form["lang"], max_age=YEAR_SECONDS, samesite="Lax", secure=request.is_secure
        )
    return response


# Becoming the host


@bp.get("/host/<token>")
@may(ANYONE, needs_others=True)
def host_link(token: str) -> ResponseReturnValue:
    """Ask for one tap; a link preview or a prefetch that opens this page uses nothing up."""
    if not get_access().host_links.is_good(token):
        abort(410)
    of_house = get_known_nights().newest_listed(get_access().owners.is_own(HOUSE), NEWEST)
    going_on = [one for one in of_house if not one.is_over]
    others = [one for one in going_on if identify(one.code).role != "host"]
    return render_template("nights/host-link.html", token=token, others=others, day_of=day_of)


@bp.post("/host")
@may(ANYONE, needs_others=True)
@keeps_cookies
def redeem() -> ResponseReturnValue:
    """Make this browser the host of new nights, and of one that is going on if that was chosen."""
    code = request.form.get("night", "")
    with get_access().host_links.redeem(request.form.get("token", "")) as value:
        if value is None:
            abort(410)
        if code and (get_nights().get(code).is_temporary or get_access().owners.owner_of(code) != HOUSE):
            abort(404)
        get_access().devices.register_device(None, "host")
        if not code:
            return redirect_to("home.index")
        before = identify(code)
        seat = before.seat if before.role in AT_TABLE else None  # whoever waits only wants a seat
        get_access().devices.register_device(code, "host", seat=seat, name=before.name)
    return redirect_to("table.page", code=code)


def may_take_over(summary: KnownNight) -> bool:
    """Return whether this browser may become the host of its own night: it is over, or no browser hosts it."""
    is_free = not (is_running(summary) and has_host_browser(summary.code))
    return is_free and is_own_night(summary.code) and identify(summary.code).role != "host"


@bp.post("/take-over")
@may(OPENS_NIGHTS, needs_others=True)
@in_turn
def take_over() -> ResponseReturnValue:
    """Make this browser, which opens the nights of this machine, the host of a night that no browser goes on with."""
    code = request.form.get("night", "")
    table = get_table(code)
    if not is_own_night(code):
        abort(404)
    if identify(code).role != "host":
        if not may_take_over(get_known_nights().of_open(table)):
            abort(403)
        get_access().invites.open(code)
        get_access().devices.register_device(code, "host")
        get_nights().live.publish(code)
    return redirect_to("lobby.page" if is_lobby_open(table) else "table.page", code=code)
