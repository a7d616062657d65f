"""The board for a big screen: nothing to touch, everything to be read from the sofa."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from flask import Blueprint, Response, current_app, render_template
from markupsafe import Markup

from tracker.app.open_night import OpenNight
from tracker.core.queries.summary import leaders
from tracker.streaming.hub import Frame
from tracker.web.access.join_link import join_link
from tracker.web.context import get_table
from tracker.web.drawing import board
from tracker.web.events import wording
from tracker.web.notices import notice_for
from tracker.web.scene import Scene, scene_of
from tracker.web.score import pages
from tracker.web.stream_response import stream_response
from tracker.web.table.fragments import facts, places_html
from tracker.web.table.pages import is_score_game
from tracker.web.table.places_view import board_size
from tracker.web.table.view import BoardView
from tracker.web.wording.language import language

bp = Blueprint("tv", __name__)

COLUMN, MOST_COLUMNS = 20, 12
LINES = 3
FEAST_PART = 5
"""A win of a fifth of a starting stack fills the screen for two seconds."""


@dataclass(frozen=True)
class Stack:
    """A column of chips: how many lie in it, and where it stands, in widths of a column."""

    at: int
    chips: int


def columns(chips: int) -> tuple[Stack, ...]:
    """Return a stack as columns of twenty, so that wealth is seen from the sofa; a rich one ends in full columns."""
    full, rest = divmod(chips, COLUMN)
    heights = [COLUMN] * min(full, MOST_COLUMNS) + ([rest] if rest and full < MOST_COLUMNS else [])
    return tuple(Stack(at, height) for at, height in enumerate(heights))


def feast(view: BoardView) -> tuple[str, int] | None:
    """Return who has just won a lot by one event, and how much; None for anything smaller or not a win."""
    last = view.last
    if last is None or last.event.kind not in ("collect", "out", "poker", "sweep"):
        return None
    gains: dict[str, int] = {}
    for one in view.night.moved:
        if one.target in view.night.people:
            gains[one.target] = gains.get(one.target, 0) + one.chips
    if not gains:
        return None
    seat = max(gains, key=lambda one: gains[one])
    is_big = gains[seat] * FEAST_PART >= max(view.night.preset.stack, FEAST_PART)
    return (seat, gains[seat]) if is_big else None


@bp.get("/n/<code>/tv")
def page(code: str) -> str:
    """Show the board, the seats with their stacks, what happened last, and the code to join."""
    table = get_table(code)
    scene = scene_of(table)
    return render_template(
        "score/tv.html" if is_score_game(table) else "table/tv.html",
        name=table.name,
        live=fragment(table, scene),
        join_link=join_link(code),
        art="" if is_score_game(table) else board.art(board_size(scene.night)),
        base=f"/n/{code}",
        tab=secrets.token_hex(4),
    )


@bp.get("/n/<code>/tv/live")
def live(code: str) -> str:
    """Show what changes on the big screen."""
    table = get_table(code)
    return fragment(table, scene_of(table))


@bp.get("/n/<code>/tv/stream")
def stream(code: str) -> Response:
    """Send the big screen again after every change."""
    table = get_table(code)
    return stream_response(table, f"tv/{language()}", lambda _: Frame(table.head, fragment(table, scene_of(table))))


def fragment(table: OpenNight, scene: Scene) -> str:
    """Return the HTML of everything on the big screen that changes."""
    if is_score_game(table):
        return pages.tv_fragment(table, trouble=notice_for(table, None))
    board_view, night = BoardView(scene), scene.night
    return current_app.jinja_env.get_template("table/_tv.html").render(
        feast=feast(board_view),
        columns=columns,
        lines=lines(table),
        won=leaders(night) if night.is_over else [],
        places=places_html(board_view, table, is_button=False),
        trouble=notice_for(table, None),
        **facts(board_view, table),
    )


def lines(table: OpenNight) -> list[Markup]:
    """Return the newest events in force in words, the newest first."""
    history = table.history()
    newest = [history.line(number) for number, _, _ in history.trail[-LINES:]]
    return [wording.sentence(one.entry, one.event, one.before, one.after) for one in reversed(newest) if one.after]
