"""The pages for a big screen, to be read from the sofa, with nothing to touch; and how such a screen finds them."""

import secrets
from collections import Counter
from typing import cast

from flask import Blueprint, Flask, Response, g, render_template
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from tracker.app.open_night import OpenNight
from tracker.core.errors import N_
from tracker.extras._template_pages import PagesForAll, page_of, told_to_all
from tracker.streaming.hub import Frame
from tracker.streaming.stream import Page, Part, slot
from tracker.web.access.admission import PhoneQuestions
from tracker.web.access.devices import NOBODY, Identity
from tracker.web.access.join_link import join_link
from tracker.web.access.roles import ALLOWED_IN, ANYONE, Display, may
from tracker.web.base.context import get_table, get_template, is_lobby_open, macro_of, redirect_to
from tracker.web.base.snapshot import Viewer, snapshot_of
from tracker.web.drawing.board import art
from tracker.web.drawing.board_places import board_size
from tracker.web.events import sentences
from tracker.web.join.lobby import code_mark, lobby_seats
from tracker.web.join.pages import code_form
from tracker.web.night_result import NightResult
from tracker.web.notices import Messages, clock_of, notices_for
from tracker.web.responses import stream_response
from tracker.web.table.pages import pages_of
from tracker.web.table.parts import PARTS, Seen
from tracker.web.table.pot_page import page_context
from tracker.web.table.view import BoardView, TableView
from tracker.web.wording.texts import language

bp = Blueprint("tv", __name__)
COLUMN, MOST_COLUMNS = 20, 12
LINES = 3
BIG_WIN_PART = 5
"""A win of a fifth of a starting stack fills the screen for two seconds."""


def begin(app: Flask) -> None:
    """Let browsers join as a TV."""
    question = N_("A TV wants to show the table")
    app.extensions["displays"]["tv"] = Display("TV", question, "/tv", "tv/typed.html", lead)


def lead(code: str) -> AnyResponse:
    """Send a big screen to where a night is now: the code to scan before the first hand, else the board."""
    return redirect_to("tv.lobby" if is_lobby_open(get_table(code)) else "tv.page", code=code)


# How a big screen finds its page


@bp.get("/tv")
@may(ANYONE, needs_others=True)
def type_code() -> ResponseReturnValue:
    """Ask a big screen for the code: the address is short, as it is typed with a remote control."""
    return code_form(display="tv")


@bp.get("/n/<code>/on-tv")
@may(ALLOWED_IN, needs_others=True)
def instructions(code: str) -> ResponseReturnValue:
    """Show what to type on a big screen, so that the phone that asks keeps its own page."""
    table = get_table(code)
    return render_template("tv/instructions.html", table=table, join_link=join_link(code), is_open=is_lobby_open(table))


# Before the first hand


@bp.get("/n/<code>/lobby/tv")
@may(ALLOWED_IN, needs_others=True, follows="tv")
def lobby(code: str) -> str:
    """Show the code as large as a room needs it."""
    table = get_table(code)
    return render_template(
        "tv/lobby.html",
        table=table,
        join_link=join_link(code),
        seats=lobby_html(table),
        is_open=is_lobby_open(table),
        tab=secrets.token_hex(4),
        is_watcher=g.identity.role == "watcher",
    )


def lobby_html(table: OpenNight) -> str:
    return get_template("tv/_lobby.html").render(
        table=table,
        lobby_seats=lobby_seats(table, Identity()),
        notices=notices_for(table, NOBODY),
        begun="" if is_lobby_open(table) else f"/n/{table.code}/tv",
        code_mark=code_mark(table),
    )


@bp.get("/n/<code>/lobby/tv/seats")
@may(ALLOWED_IN, needs_others=True, follows="part")
def lobby_live(code: str) -> str:
    return lobby_html(get_table(code))


@bp.get("/n/<code>/lobby/tv/stream")
@may(ALLOWED_IN, needs_others=True, follows="part")
def lobby_stream(code: str) -> Response:
    table = get_table(code)
    view = f"lobby-tv/{language()}"
    return stream_response(table, view, lambda _: Frame(table.head, lobby_html(table)))


# The table


@bp.get("/n/<code>/tv")
@may(ALLOWED_IN, needs_others=True, follows="tv")
def page(code: str) -> str:
    """Show the game, the seats with their stacks or points, what happened last, and the code to join."""
    table = get_table(code)
    is_pots = table.preset.is_pot_game
    return render_template(
        "tv/page.html" if is_pots else "tv/score.html",
        art=art(board_size(table.night)) if is_pots else "",
        night=table.night,
        name=table.name,
        live=str(fragment(table)),
        join_link=join_link(code),
        base=f"/n/{code}",
        tab=secrets.token_hex(4),
        is_watcher=g.identity.role == "watcher",
    )


@bp.get("/n/<code>/tv/live")
@may(ALLOWED_IN, needs_others=True, follows="part")
def live(code: str) -> str:
    return str(fragment(get_table(code)))


@bp.get("/n/<code>/tv/stream")
@may(ALLOWED_IN, needs_others=True)
def stream(code: str) -> Response:
    table = get_table(code)
    return stream_response(table, f"tv/{language()}", lambda _: Frame(table.head, fragment(table)))


def fragment(table: OpenNight) -> Page:
    """Return everything on the big screen that changes."""
    page = (result_page if table.night.is_over else playing_page)(table)
    if clock := clock_of(table):
        part = Part("clock", str(macro_of("shared/_macros:clock")(*clock)))
        page = Page(page.frame + slot(part.name), (*page.groups, (part,)))
    told = told_to_all(table)
    return Page(page.frame + slot(told.name), (*page.groups, (told,)))


def playing_page(table: OpenNight) -> Page:
    notices = notices_for(table, NOBODY)
    if not table.preset.is_pot_game:
        pages = cast(PagesForAll, pages_of(table))
        return pages.page_for_all(table, pages.tv or "tv/_deals.html", notices=notices)
    snapshot, template = snapshot_of(table), "tv/_pots.html"
    seen = Seen(table, TableView(snapshot, Viewer()), Messages(PhoneQuestions(table.code), ()))
    facts = {"big_win": big_win(seen.board), "columns": columns, "lines": lines(table), "notices": notices}
    page = page_of(snapshot, template, template, {**page_context(seen.board, table), **facts})
    return Page(page.frame, (*page.groups, PARTS.group("places", seen, has_buttons=False)))


def columns(chips: int) -> list[int]:
    """Return a stack as columns of twenty, so that wealth is seen from the sofa; a rich one ends in full columns."""
    full, rest = divmod(chips, COLUMN)
    return [COLUMN] * min(full, MOST_COLUMNS) + ([rest] if rest and full < MOST_COLUMNS else [])


def big_win(board: BoardView) -> tuple[str, int] | None:
    """Return who has just won a lot by one event, and how much; None for anything smaller or not a win."""
    last = board.last
    if last is None or last.event.kind not in ("collect", "out", "poker", "sweep"):
        return None
    gains = Counter[str]()
    for one in board.night.last_transfers:
        if one.target in board.night.people:
            gains[one.target] += one.chips
    least = max(board.night.preset.stack, BIG_WIN_PART)
    return next((one for one in gains.most_common(1) if one[1] * BIG_WIN_PART >= least), None)


def lines(table: OpenNight) -> list[Markup]:
    """Return the newest events in force in words, the newest first."""
    history = table.history()
    newest = [history.line(number) for number, _, _ in history.steps[-LINES:]]
    return [sentences.sentence(one.event, one.before, one.after) for one in reversed(newest) if one.after]


def result_page(table: OpenNight) -> Page:
    """Return how a night has ended: who wins, who pays whom, and everybody in the order of the ranking."""
    html = get_template("tv/_end.html").render(
        head=table.head,
        notices=notices_for(table, NOBODY),
        result=NightResult(table.history()),
        table=table,
    )
    return Page(html)
