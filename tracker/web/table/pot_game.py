"""The pages of the games with a board of pots."""

from __future__ import annotations

import secrets
from typing import Any

from flask import abort, render_template

from tracker.app.open_night import OpenNight
from tracker.web.drawing import board
from tracker.web.drawing.board_places import board_size
from tracker.web.game_kinds import GameKind, Messages
from tracker.web.snapshot import Viewer, snapshot_of
from tracker.web.table.fragments import page_context, page_fragments
from tracker.web.table.recording import handle_move
from tracker.web.table.seat_sheet import sheet_view
from tracker.web.table.tv_view import tv_fragment
from tracker.web.table.view import table_view


def page(table: OpenNight, viewer: Viewer, live: str, open_sheet: str) -> str:
    """Return the whole page around its fragments, with a sheet open on it when there is one."""
    view = table_view(snapshot_of(table), viewer)
    return render_template(
        "table/table.html",
        view=view,
        sheet=open_sheet,
        live=live,
        art=board.art(view.board_size),
        name=table.name,
        is_temporary=table.is_temporary,
        tab=secrets.token_hex(4),
        **page_context(view, table),
    )


def fragments(table: OpenNight, viewer: Viewer, messages: Messages) -> str:
    """Return both fragments of the page."""
    return page_fragments(table_view(snapshot_of(table), viewer), table, messages)


def sheet(table: OpenNight, viewer: Viewer, seat: str | None) -> str:
    """Return what can happen to one person, or what else the table offers; 404 for somebody who was never here."""
    view = table_view(snapshot_of(table), viewer)
    if seat is not None and seat not in view.night.people:
        abort(404)
    name = "table/_menu.html" if seat is None else "table/_sheet.html"
    whose = seat or viewer.seat  # the menu offers who looks to leave
    own = {
        "view": view,
        "sheet": sheet_view(view, whose, table.preview) if whose else None,
        "is_temporary": table.is_temporary,
    }
    return render_template(name, **own, **page_context(view, table))


def tv_page(table: OpenNight, **facts_: Any) -> str:
    """Return the page for a big screen."""
    return render_template("table/tv.html", art=board.art(board_size(table.night)), **facts_)


POT_GAME = GameKind(page, fragments, sheet, tv_page, tv_fragment, handle_move)
