"""What a big screen shows of a game with a board: stacks as columns of chips, a big win, the newest events."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from tracker.app.open_night import OpenNight
from tracker.core.queries.summary import leaders
from tracker.web.context import get_template
from tracker.web.events import sentences
from tracker.web.notices import Notice
from tracker.web.snapshot import snapshot_of
from tracker.web.table.fragments import page_context, places_html
from tracker.web.table.view import BoardView

COLUMN, MOST_COLUMNS = 20, 12
LINES = 3
BIG_WIN_PART = 5
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


def big_win(view: BoardView) -> tuple[str, int] | None:
    """Return who has just won a lot by one event, and how much; None for anything smaller or not a win."""
    last = view.last
    if last is None or last.event.kind not in ("collect", "out", "poker", "sweep"):
        return None
    gains: dict[str, int] = {}
    for one in view.night.last_transfers:
        if one.target in view.night.people:
            gains[one.target] = gains.get(one.target, 0) + one.chips
    if not gains:
        return None
    seat = max(gains, key=lambda one: gains[one])
    is_big = gains[seat] * BIG_WIN_PART >= max(view.night.preset.stack, BIG_WIN_PART)
    return (seat, gains[seat]) if is_big else None


def tv_fragment(table: OpenNight, trouble: Notice | None) -> str:
    """Return the HTML of everything on the big screen that changes."""
    board_view = BoardView(snapshot_of(table))
    night = board_view.night
    return get_template("table/_tv.html").render(
        big_win=big_win(board_view),
        columns=columns,
        lines=lines(table),
        won=leaders(night) if night.is_over else [],
        places=places_html(board_view, table, is_button=False),
        trouble=trouble,
        **page_context(board_view, table),
    )


def lines(table: OpenNight) -> list[Markup]:
    """Return the newest events in force in words, the newest first."""
    history = table.history()
    newest = [history.line(number) for number, _, _ in history.steps[-LINES:]]
    return [sentences.sentence(one.entry, one.event, one.before, one.after) for one in reversed(newest) if one.after]
