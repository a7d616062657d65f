"""The log's pages: everything recorded tonight, taking back and correcting."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, g, render_template, request
from flask.typing import ResponseReturnValue

from tracker.core.errors import TableError
from tracker.core.events import Amend, Event, Undo
from tracker.sealing import new_id
from tracker.table import Outcome, Table
from tracker.web import moves, recount
from tracker.web.correction import Preview, hand_over_lines, preview, refused, status_of
from tracker.web.difference import difference
from tracker.web.faces import faces, label_of
from tracker.web.fields import change_of, fields_of
from tracker.web.here import see, the_table
from tracker.web.history import History, Line, history_of
from tracker.web.logbook import Logbook
from tracker.web.texts import gettext as _

bp = Blueprint("book", __name__)
bp.register_blueprint(recount.bp)

Facts = dict[str, Any]


# The log


@bp.get("/n/<code>/log")
def log(code: str) -> str:
    """Show everything recorded tonight, the newest first; hands that are over are folded."""
    return log_page(the_table(code))


def log_page(table: Table, wrong: str = "") -> str:
    history = history_of(table)
    opened, given = request.args.get("open", type=int), request.args.get("given", type=int)
    return render_template(
        "log.html",
        **log_facts(table, wrong),
        opened=opened if opened in history.hands else None,
        given=hand_over_lines(table.night, moves_of(history, given)) if given else [],
    )


def log_facts(table: Table, wrong: str = "", before: int | None = None) -> Facts:
    """Return what the log's changing part needs."""
    book = Logbook(history_of(table), g.who)
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
    table = the_table(code)
    if hand not in history_of(table).hands:
        abort(404)
    if not request.headers.get("HX-Request"):
        return see("book.log", code=code, open=hand, before=hand + 1, _anchor=f"hand-{hand}")
    return render_template("partials/_log_rows.html", hand=hand, **log_facts(table))


@bp.get("/n/<code>/log/before/<int:hand>")
def older(code: str, hand: int) -> ResponseReturnValue:
    """Show the strips of the hands before one."""
    if not request.headers.get("HX-Request"):
        return see("book.log", code=code, before=hand)
    return render_template("partials/_log_older.html", opened=None, **log_facts(the_table(code), before=hand))


def moves_of(history: History, number: int) -> list[Any]:
    """Return the payments that bring the table to what a correction made of the book; none for any other entry."""
    if not 1 <= number <= len(history.entries) or not isinstance(history.entries[number - 1].event, Undo | Amend):
        return []
    then = History(history.preset, history.entries[: number - 1], history)
    return difference(then.night, History(history.preset, history.entries[:number], then).night).moves


# Taking back and correcting


@bp.post("/n/<code>/undo")
def undo(code: str) -> ResponseReturnValue:
    """Take an entry back: any for the host, the own newest of this hand for a seat."""
    table, number = the_table(code), moves.number(request.form, "event")
    event = Undo(number)
    if not is_repeat(table, event) and not Logbook(history_of(table), g.who).may_undo(number):
        abort(403)
    try:
        if has_moved_on(table, event):
            return correction_page(table, line_of(table, number), event, moved_on()), 409
        done = correct(table, event)
    except TableError as error:
        return undo_answer(table, refused(error, history_of(table)), status_of(error))
    if request.form.get("chips") == "hand":
        return see("book.log", code=code, given=done.entry.number)
    return undo_answer(table)


def undo_answer(table: Table, wrong: str = "", status: int = 200) -> ResponseReturnValue:
    """Answer an undo with the log's changing part, or send a plain browser to the log."""
    if request.headers.get("HX-Request"):
        return render_template("partials/_log.html", opened=None, given=[], **log_facts(table, wrong)), status
    return (log_page(table, wrong), status) if wrong else see("book.log", code=table.code)


@bp.get("/n/<code>/take-back/<int:number>")
def take_back(code: str, number: int) -> str:
    """Show what taking an entry back would change, before anything is changed."""
    table = the_table(code)
    return correction_page(table, line_of(table, number), Undo(number))


@bp.get("/n/<code>/change/<int:number>")
def change(code: str, number: int) -> str:
    """Ask what an entry should have said, and show the difference that makes."""
    table = the_table(code)
    line = line_of(table, number)
    event = amend_of(line, request.args)
    if request.headers.get("HX-Request"):
        return render_template("partials/_difference.html", **correction_facts(table, line, event))
    return correction_page(table, line, event)


@bp.post("/n/<code>/change/<int:number>")
def amend(code: str, number: int) -> ResponseReturnValue:
    """Correct an entry, if the difference is still the one that was shown."""
    table = the_table(code)
    line = line_of(table, number)
    event = amend_of(line, request.form)
    if event is None:
        return corrected(table, line, sent_before(table))
    try:
        if has_moved_on(table, event):
            return correction_page(table, line, event, moved_on()), 409
        done = correct(table, event)
    except TableError as error:
        return correction_page(table, line, event, refused(error, history_of(table))), status_of(error)
    return corrected(table, line, done.entry.number)


def corrected(table: Table, line: Line, correction: int) -> ResponseReturnValue:
    """Lead to the log: to what people hand over now, or to the entry."""
    if correction and request.form.get("chips") == "hand":
        return see("book.log", code=table.code, given=correction)
    return see("book.log", code=table.code, open=line.hand, _anchor=f"e-{line.number}")


def sent_before(table: Table) -> int:
    """Return the number of what this very form has recorded, or 0: its second tap changes nothing any more."""
    key = f"{request.form.get('key', '')[:40]}-"
    return next((number for number, entry in enumerate(table.entries, 1) if (entry.id or "").startswith(key)), 0)


def line_of(table: Table, number: int) -> Line:
    """Return an entry with what it did; 404 when there is none of that number."""
    history = history_of(table)
    if not 1 <= number <= len(history.entries):
        abort(404)
    return history.line(number)


def amend_of(line: Line, filled: Any) -> Amend | None:
    """Return the correction that a filled form describes; None when it changes nothing."""
    if line.struck_by or line.is_correction:
        abort(404)
    changed = change_of(line.event, line.before, filled)
    return Amend(line.number, changed) if changed else None


def correct(table: Table, event: Event) -> Outcome:
    """Record a correction; the same form sent twice is one."""
    return table.record(
        event, id=moves.event_id(request.form, event), by=g.who.by, seen=moves.seen_of(request.form, event)
    )


def is_repeat(table: Table, event: Event) -> bool:
    """Say whether this very form was recorded already."""
    wanted = moves.event_id(request.form, event)
    return any(entry.id == wanted for entry in table.entries)


def has_moved_on(table: Table, event: Event) -> bool:
    """Say whether the difference is not the one any more that the form has shown."""
    mark = request.form.get("mark")
    if mark is None or is_repeat(table, event):
        return False
    return difference(table.night, table.preview(event)).mark != mark


def moved_on() -> str:
    return _("Something was recorded in the meantime. This is the difference now: look again, then save.")


def correction_page(table: Table, line: Line, event: Event | None, wrong: str = "") -> str:
    return render_template("amend.html", **correction_facts(table, line, event, wrong))


def correction_facts(table: Table, line: Line, event: Event | None, wrong: str = "") -> Facts:
    """Return what the form of an entry, and the difference under it, need."""
    book = Logbook(history_of(table), g.who)
    shown: Preview = preview(table, event)
    filled = request.values if isinstance(event, Amend) else None
    return {
        "table": table,
        "book": book,
        "row": book.row(line),
        "fields": [] if isinstance(event, Undo) else fields_of(line.event, line.before),
        "filled": filled,
        "event": event,
        "preview": shown,
        "faces": faces(shown.everybody),
        "labels": {pot.id: label_of(pot) for pot in table.night.preset.board.values()},
        "key": new_id(),
        "wrong": wrong,
    }
