"""The tables of the room in which a club plays: their printed codes, and which night is played at which."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.app.open_night import OpenNight
from tracker.core.preset import Preset
from tracker.extras._night_summaries.pages import get_all_summaries
from tracker.extras.club.pages import club_here, get_club
from tracker.web.access.permissions import get_access, own_nights
from tracker.web.access.roles import ANYONE, OPENS_NIGHTS, may
from tracker.web.base.context import is_running, redirect_to
from tracker.web.wording.texts import whole_number

bp = Blueprint("room", __name__)


@bp.get("/t/<token>")
@may(ANYONE)
def room_table(token: str) -> ResponseReturnValue:
    """Lead to the night that goes on at a table of the room; before it is opened, say so: the page asks again."""
    number, code = get_club().room_table(token) or abort(404, description="token")
    summary = get_all_summaries().get(code) if code else None
    shown = get_access().invites.shown(code) if summary and is_running(summary) else None
    if "HX-Request" in request.headers:
        return render_template("club/_room_table.html", token=token if shown else "", number=number)
    if shown:
        return redirect_to("join.scan", token=shown[0])
    may_open = g.identity.role in OPENS_NIGHTS
    return render_template("club/room-table.html", token="", number=number, path=request.path, may_open=may_open)


# At which table a new night is played


class RoomChoice(NamedTuple):
    """The tables that are offered for a new night, and the one that is chosen; 0 for none."""

    numbers: list[int]
    chosen: int


@bp.app_template_global()
def room_choice() -> RoomChoice:
    """Return the tables to offer; chosen is what was asked for, else that of this host's newest night."""
    tables = free_room_tables()
    asked = whole_number(request.values.get("room-table", ""))
    last = next((number for number, is_own in tables.items() if is_own), 0)
    return RoomChoice([*tables], last if asked is None else asked)


def free_room_tables() -> dict[int, bool]:
    """Return the tables of the room at which no other host's night goes on, with whether the newest is an own one."""
    club, is_own = club_here(), own_nights()
    if club is None:
        return {}
    tables = club.room_tables()
    last = {one.code: one for one in get_all_summaries().of([table.night for table in tables.values() if table.night])}
    found = ((number, table.night, last.get(table.night)) for number, table in tables.items())
    return {
        number: summary is not None and is_own(night)
        for number, night, summary in found
        if summary is None or is_own(night) or not is_running(summary)
    }


def read_choice(form: Mapping[str, str], _game: Preset) -> Callable[[OpenNight], None]:
    """Return what has a new night be the one at the table that its form says, if that is free."""
    number = whole_number(form.get("room-table", "")) or 0

    def place(table: OpenNight) -> None:
        if number in free_room_tables():
            get_club().place(table.code, number)

    return place


def carry_on(old: OpenNight, new: OpenNight) -> None:
    """Have a night be at the table of the one that the same people played before it."""
    if (club := club_here()) and (number := club.place_of(old.code)):
        club.place(new.code, number)
