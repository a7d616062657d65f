"""The board for a big screen: nothing to touch, everything to be read from the sofa."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, current_app, render_template
from markupsafe import Markup

from tracker.core.summary import winners
from tracker.live import Frame
from tracker.table import Table
from tracker.web import board, drawn, score, words
from tracker.web.here import the_table
from tracker.web.history import history_of
from tracker.web.join import ways
from tracker.web.language import language
from tracker.web.moments import stages
from tracker.web.places import board_size
from tracker.web.scenes import scene_of
from tracker.web.streaming import stream_response
from tracker.web.table import is_score_game, rule_news
from tracker.web.views import Scene, TableView, Viewer, table_view

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


def feast(view: TableView) -> tuple[str, int] | None:
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
    table = the_table(code)
    scene = scene_of(table)
    return render_template(
        "score_tv.html" if is_score_game(table) else "tv.html",
        name=table.name,
        live=fragment(table, scene),
        ways=ways(code),
        art="" if is_score_game(table) else board.art(board_size(scene.night)),
        base=f"/n/{code}",
        tab=secrets.token_hex(4),
    )


@bp.get("/n/<code>/tv/live")
def live(code: str) -> str:
    """Show what changes on the big screen."""
    table = the_table(code)
    return fragment(table, scene_of(table))


@bp.get("/n/<code>/tv/stream")
def stream(code: str) -> Response:
    """Send the big screen again after every change."""
    table = the_table(code)
    return stream_response(table, f"tv/{language()}", lambda: Frame(table.head, fragment(table, scene_of(table))))


def fragment(table: Table, scene: Scene) -> str:
    """Return the HTML of everything on the big screen that changes."""
    if is_score_game(table):
        return score.tv_fragment(table)
    view = table_view(scene, Viewer())
    template = current_app.jinja_env.get_template("partials/_tv.html")
    return template.render(view=view, feast=feast(view), columns=columns, lines=lines(table), **_facts(view))


def _facts(view: TableView) -> dict[str, Any]:
    night = view.night
    won = winners(night) if night.is_over and night.hand else []
    return {"draw": drawn.drawing(view.scene), "stages": stages(night), "news": rule_news(night), "won": won}


def lines(table: Table) -> list[Markup]:
    """Return the newest events in force in words, the newest first."""
    history = history_of(table)
    newest = [history.line(number) for number, _ in history.events[-LINES:]]
    return [words.sentence(one.entry, one.event, one.before, one.after) for one in reversed(newest) if one.after]
