"""The table's page: the board, the seats and the dock, the moves made on it, and the stream that keeps it true."""

from __future__ import annotations

import secrets

from flask import Blueprint, Response, abort, g, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from tracker.app.open_night import OpenNight, Outcome
from tracker.core.errors import AlreadyDone, Stale, TableError
from tracker.storage import NotSaved
from tracker.streaming.hub import Frame
from tracker.web import notices
from tracker.web.context import get_nights, get_table
from tracker.web.drawing import board
from tracker.web.events import wording
from tracker.web.join import join_requests
from tracker.web.log_sentences import refusal_in_log
from tracker.web.reader import Reader, get_reader, viewer_of
from tracker.web.scene import scene_of
from tracker.web.score import moves, pages
from tracker.web.stream_response import stream_response
from tracker.web.table import recording
from tracker.web.table.fragments import facts, page_fragments
from tracker.web.table.seat_sheet import sheet_view
from tracker.web.table.view import table_view
from tracker.web.wording.language import language
from tracker.web.wording.texts import gettext

bp = Blueprint("table", __name__)


def is_score_game(table: OpenNight) -> bool:
    """Return whether this night keeps a score: its page has no board, but the same addresses."""
    return table.preset.game != "pots"


def shown(table: OpenNight, reader: Reader, refusal: str = "", note: str = "") -> str:
    """Return what changes on the page of this night, for this reader; needs no request."""
    who, viewer = reader.who, viewer_of(table, reader.who)
    notices_for = {"asked": join_requests.asked_of(table, who), "trouble": notices.notice_for(table, who.role)}
    if is_score_game(table):
        return pages.fragment(table, viewer, refusal, **notices_for)
    return page_fragments(table_view(scene_of(table), viewer), table, refusal, note, **notices_for)


@bp.get("/n/<code>")
def page(code: str) -> str:
    """Show the table to whoever sits at it or watches."""
    return _page(get_table(code))


def _page(table: OpenNight, sheet: str = "") -> str:
    """Return the whole page, with a sheet open on it when there is one."""
    live, viewer = shown(table, get_reader()), viewer_of(table, g.who)
    if is_score_game(table):
        return pages.page(table, viewer, live, sheet)
    view = table_view(scene_of(table), viewer)
    return render_template(
        "table/table.html",
        view=view,
        sheet=sheet,
        live=live,
        art=board.art(view.board_size),
        name=table.name,
        tab=secrets.token_hex(4),
        **facts(view, table),
    )


@bp.get("/n/<code>/live")
def live(code: str) -> str:
    """Show what changes on the page: asked for when a phone wakes up or finds that it missed something."""
    return shown(get_table(code), get_reader())


@bp.get("/n/<code>/stream")
def stream(code: str) -> Response:
    """Send the page's changing part again after every change, to everybody who sees the same."""
    table = get_table(code)
    return stream_response(table, view_name(), lambda reader: Frame(table.head, shown(table, reader)))


def view_name() -> str:
    """Return the name that everybody's view has who sees the same as whoever asks."""
    return "/".join(("table", g.who.role or "", g.who.seat or "", language()))


def answer(table: OpenNight, error: str, note: str) -> str:
    """Return what changes on the page; where nothing else is to be said, what its stream was sent just now."""
    sent = None if error or note else get_nights().live.shown(table.code, view_name())
    return sent.html if sent else shown(table, get_reader(), error, note)


@bp.get("/n/<code>/sheet")
def menu(code: str) -> str:
    """Show what else the table offers: the deal, the last hand, chips by hand, other pages."""
    return _sheet(code, None)


@bp.get("/n/<code>/sheet/<seat>")
def sheet(code: str, seat: str) -> str:
    """Show what can happen to one person: penalties, buying, borrowing, paying, sitting out, leaving."""
    return _sheet(code, seat)


def _sheet(code: str, seat: str | None) -> str:
    """Return a sheet; for an address that was typed or loaded again, the whole page with the sheet open on it."""
    table = get_table(code)
    html = _sheet_html(table, seat)
    return html if request.headers.get("HX-Request") else _page(table, html)


def _sheet_html(table: OpenNight, seat: str | None) -> str:
    if is_score_game(table):
        return pages.sheet(table, viewer_of(table, g.who), seat)
    view = table_view(scene_of(table), viewer_of(table, g.who))
    if seat is not None and seat not in view.night.people:
        abort(404)
    name = "table/_menu.html" if seat is None else "table/_sheet.html"
    found = sheet_view(view, seat) if seat else None
    return render_template(name, view=view, sheet=found, **facts(view, table))


@bp.post("/n/<code>/record")
def record(code: str) -> str | tuple[str, int] | AnyResponse:
    """Do what a form asks and answer with the page's changing part; a refusal comes with its reason."""
    table, error, note, status = get_table(code), "", "", 200
    form = request.form.to_dict()  # in a MultiDict, each field that is missing costs an exception
    try:
        if is_score_game(table):
            moves.handle_move(table, form)
        else:
            note = already(table, recording.handle_move(table, form))
    except NotSaved:
        error, status = gettext("Not saved: the disk is full or read-only. The table can only be read."), 503
    except (Stale, AlreadyDone) as refusal:
        error, status = refusal_in_log(refusal, table.history()), 409
    except TableError as refusal:
        error, status = refusal_in_log(refusal, table.history()), 422
    if not request.headers.get("HX-Request") and not error:
        return redirect(f"/n/{code}", code=303)
    return answer(table, error, note), status


def already(table: OpenNight, done: Outcome | None) -> str:
    """Return who was faster with the same entry, as a sentence; nothing for a form that one phone sent twice."""
    if done is None or done.is_fresh or done.entry.by == g.who.by:
        return ""
    who = wording.recorder(done.entry.by, table.night)
    sentence: str = gettext("%(name)s has recorded that already. Nothing counts twice.", name=who)
    return sentence
