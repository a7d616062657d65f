"""The table's page: the board, the seats and the dock, the moves made on it, and the stream that keeps it true."""

from __future__ import annotations

import secrets
from typing import Any

from flask import Blueprint, Response, abort, current_app, g, redirect, render_template, request
from flask_babel import gettext
from werkzeug.wrappers import Response as AnyResponse

from tracker.core.errors import AlreadyDone, Stale, TableError
from tracker.core.night import Night
from tracker.live import Frame
from tracker.store import NotSaved
from tracker.table import Outcome, Table
from tracker.web import board, drawn, knock, recording, score, score_moves, trouble, words
from tracker.web.here import tables, the_table
from tracker.web.language import language
from tracker.web.moments import most_cards, stages
from tracker.web.rule_words import change_words
from tracker.web.scenes import scene_of, viewer_of
from tracker.web.sheets import sheet_view
from tracker.web.streaming import stream_response
from tracker.web.taking_back import undone
from tracker.web.views import TableView, table_view

bp = Blueprint("table", __name__)
bp.record_once(lambda setup: drawn.install(setup.app))


def fragment(view: TableView, table: Table, error: str = "", note: str = "") -> str:
    """Return the HTML of everything on the page that changes; the page, every move and the stream show the same."""
    draw, templates = drawn.drawing(view.scene), current_app.jinja_env
    asked, wrong = knock.asked_of(table, g.who), trouble.notice_for(table.code)
    said = {"view": view, "error": error, "note": note}

    def make(name: str, **more: Any) -> str:
        return templates.get_template(f"partials/{name}.html").render(**said, **more, **facts(view, table))

    def make_table() -> str:
        return make("_table", own=drawn.HOLES, asked=asked, trouble=wrong)

    own = draw.own(view, base_of(table))
    own["dock"] = draw.once(("dock", error, note, view.dock), lambda: make("_dock")) if view.may_act else ""
    return draw.filled((error, note, asked, wrong, view.group), make_table, own)


def base_of(table: Table) -> str:
    """Return where the night's pages are."""
    return f"/n/{table.code}"


def is_score_game(table: Table) -> bool:
    """Return whether this night keeps a score: its page has no board, but the same addresses."""
    return table.preset.game != "pots"


def shown(table: Table, error: str = "", note: str = "") -> str:
    """Return what changes on the page of this night, for whoever asks."""
    if is_score_game(table):
        return score.fragment(table, viewer_of(table), error)
    return fragment(table_view(scene_of(table), viewer_of(table)), table, error, note)


def facts(view: TableView, table: Table) -> dict[str, Any]:
    """Return what templates need beside the view: addresses, and the night's words."""
    draw = drawn.drawing(view.scene)
    return draw.once("facts", lambda: _facts(view, table, draw))


def _facts(view: TableView, table: Table, draw: drawn.Drawing) -> dict[str, Any]:
    return {
        "base": base_of(table),
        "draw": draw,
        **draw.macros,
        "stages": stages(view.night),
        "most": most_cards(view.night),
        "undone": undone(view.scene),
        "told": _told(view),
        "news": rule_news(view.night),
    }


RARE = ("place", "share", "bet", "go-on", "turn-up", "fine", "due", "left", "sweep", "rule")


def _told(view: TableView) -> str:
    """Return the log's sentence for an event that the page has no short one for."""
    last = view.last
    return words.sentence(last, None, None, view.night) if last and last.event.kind in RARE else ""


def rule_news(night: Night) -> list[str]:
    """Return the house rules that change with the next hand, in words."""
    return [change_words(night.preset.game, key, value) for key, value in night.new_rules.items()]


@bp.get("/n/<code>")
def page(code: str) -> str:
    """Show the table to whoever sits at it or watches."""
    return _page(the_table(code))


def _page(table: Table, sheet: str = "") -> str:
    """Return the whole page, with a sheet open on it when there is one."""
    if is_score_game(table):
        return score.page(table, viewer_of(table), sheet)
    view = table_view(scene_of(table), viewer_of(table))
    return render_template(
        "table.html",
        view=view,
        sheet=sheet,
        live=fragment(view, table),
        art=board.art(view.board_size),
        name=table.name,
        tab=secrets.token_hex(4),
        **facts(view, table),
    )


@bp.get("/n/<code>/live")
def live(code: str) -> str:
    """Show what changes on the page: asked for when a phone wakes up or finds that it missed something."""
    return shown(the_table(code))


@bp.get("/n/<code>/stream")
def stream(code: str) -> Response:
    """Send the page's changing part again after every change, to everybody who sees the same."""
    table = the_table(code)
    return stream_response(table, view_name(), lambda: Frame(table.head, shown(table)))


def view_name() -> str:
    """Return the name that everybody's view has who sees the same as whoever asks."""
    return "/".join(("table", g.who.role or "", g.who.seat or "", language()))


def answer(table: Table, error: str, note: str) -> str:
    """Return what changes on the page; where nothing else is to be said, what its stream was sent just now."""
    sent = None if error or note else tables().live.shown(table.code, view_name())
    return sent.html if sent else shown(table, error, note)


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
    table = the_table(code)
    html = _sheet_html(table, seat)
    return html if request.headers.get("HX-Request") else _page(table, html)


def _sheet_html(table: Table, seat: str | None) -> str:
    if is_score_game(table):
        return score.sheet(table, viewer_of(table), seat)
    view = table_view(scene_of(table), viewer_of(table))
    if seat is not None and seat not in view.night.people:
        abort(404)
    name = "partials/_menu.html" if seat is None else "partials/_sheet.html"
    found = sheet_view(view, seat) if seat else None
    return render_template(name, view=view, sheet=found, **facts(view, table))


@bp.post("/n/<code>/record")
def record(code: str) -> str | tuple[str, int] | AnyResponse:
    """Do what a form asks and answer with the page's changing part; a refusal comes with its reason."""
    table, error, note, status = the_table(code), "", "", 200
    form = request.form.to_dict()  # in a MultiDict, each field that is missing costs an exception
    try:
        if is_score_game(table):
            score_moves.do(table, form)
        else:
            note = already(table, recording.do(table, form))
    except NotSaved:
        error, status = gettext("Not saved: the disk is full or read-only. The table can only be read."), 503
    except (Stale, AlreadyDone) as refusal:
        error, status = said(refusal), 409
    except TableError as refusal:
        error, status = said(refusal), 422
    if not request.headers.get("HX-Request") and not error:
        return redirect(f"/n/{code}", code=303)
    return answer(table, error, note), status


def already(table: Table, done: Outcome | None) -> str:
    """Return who was faster with the same entry, as a sentence; nothing for a form that one phone sent twice."""
    if done is None or done.is_fresh or done.entry.by == g.who.by:
        return ""
    who = words.recorder(done.entry.by, table.night)
    sentence: str = gettext("%(name)s has recorded that already. Nothing counts twice.", name=who)
    return sentence


def said(refusal: TableError) -> str:
    """Return a refusal as a sentence in the reader's language."""
    return words.refusal(refusal)
