"""The page for a big screen: nothing to touch, everything to be read from the sofa."""

import secrets

from flask import Blueprint, Response, g, render_template

from tracker.app.open_night import OpenNight
from tracker.streaming.hub import Frame
from tracker.streaming.stream import MARK
from tracker.web.access.devices import NOBODY
from tracker.web.access.join_link import join_link
from tracker.web.access.roles import ALLOWED_IN, may
from tracker.web.base.context import get_table, get_template
from tracker.web.drawing.board import art
from tracker.web.drawing.board_places import board_size
from tracker.web.night_result import NightResult, night_code
from tracker.web.notices import notices_for
from tracker.web.responses import stream_response
from tracker.web.table.pages import clock_part, pages_of
from tracker.web.wording.texts import language

bp = Blueprint("tv", __name__)


@bp.get("/n/<code>/tv")
@may(ALLOWED_IN, needs_others=True, follows="tv")
def page(code: str) -> str:
    """Show the game, the seats with their stacks or points, what happened last, and the code to join."""
    table = get_table(code)
    is_pots = table.preset.is_pot_game
    return render_template(
        "table/tv.html" if is_pots else "score/tv.html",
        art=art(board_size(table.night)) if is_pots else "",
        name=table.name,
        live=fragment(table),
        join_link=join_link(code),
        base=f"/n/{code}",
        tab=secrets.token_hex(4),
        is_watcher=g.identity.role == "watcher",
    )


@bp.get("/n/<code>/tv/live")
@may(ALLOWED_IN, needs_others=True, follows="part")
def live(code: str) -> str:
    return fragment(get_table(code))


@bp.get("/n/<code>/tv/stream")
@may(ALLOWED_IN, needs_others=True)
def stream(code: str) -> Response:
    table = get_table(code)
    return stream_response(table, f"tv/{language()}", lambda _: Frame(table.head, fragment(table)))


def fragment(table: OpenNight) -> str:
    shown = (
        result_html(table) if table.night.is_over else pages_of(table).tv_fragment(table, notices_for(table, NOBODY))
    )
    return (shown + clock_part(table)).replace(MARK, "")


def result_html(table: OpenNight) -> str:
    """Return how a night has ended: who wins, who pays whom, and everybody in the order of the ranking."""
    return get_template("table/_tv_end.html").render(
        head=table.head,
        notices=notices_for(table, NOBODY),
        result=NightResult(table.history()),
        night_code=night_code(table),
    )
