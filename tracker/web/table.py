"""The table's page: the board, the seats and the dock, the moves made on it, and the stream that keeps it true."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    g,
    redirect,
    render_template,
    request,
    stream_with_context,
    url_for,
)
from flask_babel import get_locale, gettext
from werkzeug.wrappers import Response as AnyResponse

from tracker.core import pot_game
from tracker.core.errors import AlreadyDone, Stale, TableError
from tracker.core.events import Undo
from tracker.live import Frame, TooManyStreams
from tracker.store import NotSaved
from tracker.tables import Table
from tracker.web import access, board, moves, score, score_moves, words
from tracker.web.here import tables, the_table
from tracker.web.moments import moment_of, stages
from tracker.web.sheets import sheet_view
from tracker.web.views import Scene, TableView, Viewer, most_cards, table_view, undone

bp = Blueprint("table", __name__)


def scene_of(table: Table) -> Scene:
    """Return a night as it stands now, with what phones have typed and the host has planned."""
    night, draft = table.night, table.draft
    plan, waived = kept(table, "plan", night.hand), kept(table, "waived", night.hand)
    return Scene(
        night=night,
        entries=table.entries,
        struck=table.standing.struck,
        out=draft.winner,
        said={seat: cards for seat, cards in draft.said.items() if isinstance(cards, int)},
        plan={seat: source for seat, source in plan.items() if seat in night.people or seat == "dealer"},
        waived=frozenset(waived),
        is_last=table.setting("last") == "on",
        present=tables().live.present(table.code),
    )


def kept(table: Table, key: str, hand: int) -> dict[str, str]:
    """Return what was decided for this hand's next step; nothing when it was decided in another hand."""
    found: dict[str, Any] = json.loads(table.setting(key) or "{}")
    return dict(found.get("is", {})) if found.get("hand") == hand else {}


def keep(table: Table, key: str, changes: Mapping[str, str | None]) -> None:
    """Add to what was decided for this hand's next step; None takes a decision back."""
    now = {**kept(table, key, table.night.hand), **changes}
    chosen = {name: value for name, value in now.items() if value}
    table.change_setting(key, json.dumps({"hand": table.night.hand, "is": chosen}))


def viewer_of(table: Table) -> Viewer:
    return Viewer(g.who.role, g.who.seat, is_open=access.is_open_to_all(table.code))


def fragment(view: TableView, table: Table, error: str = "") -> str:
    """Return the HTML of everything on the page that changes; the page, every move and the stream show the same."""
    template = current_app.jinja_env.get_template("partials/_table.html")
    return template.render(view=view, error=error, **facts(view, table))


def is_score_game(table: Table) -> bool:
    """Return whether this night keeps a score: its page has no board, but the same addresses."""
    return table.preset.game != "pots"


def shown(table: Table, error: str = "") -> str:
    """Return what changes on the page of this night, for whoever asks."""
    if is_score_game(table):
        return score.fragment(table, viewer_of(table), error)
    return fragment(table_view(scene_of(table), viewer_of(table)), table, error)


def facts(view: TableView, table: Table) -> dict[str, Any]:
    """Return what templates need beside the view: addresses, and the night's words."""
    return {
        "base": f"/n/{table.code}",
        "heaps": url_for("static", filename="heaps.svg"),
        "stages": stages(view.night),
        "most": most_cards(view.night),
        "undone": undone(view.scene),
    }


@bp.get("/n/<code>")
def page(code: str) -> str:
    """Show the table to whoever sits at it or watches."""
    table = the_table(code)
    if is_score_game(table):
        return score.page(table, viewer_of(table))
    view = table_view(scene_of(table), viewer_of(table))
    return render_template(
        "table.html",
        view=view,
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
    table, who = the_table(code), g.who
    wanted = request.args.get("view", "table")
    view = "/".join((wanted, who.role or "", who.seat or "", str(get_locale())))
    return stream_response(table, view, lambda: _frame(table, wanted), tab=request.args.get("tab", "")[:16])


def stream_response(table: Table, view: str, render: Callable[[], Frame], *, tab: str) -> Response:
    """Answer with a stream of what `render` shows; 503 when too many screens watch already."""
    device = str(g.who.device or "")
    hung_up = request.environ.get("waitress.client_disconnected", lambda: False)
    try:
        messages = tables().live.stream(table.code, view, render, device=device, tab=tab, seat=g.who.seat, gone=hung_up)
    except TooManyStreams as full:
        abort(Response(str(full), 503, {"Retry-After": str(full.retry_after)}))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(stream_with_context(messages), headers=headers, mimetype="text/event-stream")


def _frame(table: Table, wanted: str) -> Frame:
    scene = scene_of(table)
    if wanted == "tv":
        from tracker.web.tv import tv_fragment  # noqa: PLC0415 - the TV is built on this page

        return Frame(scene.head, tv_fragment(table, scene))
    return Frame(scene.head, shown(table))


@bp.get("/n/<code>/sheet")
def menu(code: str) -> str:
    """Show what else the table offers: the deal, the last hand, chips by hand, other pages."""
    return _sheet(code, None)


@bp.get("/n/<code>/sheet/<seat>")
def sheet(code: str, seat: str) -> str:
    """Show what can happen to one person: penalties, buying, borrowing, paying, sitting out, leaving."""
    return _sheet(code, seat)


def _sheet(code: str, seat: str | None) -> str:
    table = the_table(code)
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
    table, error, status = the_table(code), "", 200
    try:
        (score_moves.do if is_score_game(table) else _do)(table, request.form)
    except NotSaved:
        error, status = gettext("Not saved: the disk is full or read-only. The table can only be read."), 503
    except (Stale, AlreadyDone) as refusal:
        error, status = said(refusal), 409
    except TableError as refusal:
        error, status = said(refusal), 422
    if not request.headers.get("HX-Request") and not error:
        return redirect(f"/n/{code}", code=303)
    return shown(table, error), status


def said(refusal: TableError) -> str:
    """Return a refusal as a sentence in the reader's language."""
    sentence = words.refusal(refusal)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _do(table: Table, form: Mapping[str, str]) -> None:
    verb, _, argument = form.get("do", "").partition(":")
    if verb in _KEPT:
        _KEPT[verb](table, argument, form)
        return
    scene = scene_of(table)
    moment = moment_of(scene.night, scene.out, scene.said, scene.plan, scene.waived)
    event = moves.event_of(form, scene, moment)
    if isinstance(event, Undo):
        _check_undo(scene, event)
    else:
        may = access.may_record(g.who, event, scene.night, is_open=access.is_open_to_all(table.code))
        if not may:
            abort(403)
    if event.kind == "out" and verb == "out" and not pot_game.takes_nothing(scene.night, event.seat):
        _say_out(table, event.seat, form)
        return
    table.record(event, id=moves.event_id(form, event), by=g.who.by, seen=moves.seen_of(form, event))
    if event.kind == "hand" and scene.plan:
        table.change_setting("plan", None)


def _check_undo(scene: Scene, event: Undo) -> None:
    """A seat's phone takes back only its own newest event of this hand; what nobody may is answered with 403."""
    if g.who.role == "host":
        return
    mine = table_view(scene, Viewer(g.who.role, g.who.seat)).undo
    if mine is None or event.event not in (mine.number, mine.further):
        abort(403)


def _may_for(seat: str, table: Table) -> bool:
    return g.who.role == "host" or g.who.seat == seat or (g.who.role == "seat" and access.is_open_to_all(table.code))


def _say(table: Table, cards: str, form: Mapping[str, str]) -> None:
    seat = form.get("seat", "")
    if not _may_for(seat, table):
        abort(403)
    left = moves.number({"n": cards}, "n")
    table.say(seat, left if 0 <= left <= most_cards(table.night) else None)


def _say_out(table: Table, seat: str, _: Mapping[str, str]) -> None:
    already = table.draft.winner
    if already and already != seat:
        raise AlreadyDone("{name} is out of cards already", name=table.night.name(already))
    table.say_out(seat)


def _not_out(table: Table, _: str, __: Mapping[str, str]) -> None:
    if not _may_for(table.draft.winner or "", table):
        abort(403)
    table.say_out(None)


def _waive(table: Table, question: str, _: Mapping[str, str]) -> None:
    if not _may_for("", table):
        abort(403)
    keep(table, "waived", {question: "nobody"})


def _plan(table: Table, choice: str, form: Mapping[str, str]) -> None:
    """Keep who sits the next hand out, who lends whom for the ante, or who deals."""
    seat = form.get("seat", "")
    if not _may_for(seat, table):
        abort(403)
    keep(table, "plan", {choice: seat} if choice == "dealer" else {seat: choice or None})


def _last(table: Table, choice: str, _: Mapping[str, str]) -> None:
    if g.who.role != "host":
        abort(403)
    table.change_setting("last", choice or None)


_KEPT: Mapping[str, Callable[[Table, str, Mapping[str, str]], None]] = {
    "say": _say,
    "not-out": _not_out,
    "waive": _waive,
    "plan": _plan,
    "last": _last,
}
"""Verbs that record nothing yet: what is typed or planned until an event says it."""


