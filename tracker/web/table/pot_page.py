"""The pages of the games with a board: the table's page around its parts, and its sheets; no request is needed."""

import secrets
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from flask import abort, render_template

from tracker.app.open_night import OpenNight
from tracker.core.errors import TableError
from tracker.core.events import Event, Penalty, Undo
from tracker.core.night import Night
from tracker.core.queries.options import seat_options
from tracker.core.queries.prompts import most_cards
from tracker.core.queries.undo_policy import may_take_back
from tracker.core.settlement import has_money, price_of
from tracker.web.base.context import get_template
from tracker.web.base.snapshot import NightSnapshot, Viewer, snapshot_of
from tracker.web.drawing.board import art
from tracker.web.drawing.board_places import board_size
from tracker.web.table.parts import counted, fragments
from tracker.web.table.view import BoardView, TableView
from tracker.web.wording.game_words import change_words
from tracker.web.wording.texts import amount, refusal

__all__ = ["counted", "fragments", "page", "sheet"]


def page_context(board: BoardView, table: OpenNight) -> dict[str, Any]:
    """Return what the table's templates need beside the viewer: the same for all who look at one snapshot."""
    return {
        "snapshot": board.snapshot,
        "night": board.night,
        "moment": board.moment,
        "base": f"/n/{table.code}",
        "most": most_cards(board.night),
        "news": [change_words(board.night.preset, key, value) for key, value in board.night.new_rules.items()],
        "board": board,
        "board_size": board_size(board.night),
        "ui": get_template("shared/_macros.html").module,
        "words": get_template("table/_sentences.html").module,
    }


def page(table: OpenNight, viewer: Viewer, live: str, open_sheet: str) -> str:
    """Return the whole page around its fragments, with a sheet open on it when there is one."""
    view = TableView(snapshot_of(table), viewer)
    return render_template(
        "table/table.html",
        view=view,
        sheet=open_sheet,
        live=live,
        art=art(board_size(view.night)),
        name=table.name,
        is_temporary=table.is_temporary,
        tab=secrets.token_hex(4),
        **page_context(view.board, table),
    )


def sheet(table: OpenNight, viewer: Viewer, seat: str | None) -> str:
    """Return what can happen to one person, or what else the table offers; 404 for somebody who was never here."""
    view = TableView(snapshot_of(table), viewer)
    if seat is not None and seat not in view.night.people:
        abort(404)
    name = "table/_menu.html" if seat is None else "table/_sheet.html"
    whose = seat or viewer.seat  # the menu offers who looks to leave
    own = {
        "view": view,
        "sheet": sheet_view(view, whose, table.preview) if whose else None,
        "is_temporary": table.is_temporary,
    }
    ante_fault = refusal(view.board.ante_fault) if view.board.ante_fault else ""
    return render_template(name, **own, ante_fault=ante_fault, **page_context(view.board, table))


def sheet_view(view: TableView, seat: str, preview: Callable[[Event], Night]) -> SimpleNamespace | None:
    """Return what a seat's sheet offers, None for one who left; `preview` returns the state after an event."""
    night = view.night
    found = next((one for one in view.board.seats if one.face.seat == seat), None)
    if found is None:
        return None
    return SimpleNamespace(
        seat=found,
        options=seat_options(night, view.board.moment, seat),
        # The penalty that bars this seat, by its number, where the viewer may take it back and nothing hangs on it.
        lift=_lift(view, seat, preview),
        lenders=_lenders(night, seat),
        amounts=amounts(night),
        prices=prices(night, *amounts(night), found.stack),
    )


def amounts(night: Night) -> tuple[int, ...]:
    """Return the sums to buy or borrow with one tap: a small one, half a stack and a whole one."""
    stack = night.preset.stack or 100
    return tuple(sorted({max(1, stack // 10), max(1, stack // 5), max(1, stack // 2), stack}))


def prices(night: Night, *sums: int) -> dict[int, str]:
    """Return what each of some sums of chips costs in money, in the reader's language; nothing without money."""
    decimals = night.house_rules.money_decimals
    return {chips: amount(price_of(night, chips), decimals) for chips in sums} if has_money(night) else {}


def _lift(view: TableView, seat: str, preview: Callable[[Event], Night]) -> int | None:
    number, viewer = _penalty_of(view.snapshot, seat), view.viewer
    if number is None or not may_take_back(view.snapshot, viewer.role, viewer.seat, number):
        return None
    try:
        preview(Undo(number))
    except TableError:  # a withheld card that was matched since, for one
        return None
    return number


def _penalty_of(snapshot: NightSnapshot, seat: str) -> int | None:
    """Return the number of the newest penalty that bars a seat in this hand."""
    if snapshot.night.deal is None or seat not in snapshot.night.deal.barred:
        return None
    for entry in reversed(snapshot.entries):
        if entry.event.kind == "hand" and entry.number not in snapshot.undone:
            return None
        if isinstance(entry.event, Penalty) and entry.event.seat == seat and entry.number not in snapshot.undone:
            return entry.number
    return None


def _lenders(night: Night, seat: str) -> tuple[tuple[str, int], ...]:
    """Return the seats and pots that chips can be borrowed from, with what they hold, the richest first."""
    accounts = [*(one for one in night.seats if one != seat), *night.preset.board]
    found = [(one, chips) for one in accounts if (chips := night.ledger.balance(one))]
    return tuple(sorted(found, key=lambda one: -one[1]))
