"""How a browser becomes a host of the club: by the club's link, by a yes of the house, by a link to another browser."""

from typing import Any

from flask import Blueprint, abort, current_app, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app import seating
from tracker.app.person_names import BadName, clean_name
from tracker.extras._night_summaries.pages import get_all_summaries
from tracker.extras._phones import RoleSettings
from tracker.extras.club.club import ASSISTANT, SCREEN, SEES_HOUSE, Club, new_owner
from tracker.storage import DeviceRow
from tracker.web.access.admission import hosts_of, send_away
from tracker.web.access.cookie_check import keeps_cookies
from tracker.web.access.permissions import get_access, in_turn
from tracker.web.access.request_guards import sender
from tracker.web.access.roles import ANYONE, OWNER, may
from tracker.web.base.context import form_page, get_nights, readable_night, redirect_to
from tracker.web.wording.texts import refusal

bp = Blueprint("club", __name__)


def club_here() -> Club | None:
    """Return the club of the app that answers; None where there is none."""
    club: Club | None = current_app.extensions.get("club")
    return club


def get_club() -> Club:
    """Return the club; answers 404 where there is none."""
    return club_here() or abort(404)


@bp.app_template_global()
def has_club() -> bool:
    return club_here() is not None


def way_in() -> ResponseReturnValue | None:
    """Return where a browser goes that opens tables already; None for everybody else."""
    if g.identity.role in SEES_HOUSE | {SCREEN}:
        return redirect_to("house.screen" if g.identity.role == SCREEN else "house.page")
    return redirect_to("home.index") if g.identity.role == OWNER else None


@bp.get("/club")
@may(ANYONE)
def page() -> ResponseReturnValue:
    """Ask for the name of somebody who wants to open tables, or show that the house was asked."""
    if way := way_in():
        return way
    if g.identity.role == "knock":
        return render_template("club/waiting.html", **answer_context())
    return name_page("")


@bp.get("/club/link/<token>")
@may(ANYONE)
def link_page(token: str) -> ResponseReturnValue:
    """Ask somebody who has the club's link for a name; nothing happens before they tap."""
    if not get_club().is_link(token):
        abort(404, description="club-link")
    return way_in() or name_page(token)


def name_page(token: str, wrong: str = "", typed: str = "") -> ResponseReturnValue:
    return form_page("club/name.html", wrong, token=token, typed=typed)


@bp.post("/club")
@may(ANYONE)
@keeps_cookies
@in_turn
def become_host() -> ResponseReturnValue:
    """Make a browser that has the club's link a host under the name that was typed."""
    token = request.form.get("token", "")
    if not get_club().is_link(token):
        abort(404, description="club-link")
    if way := way_in():
        return way
    try:
        name = free_name(request.form.get("name", ""))
    except BadName as bad:
        return name_page(token, refusal(bad), bad.name)
    check_room()
    get_access().devices.register_device(None, OWNER, seat=new_owner(), name=name)
    return redirect_to("home.index")


def free_name(typed: str, own: str = "") -> str:
    """Return a name as it is kept. Raises BadName also for one that another host has."""
    return clean_name(typed, [row.name for row in get_club().hosts() if row.seat != own])


def check_room() -> None:
    """Answer 429 when many have come from one address in a short time, or when the club has all its hosts."""
    if not get_club().new_hosts.take(sender()):
        abort(429)
    if len(get_club().hosts()) >= get_club().limits.hosts:
        abort(429, description="club-full")


# Asking the house


@bp.post("/club/ask")
@may(ANYONE)
@keeps_cookies
@in_turn
def ask() -> ResponseReturnValue:
    """Ask whoever runs the house to be let in as a host, or as the screen of the room, which has no name."""
    if way := way_in():
        return way
    try:
        name = "" if "screen" in request.form else free_name(request.form.get("name", ""))
    except BadName as bad:
        return name_page("", refusal(bad), bad.name)
    if not get_access().devices.make_room_to_wait(None, g.identity, sender()):
        abort(429, description="waiting-house")
    get_access().devices.register_device(None, "knock", name=name)
    return redirect_to("club.page")


@bp.get("/club/answer")
@may(ANYONE)
def answer() -> ResponseReturnValue:
    """Return what the house has said so far; the waiting page asks every two seconds."""
    return render_template("club/_answer.html", **answer_context())


def answer_context() -> dict[str, Any]:
    """Return `waiting`, `yes`, or `no` for somebody whom the house sent away."""
    identity = g.identity
    if identity.role is None:
        return {"state": "no"}
    return {"state": "yes" if identity.role != "knock" or get_access().devices.answer(identity) else "waiting"}


@bp.post("/club/enter")
@may(ANYONE)
@in_turn
def enter() -> ResponseReturnValue:
    """Become a host or a screen after a yes: only now the browser gets a token that can do anything."""
    devices, identity = get_access().devices, g.identity
    answer = devices.answer(identity) if identity.role == "knock" else None
    if answer and answer.role == SCREEN:
        devices.register_device(None, SCREEN)
    elif answer:
        if len(get_club().hosts()) >= get_club().limits.hosts:
            abort(429, description="club-full")
        devices.register_device(None, OWNER, seat=new_owner(), name=identity.name)
    return way_in() or redirect_to("club.page")


# An assistant of the house


@bp.get("/club/assist/<token>")
@may(ANYONE)
def assistant_page(token: str) -> ResponseReturnValue:
    """Ask for one tap; a link preview or a prefetch that opens this page changes nothing."""
    check_assistant_link(token)
    return way_in() or render_template("club/assist.html", token=token)


@bp.post("/club/assist")
@may(ANYONE)
@keeps_cookies
@in_turn
def become_assistant() -> ResponseReturnValue:
    """Make a browser an assistant of the house, unless it opens tables here."""
    check_assistant_link(request.form.get("token", ""))
    if way := way_in():
        return way
    get_access().devices.register_device(None, ASSISTANT)
    return redirect_to("house.page")


def check_assistant_link(token: str) -> None:
    """Answer 404 unless this is what the link for assistants ends in, 409 to a host of the club, who would lose it."""
    if not get_club().is_link(token, of_assistants=True):
        abort(404, description="club-link")
    if g.identity.role == OWNER:
        abort(409, description="club")


# A host's other browser


@bp.get("/club/move/<token>")
@may(ANYONE)
def moving_page(token: str) -> ResponseReturnValue:
    """Ask for one tap; a link preview or a prefetch that opens this page uses nothing up."""
    return render_template("club/move.html", token=token, host=host_of_link(token))


@bp.post("/club/move")
@may(ANYONE)
@keeps_cookies
@in_turn
def move() -> ResponseReturnValue:
    """Make this browser the host whom the link is for; the browser that was it is a stranger from now on."""
    row = host_of_link(request.form.get("token", ""))
    if way := way_in():
        return way
    owner = row.seat or ""
    get_club().end_link(owner)
    get_access().devices.move_here(row)
    for code in host_nights(owner):
        end_hosts(code)
        if table := readable_night(code):
            seat = seating.seat_by_name(table.night, row.name)
            get_access().devices.register_device(code, "host", seat=seat, name=row.name)
    return redirect_to("home.index")


def host_of_link(token: str) -> DeviceRow:
    """Return the host whom a link would give this browser; answers 410 when the link is used up."""
    return get_club().host_of_link(token) or abort(410, description="club-move")


def host_nights(owner: str) -> list[str]:
    """Return the codes of a host's nights that are not over."""
    own = get_all_summaries().only(get_club().is_own(owner))
    return [one.code for one in (*own.all(), *own.deleted()) if not one.is_over]


def end_hosts(code: str) -> None:
    """End every device that hosts a night, and the offer of its table; the others at the table stay."""
    if table := readable_night(code):
        table.settings.declared_by(RoleSettings).table_offer = None
    for row in hosts_of(code):
        send_away(row)
    get_nights().live.publish(code)
