"""The log's pages: everything recorded tonight, taking back and correcting."""

from typing import Any

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from tracker.app.event_rows import new_id
from tracker.app.log_history import History, HistoryLine
from tracker.app.open_night import OpenNight, Outcome
from tracker.core.errors import N_, TableError
from tracker.core.events import Amend, Event, Undo
from tracker.core.queries.difference import difference
from tracker.core.queries.undo_policy import undone_by
from tracker.web.access.answered_forms import expected_state, id_from_content
from tracker.web.access.consent import check_may_record, record_or_ask
from tracker.web.context import get_table, redirect_to
from tracker.web.drawing.player_token import label_of, player_tokens
from tracker.web.error_pages import status_of
from tracker.web.events.event_kind import number
from tracker.web.events.registry import kind_of
from tracker.web.log.view import LogView, Preview, hand_over_lines, preview, with_everybody
from tracker.web.log_sentences import refusal_in_log
from tracker.web.wording.texts import gettext as _

bp = Blueprint("log", __name__)

PageContext = dict[str, Any]
OUTDATED = N_("Something was recorded in the meantime. This is the difference now: look again, then save.")


# The log


@bp.get("/n/<code>/log")
def log(code: str, wrong: str = "") -> str:
    """Show everything recorded tonight, the newest first; hands that are over are folded."""
    table = get_table(code)
    history = table.history()
    opened, given = request.args.get("open", type=int), request.args.get("given", type=int)
    return render_template(
        "log/log.html",
        **log_context(table, wrong),
        opened=opened if opened in history.hands else None,
        given=lines_of(history, given) if given else [],
    )


def log_context(table: OpenNight, wrong: str = "", before: int | None = None) -> PageContext:
    """Return what the log's changing part needs."""
    book = LogView(table.history(), g.identity)
    return {
        "table": table,
        "book": book,
        "night": book.night,
        "older": book.older(before if before is not None else request.args.get("before", type=int)),
        "key": new_id(),
        "wrong": wrong,
    }


@bp.get("/n/<code>/log/<int:hand>")
def hand(code: str, hand: int) -> ResponseReturnValue:
    """Show the entries of one hand: asked for when its strip is opened."""
    table = get_table(code)
    if hand not in table.history().hands:
        abort(404)
    if not request.headers.get("HX-Request"):
        return redirect_to("log.log", code=code, open=hand, before=hand + 1, _anchor=f"hand-{hand}")
    return render_template("log/_log_rows.html", hand=hand, **log_context(table))


@bp.get("/n/<code>/log/before/<int:hand>")
def older_hands(code: str, hand: int) -> ResponseReturnValue:
    if not request.headers.get("HX-Request"):
        return redirect_to("log.log", code=code, before=hand)
    return render_template("log/_log_older.html", opened=None, **log_context(get_table(code), before=hand))


def lines_of(history: History, number: int) -> list[Markup]:
    """Return what to hand over to bring the table to what a correction made of the book; none for any other entry."""
    if not 1 <= number <= len(history.entries) or not isinstance(history.entries[number - 1].event, Undo | Amend):
        return []
    then, now = history.state_after(number - 1), history.state_after(number)
    return hand_over_lines(with_everybody(then, now), difference(then, now).moves)


# Taking back and correcting


@bp.post("/n/<code>/undo")
def undo(code: str) -> ResponseReturnValue:
    """Take an entry back: any for the host, the own newest of this hand for a seat."""
    table, target = get_table(code), number(request.form.get("event", ""))
    event = Undo(target)
    known = recorded_before(table)
    if not known:
        check_may_record(table, g.identity, event)
    try:
        if not known and is_preview_outdated(table, event):
            return correction_page(table, undone_line(table, target), event, _(OUTDATED)), 409
        done = known or correct(table, event)
    except TableError as error:
        return undo_answer(table, refusal_in_log(error, table.history()), status_of(error))
    if done and request.form.get("at-table") == "hand":
        return redirect_to("log.log", code=code, given=done.entry.number)
    return undo_answer(table)


def undo_answer(table: OpenNight, wrong: str = "", status: int = 200) -> ResponseReturnValue:
    """Answer an undo with the log's changing part, or send a plain browser to the log."""
    if request.headers.get("HX-Request"):
        return render_template("log/_log.html", opened=None, given=[], **log_context(table, wrong)), status
    return (log(table.code, wrong), status) if wrong else redirect_to("log.log", code=table.code)


@bp.get("/n/<code>/take-back/<int:number>")
def undo_preview(code: str, number: int) -> str:
    """Show what taking an entry back would change, before anything is changed."""
    table = get_table(code)
    return correction_page(table, undone_line(table, number), Undo(number))


@bp.get("/n/<code>/change/<int:number>")
def amend_form(code: str, number: int) -> str:
    """Ask what an entry should have said, and show the difference that makes."""
    table = get_table(code)
    line = line_of(table, number)
    event = amend_of(line, request.args)
    if request.headers.get("HX-Request"):
        return render_template("log/_difference.html", **correction_context(table, line, event))
    return correction_page(table, line, event)


@bp.post("/n/<code>/change/<int:number>")
def amend(code: str, number: int) -> ResponseReturnValue:
    """Correct an entry, if the difference is still the one that was shown."""
    table = get_table(code)
    line = line_of(table, number)
    if known := recorded_before(table):
        return corrected(table, line, known.entry.number)
    event = amend_of(line, request.form)
    if event is None:
        return corrected(table, line, 0)
    try:
        if is_preview_outdated(table, event):
            return correction_page(table, line, event, _(OUTDATED)), 409
        done = correct(table, event)
    except TableError as error:
        return correction_page(table, line, event, refusal_in_log(error, table.history())), status_of(error)
    return corrected(table, line, done.entry.number if done else 0)


def corrected(table: OpenNight, line: HistoryLine, correction: int) -> ResponseReturnValue:
    """Lead to the log: to what people hand over now, or to the entry."""
    if correction and request.form.get("at-table") == "hand":
        return redirect_to("log.log", code=table.code, given=correction)
    return redirect_to("log.log", code=table.code, open=line.hand, _anchor=f"e-{line.number}")


def recorded_before(table: OpenNight) -> Outcome | None:
    """Return what this very form has recorded, if it was sent before: its answer may have got lost."""
    return table.outcome_of(id_from_content(request.form), by=g.identity.by)


def line_of(table: OpenNight, number: int) -> HistoryLine:
    """Return an entry with what it did; 404 when there is none of that number."""
    history = table.history()
    if not 1 <= number <= len(history.entries):
        abort(404)
    return history.line(number)


def undone_line(table: OpenNight, number: int) -> HistoryLine:
    """Return the entry that an undo of `number` finally takes back or brings back; 404 when there is none."""
    line = line_of(table, number)
    return table.history().line(undone_by(table.entries, line.entry)[0].number)


def amend_of(line: HistoryLine, filled: Any) -> Amend | None:
    """Return the correction that a filled form describes; None when it changes nothing."""
    if line.undone_by or line.is_correction:
        abort(404)
    changed = kind_of(line.event).correction.change(line.event, line.before, filled)
    return Amend(line.number, changed) if changed else None


def correct(table: OpenNight, event: Event) -> Outcome | None:
    """Record a correction, or ask those whose chips it takes (None); the same form sent twice is one."""
    form = request.form
    return record_or_ask(table, g.identity, event, id=id_from_content(form), seen=expected_state(form, event))


def is_preview_outdated(table: OpenNight, event: Event) -> bool:
    """Say whether the difference is not the one any more that the form has shown."""
    mark = request.form.get("mark")
    return mark is not None and difference(table.night, table.preview(event)).mark != mark


def correction_page(table: OpenNight, line: HistoryLine, event: Event | None, wrong: str = "") -> str:
    return render_template("log/amend.html", **correction_context(table, line, event, wrong))


def correction_context(table: OpenNight, line: HistoryLine, event: Event | None, wrong: str = "") -> PageContext:
    """Return what the form of an entry, and the difference under it, need."""
    book = LogView(table.history(), g.identity)
    shown: Preview = preview(table, event)
    filled = request.values if isinstance(event, Amend) else None
    return {
        "table": table,
        "book": book,
        "row": book.row(line),
        "fields": [] if isinstance(event, Undo) else kind_of(line.event).correction.fields(line.event, line.before),
        "filled": filled,
        "event": event,
        "is_bring_back": isinstance(event, Undo) and line.undone_by is not None,
        "preview": shown,
        "faces": player_tokens(shown.everybody),
        "labels": {pot.id: label_of(pot) for pot in table.night.preset.board.values()},
        "key": new_id(),
        "wrong": wrong,
    }
